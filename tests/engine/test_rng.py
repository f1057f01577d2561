"""The random streams: known values, uniformity, independence of batch size and neighbours."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from fold_envs.engine.rng import GAMMA, Streams, bits, derive_keys, mix64, scale

WORD = (1 << 64) - 1


def splitmix64(seed: int) -> Iterator[int]:
    """The published algorithm, one number at a time in plain Python."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & WORD
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        yield z ^ (z >> 31)


def streams(num_envs: int, seed: int = 1) -> Streams:
    key = derive_keys(np.arange(seed, seed + num_envs, dtype=np.uint64), 0)
    return Streams(key, np.zeros(num_envs, np.uint64))


def chi_square(counts: np.ndarray, expected: float) -> float:
    return float(((counts - expected) ** 2 / expected).sum())


def test_known_values_of_splitmix64() -> None:
    # the first numbers of the reference implementation (Vigna, splitmix64.c) for seed 1234567
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    drawn = bits(np.full(5, 1234567, np.uint64), np.arange(1, 6, dtype=np.uint64))
    assert drawn.tolist() == expected
    plain = splitmix64(1234567)
    assert [next(plain) for _ in range(5)] == expected


@pytest.mark.parametrize("seed", [0, 1, 42, 2**63, 2**64 - 1])
def test_bits_follow_the_published_algorithm(seed: int) -> None:
    plain = splitmix64(seed)
    drawn = bits(np.full(20, seed, np.uint64), np.arange(1, 21, dtype=np.uint64))
    assert drawn.tolist() == [next(plain) for _ in range(20)]


def test_mix64_is_a_bijection_on_a_sample() -> None:
    words = np.arange(100_000, dtype=np.uint64)
    assert len(np.unique(mix64(words))) == 100_000


def test_keys_of_seeds_and_episodes_do_not_meet() -> None:
    seeds = np.repeat(np.arange(300, dtype=np.uint64), 300)
    episodes = np.tile(np.arange(300, dtype=np.uint64), 300)
    assert len(np.unique(derive_keys(seeds, episodes))) == 90_000
    # nor does a stream run into that of a neighbour: no key is a few steps of GAMMA away
    keys = derive_keys(np.arange(1000, dtype=np.uint64), 0)
    steps = np.arange(1, 100, dtype=np.uint64) * GAMMA
    assert not np.isin(keys[:, None] + steps, keys).any()


def test_neighbouring_seeds_give_unrelated_words() -> None:
    words = streams(4096).words(1)[0]
    flips = np.unpackbits((words[1:] ^ words[:-1]).view(np.uint8))
    assert abs(flips.mean() - 0.5) < 0.005
    correlation = np.corrcoef(words[1:].astype(float), words[:-1].astype(float))[0, 1]
    assert abs(correlation) < 0.05


def test_scale_covers_its_range_and_no_more() -> None:
    edges = np.array([0, WORD, 1 << 63, (1 << 63) - 1], np.uint64)
    assert scale(edges.copy(), 10).tolist() == [0, 9, 5, 4]
    assert scale(edges.copy(), np.array([1, 2, 3, 4])).tolist() == [0, 1, 1, 1]
    assert scale(np.array([WORD], np.uint64), 2**32 - 1).tolist() == [2**32 - 2]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 120])
def test_below_is_unbiased(bound: int) -> None:
    drawn = np.concatenate([s.below(bound) for s in [streams(20_000)] for _ in range(5)])
    assert drawn.min() >= 0 and drawn.max() == bound - 1
    counts = np.bincount(drawn, minlength=bound)
    freedom = bound - 1
    assert chi_square(counts, len(drawn) / bound) < freedom + 4 * np.sqrt(2 * freedom) + 1


def test_below_takes_a_bound_for_each_table() -> None:
    bounds = np.arange(1, 201)
    s = streams(200)
    drawn = np.stack([s.below(bounds) for _ in range(400)])
    assert (drawn < bounds).all() and (drawn.max(axis=0) > bounds * 0.9 - 1).all()


def test_uniform_lies_in_the_unit_interval() -> None:
    drawn = np.concatenate([s.uniform() for s in [streams(50_000)] for _ in range(2)])
    assert 0 <= drawn.min() and drawn.max() < 1
    counts = np.histogram(drawn, 100, (0, 1))[0]
    assert chi_square(counts, 1000) < 99 + 4 * np.sqrt(198)


def test_choose_is_uniform_among_the_legal() -> None:
    n, a = 60_000, 12
    legal = np.zeros((a, n), bool)
    allowed = [1, 4, 5, 9, 11]
    legal[allowed] = True
    counts = np.bincount(streams(n).choose(legal), minlength=a)
    assert counts.sum() == counts[allowed].sum() == n
    assert chi_square(counts[allowed], n / 5) < 4 + 4 * np.sqrt(8)


@pytest.mark.parametrize("n", [1, 2, 300])
def test_nothing_to_choose_at_any_table(n: int) -> None:
    assert streams(n).choose(np.zeros((5, n), bool)).tolist() == [5] * n


def test_choose_of_one_table_equals_that_of_a_batch() -> None:
    rng = np.random.default_rng(0)
    legal = rng.random((40, 500)) < 0.3
    legal[:, 7] = False  # nothing to choose: the number of actions
    legal[3, 8:] |= ~legal[:, 8:].any(axis=0)
    together = streams(500, seed=3)
    drawn = together.choose(legal)
    assert drawn[7] == 40
    for table in range(500):
        alone = streams(1, seed=3 + table)
        chosen = alone.choose(legal[:, table : table + 1])
        assert chosen.shape == (1,) and chosen[0] == drawn[table]
        assert alone.counter[0] == together.counter[table] == 1


@pytest.mark.parametrize("num_envs", [1, 5])
def test_only_the_tables_asked_move_on(num_envs: int) -> None:
    asked = np.arange(num_envs) % 2 == 1
    legal = np.ones((3, num_envs), bool)
    draws = (
        lambda s: s.words(3, asked),
        lambda s: s.below(5, asked),
        lambda s: s.uniform(asked),
        lambda s: s.choose(legal, asked),
    )
    for draw, words in zip(draws, (3, 1, 1, 1), strict=True):
        s = streams(num_envs)
        draw(s)
        assert s.counter.tolist() == (asked * words).tolist()


def test_shuffle_is_uniform_over_permutations() -> None:
    n = 48_000
    pool = np.repeat(np.arange(4, dtype=np.uint8)[:, None], n, axis=1)
    streams(n).shuffle(pool)
    codes = (pool.astype(int) * 4 ** np.arange(4)[:, None]).sum(axis=0)
    kinds, counts = np.unique(codes, return_counts=True)
    assert len(kinds) == 24
    assert chi_square(counts, n / 24) < 23 + 4 * np.sqrt(46)


@pytest.mark.parametrize("count", [1, 2, 5, 9, 10, None])
def test_shuffle_draws_without_replacement(count: int | None) -> None:
    n = 20_000
    pool = np.repeat(np.arange(10, dtype=np.uint8)[:, None], n, axis=1)
    streams(n, seed=9).shuffle(pool, count)
    assert (np.sort(pool, axis=0) == np.arange(10)[:, None]).all()
    for row in range(count or 10):
        counts = np.bincount(pool[row], minlength=10)
        assert chi_square(counts, n / 10) < 9 + 4 * np.sqrt(18)


def test_shuffle_does_not_depend_on_the_batch() -> None:
    def dealt(s: Streams) -> np.ndarray:
        pool = np.repeat(np.arange(50, dtype=np.uint8)[:, None], len(s.key), axis=1)
        return s.shuffle(pool, 21)

    together = dealt(streams(30))
    for table in (0, 7, 29):
        assert np.array_equal(dealt(streams(1, seed=1 + table))[:, 0], together[:, table])
