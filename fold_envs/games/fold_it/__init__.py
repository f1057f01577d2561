"""Fold-it: see README.md in this folder."""
