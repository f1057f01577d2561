"""Training and evaluation of agents: ``python -m training.train``, ``python -m training.evaluate``."""
