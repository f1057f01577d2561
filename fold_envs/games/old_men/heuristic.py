"""A greedy player of Old Men of the Forest, from the observation and the mask alone.

It values won cards by the best prospect among the orangutans on display: what the orangutan brings,
times PATIENCE for each card that is still lacking.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout
from fold_envs.engine.rows import sort_rows
from fold_envs.games.old_men.deck import DEFORESTATION, RANKS, SUITS, ApeDeck

PATIENCE = 0.4
UNSEEN_CARD = 1.0  # what a card not played yet is thought to be worth to its claimer
RANK_COST = 0.35  # of each rank of the card played: a high one is better kept
GIFT = 0.05  # cost of playing a card, for each point that it helps another seat to
FOUL = 0.3  # what it is worth to rid the hand of deforestation

_RANK = np.arange(1, RANKS + 1, dtype=np.float32)[:, None]
_NEVER = np.float32(-1000)

Floats = NDArray[np.float32]


class Greedy:
    """The player; call it with an observation (D, N) and a mask (A, N) for actions (N,).

    Args:
        layout: of the observation.
        deck: the orangutans.
        burden: (5,) what a card of each suit costs that is left over.
    """

    def __init__(self, layout: Layout, deck: ApeDeck, burden: NDArray[np.int16]) -> None:
        self.layout, self.deck = layout, deck
        self.burden = burden.astype(np.float32)[:, None]
        self.full = deck.dearest + 1  # nearness of an orangutan that the own cards pay for
        gain = deck.value + deck.cost @ burden  # the cost is no burden any more
        worth = gain[:, None] * PATIENCE ** (self.full - np.arange(self.full + 2))
        worth[:, 0] = 0  # not on display
        self.worth = worth.astype(np.float32).reshape(-1)  # by kind and nearness
        self.first = (np.arange(deck.num_kinds) * worth.shape[1])[:, None]  # of a kind
        # The chance that nobody, or just one, of so many later seats beats rank 1-10, if they play
        # any rank alike: (10, seats).
        later = np.arange(4)
        lower = _RANK / RANKS
        self.stays = (lower**later).astype(np.float32)
        self.passed_once = np.float32(later * (1 - lower) * lower ** np.maximum(later - 1, 0))

    def __call__(
        self, observation: NDArray[np.uint8], legal: NDArray[np.bool_]
    ) -> NDArray[np.intp]:
        v = self.layout.views(observation)
        near = v["near"][:, 0]  # (K, N): full, and one less for each card lacking; 0 not there
        tricks = np.argmax(v["trick"][::-1], axis=0).astype(np.uint8)  # to come after this one
        worth = self._worth(near, tricks)
        affordable = worth * (near == self.full)
        hope = (worth - affordable).max(axis=0)
        # what a card of each suit adds to the best prospect
        one_nearer = self._worth(near + (near > 0), tricks)
        lacks = self.deck.cost[:, :, None] > v["won"][:, 0]  # (K, 5, N)
        best = worth.max(axis=0)
        gains = np.maximum((one_nearer[:, None] * lacks).max(axis=0), best) - best - self.burden

        table = v["table"][:, 1:]  # (5, P - 1, N)
        claims = (table * gains[:, None]).sum(axis=0)
        claims += _NEVER * (table.max(axis=0) == 0)
        takes = np.where(affordable >= hope, affordable, -1)  # better wait
        scores = np.concatenate([self._plays(v, claims), claims, takes, np.zeros_like(claims[:1])])
        scores += _NEVER * ~legal
        return _best_row(scores)

    def _worth(self, near: NDArray[np.uint8], tricks: NDArray[np.uint8]) -> Floats:
        """What kinds (K, N) that are so near are worth: nothing if there is no time left."""
        in_time = near + tricks >= self.full
        return self.worth.take(self.first + near * in_time, mode="clip")

    def _plays(self, v: dict[str, NDArray[np.uint8]], claims: Floats) -> Floats:
        """What each card (50, N) is worth to play, given the value of the claims (P - 1, N)."""
        p, n = v["rank"].shape
        later = np.argmax(v["step"][p - 1 :: -1], axis=0)  # seats to play after this one
        *_, second_best, best = sort_rows(claims.copy())
        best = np.where(later > 0, np.maximum(best, UNSEEN_CARD), best)
        second_best = np.where(later < p - 2, second_best, np.float32(UNSEEN_CARD / 2))
        stays, passed_once = (t.take(later, axis=1) for t in (self.stays, self.passed_once))
        strongest, next_to_it = v["standing"]
        first = stays * strongest
        second = stays * next_to_it + passed_once * strongest
        by_rank = first * best + second * second_best - np.float32(RANK_COST) * _RANK
        by_suit = np.float32(-GIFT) * v["more"][:, 1:].max(axis=1)
        by_suit[DEFORESTATION] += np.float32(FOUL)
        return (by_suit[:, None] + by_rank).reshape(len(SUITS) * RANKS, n)


def _best_row(scores: Floats) -> NDArray[np.intp]:
    """(N,) the row of the largest score of each column, the first among equals."""
    others = (scores != scores.max(axis=0)).view(np.uint8)
    rows = np.arange(len(scores), dtype=np.uint8)[:, None]
    return (np.negative(others) | rows).min(axis=0).astype(np.intp)
