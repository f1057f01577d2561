"""Old Men of the Forest: see README.md in this folder."""
