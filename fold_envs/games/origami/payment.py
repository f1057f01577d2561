"""Which sums cards can total exactly, by table look-up: all paying and exact taking rests on it.

Costs are at most 9, so of cards of 1, 2, 3, 4 folds no more than 9, 4, 3, 2 ever matter: 600 cases,
each with a word whose bit s says that some of the cards total exactly s.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

CAPS = np.array([9, 4, 3, 2], np.uint8)  # by folds 1-4
WEIGHTS = np.array([1, 10, 50, 200], np.uint16)  # place values of the capped counts
NO_CARD = 255  # of LEAST


def _tables() -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """By index: the word of sums 0-9 (600,) uint16, and the fewest folds of a card (600,) uint8."""
    sums, least = np.zeros(600, np.uint16), np.full(600, NO_CARD, np.uint8)
    for index in range(600):
        word = 1
        for folds in range(4, 0, -1):
            count = index // int(WEIGHTS[folds - 1]) % (int(CAPS[folds - 1]) + 1)
            for _ in range(count):
                word |= word << folds
                least[index] = folds
        sums[index] = word & 0x3FF
    return sums, least


SUMS, LEAST = _tables()


def index_of(counts: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """(...) index into SUMS and LEAST of ``counts`` (4, ...), how many cards of 1-4 folds."""
    column = (4, *(1,) * (counts.ndim - 1))
    capped = np.minimum(counts, CAPS.reshape(column))
    weighed = capped * WEIGHTS.reshape(column)
    return np.add.reduce(weighed, axis=0, dtype=np.uint16)


def sums_without_one(
    counts: NDArray[np.uint8], index: NDArray[np.uint16] | None = None
) -> NDArray[np.uint16]:
    """(4, n) what cards can total when one of 1, 2, 3, 4 folds has left them.

    ``counts`` is (4, n), ``index`` its ``index_of`` if known; where there is no card of these folds
    the result means nothing.
    """
    felt = (counts <= CAPS[:, None]).view(np.uint8)  # beyond the cap one more is the same
    fewer = (index_of(counts) if index is None else index) - felt * WEIGHTS[:, None]
    return SUMS.take(fewer, mode="clip")


# The same for counts packed into the four bytes of a word, folds 1-4 from the lowest byte on: words
# can be added up and gathered as one number. Capped, a word's bits fit into 14 of 16.


def packed_units(folds: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """(K,) the words of one card each."""
    return np.left_shift(1, 8 * (folds.astype(np.uint32) - 1), dtype=np.uint32)


def sums_of_packed(words: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """(n,) what cards can total, by their packed counts; ``words`` is capped in place."""
    counts = words.view(np.uint8)
    caps = CAPS if sys.byteorder == "little" else CAPS[::-1]
    np.minimum(counts, np.tile(caps, len(words)), out=counts)
    folded = words >> 12
    folded |= words
    return _PACKED_SUMS.take(folded.astype(np.uint16))


def _packed_sums() -> NDArray[np.uint16]:
    """(2**14,) words of sums by the folded bits 0-3, 8-10, 4-5, 12-13 for 1, 2, 3, 4 folds."""
    index = np.arange(1 << 14)
    counts = [index & 15, index >> 8 & 7, index >> 4 & 3, index >> 12 & 3]
    return SUMS[index_of(np.array(counts, np.uint8))]


_PACKED_SUMS = _packed_sums()
