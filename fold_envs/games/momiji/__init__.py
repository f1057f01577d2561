"""Momiji: see README.md in this folder."""
