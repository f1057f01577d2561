"""The contract of BatchGame, on the toy game; ``test_kit.py`` runs the whole kit on it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fold_envs.engine.errors import (
    FoldEnvsError,
    GameOverError,
    IllegalActionError,
    InvalidOptionError,
)
from fold_envs.testing import _everything
from tests.engine.toy_game import BOAST, Toy


def assert_same(found: dict[str, Any], expected: dict[str, Any], *but: str) -> None:
    for name in expected:
        if name not in but:
            assert np.array_equal(found[name], expected[name]), name


def played(num_envs: int, moves: int, seed: int = 0, **options: Any) -> Toy:
    game = Toy(num_envs, **options)
    game.reset(seed)
    for _ in range(moves):
        game.step(game.random_legal())
    return game


# -------------------------------------------------------------------- rules under masks


def test_tables_drift_apart_and_keep_their_rules() -> None:
    game = played(200, 1)
    assert len(set(game.phase.tolist())) == 2  # ragged: some boast, some do not
    hands, scores = game.state.hand.copy(), game.scores
    turn, phase = game.to_act.copy(), game.phase
    actions = game.random_legal()
    game.step(actions)
    for table in range(200):
        seat, action = turn[table], actions[table]
        gained = action - 2 if phase[table] == BOAST else hands[seat, action, table]
        assert game.scores[seat, table] == scores[seat, table] + gained
        goes_on = phase[table] != BOAST and gained % 2 == 1
        assert game.phase[table] == (BOAST if goes_on else 0)
        assert game.to_act[table] == (seat if goes_on else (seat + 1) % 2)


def test_games_end_one_by_one_and_stay_over() -> None:
    game = Toy(300)
    game.reset(0)
    ends, still = [], None
    while not game.done.all():
        game.step(game.random_legal())
        ends.append(game.done.sum())
        over = np.flatnonzero(game.done)
        scores = game.final_scores[:, over]
        if still is not None:
            assert np.array_equal(game.final_scores[:, still[0]], still[1])
        still = (over, scores.copy())
    assert len(set(ends)) > 3
    broke = game.tie_break == 1
    assert broke.any()  # the tie break decided some
    tied = game.final_scores[0] == game.final_scores[1]
    assert np.array_equal(tied, broke)  # the highest card is never shared
    with pytest.raises(GameOverError, match="call reset"):
        game.step(np.zeros(300, int))


def test_rewards_of_shared_wins() -> None:
    class Shared(Toy):
        tie_breaks = ()

    game = Shared(400, num_players=3)
    game.reset(1)
    total = np.zeros((3, 400))
    while not game.done.all():
        game.step(game.random_legal())
        total += game.rewards
    winners = game.winners.sum(axis=0)
    assert set(winners.tolist()) >= {1, 2}
    assert np.allclose(total.sum(axis=0), 0, atol=1e-6)
    one, two = total[:, winners == 1], total[:, winners == 2]
    assert np.allclose(np.sort(one, axis=0), [[-0.5], [-0.5], [1]])
    assert np.allclose(np.sort(two, axis=0), [[-0.5], [0.25], [0.25]])


# -------------------------------------------------------------------- seeds and resets


def test_seeds() -> None:
    one = Toy(4)
    one.reset(10)
    assert one.state.seed.tolist() == [10, 11, 12, 13] and not one.state.episode.any()
    many = Toy(4)
    many.reset([13, 12, 11, 10])
    for table in range(4):
        assert np.array_equal(many.state.hand[..., table], one.state.hand[..., 3 - table])
    one.reset()
    assert one.state.seed.tolist() == [10, 11, 12, 13] and (one.state.episode == 1).all()
    assert not np.array_equal(one.state.hand[..., ::-1], many.state.hand)
    one.reset(10)
    assert not one.state.episode.any()


def test_without_a_seed_games_differ() -> None:
    a, b = Toy(3), Toy(3)
    a.reset()
    b.reset()
    assert a.state.seed[0] != b.state.seed[0]
    assert len(set(a.state.key.tolist() + b.state.key.tolist())) == 6


def test_a_first_reset_of_some_tables_seeds_them_all() -> None:
    game = Toy(4)
    game.reset(5, where=[1])
    assert game.done.tolist() == [True, False, True, True]
    game.reset(where=[0, 2, 3])
    assert len(set(game.state.key.tolist())) == 4
    assert game.state.seed.tolist() == [5, 6, 7, 8]


@pytest.mark.parametrize("where", [np.array([0, 1, 1, 0], bool), [1, 2], np.array([2, 1])])
def test_reset_where_touches_no_other_table(where: Any) -> None:
    game = played(4, 2)
    before = _everything(game)
    game.reset(where=where)
    after = _everything(game)
    for name in before:
        assert np.array_equal(after[name][..., [0, 3]], before[name][..., [0, 3]]), name
    assert game.state.episode.tolist() == [0, 1, 1, 0]
    fresh = Toy(4)
    fresh.reset(0)
    fresh.reset()
    for name in ("hand", "rest", "turn", "phase", "owner", "counter"):
        expected = getattr(fresh.state, name)[..., 1:3]
        assert np.array_equal(getattr(game.state, name)[..., 1:3], expected), name


def test_reset_of_no_table_changes_nothing() -> None:
    game = played(4, 2)
    before = _everything(game)
    for nothing in ([], np.zeros(4, bool), np.array([], int)):
        game.reset(where=nothing)
        assert_same(_everything(game), before)


def test_step_where_moves_only_those() -> None:
    game = played(5, 2)
    before, other = _everything(game), game.copy([1, 4])
    actions = game.random_legal()
    game.step(actions, where=[1, 4])
    other.random_legal()
    other.step(actions[[1, 4]])
    after, expected = _everything(game), _everything(other)
    for name in before:
        assert np.array_equal(after[name][..., [1, 4]], expected[name]), name
        if name != "side_counter":
            assert np.array_equal(after[name][..., [0, 2, 3]], before[name][..., [0, 2, 3]]), name


def test_autoreset_starts_the_next_game_and_keeps_how_the_old_one_ended() -> None:
    auto, plain = Toy(50, autoreset=True), Toy(50)
    auto.reset(3)
    plain.reset(3)
    episodes = 0
    for _ in range(60):
        actions = auto.random_legal()
        assert np.array_equal(plain.random_legal(), actions)
        auto.step(actions)
        plain.step(actions)
        for name in ("done", "rewards", "paid"):
            assert np.array_equal(getattr(auto, name), getattr(plain, name)), name
        ended = plain.done.copy()
        for name in ("final_scores", "winners", "tie_break"):
            assert np.array_equal(getattr(auto, name), getattr(plain, name)), name
        episodes += ended.sum()
        if ended.any():
            plain.reset(where=ended)
        assert np.array_equal(auto.state.key, plain.state.key)
        assert not auto.state.over.any()
    assert episodes > 150 and (auto.state.episode > 1).all()


def test_options_are_kept_over_resets_copies_and_pickles() -> None:
    game = Toy(3, num_players=3, reward="margin", on_illegal="lose", autoreset=True, limit=9)
    for seed in (None, 4, None):
        game.reset(seed)
    twins = [game, game.copy(), pickle.loads(pickle.dumps(game)), copy.deepcopy(game)]
    for twin in twins:
        assert twin.options == {
            "num_envs": 3,
            "num_players": 3,
            "reward": "margin",
            "on_illegal": "lose",
            "autoreset": True,
            "check": True,
            "limit": 9,
        }
    total = 0.0
    for _ in range(40):
        game.step(game.random_legal())
        total += float(np.abs(game.rewards).sum())
    assert total % 1 != 0  # margins in tenths, not wins


# -------------------------------------------------------------------- illegal actions


def test_an_illegal_action_is_told_in_the_words_of_the_game() -> None:
    game = played(3, 0)
    bad = game.random_legal()
    bad[1] = 4
    seat = game.to_act[1]
    cards = game.state.hand[seat, :, 1]
    expected = (
        f"Toy, table 1, seat {seat}, phase play: action 4 (boast 2) is not legal; legal are "
        f"0 (play {cards[0]}), 1 (play {cards[1]}), 2 (play {cards[2]})"
    )
    with pytest.raises(IllegalActionError) as caught:
        game.step(bad)
    assert str(caught.value) == expected
    bad[1] = 77
    with pytest.raises(IllegalActionError, match=r"action 77 is not legal; legal are 0 \(play"):
        game.step(bad)


def test_losing_by_an_illegal_action() -> None:
    game = played(4, 1, num_players=3, on_illegal="lose")
    seats = game.to_act.copy()
    actions = game.random_legal()
    actions[[0, 2]] = [99, -1]
    game.step(actions)
    assert game.done[[0, 2]].all() and game.paid
    for table in (0, 2):
        lost = np.arange(3) == seats[table]
        assert np.allclose(game.rewards[:, table], np.where(lost, -1, 0.5))
        assert np.array_equal(game.winners[:, table], ~lost)
        assert game.state.illegal[table] == 1 + seats[table]
    assert not game.state.illegal[[1, 3]].any()
    # the option of one step wins over that of the game
    with pytest.raises(IllegalActionError):
        game.step(np.full(4, 99), on_illegal="raise")


def test_losing_with_autoreset_goes_on() -> None:
    game = played(3, 1, on_illegal="lose", autoreset=True)
    game.step(np.array([99, 99, 99]))
    assert game.done.all() and (np.abs(game.rewards) == 1).all()
    assert not game.state.illegal.any() and (game.state.episode == 1).all()
    game.step(game.random_legal())
    assert not game.done.any() and not game.rewards.any()


def test_actions_of_tables_that_do_not_play_are_ignored() -> None:
    game = played(3, 1)
    before = _everything(game)
    game.step(np.array([99, int(game.random_legal()[1]), -5]), where=[1])
    after = _everything(game)
    assert np.array_equal(after["hand"][..., [0, 2]], before["hand"][..., [0, 2]])
    while not game.done.all():
        actions = game.random_legal()
        actions[game.done] = 99
        game.step(actions)


def test_trusted_and_unchecked_steps_play_the_same() -> None:
    games = [played(20, 0), played(20, 0, check=False), played(20, 0)]
    for _ in range(4):
        actions = games[0].random_legal()
        for game in games[1:]:
            game.random_legal()
        games[0].step(actions)
        games[1].step(actions)
        games[2].step(actions, on_illegal="trust")
    for game in games[1:]:
        assert_same(_everything(game), _everything(games[0]))


# -------------------------------------------------------------------- saving and branching


def test_copies_are_apart_and_tables_may_repeat() -> None:
    game = played(3, 2)
    twin = game.copy([2, 0, 2, 2])
    assert twin.num_envs == 4
    assert np.array_equal(twin.state.hand, game.state.hand[..., [2, 0, 2, 2]])
    assert twin.copy(np.array([0, 1, 0, 0], bool)).num_envs == 1
    twin.state.hand[:] = 0
    assert game.state.hand.any()
    for block, other in zip(game.state.blocks.values(), twin.state.blocks.values(), strict=True):
        assert not np.shares_memory(block, other)


def test_unpickled_views_lie_in_their_own_blocks() -> None:
    game = played(3, 2)
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game), copy.copy(game)):
        for field in twin.state.fields:
            block = twin.state.blocks[np.dtype(field.dtype)]
            assert np.shares_memory(getattr(twin.state, field.name), block)
            assert not np.shares_memory(block, game.state.blocks[np.dtype(field.dtype)])


def test_set_state_restores_how_games_ended() -> None:
    game = Toy(6, num_players=3, on_illegal="lose")
    game.reset(2)
    actions = game.random_legal()
    actions[0] = 99
    game.step(actions)
    while game.done.sum() < 4:
        game.step(game.random_legal())
    other = Toy(6, num_players=3)
    other.reset(50)
    for _ in range(15):
        if not other.done.all():
            other.step(other.random_legal())
    other.set_state(game.get_state())
    assert np.array_equal(other.done, game.done)
    for name in ("final_scores", "winners", "tie_break"):
        expected = np.where(game.done, getattr(game, name), 0)
        assert np.array_equal(getattr(other, name), expected), name
    assert not other.rewards.any() and not other.paid


@pytest.mark.parametrize("autoreset", [False, True])
def test_single_tables_go_back_and_the_others_do_not_notice(autoreset: bool) -> None:
    game, twin = (Toy(5, num_players=3, autoreset=autoreset) for _ in range(2))
    for one in (game, twin):
        one.reset(7)
        one.step(one.random_legal())
    saved = game.get_state([3, 1])
    assert saved.num_envs == 2
    for _ in range(4):
        for one in (game, twin):
            one.step(one.random_legal(), where=None if autoreset else ~one.done)
    game.set_state(saved, [4, 1])  # what was table 3 goes on as table 4
    others = [0, 2, 3]
    for block, other in zip(game.state.blocks.values(), twin.state.blocks.values(), strict=True):
        assert np.array_equal(block[:, others], other[:, others])
    for name in ("done", "rewards", "final_scores", "winners", "tie_break"):
        there = getattr(game, name)[..., others]
        assert np.array_equal(there, getattr(twin, name)[..., others]), name
    back = game.get_state(np.array([0, 1, 0, 0, 1], bool))
    for block, other in zip(back.blocks.values(), saved.blocks.values(), strict=True):
        assert np.array_equal(block, other[:, ::-1])
    # from there the tables play what they played before
    start = Toy(2, num_players=3)
    start.set_state(saved)
    game.step(game.random_legal(), where=[1, 4])
    start.step(start.random_legal())
    assert np.array_equal(game.state.hand[..., [4, 1]], start.state.hand)
    assert np.array_equal(game.legal[:, [4, 1]], start.legal)


def test_a_table_that_was_over_is_over_again() -> None:
    game = Toy(3, num_players=2)
    game.reset(1)
    while not game.done.any():
        game.step(game.random_legal())
    over = int(game.done.argmax())
    saved = game.get_state([over])
    ending = game.final_scores[:, over].copy(), game.winners[:, over].copy()
    game.reset(5)
    game.set_state(saved, [over])
    assert game.done.tolist() == [table == over for table in range(3)]
    assert np.array_equal(game.final_scores[:, over], ending[0])
    assert np.array_equal(game.winners[:, over], ending[1])
    assert game.legal[:, over].all() and not game.rewards.any()
    game.step(game.random_legal())  # the others go on
    assert game.done[over]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([0, 0], "names a table twice"),
        ([0], "not of 1 tables"),
        ([0, 9], "below 4"),
        (None, "not of 4 tables"),
    ],
)
def test_states_for_other_tables_are_refused(tables: Any, message: str) -> None:
    game = played(2, 1, num_players=2)
    other = Toy(4, num_players=2)
    other.reset(1)
    before = other.get_state()
    with pytest.raises(InvalidOptionError, match=message):
        other.set_state(game.get_state(), tables)
    for block, was in zip(other.state.blocks.values(), before.blocks.values(), strict=True):
        assert np.array_equal(block, was)


def test_an_undealt_state_is_restored_as_such() -> None:
    game = Toy(2)
    game.set_state(Toy(2).get_state())
    with pytest.raises(GameOverError):
        game.step([0, 0])


def test_resampling_gives_many_hidden_states_and_hides_nothing_known() -> None:
    game = played(1, 2)
    seat = int(game.to_act[0])
    seen = game.observe(seat).copy()
    twin = game.copy(np.zeros(500, int))
    # every table has its own side stream; copies share it, so draw them apart
    twin.state.side_key[:] += np.arange(500, dtype=np.uint64)
    twin.resample_unknown(seat)
    assert (twin.observe(seat) == seen).all()
    hands = {tuple(twin.state.hand[1 - seat, :, table]) for table in range(500)}
    assert len(hands) == 5 * 4  # two slots, five cards that the seat has not seen
    assert (twin.census() == 1).all()


def test_state_vector_is_all_that_the_seats_know() -> None:
    game = played(30, 1, num_players=3)
    private = ~game.layout.public
    vector = game.state_vector()
    first = game.to_act.copy()
    own = game.observe().copy()
    assert np.array_equal(vector[: game.layout.size], own)
    for step in (1, 2):
        start = game.layout.size + (step - 1) * private.sum()
        part = game.observe((first + step) % 3)[private]
        assert np.array_equal(vector[start : start + private.sum()], part)


def test_heuristic_sees_only_what_it_is_given() -> None:
    game = played(10, 2)
    policy = game.heuristic()
    chosen = policy(game.observe(), game.legal, game.side_stream, None)
    game.state.hand[:] = 0
    again = policy(game._obs, game._legal, game.side_stream, None)
    assert np.array_equal(chosen, again)


# -------------------------------------------------------------------- hostile input

NAN = float("nan")

BAD_ACTIONS: list[Any] = [
    None,
    "0",
    0,
    1.5,
    NAN,
    [],
    [0],
    [0, 1, 0, 1],
    [[0, 1, 0]],
    [[0], [0, 1], [0]],
    [0, "a", 1],
    [0, None, 1],
    [0.0, 1.0, 2.0],
    [NAN, 0, 0],
    [True, False, True],
    np.zeros(3, complex),
    np.zeros((3, 1), int),
    np.zeros(3, "datetime64[s]"),
    np.array([0, 1, 2], object),
    {"a": 1},
    [2**70, 0, 0],
]
BAD_WHERE: list[Any] = [
    "all",
    1,
    1.0,
    True,
    [3],
    [-1],
    [0.0],
    [NAN],
    [True, False],
    [[True, False, True]],
    [None],
    [[0], [0, 1]],
    np.ones(4, bool),
    [2**70],
]
BAD_SEEDS: list[Any] = [
    -1,
    1.0,
    NAN,
    "1",
    True,
    [1, 2],
    [1, 2, -3],
    [1.0, 2.0, 3.0],
    [[1], [2], [3]],
    [[1], [2, 3], [4]],
    [None, 1, 2],
    np.array(["a", "b", "c"]),
    2**64,
    2**64 - 2,  # table 2 would have more than 64 bits
    -(2**70),
]
BAD_SEATS: list[Any] = [-1, 2, 1.0, NAN, "0", True, [0, 1], [0, 1, 2], [[0], [0, 1]], [0.0, 1, 0]]
BAD_TABLES: list[Any] = [-1, 3, 0.0, NAN, "0", None, True, [0], np.array([0])]
BAD_ACTION_NAMES: list[Any] = [-1, 5, 0.0, NAN, "0", None, True, [0]]

CALLS: dict[str, tuple[Callable[[Toy, Any], Any], list[Any]]] = {
    "step": (lambda game, bad: game.step(bad), BAD_ACTIONS),
    "step where": (lambda game, bad: game.step(game.random_legal(), bad), BAD_WHERE),
    "step on_illegal": (
        lambda game, bad: game.step(game.random_legal(), on_illegal=bad),
        ["loose", 1, "", "TRUST", True, ["lose"]],
    ),
    "reset seeds": (lambda game, bad: game.reset(bad), BAD_SEEDS),
    "reset where": (lambda game, bad: game.reset(0, bad), BAD_WHERE),
    "observe": (lambda game, bad: game.observe(bad), BAD_SEATS),
    "resample_unknown": (lambda game, bad: game.resample_unknown(bad), BAD_SEATS),
    "copy": (lambda game, bad: game.copy(bad), [*BAD_WHERE, [], np.zeros(3, bool)]),
    "random_legal": (lambda game, bad: game.random_legal(bad), BAD_WHERE),
    "snapshot": (lambda game, bad: game.snapshot(bad), BAD_TABLES),
    "render": (lambda game, bad: game.render(bad), BAD_TABLES),
    "describe_action": (lambda game, bad: game.describe_action(bad), BAD_ACTION_NAMES),
    "describe_action at": (
        lambda game, bad: game.describe_action(0, bad),
        [bad for bad in BAD_TABLES if bad is not None],
    ),
    "set_state": (
        lambda game, bad: game.set_state(bad),
        [
            None,
            3,
            {},
            Toy(2).get_state(),
            Toy(3, num_players=3).get_state(),
        ],
    ),
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, k) for name, (_, bad) in CALLS.items() for k in range(len(bad))]
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_hostile_input_is_refused_and_changes_nothing(name: str, number: int) -> None:
    call, bad = CALLS[name]
    game = played(3, 2)
    before = _everything(game)
    with pytest.raises(FoldEnvsError) as caught:
        call(game, bad[number])
    assert len(str(caught.value)) > 10
    assert_same(_everything(game), before, "side_counter")
    game.step(game.random_legal())


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": -3}, "num_envs"),
        ({"num_envs": 2.0}, "num_envs"),
        ({"num_envs": "4"}, "num_envs"),
        ({"num_envs": None}, "num_envs"),
        ({"num_envs": True}, "num_envs"),
        ({"num_envs": 2**40}, "num_envs"),
        ({"num_players": 1}, "Toy: num_players: 1 is not a whole number from 2 to 3"),
        ({"num_players": 4}, "num_players"),
        ({"num_players": 2.0}, "num_players"),
        ({"num_players": "2"}, "num_players"),
        ({"num_players": [2]}, "num_players"),
        ({"reward": "points"}, "reward: 'points' is none of 'win', 'margin', 'score'"),
        ({"reward": None}, "reward"),
        ({"on_illegal": "ignore"}, "on_illegal"),
        ({"autoreset": 1}, "autoreset"),
        ({"autoreset": "yes"}, "autoreset"),
        ({"check": 0}, "check"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidOptionError, match=complaint):
        Toy(**options)


def test_numpy_integers_are_integers() -> None:
    game = Toy(np.int64(3), num_players=np.int32(2))
    game.reset(np.uint8(7))
    game.observe(np.int64(1))
    game.snapshot(np.int64(2))
    game.describe_action(np.int16(3))
    game.step(game.random_legal().astype(np.int8))
    game.step(game.random_legal().astype(np.uint64))
    game.step(game.random_legal().tolist())
    game.reset(np.arange(3, dtype=np.uint64) + np.uint64(2**63))


def test_before_the_first_reset_nothing_can_be_played() -> None:
    game = Toy(3)
    with pytest.raises(GameOverError, match="call reset first"):
        game.step([0, 0, 0])
    assert game.done.all() and game.legal.all()


def test_all_errors_are_of_the_package() -> None:
    for error in (InvalidOptionError, IllegalActionError, GameOverError):
        assert issubclass(error, FoldEnvsError)
    assert issubclass(InvalidOptionError, ValueError)
    assert issubclass(GameOverError, RuntimeError)


@pytest.mark.parametrize("autoreset", [False, True])
def test_done_is_false_after_a_reset(autoreset: bool) -> None:
    game = Toy(3, autoreset=autoreset)
    game.reset(1)
    assert not game.done.any()
    while not game.done.any():
        game.step(game.random_legal())
    game.reset()
    assert not game.done.any()
