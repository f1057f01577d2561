"""Ohanami: see README.md in this folder."""
