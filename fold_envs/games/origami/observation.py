"""What a seat of Origami sees, own seat first, then clockwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.engine.rows import turn_seats
from fold_envs.games.origami.cards import (
    EFFECT_NAMES,
    FAMILY_SIZE,
    HALF_HAND,
    LAST_ACTIVE,
    MOST_AMOUNT,
    MOST_COST,
    CardTable,
)
from fold_envs.games.origami.payment import index_of
from fold_envs.games.origami.piles import (
    GIVE_UP,
    LINE_SIZE,
    LOOK,
    MOST_CARDS_IN_HAND,
    ONE,
    OWN_HAND,
    PASS,
    PHASES,
    Bytes,
    Tables,
)
from fold_envs.games.origami.scoring import MOST_SHOWN

if TYPE_CHECKING:
    from fold_envs.games.origami.game import Origami


def observation_layout(num_players: int, cards: CardTable) -> Layout:
    """The features for ``num_players`` seats; seats are the last axis of what each seat has."""
    p, k, families = num_players, cards.kinds, len(cards.families)
    copies = int(cards.copies.max())
    deck = FAMILY_SIZE * p
    scorers, specials = len(cards.scorers) + 1, int(np.count_nonzero(cards.special))
    half_hands = int(cards.copies[cards.effect == HALF_HAND].sum())
    effects = EFFECT_NAMES[1 : LAST_ACTIVE + 1]
    scoring, special = (
        ", ".join(cards.names[kind] for kind in kinds)
        for kinds in (cards.scorers, cards.special.nonzero()[0])
    )
    names = ", ".join(cards.families)
    return Layout(
        Part("hand", (k,), copies, False, "own hand by kind"),
        Part("known", (p - 1, k), copies, False, "cards surely in the hands of the others"),
        Part("payable", (k,), 1, False, "in own hand, and its cost can be paid with the others"),
        Part("folds", (4,), _most_of_folds(cards, p), False, "own cards of 1, 2, 3, 4 folds"),
        # these two must be neighbours: see Observer
        Part("aside", (k,), copies, False, "own cards looked at or chosen in secret, by kind"),
        Part("last", (), k, False, "1 + kind of the last card of a rising sequence, 0 before"),
        # as in the field ``public`` of the state
        Part("laid", (k, p), copies, True, "cards in both collections by kind"),
        Part("scorers", (2, scorers, p), deck, True, f"by collection: {scoring}, others"),
        Part("family_counts", (2, families, p), FAMILY_SIZE, True, f"by collection: {names}"),
        Part("tops", (2, p), k, True, f"kind on top of each collection, {k} if none"),
        Part("heights", (2, p), deck // 2, True, "cards in each collection"),
        Part(
            "half_hands", (p,), max(1, half_hands), True, "cards laid that score for cards in hand"
        ),
        Part("points", (p,), MOST_SHOWN, True, f"all other points so far, at most {MOST_SHOWN}"),
        Part("hand_sizes", (p,), deck, True, "cards in hand"),
        # as they follow each other in the state
        Part("line", (k,), LINE_SIZE, True, "Draw Line by kind"),
        Part("discards", (k,), copies, True, "discards by kind"),
        Part("families", (families,), 1, True, f"in play: {names}"),
        Part("deck_size", (), deck, True, "cards in the deck"),
        Part("final_round", (), 1, True, "the last round is being played"),
        Part("amount", (), MOST_AMOUNT, True, "amount of the effect"),
        Part(
            "left",
            (),
            max(MOST_COST, deck - MOST_CARDS_IN_HAND),
            True,
            "folds to take or pay, cards to discard",
        ),
        Part("side", (), 1, True, "collection where the last card was laid"),
        Part("specials", (2, specials, p), 1, True, f"special action on top: {special}"),
        Part(
            "apart",
            (k,),
            1,
            True,
            "card being played, shown, just taken, or that may go on top again",
        ),
        Part("turn", (p,), 1, True, "whose turn it is"),
        Part("to_act", (p,), 1, True, "who decides"),
        Part("start", (p,), 1, True, "who started"),
        Part("emptied", (2,), 1, True, "the deck was emptied once, twice"),
        Part("phase", (len(PHASES),), 1, True, ", ".join(PHASES)),
        Part("effect", (LAST_ACTIVE,), 1, True, f"asked or carried out: {', '.join(effects)}"),
    )


def _most_of_folds(cards: CardTable, num_players: int) -> int:
    """How many cards of the same folds can be in play."""
    counts = np.zeros((5, len(cards.families)), int)
    np.add.at(counts, (cards.folds[:-1], cards.family[:-1]), cards.copies[:-1])
    return int(np.sort(counts, axis=1)[:, -num_players:].sum(axis=1).max())


class Observer:
    """Writes the observations of one game."""

    def __init__(self, game: Origami) -> None:
        self._game = game
        self._out: Bytes | None = None  # the buffer that the views belong to
        self._views: dict[str, Bytes] = {}
        self._turned: Bytes
        self._aside: Bytes
        self._others: Bytes
        self._who_flags: NDArray[np.bool_]
        layout = game.layout
        self._public = slice(layout["laid"].start, layout["hand_sizes"].stop)
        self._told = told = slice(layout["line"].start, layout["side"].stop)
        # the same rows of the state, where they follow each other
        first = game._first_cell(game.state.line) // game.num_envs
        block = game.state.blocks[np.dtype(np.uint8)]
        self._told_state = block[first : first + told.stop - told.start]
        p, n, k = game.num_players, game.num_envs, game.kinds
        self._scratch = np.empty(((p - 1) * k, n), np.uint8)
        self._public_state = game.state.public
        self._flags: dict[str, NDArray[np.bool_]] = {}
        self._spare = np.empty_like(game.state.public)
        # (P, P) the seats that follow a seat (column), itself first
        seats = np.arange(p, dtype=np.uint8)
        self._following = (seats[:, None] + seats) % np.uint8(p)
        self._who = slice(layout["turn"].start, layout["start"].stop)
        # the row after those by kind takes what is "no card", then "last" is written there
        self._aside_and_last = slice(layout["aside"].start, layout["last"].stop)
        self._specials = game.cards.special.nonzero()[0].astype(np.uint8)[:, None, None]
        self._kinds = np.arange(game.kinds, dtype=np.uint8)[:, None]
        self._phases = np.arange(len(PHASES), dtype=np.uint8)[:, None]
        self._effects = np.arange(1, LAST_ACTIVE + 1, dtype=np.uint8)[:, None]

    def write(self, seat: NDArray[np.uint8] | None, out: Bytes) -> None:
        """Write (D, N) features of ``seat``, one a table, or of the seat to act if None."""
        game, s = self._game, self._game.state
        p, n = game.num_players, game.num_envs
        if out is not self._out:
            self._out, self._views = out, game.layout.views(out)
            self._flags = {name: view.view(np.bool_) for name, view in self._views.items()}
            self._who_flags = out[self._who].reshape(3, p, n).view(np.bool_)
            self._turned = out[self._public].reshape(-1, p, n)
            self._aside = out[self._aside_and_last]
            self._others = self._views["known"].reshape(-1, n)
        v, flags = self._views, self._flags
        _ = game.legal  # brings up to date what is known about the seat to act
        hand, folds, payable = game._own, game._folds[:, 0], game._payable
        given = seat is not None
        if seat is None:
            seat = game._actor
        else:
            hand, folds = v["hand"], v["folds"]
            game._write_known(seat, OWN_HAND, hand, self._scratch[: game.kinds])
            game._count_folds(hand, folds)
            payable = game._payable_at(index_of(folds).astype(np.intp))
        v["hand"][...] = hand
        v["folds"][...] = folds
        payable.take(game._class_of, axis=0, out=v["payable"], mode="clip")
        np.minimum(v["payable"], hand, out=v["payable"])
        game._write_known(seat, slice(1, p), self._others, self._scratch)
        self._write_aside(seat)
        v["last"][...] = s.last
        if given:
            v["last"][...] *= seat == game._actor

        turn_seats(self._public_state, seat, self._turned, self._spare)
        out[self._told] = self._told_state
        np.equal(v["tops"][:, None], self._specials, out=flags["specials"])
        np.equal(s.apart, self._kinds, out=flags["apart"])
        following = self._following.take(seat, axis=1)
        np.equal(s.seats[:, None], following, out=self._who_flags)
        np.greater(s.emptyings, _ONCE_TWICE, out=flags["emptied"])
        np.equal(s.phase, self._phases, out=flags["phase"])
        np.equal(s.effect, self._effects, out=flags["effect"])

    def _write_aside(self, seat: NDArray[np.uint8]) -> None:
        """Cards looked at, for the seat that looks; secret choices, for the seat that made them."""
        game, s = self._game, self._game.state
        self._aside[...] = 0
        lookers, givers, passers = (game._in_phase[phase] for phase in (LOOK, GIVE_UP, PASS))
        if len(lookers):
            t = lookers[seat[lookers] == game._actor[lookers]]
            self._lay_aside(t, s.looked.take(t, axis=1))
        if len(givers) or len(passers):
            t = np.concatenate((givers, passers))
            self._lay_aside(t, game._chosen_of(t, seat[t]))

    def _lay_aside(self, t: Tables, kinds: Bytes) -> None:
        """Count ``kinds`` (any, n), K where none, at tables ``t``."""
        cells = np.multiply(kinds, self._game._N, dtype=np.intp)
        cells += t
        np.add.at(self._aside.reshape(-1), cells.reshape(-1), ONE)


_ONCE_TWICE = np.array([[0], [1]], np.uint8)
