"""Thin faces over BatchGame; no rule of any game in here."""
