"""Counter-based random streams: one per table, the same numbers at any batch size.

A draw is a pure function of (key, counter): the finaliser of SplitMix64 (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", OOPSLA 2014) over ``key + counter * GAMMA``.
A table owns its key, so nothing another table does can change what it draws.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.rows import running_sums

U64 = NDArray[np.uint64]

# constants are arrays: NumPy takes them a few times faster than its scalars
GAMMA = np.array(0x9E3779B97F4A7C15, np.uint64)  # 2**64 / golden ratio, odd: counters never collide
_M1, _M2 = (np.array(m, np.uint64) for m in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_WORD = (1 << 64) - 1
_FEW_TABLES = 128
_ONE, _S30, _S27, _S31, _S32 = (np.array(s, np.uint64) for s in (1, 30, 27, 31, 32))


def mix64(x: U64) -> U64:
    """SplitMix64's finaliser, in place: a bijection of 64-bit words that scatters every bit."""
    shifted = x >> _S30
    x ^= shifted
    x *= _M1
    np.right_shift(x, _S27, out=shifted)
    x ^= shifted
    x *= _M2
    np.right_shift(x, _S31, out=shifted)
    x ^= shifted
    return x


def derive_keys(seeds: U64, number: U64 | int) -> U64:
    """Keys of the ``number``-th child streams of ``seeds``: unrelated for different pairs."""
    children = np.atleast_1d(np.asarray(number, np.uint64)) * GAMMA
    children += _M1
    return mix64(mix64(seeds + GAMMA) ^ mix64(children))


def bits(keys: U64, counters: U64) -> U64:
    """64 random bits for every (key, counter); shapes broadcast."""
    return mix64(counters * GAMMA + keys)


def _bits_of_one(key: int, counter: int) -> int:
    """``bits`` for one key, in plain Python."""
    x = (counter * int(GAMMA) + key) & _WORD
    x = ((x ^ (x >> 30)) * int(_M1)) & _WORD
    x = ((x ^ (x >> 27)) * int(_M2)) & _WORD
    return x ^ (x >> 31)


def scale(words: U64, below: NDArray[np.integer] | int) -> U64:
    """Integers in [0, below) from the high 32 bits of ``words``, in place.

    Each value's probability is within 2**-32 of 1 / below (Lemire 2019, without the rejection).
    """
    words >>= _S32
    words *= np.uint64(below) if isinstance(below, int) else below.astype(np.uint64)
    words >>= _S32
    return words


class Streams:
    """A view on the keys and counters of a batch of tables; drawing advances the counters.

    Args:
        key: (N,) uint64, one key a table.
        counter: (N,) uint64, how many words each table has drawn; changed in place.
    """

    def __init__(self, key: U64, counter: U64) -> None:
        self.key = key
        self.counter = counter

    def words(self, count: int, mask: NDArray[np.bool_] | None = None) -> U64:
        """(count, N) random 64-bit words. Only tables under ``mask`` move on in their stream."""
        steps = np.arange(count, dtype=np.uint64)[:, None]
        drawn = bits(self.key, self.counter + steps)
        self.counter += np.uint64(count) if mask is None else mask * np.uint64(count)
        return drawn

    def word(self, mask: NDArray[np.bool_] | None = None) -> U64:
        """(N,) random words: ``words(1)[0]``."""
        drawn = bits(self.key, self.counter)
        self.counter += _ONE if mask is None else mask
        return drawn

    def below(
        self, bound: NDArray[np.integer] | int, mask: NDArray[np.bool_] | None = None
    ) -> NDArray[np.intp]:
        """(N,) integers in [0, bound); ``bound`` is a number or one for each table."""
        return scale(self.word(mask), bound).astype(np.intp)

    def uniform(self, mask: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """(N,) floats in [0, 1), of 53 random bits."""
        return (self.word(mask) >> np.uint64(11)) * 2.0**-53

    def choose(
        self, legal: NDArray[np.bool_], mask: NDArray[np.bool_] | None = None
    ) -> NDArray[np.intp]:
        """(N,) rows of ``legal`` (A, N), uniform among the True ones of each column.

        A column without any gives A. A must be below 256.
        """
        options = legal.view(np.uint8)
        if legal.shape[1] == 1:  # one table: plain integers beat array calls
            rows = np.flatnonzero(options)
            word = _bits_of_one(int(self.key[0]), int(self.counter[0]))
            self.counter += np.uint64(1 if mask is None else mask[0])
            if not len(rows):
                return np.array([len(legal)])
            return rows[[((word >> 32) * len(rows)) >> 32]]
        if legal.shape[1] <= _FEW_TABLES:  # listing the options beats a pass over all rows
            size = len(legal)
            cells = legal.T.reshape(-1).nonzero()[0]  # on a copy: slow on the transposed array
            counts = np.add.reduce(options, axis=0, dtype=np.uint8).astype(np.uint64)
            numbers = scale(self.word(mask), counts)
            numbers += counts.cumsum()
            numbers -= counts
            chosen = numbers.view(np.int64)
            rows = cells.take(chosen, mode="clip") if len(cells) else chosen
            rows %= size
            if np.count_nonzero(counts) == len(counts):
                return rows
            return np.where(counts == 0, size, rows)
        ranks = running_sums(options.copy())
        wanted = scale(self.word(mask), ranks[-1]).astype(np.uint8)
        passed = np.less_equal(ranks, wanted, out=ranks.view(np.bool_)).view(np.uint8)
        return np.add.reduce(passed, axis=0, dtype=np.uint8).astype(np.intp)

    def shuffle(self, pool: NDArray[np.uint8], count: int | None = None) -> NDArray[np.uint8]:
        """Fisher-Yates on every column of ``pool`` (C, N), in place, for the first ``count`` rows.

        Those rows become a uniform draw without replacement; the rest is what stayed behind.
        """
        size, num_envs = pool.shape
        count = size if count is None else count
        words = self.words((count + 1) // 2)
        if num_envs == 1:  # one table: plain integers beat array calls
            pairs, cards = words[:, 0].tolist(), pool[:, 0].tolist()
            for row in range(min(count, size - 1)):
                half = pairs[row // 2] & 0xFFFFFFFF if row % 2 else pairs[row // 2] >> 32
                other = row + (half * (size - row) >> 32)
                cards[row], cards[other] = cards[other], cards[row]
            pool[:, 0] = cards
            return pool
        lanes = np.arange(num_envs)
        flat = pool.reshape(-1)
        halves = (words >> _S32, words & np.uint64(0xFFFFFFFF))
        for row in range(min(count, size - 1)):
            index = halves[row % 2][row // 2] * np.uint64(size - row)
            index >>= _S32
            index += np.uint64(row)
            where = index.astype(np.intp)
            where *= num_envs
            where += lanes
            drawn = flat.take(where)
            flat[where] = pool[row]
            pool[row] = drawn
        return pool
