"""What a seat of Momiji cannot know, drawn anew, and the count of all components."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.rng import Streams
from fold_envs.games.momiji.board import DRAFT, Board, Shape
from fold_envs.games.momiji.components import TILES_EACH, Components
from fold_envs.games.momiji.scoring import TOKEN_BITS

U8 = NDArray[np.uint8]


def resample(
    board: Board, shape: Shape, components: Components, seats: NDArray[np.intp], stream: Streams
) -> None:
    """Deal the cards that ``seats`` (absolute, one a table) cannot locate to the other hands and
    the deck; another hand keeps what everybody knows to be there.
    """
    s, p, n = board.state, shape.num_players, board.state.num_envs
    place = (seats - s.seat.astype(np.intp)) % p
    hand = board.hand.reshape(p, shape.kinds, n)
    secret = hand - board.known.reshape(p, shape.kinds, n)
    # a card that waits for its end of the row was shown
    waits = (np.arange(1, shape.kinds + 1)[:, None] == s.placing) & (secret[0] > 0)
    waits &= board.known[0].reshape(shape.kinds, n) == 0
    secret[0] -= waits
    others = np.arange(p)[:, None] != place
    secret *= others[:, None]
    sizes = secret.sum(axis=1, dtype=np.intp)  # (P, N)
    in_deck = np.arange(shape.deck)[:, None] >= s.drawn
    pool = secret.sum(axis=0, dtype=np.uint8)
    for kind in range(shape.kinds):
        pool[kind] += ((s.deck == kind) & in_deck).sum(axis=0, dtype=np.uint8)
    cards = shuffled_counts(pool, shape.cards, stream)
    hand -= secret
    stop = np.cumsum(sizes, axis=0)
    for number in range(p):
        hand[number] += _between(cards, stop[number] - sizes[number], stop[number], shape.kinds)
    rows = np.arange(shape.deck)[:, None] - s.drawn + stop[-1]
    redrawn = np.take_along_axis(cards, np.clip(rows, 0, len(cards) - 1), axis=0)
    s.deck[:] = np.where(in_deck, redrawn, s.deck)
    if shape.draft and (board.phase == DRAFT).any():
        _resample_draft(board, shape, components, place, stream)


def _resample_draft(
    board: Board, shape: Shape, components: Components, place: NDArray[np.intp], stream: Streams
) -> None:
    """Deal the unseen tiles to the other seats and let those who have picked pick again.

    A seat sees its own tiles and, in the second round, those that it passed to its left.
    """
    s, p, tiles = board.state, shape.num_players, len(shape.powers)
    drafting = board.phase == DRAFT
    places = np.arange(p)[:, None]
    seen = places == place
    seen |= (places == (place + 1) % p) & (s.round > 1)
    unseen = ~seen & drafting
    offered, kept = board.offered, board.unused
    copies = np.array(components.tile_copies, np.uint8)[:, None]
    pool = copies - kept.sum(axis=0, dtype=np.uint8)
    pool -= (offered * ~unseen[:, None]).sum(axis=0, dtype=np.uint8)
    pool *= drafting
    dealt = shuffled_counts(pool, int(copies.sum()), stream)
    each = np.where(unseen, TILES_EACH + 1 - s.round.astype(np.intp), 0)
    stop = np.cumsum(each, axis=0)
    for number in range(p):
        new = _between(dealt, stop[number] - each[number], stop[number], tiles)
        offered[number] = np.where(unseen[number], new, offered[number])
        picks = shuffled_counts(offered[number], TILES_EACH, stream)[0] + 1
        again = (board.pick[number] > 0) & drafting & (place != number)
        board.pick[number] = np.where(again, picks, board.pick[number])


def shuffled_counts(counts: U8, most: int, stream: Streams) -> U8:
    """(most, N) the items counted by ``counts`` (K, N) in random order, then 255."""
    upto = np.cumsum(counts, axis=0, dtype=np.intp)
    slots = np.arange(most)[:, None]
    items = np.zeros((most, counts.shape[1]), np.uint64)
    for row in upto:
        items += slots >= row
    keys = (stream.words(most) & ~np.uint64(255)) | items
    keys[slots >= upto[-1]] = np.iinfo(np.uint64).max
    keys.sort(axis=0)
    return keys.astype(np.uint8)


def _between(
    items: U8, start: NDArray[np.intp], stop: NDArray[np.intp], kinds: int
) -> NDArray[np.uint8]:
    """(kinds, N) how often each kind lies in the rows from ``start`` to before ``stop``."""
    rows = np.arange(len(items))[:, None]
    inside = (rows >= start) & (rows < stop)
    counts = [((items == kind) & inside).sum(axis=0, dtype=np.uint8) for kind in range(kinds)]
    return np.array(counts)


def census(board: Board, shape: Shape, components: Components) -> NDArray[np.integer]:
    """(K + 8 + 1, N): cards of every kind, objective tokens, landscape tiles of all seats."""
    s, n = board.state, board.state.num_envs
    in_deck = np.arange(shape.deck)[:, None] >= s.drawn
    copies = np.array(components.copies, np.intp)[:, None] * s.types[:, None]
    gone = copies.reshape(shape.kinds, n) - s.left  # laid or discarded
    cards = gone + s.cards[: shape.kinds]
    cards += board.hand.sum(axis=0, dtype=np.intp).reshape(shape.kinds, n)
    for kind in range(shape.kinds):
        cards[kind] += ((s.deck == kind) & in_deck).sum(axis=0)
    tokens = ((board.owned[:, None] & TOKEN_BITS) != 0).sum(axis=0, dtype=np.intp)
    tokens += (s.middle & TOKEN_BITS) != 0
    tiles = (board.unused + board.used).sum(axis=(0, 1), dtype=np.intp)
    if shape.draft:
        tiles += board.offered.sum(axis=(0, 1), dtype=np.intp)
    return np.concatenate([cards, tokens, tiles[None]])
