from __future__ import annotations

import numpy as np
import pytest

from fold_envs.engine.errors import InvalidOptionError
from training.matches import mean_estimate, play_match, share_estimate, summarise

ID = "FoldEnvs/Ohanami-v0"


def test_mean_and_interval() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0])
    found = mean_estimate(values)
    half = 1.959964 * values.std(ddof=1) / 2
    assert (found.mean, found.low, found.high) == pytest.approx((2.5, 2.5 - half, 2.5 + half))


def test_share_of_independent_games_is_wilsons_interval() -> None:
    wins = np.array([1.0] * 30 + [0.0] * 70)[:, None]  # one seat: every deal is one game
    found = share_estimate(wins)
    # Wilson's 95 % interval of 30 wins in 100 is 0.2189 to 0.3958
    assert (found.mean, found.low, found.high) == pytest.approx((0.3, 0.219, 0.396), abs=2e-3)


def test_games_of_a_deal_are_not_counted_as_independent() -> None:
    decided_by_seat = np.tile([1.0, 0.0], (100, 1))
    decided_by_deal = np.repeat([[1.0, 1.0], [0.0, 0.0]], 50, axis=0)
    mixed = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 1.0]] * 25)
    width = {
        name: share_estimate(wins).high - share_estimate(wins).low
        for name, wins in (("seat", decided_by_seat), ("deal", decided_by_deal), ("mixed", mixed))
    }
    assert width["deal"] == pytest.approx(0.19, abs=0.01)  # 100 deals, not 200 games
    assert width["mixed"] == pytest.approx(0.14, abs=0.01)  # as 200 independent games
    assert 0 < width["seat"] <= width["deal"]


def test_share_stays_a_share_when_all_games_are_won() -> None:
    found = share_estimate(np.ones((50, 2)))
    assert found.mean == found.high == 1.0
    assert 0.92 < found.low < 0.94  # Wilson for 50 of 50


def test_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        strength = rng.beta(4, 2, size=60)[:, None]  # the games of a deal are alike
        found = share_estimate((rng.random((60, 2)) < strength).astype(float))
        covered += found.low <= 4 / 6 <= found.high
    assert 0.91 < covered / 400 < 0.98


def test_summary() -> None:
    wins = np.array([[1.0, 0.5], [0.0, 0.0]])
    scores, others = np.array([[10, 8], [4, 6]]), np.array([[5, 8], [9, 8]])
    found = summarise("x", wins, scores, others, shared=0.25)
    assert (found.games, found.win_rate.mean) == (4, 0.375)
    assert (found.score, found.opponent_score, found.margin.mean) == (7.0, 7.5, -0.5)
    assert found.shared == 0.25


def test_shared_games_are_counted_whoever_shares() -> None:
    def wait(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
        return np.full(len(masks), 27)  # all lose their stars together

    found = play_match("FoldEnvs/FoldIt-v0", wait, wait, games=4, seed=0)
    assert (found.shared, found.win_rate.mean) == (1.0, 0.5)
    assert play_match(ID, "greedy", "random", games=40, seed=0).shared == 0.0


def test_an_agent_against_itself_draws_level() -> None:
    found = play_match(ID, "greedy", "greedy", games=40, seed=5)
    assert found.games == 40
    # paired deals: what one seat wins the other loses
    assert found.win_rate.mean == 0.5 and found.margin.mean == 0.0


def test_sides_are_told_apart() -> None:
    ahead = play_match(ID, "greedy", "random", games=100, seed=5)
    behind = play_match(ID, "random", "greedy", games=100, seed=5)
    assert ahead.win_rate.mean > 0.95 and behind.win_rate.mean < 0.05
    assert ahead.margin.low > 0 > behind.margin.high
    assert ahead.opponent == "random"


@pytest.mark.parametrize("players", [3, 4])
def test_more_players(players: int) -> None:
    found = play_match(ID, "random", "random", games=301, seed=0, num_players=players)
    assert found.games % players == 0 and found.games >= 301
    assert found.win_rate.low < 1 / players < found.win_rate.high


def test_seed_decides_the_games() -> None:
    first, again, other = (play_match(ID, "greedy", "random", games=20, seed=s) for s in (1, 1, 2))
    assert first == again != other


def test_every_deal_is_played_from_every_seat() -> None:
    seen: list[np.ndarray] = []

    def spy(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
        if not seen:
            seen.append(observations)
        return masks.argmax(axis=1)

    play_match(ID, spy, "greedy", games=8, seed=3)
    # at the first decision the agent is the starting player at one table of each pair
    assert len(seen[0]) == 4 and len(np.unique(seen[0], axis=0)) == 4


def test_illegal_actions_of_an_agent_are_errors() -> None:
    with pytest.raises(ValueError, match="not legal"):
        play_match(ID, lambda o, m, r: m.argmin(axis=1), "greedy", games=4, seed=0)


def test_unknown_options_are_errors() -> None:
    with pytest.raises(InvalidOptionError):
        play_match(ID, "greedy", "random", games=4, seed=0, num_players=9)
