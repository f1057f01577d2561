"""Five tabletop games as Gymnasium environments with action masks and a batched NumPy core.

``import fold_envs`` registers ``FoldEnvs/<Game>-v0`` with Gymnasium. ``make_batch`` gives the
batched, multi-seat core that everything else is made of.
"""

from fold_envs.registry import game_class, ids, make_batch, register_envs

__version__ = "0.1.0"
__all__ = ["__version__", "game_class", "ids", "make_batch", "register_envs"]

register_envs()
