"""The solver: shortest ways, its speed, and figures of whole games."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

from fold_envs.engine.errors import InvalidOptionError
from fold_envs.games.fold_it.actions import GRAB, TURN_OVER, WAIT, WORDS
from fold_envs.games.fold_it.cloth import cloths
from fold_envs.games.fold_it.game import FoldIt
from fold_envs.games.fold_it.orders import to_mask

NEXT, TOP, TURNED = cloths().next, cloths().top, cloths().turned


@pytest.mark.parametrize(
    "options", [{"deck": "mixed"}, {"orders": "random"}, {"deck": "advanced"}], ids=str
)
def test_at_full_speed_it_grabs_after_the_fewest_folds_and_one(options: dict[str, Any]) -> None:
    n = 1500
    game = FoldIt(n, num_players=2, **options)
    game.reset(0)
    solver = game.heuristic(speed=1)
    fewest = game.order_table.fewest[game.state.card].astype(int)
    grabbed = np.zeros(n, int)
    for tick in range(1, 8):
        actions = solver(game.observe(), game.legal, game.side_stream, None)
        now = (actions == GRAB) & (grabbed == 0)
        grabbed[now] = tick
        game.step(np.where(grabbed > 0, WAIT, actions))  # look at the first round only
        game.step(np.full(n, WAIT))
    assert (grabbed == fewest + 1).all()


def test_the_moves_it_chooses_from_are_all_shortest_ones_and_no_others() -> None:
    """From positions that random play reaches, against a search forwards."""
    n = 200
    game = FoldIt(n, num_players=2, deck="mixed")
    game.reset(4)
    for _ in range(12):
        actions = game.random_legal()
        game.step(np.where(actions == GRAB, WAIT, actions))
    solver = game.heuristic(speed=1)
    chosen: list[set[str]] = [set() for _ in range(n)]
    legal, seen = game.legal, game.observe()
    for _ in range(150):
        for table, action in enumerate(solver(seen, legal, game.side_stream, None)):
            chosen[table].add(WORDS[action])
    kinds = set()
    for table in range(0, n, 8):
        path = int(game.state.path[0, table])
        turned = bool(game._board.turned[0, table])
        history, cloth = [], 0
        for fold in (path >> shift & 31 for shift in range(25, -1, -5)):
            if fold:
                history.append(cloth)
                cloth = int(NEXT[cloth, fold])
        if turned:
            cloth, history = int(TURNED[cloth]), [int(TURNED[h]) for h in history]
        best = shortest(cloth, history, to_mask(tuple(game.snapshot(table)["order"])))
        assert chosen[table] == best, game.snapshot(table)
        kinds |= {word.split()[0] for word in best}
    assert {"fold", "flat", "undo"} <= kinds


def moves_to(order: int, seeds: dict[int, int]) -> int:
    """Fewest folds and turns from any of ``seeds`` (cloth -> moves already made) to the order."""
    seen = np.zeros(len(NEXT), bool)
    layer = np.zeros(0, int)
    for moves in range(20):
        new = [cloth for cloth, made in seeds.items() if made == moves]
        layer = np.unique(np.concatenate([layer, np.array(new, int)]))
        layer = layer[~seen[layer]]
        if (TOP[layer] == order).any():
            return moves
        seen[layer] = True
        layer = np.concatenate([NEXT[layer, 1:25].ravel(), TURNED[layer]]).astype(int)
    raise AssertionError(order)


def distance(cloth: int, history: list[int], order: int) -> int:
    """The same with undoing and laying flat: both only make sense before anything else."""
    seeds = {cloth: 0}
    if history:
        seeds.setdefault(0, 1)
    for undos, earlier in enumerate(reversed(history), start=1):
        seeds[earlier] = min(undos, seeds.get(earlier, undos))
    return moves_to(order, seeds)


def shortest(cloth: int, history: list[int], order: int) -> set[str]:
    """The moves after which the distance is one less."""
    if TOP[cloth] == order:
        return {"grab"}
    after = {
        WORDS[fold]: (int(NEXT[cloth, 1 + fold]), [*history, cloth])
        for fold in range(24)
        if NEXT[cloth, 1 + fold] != cloth
    }
    after["turn over"] = (int(TURNED[cloth]), [int(TURNED[h]) for h in history])
    if history:
        after["undo"] = (history[-1], history[:-1])
        after["flat"] = (0, [])
    far = {word: distance(*then, order) for word, then in after.items()}
    return {word for word, away in far.items() if away == min(far.values())}


def test_slow_solvers_wait() -> None:
    n = 4000
    game = FoldIt(n)
    game.reset(0)
    for speed in (0.0, 0.3, 1.0):
        solver = game.heuristic(speed=speed)
        actions = solver(game.observe(), game.legal, game.side_stream, None)
        share = (actions != WAIT).mean()
        assert abs(share - speed) <= 4 * np.sqrt(speed * (1 - speed) / n)


def test_it_draws_for_the_tables_asked_only() -> None:
    game = FoldIt(6)
    game.reset(0)
    before = game.state.side_counter.copy()
    asked = np.array([True, False] * 3)
    game.heuristic()(game.observe(), game.legal, game.side_stream, asked)
    moved = game.state.side_counter != before
    assert (moved == asked).all()


@pytest.mark.parametrize("speed", [-0.1, 1.1, "fast", True, None])
def test_speeds_that_are_none(speed: Any) -> None:
    with pytest.raises(InvalidOptionError, match=r"speed: .* is not a number from 0 to 1"):
        FoldIt(1).heuristic(speed=speed)


# ---------------------------------------------------------------- figures of whole games


def contest(speeds: tuple[float, ...], games: int, **options: Any) -> dict[str, Any]:
    """Solvers of these speeds by seat; shares of wins, rounds a game, ticks a round."""
    game = FoldIt(games, num_players=len(speeds), check=False, **options)
    game.reset(7)
    solvers = [game.heuristic(speed=speed) for speed in speeds]
    rounds = ticks = 0
    while not game.done.all():
        running, seat = ~game.done, game.to_act.copy()
        seen, legal, actions = game.observe(), game.legal, np.zeros(games, int)
        for number, solver in enumerate(solvers):
            asked = running & (seat == number)
            chosen = solver(seen, legal, game.side_stream, asked)
            actions[asked] = chosen[asked]
        before, tick = game._board.round.copy(), game._board.tick.copy()
        game.step(actions)
        ended = running & ((game._board.round != before) | game.done)
        rounds += int(ended.sum())
        ticks += int(tick[ended].sum())
    wins = (game.winners / game.winners.sum(axis=0)).mean(axis=1)
    return {"wins": wins, "rounds": rounds / games, "ticks": ticks / rounds}


@pytest.mark.parametrize(
    ("speed", "standard", "advanced"),
    [(0.3, 10.5, 12.8), (0.5, 6.6, 7.9), (0.8, 4.6, 5.4), (1.0, 4.1, 4.8)],
)
def test_equal_solvers(speed: float, standard: float, advanced: float) -> None:
    for deck, ticks in (("standard", standard), ("advanced", advanced)):
        found = contest((speed, speed), 2500, deck=deck)
        assert found["ticks"] == pytest.approx(ticks, rel=0.03)
        assert 4.05 < found["rounds"] < 4.25
        assert found["wins"] == pytest.approx([0.5, 0.5], abs=0.04)


@pytest.mark.parametrize(
    ("slow", "fast", "share"), [(0.3, 0.5, 0.05), (0.5, 0.8, 0.026), (0.8, 1.0, 0.06)]
)
def test_the_faster_solver_wins(slow: float, fast: float, share: float) -> None:
    wins = contest((slow, fast), 5000)["wins"][0], contest((fast, slow), 5000)["wins"][1]
    assert np.mean(wins) == pytest.approx(share, abs=0.01)


def test_seats_are_equal() -> None:
    wins = contest((0.8,) * 4, 4000)["wins"]
    assert np.abs(wins - 0.25).max() < 4 * np.sqrt(0.25 * 0.75 / 4000)


@pytest.mark.parametrize(("num_players", "decisions"), [(2, 44), (3, 83), (4, 122)])
def test_random_games_are_as_long_as_they_should_be(num_players: int, decisions: int) -> None:
    game = FoldIt(3000, num_players=num_players, check=False)
    game.reset(0)
    taken = 0
    while not game.done.all():
        taken += int((~game.done).sum())
        game.step(game.random_legal())
    assert taken / 3000 == pytest.approx(decisions, rel=0.03)
    wins = (game.winners / game.winners.sum(axis=0)).mean(axis=1)
    assert np.abs(wins - 1 / num_players).max() < 0.04


def test_a_perfect_puzzle() -> None:
    game = FoldIt(200, num_players=1, orders_per_game=4, orders="random")
    game.reset(0)
    solver = game.heuristic(speed=1)
    while not game.done.all():
        game.step(solver(game.observe(), game.legal, game.side_stream, ~game.done))
    assert (game.final_scores == 1000).all() and (game.rewards[0][game.done] <= 1).all()


def test_turning_over_is_played_where_it_helps() -> None:
    """One fold too far: what is wanted lies underneath and can't be folded up any more."""
    game = FoldIt(1, num_players=1)
    game.reset(0)
    known = cloths()
    order = to_mask(tuple(game.snapshot(0)["order"]))
    wanted = np.flatnonzero((known.top[known.turned] == order) & (known.top != order))
    small = [s for s in wanted if known.look[2:, s].prod() == bin(order).count("1")]
    assert small
    state = small[0]
    # any folds that lead there
    queue = deque([(0, 0)])
    while queue:
        here, path = queue.popleft()
        if here == state:
            break
        for fold in range(24):
            after = int(known.next[here, 1 + fold])
            if after != here:
                queue.append((after, path << 5 | 1 + fold))
    game.state.cloth[0, 0], game.state.path[0, 0] = state, path
    game._board.look[:, 0, 0] = known.look[:, state]
    game.set_state(game.get_state())
    action = game.heuristic(speed=1)(game.observe(), game.legal, game.side_stream, None)[0]
    assert action == TURN_OVER
