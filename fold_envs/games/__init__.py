"""The games: one folder each; what a folder holds is said in CONTRIBUTING.md."""
