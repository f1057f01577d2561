"""PettingZoo AEC: one table, every seat an agent. The only module that imports PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray

from fold_envs.api.seats import OBS_DTYPES
from fold_envs.engine.errors import GameOverError, InvalidOptionError
from fold_envs.engine.tables import check_choice
from fold_envs.registry import make_batch

try:
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError(
        'fold_envs.api.aec needs PettingZoo: pip install "fold-envs[pettingzoo]"'
    ) from error

Observation = dict[str, NDArray[Any]]


def env(env_id: str, **options: Any) -> AECEnv[str, Observation, int]:
    """An AEC env that also complains when its methods are called in a wrong order.

    Args:
        env_id: which game, "FoldEnvs/...".
        **options: as of ``FoldAECEnv``.
    """
    return OrderEnforcingWrapper(raw_env(env_id, **options))


def raw_env(env_id: str, **options: Any) -> FoldAECEnv:
    """The AEC env without the wrapper of ``env``."""
    return FoldAECEnv(env_id, **options)


class FoldAECEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One table of a game; agents are "player_0" to "player_{P-1}", by absolute seat.

    ``observe(agent)`` is a dict: ``observation`` (D,), own seat first, and ``action_mask`` (A,)
    int8. The mask is all zero for agents that are not to act, and for all when the game is over.
    Rewards come once, when the game ends; every agent's info then has ``scores`` and ``winners``
    (P,) by seat, ``tie_break`` (its name or None) and ``illegal_action`` (bool, about the agent).

    Args:
        env_id: which game.
        render_mode: None or "ansi".
        skip_forced: play decisions that leave one legal action.
        obs_dtype: "float32" (in [0, 1]) or "uint8" (as the game writes it).
        on_illegal: what an illegal action does: "lose" (its agent loses at once with reward -1,
            the others share +1) or "raise".
        **options: options of the game.
    """

    def __init__(
        self,
        env_id: str,
        *,
        render_mode: str | None = None,
        skip_forced: bool = False,
        obs_dtype: str = "float32",
        on_illegal: str = "lose",
        **options: Any,
    ) -> None:
        super().__init__()
        for unfit in ("num_envs", "autoreset"):
            if unfit in options:
                raise InvalidOptionError(f"{env_id}: an AEC env has one table and no {unfit}")
        self.render_mode = check_choice(render_mode, (None, "ansi"), "render_mode")
        self.skip_forced = check_choice(skip_forced, (True, False), "skip_forced")
        self.obs_dtype = check_choice(obs_dtype, OBS_DTYPES, "obs_dtype")
        check_choice(on_illegal, ("lose", "raise"), "on_illegal")
        self.game = make_batch(env_id, 1, on_illegal=on_illegal, **options)
        self.layout, self.actions = self.game.layout, self.game.actions
        self.metadata = {
            "name": env_id.rpartition("/")[2].lower().replace("-", "_"),
            "render_modes": ["ansi"],
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        self.agents: list[str] = []  # nobody plays before reset
        high = self.layout.high
        box = (
            spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
            if obs_dtype == "uint8"
            else spaces.Box(0.0, 1.0, high.shape, np.float32)
        )
        mask = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        # one space object an agent, so that seeding one leaves the others alone
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(box.low, box.high, dtype=box.dtype.type),
                    "action_mask": spaces.Box(mask.low, mask.high, dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents
        }
        self._scale = 1 / high.astype(np.float32)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent; the same object at every call."""
        return self.observation_spaces[self._named(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent; the same object at every call."""
        return self.action_spaces[self._named(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game: that of ``seed``, or without one the next game of the last seed.

        ``options`` are ignored, as PettingZoo's own environments do.
        """
        self.game.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._play_forced()
        self._select()
        if self.game.done[0]:
            self._accumulate_rewards()
            self._end()

    def step(self, action: int | None) -> None:
        """Play an action of ``agent_selection``; None once the game is over.

        Raises:
            IllegalActionError: the action is not legal and ``on_illegal="raise"``.
            GameOverError: there is no game: reset was never called, or all agents have left.
        """
        if not self.agents:
            raise GameOverError(f"{self.game.name}: no agent to play; call reset first")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.game.step(np.asarray(action).reshape(-1))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._pay()
        self._play_forced()
        self._accumulate_rewards()
        if self.game.done[0]:
            self._end()
        else:
            self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[int(self.game.to_act[0])]

    def _play_forced(self) -> None:
        game = self.game
        while self.skip_forced and not game.done[0] and game.legal.sum() == 1:
            game.step(game.legal.argmax(axis=0))
            self._pay()

    def _pay(self) -> None:
        if self.game.paid:
            for agent, reward in zip(self.possible_agents, self.game.rewards[:, 0], strict=True):
                self.rewards[agent] += float(reward)

    def _end(self) -> None:
        game = self.game
        broke = int(game.tie_break[0])
        for seat, agent in enumerate(self.agents):
            self.terminations[agent] = True
            self.infos[agent] = {
                "scores": game.final_scores[:, 0].copy(),
                "winners": game.winners[:, 0].copy(),
                "tie_break": game.tie_breaks[broke - 1] if broke else None,
                "illegal_action": bool(game.state.illegal[0] == seat + 1),
            }

    def observe(self, agent: str) -> Observation:
        """What ``agent`` sees now, whether it is to act or not; fresh arrays."""
        seat = self.possible_agents.index(self._named(agent))
        raw = self.game.observe(seat)[:, 0]
        mask = np.zeros(self.game.num_actions, np.int8)
        if not self.game.done[0] and seat == self.game.to_act[0]:
            mask[:] = self.game.legal[:, 0]
        seen = raw.copy() if self.obs_dtype == "uint8" else raw * self._scale
        return {"observation": seen, "action_mask": mask}

    def state(self) -> NDArray[np.uint8]:
        """(F,) the full state as features, from the seat to act (``BatchGame.state_vector``)."""
        return self.game.state_vector()[:, 0]

    def describe_action(self, action: int) -> str:
        """What an action would do now, in the game's words."""
        return self.game.describe_action(action, 0)

    def render(self) -> str | None:
        """The table as text, hidden things included; None without a render mode."""
        if self.render_mode is None:
            logger.warn("render() without a render_mode does nothing; make the env with 'ansi'")
            return None
        return self.game.render(0)

    def close(self) -> None:
        """Nothing to release."""

    def _named(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise InvalidOptionError(
                f"no agent {agent!r}; there are {', '.join(self.possible_agents)}"
            )
        return agent
