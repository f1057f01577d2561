"""Training and evaluation of agents; run ``training.train`` and ``training.evaluate``."""
