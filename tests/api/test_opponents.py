"""Who plays the other seats, and who is paid what."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import fold_envs
from fold_envs.engine.errors import GameOverError, IllegalActionError, InvalidOptionError
from fold_envs.opponents import BatchOpponent, Greedy, Opponent, Random, SavedPolicy
from tests.combos import IDS, SOME, short


def lowest(observations: np.ndarray, masks: np.ndarray, rng: Any) -> np.ndarray:
    return masks.argmax(axis=1)


def highest(observations: np.ndarray, masks: np.ndarray, rng: Any) -> np.ndarray:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def episode(env: gymnasium.Env, seed: int | None, rule: Any = None) -> tuple[float, dict[str, Any]]:
    """Total reward and last info of one episode; by ``rule(mask)``, or the lowest action."""
    _, info = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        mask = info["action_mask"]
        action = int(mask.argmax()) if rule is None else rule(mask)
        _, reward, over, _, info = env.step(action)
        total += reward
    return total, info


def win_reward(info: dict[str, Any]) -> float:
    winners, p = info["winners"], len(info["winners"])
    k = winners.sum()
    return float((p - k) / (k * (p - 1)) if winners[info["seat"]] else -1 / (p - 1))


# -------------------------------------------------------------------- rewards


@pytest.mark.parametrize("num_players", [2, 3])
def test_reward_is_credited_whoever_makes_the_last_move(toy: str, num_players: int) -> None:
    env = gymnasium.make(toy, num_players=num_players, seat="random").unwrapped
    movers: list[int] = []
    step = env.game.step

    def watched(*args: Any, **options: Any) -> None:
        movers.append(int(env.game.to_act[0]))
        step(*args, **options)

    env.game.step = watched
    last = {"own": 0, "other": 0}
    for seed in range(60):
        total, info = episode(env, seed)
        assert total == pytest.approx(win_reward(info), abs=1e-6)
        assert (info["scores"][info["winners"]] == info["scores"].max()).all()
        last["own" if movers[-1] == info["seat"] else "other"] += 1
    assert min(last.values()) > 10


@pytest.mark.parametrize(("env_id", "num_players"), SOME, ids=short)
def test_the_seats_share_out_one_result(env_id: str, num_players: int) -> None:
    """The same game, learned from each seat in turn: the rewards sum up to the whole."""
    if num_players == 1:
        pytest.skip("nobody to share with")
    for kind in ("win", "score"):
        results = [
            episode(
                gymnasium.make(
                    env_id, num_players=num_players, seat=seat, opponents=lowest, reward=kind
                ),
                4,
            )
            for seat in range(num_players)
        ]
        infos = [info for _, info in results]
        for info in infos:
            assert np.array_equal(info["scores"], infos[0]["scores"])
            assert np.array_equal(info["winners"], infos[0]["winners"])
        rewards = [total for total, _ in results]
        if kind == "win":
            assert sum(rewards) == pytest.approx(0, abs=1e-6)
            assert rewards == pytest.approx([win_reward(info) for info in infos], abs=1e-6)
        scale = fold_envs.game_class(env_id).score_scale
        if kind == "score":
            assert rewards == pytest.approx(list(infos[0]["scores"] / scale), abs=1e-5)


def test_losing_by_an_illegal_action_is_paid_and_told(toy: str) -> None:
    env = gymnasium.make(toy)
    _, info = env.reset(seed=0)
    _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert reward == -1 and over and info["illegal_action"]
    assert info["winners"].tolist() == [False, True]
    assert episode(env, 1)[1]["illegal_action"] is False


# -------------------------------------------------------------------- seats


def test_a_random_seat_is_drawn_anew_and_by_the_seed(toy: str) -> None:
    vector = gymnasium.make_vec(toy, num_envs=300, num_players=3, seat="random")
    vector.reset(seed=0)
    seats = vector.unwrapped.tables.seats.copy()
    assert np.bincount(seats, minlength=3).min() > 60
    vector.reset()
    assert not np.array_equal(vector.unwrapped.tables.seats, seats)
    for table in (0, 17, 299):
        single = gymnasium.make(toy, num_players=3, seat="random").unwrapped
        single.reset(seed=table)
        assert single.tables.seats[0] == seats[table]


@pytest.mark.parametrize("seat", [0, 1, 2, np.int64(2)])
def test_a_fixed_seat_acts_whenever_asked(toy: str, seat: int) -> None:
    env = gymnasium.make(toy, num_players=3, seat=seat).unwrapped
    for seed in range(10):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert env.game.to_act[0] == seat
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        assert info["seat"] == seat


# -------------------------------------------------------------------- opponents


def test_a_list_sits_clockwise_from_the_left(toy: str) -> None:
    seen: list[tuple[str, int]] = []

    def named(name: str) -> Any:
        def act(observations: np.ndarray, masks: np.ndarray, rng: Any) -> np.ndarray:
            seen.append((name, int(env.game.to_act[0])))
            return masks.argmax(axis=1)

        return act

    for seat in range(3):
        seen.clear()
        opponents = [named("left"), named("right")]
        env = gymnasium.make(toy, num_players=3, seat=seat, opponents=opponents).unwrapped
        for seed in range(5):
            episode(env, seed)
        assert set(seen) == {("left", (seat + 1) % 3), ("right", (seat + 2) % 3)}


def test_different_opponents_play_differently(toy: str) -> None:
    pairs = [(lowest, highest), (highest, lowest), ("greedy", "random"), ("random", "greedy")]
    for pair in pairs:
        env = gymnasium.make_vec(toy, num_envs=50, num_players=3, opponents=list(pair))
        other = gymnasium.make_vec(toy, num_envs=50, num_players=3, opponents=list(pair[::-1]))
        results = []
        for vector in (env, other):
            _, infos = vector.reset(seed=0)
            for _ in range(4):
                *_, infos = vector.step(infos["action_mask"].argmax(axis=1))
            results.append(vector.unwrapped.game.state.owner.copy())
        assert not np.array_equal(*results)


@pytest.mark.parametrize(("env_id", "num_players"), SOME, ids=short)
def test_a_function_gets_floats_masks_and_streams(env_id: str, num_players: int) -> None:
    calls = []

    def act(observations: np.ndarray, masks: np.ndarray, rng: Any) -> np.ndarray:
        n = len(observations)
        assert observations.dtype == np.float32 and observations.shape == (n, size)
        assert masks.dtype == bool and masks.shape == (n, actions) and masks.any(axis=1).all()
        assert 0 <= observations.min() and observations.max() <= 1
        draws = rng.uniform()
        assert draws.shape == (n,)
        calls.append(n)
        counts = masks.sum(axis=1)
        wanted = (draws * counts).astype(int)
        return (masks.cumsum(axis=1) <= wanted[:, None]).sum(axis=1)

    env = gymnasium.make_vec(env_id, num_envs=4, num_players=num_players, opponents=act)
    size = env.single_observation_space.shape[0]
    actions = env.single_action_space.n
    runs = []
    for _ in range(2):
        observation, infos = env.reset(seed=0)
        run = []
        for _ in range(25):
            observation, rewards, *_, infos = env.step(infos["action_mask"].argmax(axis=1))
            run.append((observation.copy(), rewards.copy()))
        runs.append(run)
    assert calls or num_players == 1
    for one, two in zip(*runs, strict=True):  # their luck comes from the seed, too
        assert np.array_equal(one[0], two[0]) and np.array_equal(one[1], two[1])


@pytest.mark.parametrize("env_id", IDS, ids=short)
def test_names_and_instances_are_the_same_players(env_id: str) -> None:
    for name, instance in (("random", Random()), ("greedy", Greedy())):
        envs = [gymnasium.make(env_id, opponents=given) for given in (name, instance)]
        (one, info), (two, other) = (episode(env, 6) for env in envs)
        assert one == two and np.array_equal(info["scores"], other["scores"])


def test_an_object_with_act_is_an_opponent(toy: str) -> None:
    class Lowest:
        def act(self, observations: Any, masks: Any, rng: Any) -> Any:
            return lowest(observations, masks, rng)

    assert isinstance(Lowest(), Opponent)
    results = [episode(gymnasium.make(toy, opponents=who), 2)[1] for who in (Lowest(), lowest)]
    assert np.array_equal(results[0]["scores"], results[1]["scores"])


def test_an_object_with_policy_plays_whole_batches(toy: str) -> None:
    class Lowest:
        needs_observation = False

        def policy(self, game: Any) -> Any:
            return lambda observation, legal, stream, where: legal.argmax(axis=0)

    assert isinstance(Lowest(), BatchOpponent) and not isinstance(Lowest(), Opponent)
    results = [episode(gymnasium.make(toy, opponents=who), 2)[1] for who in (Lowest(), lowest)]
    assert np.array_equal(results[0]["scores"], results[1]["scores"])


def test_an_illegal_opponent_is_told_and_the_env_wants_a_reset(toy: str) -> None:
    behave = True

    def act(observations: np.ndarray, masks: np.ndarray, rng: Any) -> np.ndarray:
        return masks.argmax(axis=1) if behave else masks.argmin(axis=1)

    for make in (gymnasium.make, lambda *a, **k: gymnasium.make_vec(*a, num_envs=2, **k)):
        behave = True
        env = make(toy, opponents=act).unwrapped
        _, info = env.reset(seed=1)
        behave = False
        for _ in range(3):
            mask = info["action_mask"]
            try:
                *_, info = env.step(mask.argmax(axis=-1))
            except IllegalActionError as error:
                assert "an opponent played an illegal action: Toy, table" in str(error)
                break
        else:
            pytest.fail("the illegal action went unnoticed")
        with pytest.raises(GameOverError, match=r"an opponent failed .* call reset"):
            env.step(mask.argmax(axis=-1))
        env.tables.set_state(env.tables.get_state())  # it still waits for the opponent
        with pytest.raises(GameOverError, match=r"an opponent failed .* call reset"):
            env.step(mask.argmax(axis=-1))
        behave = True
        _, info = env.reset(seed=1)
        env.step(info["action_mask"].argmax(axis=-1))


def test_a_mask_of_all_tables_resets_all_after_an_opponent_failed(toy: str) -> None:
    class Failure(Exception):
        pass

    def act(observations: np.ndarray, masks: np.ndarray, rng: Any) -> np.ndarray:
        if fails:
            raise Failure
        return masks.argmax(axis=1)

    fails = False
    env = gymnasium.make_vec(toy, num_envs=3, opponents=act)
    _, info = env.reset(seed=0)
    fails = True
    with pytest.raises(Failure):
        for _ in range(9):
            _, _, _, _, info = env.step(info["action_mask"].argmax(axis=1))
    fails = False
    _, info = env.reset(options={"reset_mask": np.ones(3, bool)})
    env.step(info["action_mask"].argmax(axis=1))


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (lambda n: None, "gave object of shape"),
        (lambda n: 0, "gave int64 of shape"),
        (lambda n: np.zeros(n + 1, int), "gave int64 of shape"),
        (lambda n: np.zeros(n), "gave float64 of shape"),
        (lambda n: ["a"] * n, "gave <U1 of shape"),
        (lambda n: np.zeros((n, 1), int), "gave int64 of shape"),
        (lambda n: np.full(n, np.nan), "gave float64"),
        (lambda n: np.ones(n, bool), "gave bool"),
    ],
)
def test_a_wrong_answer_of_an_opponent_is_named(toy: str, answer: Any, complaint: str) -> None:
    env = gymnasium.make(toy, opponents=lambda obs, masks, rng: answer(len(obs)))
    with pytest.raises(InvalidOptionError, match=rf"opponent asked for 1 actions {complaint}"):
        for seed in range(10):
            episode(env, seed)


@pytest.mark.parametrize(
    "opponents",
    [
        None,
        3,
        "expert",
        "",
        object(),
        ["random", "random"],
        [],
        [None],
        ["expert"],
        {"random"},
        [["random"]],
        float("nan"),
        Random,
    ],
)
def test_what_is_no_opponent_is_refused(toy: str, opponents: Any) -> None:
    with pytest.raises(InvalidOptionError, match="opponent"):
        gymnasium.make(toy, opponents=opponents)


def test_unknown_options_of_greedy_are_refused(toy: str) -> None:
    with pytest.raises(InvalidOptionError, match="greedy opponent"):
        gymnasium.make(toy, opponents=Greedy(depth=3))


# -------------------------------------------------------------------- skip_forced


@pytest.mark.parametrize(("env_id", "num_players"), SOME, ids=short)
def test_skip_forced_plays_the_same_game_with_fewer_questions(
    env_id: str, num_players: int
) -> None:
    for opponents in ("random", "greedy"):
        results = []
        for skip in (False, True):
            env = gymnasium.make(
                env_id, num_players=num_players, opponents=opponents, skip_forced=skip
            )
            asked: list[int] = []

            def rule(mask: np.ndarray, asked: list[int] = asked) -> int:
                asked.append(int(mask.sum()))
                choices = np.flatnonzero(mask)
                real = sum(count > 1 for count in asked)  # forced ones do not count
                return int(choices[(3 * real) % len(choices)])

            total, info = episode(env, 8, rule)
            results.append((total, info["scores"].tolist(), [n for n in asked if n > 1]))
            assert not skip or min(asked) > 1
        assert results[0] == results[1]


def test_skip_forced_in_a_batch(toy: str) -> None:
    vector = gymnasium.make_vec(toy, num_envs=20, skip_forced=True, num_players=3)
    _, infos = vector.reset(seed=0)
    for _ in range(30):
        *_, infos = vector.step(infos["action_mask"].argmax(axis=1))
        assert (infos["action_mask"].sum(axis=1) > 1).all()


# -------------------------------------------------------------------- saved policies


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained policy of the first game."""
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from fold_envs.api.sb3 import FoldVecEnv

    path = tmp_path_factory.mktemp("policy") / "model.zip"
    venv = FoldVecEnv(IDS[0], 1)
    sb3_contrib.MaskablePPO("MlpPolicy", venv, seed=0, device="cpu").save(path)
    return path


def test_a_saved_policy_plays_and_repeats_by_seed(saved: Path) -> None:
    policy = SavedPolicy(saved)
    first = episode(gymnasium.make(IDS[0], opponents=policy), 5)
    again = episode(gymnasium.make(IDS[0], opponents=policy), 5)
    assert first[0] == again[0] and np.array_equal(first[1]["scores"], again[1]["scores"])
    copied = pickle.loads(pickle.dumps(policy))  # without the network
    assert copied._policy is None
    third = episode(gymnasium.make(IDS[0], opponents=copied), 5)
    assert np.array_equal(first[1]["scores"], third[1]["scores"])


def test_a_deterministic_policy_ignores_its_stream(saved: Path) -> None:
    likeliest = SavedPolicy(str(saved), deterministic=True)
    masks = np.ones((40, fold_envs.make_batch(IDS[0]).num_actions), bool)
    masks[:, ::2] = False
    observations = np.random.default_rng(0).random(
        (40, fold_envs.make_batch(IDS[0]).layout.size), np.float32
    )
    game = fold_envs.make_batch(IDS[0], 40)
    game.reset(0)
    chosen = [likeliest.act(observations, masks, game.side_stream) for _ in range(2)]
    assert np.array_equal(*chosen) and masks[np.arange(40), chosen[0]].all()
    drawn = [SavedPolicy(saved).act(observations, masks, game.side_stream) for _ in range(2)]
    assert not np.array_equal(*drawn)  # the second draw goes on in the stream
    assert all(masks[np.arange(40), actions].all() for actions in drawn)


def test_a_policy_that_is_missing_or_does_not_fit_is_named(saved: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"not a zip")
    for path in (tmp_path / "missing.zip", broken):
        env = gymnasium.make(IDS[0], opponents=SavedPolicy(path))
        with pytest.raises(InvalidOptionError, match=rf"cannot load a policy from .*{path.name}"):
            episode(env, 0)
    env = gymnasium.make(IDS[0], num_players=3, opponents=SavedPolicy(saved))
    with pytest.raises(InvalidOptionError, match=r"the policy of .* is for observations"):
        episode(env, 0)
