"""Which sums cards can total exactly, by table look-up: all paying and exact taking rests on it.

Costs are at most 9, so of cards of 1, 2, 3, 4 folds no more than 9, 4, 3, 2 ever matter. Counted up
to one more, so that the same is known when a card has left them, there are 1320 cases, each with a
word whose bit s says that some of the cards total exactly s.
"""

from __future__ import annotations

import sys
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

CAPS = np.array([10, 5, 4, 3], np.uint8)  # by folds 1-4
WEIGHTS = np.array([1, 11, 66, 330], np.uint16)  # place values of the capped counts
CASES = 1320
NO_CARD = 255  # of LEAST


def _tables() -> tuple[NDArray[np.uint16], NDArray[np.uint8], NDArray[np.uint16]]:
    """By index: words of sums 0-9 (CASES,), the fewest folds of a card (CASES,), and the words when
    one card of 1, 2, 3, 4 folds is gone (4, CASES), 0 where there is none.
    """
    sums, least = np.zeros(CASES, np.uint16), np.full(CASES, NO_CARD, np.uint8)
    without = np.zeros((4, CASES), np.uint16)
    for index in range(CASES):
        word = 1
        for folds in range(4, 0, -1):
            weight = int(WEIGHTS[folds - 1])
            count = index // weight % (int(CAPS[folds - 1]) + 1)
            for _ in range(count):
                word |= word << folds
                least[index] = folds
            if count:
                without[folds - 1, index] = sums[index - weight]
        sums[index] = word & 0x3FF
    return sums, least, without


SUMS, LEAST, SUMS_WITHOUT_ONE = _tables()
_CAPS_COLUMN, _WEIGHTS_COLUMN = CAPS[:, None].astype(np.uint16), WEIGHTS[:, None]


def index_of(counts: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """(n,) index into the tables of ``counts`` (4, n), how many cards of 1-4 folds."""
    wide = counts.astype(np.uint16)
    np.minimum(wide, _CAPS_COLUMN, out=wide)
    wide *= _WEIGHTS_COLUMN
    index: NDArray[np.uint16] = wide[0] + wide[1]
    index += wide[2]
    index += wide[3]
    return index


# The same for counts packed into the four bytes of a word, folds 1-4 from the lowest byte on: words
# can be added up and gathered as one number. Capped, a word's bits fit into 14 of 16.


def packed_units(folds: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """(K,) the words of one card each."""
    return np.left_shift(1, 8 * (folds.astype(np.uint32) - 1), dtype=np.uint32)


def sums_of_packed(words: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """(n,) what cards can total, by their packed counts; ``words`` is capped in place."""
    counts = words.view(np.uint8)
    np.minimum(counts, _caps_of(len(words).bit_length())[: len(counts)], out=counts)
    folded = words >> 12
    folded |= words
    return _PACKED_SUMS.take(folded.astype(np.uint16))


@lru_cache(maxsize=32)
def _caps_of(bits: int) -> NDArray[np.uint8]:
    """The caps of the bytes of ``2**bits`` words."""
    caps = CAPS if sys.byteorder == "little" else CAPS[::-1]
    return np.tile(caps, 1 << bits)


def _packed_sums() -> NDArray[np.uint16]:
    """(2**14,) words of sums by the folded bits 0-3, 8-10, 4-6, 12-13 for 1, 2, 3, 4 folds."""
    index = np.arange(1 << 14)
    counts = [index & 15, index >> 8 & 7, index >> 4 & 7, index >> 12 & 3]
    return SUMS[index_of(np.array(counts, np.uint8))]


_PACKED_SUMS = _packed_sums()
