"""What a seat of Origami sees, own seat first, then clockwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.layout import Layout, Part
from fold_envs.games.origami.cards import FAMILY_SIZE, LAST_ACTIVE, MOST_AMOUNT, CardTable
from fold_envs.games.origami.piles import GIVE_UP, LINE_SIZE, LOOK, PASS, PHASES, Bytes

if TYPE_CHECKING:
    from fold_envs.games.origami.game import Origami

MOST_SHOWN = 255  # scores are shown up to this


def observation_layout(num_players: int, cards: CardTable) -> Layout:
    """The features for ``num_players`` seats; seats are the last axis of what each seat has."""
    p, k, families = num_players, cards.kinds, len(cards.families)
    copies = int(cards.copies.max())
    deck = FAMILY_SIZE * p
    specials = int(np.count_nonzero(cards.special))
    return Layout(
        Part("hand", (k,), copies, False, "own hand by kind"),
        Part("known", (p - 1, k), copies, False, "cards surely in the hands of the others"),
        Part("payable", (k,), 1, False, "in own hand, and its cost can be paid with the others"),
        Part("folds", (4,), deck, False, "own cards of 1, 2, 3, 4 folds"),
        Part("aside", (k,), copies, False, "own cards looked at or chosen in secret, by kind"),
        Part("last", (), k, False, "1 + kind of the last card of a rising sequence, 0 before"),
        Part("line", (k,), LINE_SIZE, True, "Draw Line by kind"),
        Part("discards", (k,), copies, True, "discards by kind"),
        # as in the field ``public`` of the state
        Part("collections", (2, k, p), copies, True, "collections 0 and 1 by kind"),
        Part("family_counts", (2, families, p), FAMILY_SIZE, True, "the same by family"),
        Part("tops", (2, p), k, True, "kind on top, the number of kinds if there is none"),
        Part("heights", (2, p), deck // 2, True, "cards in each collection"),
        Part("hand_sizes", (p,), deck, True, "cards in hand"),
        Part("specials", (2, specials, p), 1, True, "special action on top, in order of kinds"),
        Part("apart", (k,), 1, True, "card being played, shown, or just taken to play another"),
        Part("scores", (p,), MOST_SHOWN, True, f"points so far, at most {MOST_SHOWN}"),
        Part("turn", (p,), 1, True, "whose turn it is"),
        Part("to_act", (p,), 1, True, "who decides"),
        Part("start", (p,), 1, True, "who started"),
        Part("families", (families,), 1, True, "families in play"),
        Part("deck_size", (), deck, True, "cards in the deck"),
        Part("emptied", (2,), 1, True, "the deck was emptied once, twice"),
        Part("final_round", (), 1, True, "the last round is being played"),
        Part("phase", (len(PHASES),), 1, True, ", ".join(PHASES)),
        Part("effect", (LAST_ACTIVE,), 1, True, "effect asked for or carried out, by its code"),
        Part("amount", (), MOST_AMOUNT, True, "its amount"),
        Part("left", (), deck, True, "folds to take or pay, cards to discard"),
    )


class Observer:
    """Writes the observations of one game."""

    def __init__(self, game: Origami) -> None:
        self._game = game
        self._out: Bytes | None = None  # the buffer that _views belong to
        self._views: dict[str, Bytes] = {}
        layout = game.layout
        self._public = slice(layout["collections"].start, layout["hand_sizes"].stop)
        self._piles = slice(layout["line"].start, layout["discards"].stop)
        self._who = slice(layout["turn"].start, layout["start"].stop)
        self._specials = game.cards.special.nonzero()[0].astype(np.uint8)[:, None, None]
        self._kinds = np.arange(game.kinds, dtype=np.uint8)[:, None]
        self._seats = np.arange(game.num_players, dtype=np.uint8)[:, None]
        self._phases = np.arange(len(PHASES), dtype=np.uint8)[:, None]
        self._effects = np.arange(1, LAST_ACTIVE + 1, dtype=np.uint8)[:, None]

    def write(self, seat: NDArray[np.uint8] | None, out: Bytes) -> None:
        """Write (D, N) features of ``seat``, one a table, or of the seat to act if None."""
        game, s = self._game, self._game.state
        p, k, n = game.num_players, game.kinds, game.num_envs
        if out is not self._out:
            self._out, self._views = out, game.layout.views(out)
        v = self._views
        _ = game.legal  # brings up to date what is known about the seat to act
        masks, hand, folds, payable = game._seat_masks, game._own, game._folds[:, 0], game._payable
        if seat is None:
            seat = game._actor
        else:
            masks, hand, folds = np.empty_like(masks), np.empty_like(hand), v["folds"]
            game._mask_seats(seat, masks)
            game._pick_hand(masks, hand)
            game._count_folds(hand, folds)
            payable = game._payable_at(game._class_cost, game._class_sums(folds))
        v["hand"][...] = hand
        v["folds"][...] = folds
        np.take(payable, game._class_of, axis=0, out=v["payable"], mode="clip")
        v["payable"] &= (hand > 0).view(np.uint8)
        _pick(s.known[:, 1:], masks, v["known"])
        self._write_aside(seat, v["aside"])
        np.multiply(s.last, seat == game._actor, out=v["last"])

        piles = out[self._piles]
        piles[:k], piles[k:] = s.line, s.discards
        _turn(s.public, masks, out[self._public].reshape(-1, p, n))
        np.equal(v["tops"][:, None], self._specials, out=v["specials"].view(np.bool_))
        np.equal(s.apart, self._kinds, out=v["apart"].view(np.bool_))
        scores = np.minimum(game.scores, MOST_SHOWN).astype(np.uint8)
        _turn(scores[None], masks, v["scores"][None])
        step = s.seats - seat
        step += (step >= p).view(np.uint8) * np.uint8(p)  # it wrapped below 0
        np.equal(step[:, None], self._seats, out=out[self._who].reshape(3, p, n).view(np.bool_))
        v["families"][...] = s.families
        v["deck_size"][...] = s.deck_size
        np.greater(s.emptyings, _ONCE_TWICE, out=v["emptied"].view(np.bool_))
        v["final_round"][...] = s.final_round
        np.equal(s.phase, self._phases, out=v["phase"].view(np.bool_))
        np.equal(s.effect, self._effects, out=v["effect"].view(np.bool_))
        v["amount"][...] = s.amount
        v["left"][...] = s.left

    def _write_aside(self, seat: NDArray[np.uint8], out: Bytes) -> None:
        """Cards looked at, for the seat that looks; secret choices, for the seat that made them."""
        game, s = self._game, self._game.state
        out[...] = 0
        lookers, givers, passers = (game._tables_in[phase] for phase in (LOOK, GIVE_UP, PASS))
        if len(lookers):
            t = lookers[seat[lookers] == game._actor[lookers]]
            for slot in s.looked:
                there = t[slot[t] < game.kinds]
                out[slot[there], there] += 1
        if len(givers) or len(passers):
            t = np.concatenate((givers, passers))
            for slot in game._chosen_of(t, seat[t]):
                there = slot < game.kinds
                out[slot[there], t[there]] += 1


_ONCE_TWICE = np.array([[0], [1]], np.uint8)


def _pick(rows: Bytes | list[Bytes], masks: Bytes, out: Bytes) -> None:
    """``out`` (..., N) = ``rows[i]`` where ``masks[i]`` (N,) is 255; rows are (P, ..., N)."""
    np.bitwise_and(rows[0], masks[0], out=out)
    part = np.empty_like(out)
    for row, mask in zip(rows[1:], masks[1:], strict=True):
        np.bitwise_and(row, mask, out=part)
        out |= part


def _turn(rows: Bytes, masks: Bytes, out: Bytes) -> None:
    """``out`` = ``rows`` (R, P, N) turned so that the seat whose mask is 255 comes first."""
    p = rows.shape[1]
    before = [rows[:, seat] for seat in range(p)]
    after = [out[:, seat] for seat in range(p)]
    if p == 2:  # swap
        np.bitwise_xor(before[0], before[1], out=after[1])
        after[1] &= masks[1]
        np.bitwise_xor(before[0], after[1], out=after[0])
        after[1] ^= before[1]
    elif p == 4:  # by one, then by two
        odd, far = masks[1] | masks[3], masks[2] | masks[3]
        for seat in range(4):
            np.bitwise_xor(before[seat], before[(seat + 1) % 4], out=after[seat])
            after[seat] &= odd
            after[seat] ^= before[seat]
        for seat in (0, 1):
            change = after[seat] ^ after[seat + 2]
            change &= far
            after[seat] ^= change
            after[seat + 2] ^= change
    else:
        for seat in range(p):
            _pick([*before[seat:], *before[:seat]], masks, after[seat])
