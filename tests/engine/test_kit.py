"""The kit passes a sound game and notices each of a row of broken ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.testing import check_game
from tests.engine import toy_game
from tests.engine.toy_game import Toy


@pytest.mark.parametrize("options", [{}, {"num_players": 3}, {"limit": 8}, {"reward": "margin"}])
def test_a_sound_game_passes(register: Any, options: dict[str, Any]) -> None:
    check_game(register(Toy), games=8, **options)


class Leaks(Toy):
    """The hand of another seat shows through in a public feature."""

    def _observe(self, seat: Any, out: Any) -> None:
        super()._observe(seat, out)
        out[self.layout["boasts"]] += self.state.hand[0, 0] == 9


class LeaksByMask(Toy):
    """Boasting 2 is allowed only while the next seat holds the 9."""

    def _mark_legal(self, group: int, legal: Any) -> None:
        super()._mark_legal(group, legal)
        if group == toy_game.BOAST:
            other = 1 - self.state.turn
            holds = (np.where(other, self.state.hand[1], self.state.hand[0]) == 9).any(axis=0)
            self._put(legal[4], holds.view(np.uint8))


class CallsPrivatePublic(Toy):
    """The own hand is tagged public."""

    def _layouts(self) -> Any:
        actions, layout = super()._layouts()
        parts = [part._replace(public=True) for part in layout]
        return actions, type(layout)(*parts)


class ForgetsToRedraw(Toy):
    def _resample(self, seats: Any) -> None:
        pass


class LosesCards(Toy):
    def _apply(self, group: int, actions: Any) -> None:
        super()._apply(group, actions)
        if group == toy_game.PLAY:
            self._put(self.state.owner[5], 0)


class EmptyMask(Toy):
    def _mark_legal(self, group: int, legal: Any) -> None:
        if group == toy_game.PLAY:
            super()._mark_legal(group, legal)


class AddsToTheMask(Toy):
    """It does not write the whole mask."""

    def _write_legal(self, legal: Any) -> None:
        rest = legal[0].copy()
        super()._write_legal(legal)
        legal[0] |= rest


class AboveHigh(Toy):
    def _observe(self, seat: Any, out: Any) -> None:
        super()._observe(seat, out)
        out[self.layout["phase"].start] *= 2


class RemembersTheMask(Toy):
    """The observation reads what computing the mask left behind, which `mask_is_all` denies."""

    def _write_legal(self, legal: Any) -> None:
        super()._write_legal(legal)
        self.turn_then = self.state.turn.copy()

    def _observe(self, seat: Any, out: Any) -> None:
        _ = self.legal
        super()._observe(self.turn_then if seat is None else seat, out)


class SpillsOver(Toy):
    """A rule writes to tables outside its group."""

    def _apply(self, group: int, actions: Any) -> None:
        super()._apply(group, actions)
        if group == toy_game.BOAST:
            self.state.sum += 1


class KnowsItsPlace(Toy):
    """The deal depends on where in the batch a table is."""

    def _deal(self, state: Any, streams: Any) -> None:
        super()._deal(state, streams)
        state.turn[1:] = 0


class GlobalLuck(Toy):
    def _deal(self, state: Any, streams: Any) -> None:
        super()._deal(state, streams)
        state.turn[:] = np.random.randint(self.num_players)  # noqa: NPY002 - the defect


class StateElsewhere(Toy):
    """Something that matters is kept outside ``State``."""

    moves = 0

    def _apply(self, group: int, actions: Any) -> None:
        self.moves += 1
        super()._apply(group, actions)
        if self.moves == 2:
            self._add(self.state.score[0], 1)


class PaysTheLoser(Toy):
    def _write_rewards(self, scores: Any, winners: Any, tables: Any) -> Any:
        return super()._write_rewards(scores, winners, tables)[::-1]


class CrownsTheLoser(Toy):
    def _judge(self, scores: Any, tables: Any) -> Any:
        winners, broke = super()._judge(scores, tables)
        return ~winners, broke


class SameWords(Toy):
    def _describe(self, action: int, table: Any) -> str:
        return super()._describe(action, None).split()[0]


class GreedyCheats(Toy):
    def heuristic(self) -> Any:
        return lambda observation, legal, stream, where: np.zeros(legal.shape[1], np.intp)


class GreedyDrawsForAll(Toy):
    def heuristic(self) -> Any:
        return lambda observation, legal, stream, where: stream.choose(legal)


class NumpySnapshot(Toy):
    def _snapshot(self, table: int) -> Any:
        return super()._snapshot(table) | {"sum": self.state.sum[table]}


class PaysTwice(Toy):
    """Rewards also come in mid-game."""

    def step(self, *args: Any, **options: Any) -> None:
        super().step(*args, **options)
        self.rewards[0, self.state.sum > 8] = 1


class ChangesOnIllegal(Toy):
    """An illegal action raises, but only after something moved."""

    def _check_actions(self, *args: Any) -> Any:
        self.state.boasts[0] += 1
        found = super()._check_actions(*args)
        self.state.boasts[0] -= 1
        return found


class OtherFace(Toy):
    """A table alone is another game than one in a batch."""

    def _write_to_act(self, out: Any) -> None:
        super()._write_to_act(out)

    def _deal(self, state: Any, streams: Any) -> None:
        super()._deal(state, streams)
        if state.num_envs == 1:
            state.hand[0] = state.hand[0, ::-1].copy()


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (Leaks, "sees what it cannot know"),
        (LeaksByMask, "mask of seat"),
        (CallsPrivatePublic, "called public"),
        (ForgetsToRedraw, "never changes anything"),
        (LosesCards, "census|breaks the moves"),
        (EmptyMask, "a mask is empty"),
        (AddsToTheMask, "the mask depends on what its array held"),
        (AboveHigh, r"phase\[0\] is 2, above 1"),
        (RemembersTheMask, "lent to a part"),
        (SpillsOver, "another one"),
        (KnowsItsPlace, "another one"),
        (GlobalLuck, "another one|np.random"),
        (StateElsewhere, "."),
        (PaysTheLoser, "rewards do not fit"),
        (CrownsTheLoser, "winner"),
        (SameWords, "are named"),
        (GreedyCheats, "not legal"),
        (GreedyDrawsForAll, "not asked"),
        (NumpySnapshot, "not plain"),
        (PaysTwice, "before the end|after the end"),
        (ChangesOnIllegal, "changes something"),
        (OtherFace, "another one"),
    ],
)
def test_a_broken_game_is_noticed(register: Any, broken: type[Toy], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_game(register(broken), games=8)


def test_wrong_calls_are_no_fault_of_the_game(register: Any) -> None:
    for env_id, options in (
        ("Nothing-v0", {}),
        (register(Toy), {"num_players": 7}),
        ("Toy-v0", {"cards": 3}),
        ("Toy-v0", {"games": 0}),
        ("Toy-v0", {"games": 2.5}),
    ):
        with pytest.raises(InvalidOptionError):
            check_game(env_id, **options)
