"""Origami: see README.md in this folder."""
