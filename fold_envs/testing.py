"""Checks that a game keeps what fold_envs promises; for anyone who plays, changes or adds one.

``check_game(id)`` plays some dozen games and raises AssertionError, with a message that says where,
if anything is not as promised: masks, bounds, conservation, hidden information, determinism across
batch sizes and faces, saving, illegal actions, rewards. It needs no test framework.

>>> check_game("FoldEnvs/Ohanami-v0", games=1, num_players=2)
"""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from fold_envs.engine.batch_game import REWARDS, BatchGame
from fold_envs.engine.errors import FoldEnvsError, GameOverError, IllegalActionError
from fold_envs.engine.tables import check_int
from fold_envs.registry import make_batch

LOOKS = 40  # decisions of a game at which hidden things are redrawn, snapshots taken, and so on
MOST_DECISIONS = 20_000  # a game that takes more is taken for endless
_ENDING = ("done", "rewards", "final_scores", "winners", "tie_break")
_FACES = {"stable_baselines3": "fold_envs.api.sb3", "pettingzoo": "fold_envs.api.aec"}


def check_game(env_id: str, *, games: int = 4, seed: int = 0, **options: Any) -> None:
    """Check one game with one set of options.

    Args:
        env_id: an id of ``fold_envs.ids()``.
        games: how many games to play and look at in full; the other checks play a few more.
        seed: of the games and of all that the checks draw.
        **options: options of the game, ``num_players`` among them.

    Raises:
        AssertionError: a promise is broken; the message says which, and where.
        InvalidOptionError: there is no such id or option.
    """
    check_int(games, 1, 10_000, "games")
    subject = _Subject(env_id, options)
    subject.make(1)  # a wrong id or option is no fault of the game
    for needed, face in _FACES.items():
        if find_spec(needed):  # now, as importing torch and others draws random numbers
            import_module(face)
    try:
        with _globals_untouched(subject):
            _check_play(subject, games, seed)
            _check_rewards(subject, games, seed)
            _check_greedy(subject, seed)
            _check_streams(subject, seed)
            _check_saving(subject, seed)
            _check_parts(subject, seed)
            _check_illegal(subject, seed)
            _check_faces(subject, seed)
    except AssertionError:
        raise
    except Exception as error:
        text = f"{env_id}: {subject.where}{type(error).__name__}: {error}"
        raise AssertionError(text) from error


class _Subject:
    """The game under test and how to complain about it."""

    def __init__(self, env_id: str, options: dict[str, Any]) -> None:
        self.env_id = env_id
        self.options = options
        self.where = ""

    def make(self, num_envs: int, **more: Any) -> BatchGame:
        return make_batch(self.env_id, num_envs, **{**self.options, **more})

    def require(self, condition: Any, text: str) -> None:
        if not condition:
            said = "".join(f", {key}={value!r}" for key, value in self.options.items())
            raise AssertionError(f"{self.env_id}{said}: {self.where}{text}")

    def require_same(
        self, found: dict[str, Any], expected: dict[str, Any], text: str, names: Any = None
    ) -> None:
        for name in names or expected:
            same = np.array_equal(found[name], expected[name])
            self.require(same, f"{text}: {name} differs")


@contextmanager
def _globals_untouched(subject: _Subject) -> Iterator[None]:
    """The global random generators must come out as they went in."""
    plain, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002 - that is the point
    yield
    subject.where = ""
    subject.require(random.getstate() == plain, "the global state of `random` was touched")
    for before, after in zip(numpy, np.random.get_state(), strict=True):  # noqa: NPY002
        subject.require(np.array_equal(before, after), "the global state of np.random was touched")


# -------------------------------------------------------------------- whole games, looked at


def _check_play(subject: _Subject, games: int, seed: int) -> None:
    """Random games from start to end, every seat's view at every decision."""
    game = subject.make(games, on_illegal="raise", autoreset=False)
    _check_spaces(subject, game)
    game.reset(seed)
    rng = np.random.default_rng(seed)
    census = game.census().copy()
    subject.require(census.ndim == 2 and census.shape[1] == games, "census() must be (kinds, N)")
    share = min(1.0, LOOKS / _length(subject, seed))
    number, redrawn = 0, False
    while not game.done.all():
        subject.where = f"seed {seed}, decision {number}: "
        number += 1
        subject.require(number < MOST_DECISIONS, "the game does not end")
        _check_views(subject, game)
        subject.require(
            np.array_equal(game.census(), census), "census(): components appear or vanish"
        )
        if number == 1 or rng.random() < share:
            _check_words(subject, game)
            for seat in range(game.num_players):
                redrawn |= _check_hidden(subject, game, seat)
        running = ~game.done
        game.step(game.random_legal())
        subject.require((~game.done <= running).all(), "a game that was over runs again")
        still = ~game.done
        subject.require(not game.rewards[:, still].any(), "rewards are paid before the end")
        subject.require(
            game.paid == (running & game.done).any(), "`paid` does not tell whether a game ended"
        )
        subject.require(not game.rewards[:, ~running].any(), "rewards are paid again after the end")
    subject.require(np.array_equal(game.census(), census), "census() is not conserved at the end")
    subject.require(
        redrawn or game.layout.public.all(), "resample_unknown() never changes anything"
    )
    _check_views(subject, game)
    _check_words(subject, game)
    _raises(subject, GameOverError, lambda: game.step(np.zeros(games, int)), "a step after the end")


def _check_spaces(subject: _Subject, game: BatchGame) -> None:
    layout, actions = game.layout, game.actions
    subject.require(game.num_actions == actions.size > 1, "actions and num_actions disagree")
    subject.require(layout.size == len(layout.high) > 0, "the layout's high has a wrong length")
    subject.require((layout.high > 0).all(), "a feature of the layout can only be 0")
    undocumented = [part.name for part in (*layout, *actions) if not part.doc]
    subject.require(not undocumented, f"parts without a doc: {undocumented}")
    _raises(subject, GameOverError, lambda: game.step(np.zeros(game.num_envs, int)), "no reset yet")


def _check_views(subject: _Subject, game: BatchGame) -> None:
    """Mask, seat to act and all observations have the promised shape, type and bounds."""
    n, p, legal = game.num_envs, game.num_players, game.legal
    subject.require(legal.dtype == bool and legal.shape == (game.num_actions, n), "shape of legal")
    subject.require(legal.any(axis=0).all(), "a mask is empty")
    subject.require(legal[:, game.done].all(), "after the end the mask must be all True")
    junk = np.full_like(game._legal_bytes, 255)
    game._write_legal(junk)
    subject.require(
        np.array_equal(junk[:, ~game.done], legal.view(np.uint8)[:, ~game.done]),
        "the mask depends on what its array held before",
    )
    subject.require(
        game.to_act.shape == (n,) and (game.to_act < p).all(), "to_act is no seat of the game"
    )
    subject.require((game.phase < len(game.phases)).all(), "the phase has no name")
    own = game.observe().copy()
    seats = np.arange(n) % p
    mixed = game.observe(seats).copy()
    for seat in range(p):
        seen = game.observe(seat)
        subject.require(
            seen.dtype == np.uint8 and seen.shape == (game.layout.size, n),
            f"seat {seat}: observation is {seen.dtype} {seen.shape}",
        )
        beyond = (seen > game.layout.high[:, None]).any(axis=1)
        if beyond.any():
            part, place = game.layout.locate(int(beyond.argmax()))
            value = seen[beyond.argmax()].max()
            subject.require(
                False, f"seat {seat}: {part.name}{list(place)} is {value}, above {part.high}"
            )
        mine = game.to_act == seat
        subject.require(
            np.array_equal(seen[:, mine], own[:, mine]), "observe() is not that of the seat to act"
        )
        mine = seats == seat
        subject.require(
            np.array_equal(seen[:, mine], mixed[:, mine]), "observe() by table is not that by seat"
        )


def _check_words(subject: _Subject, game: BatchGame) -> None:
    """Actions have different names; a snapshot is plain data; the state vector keeps its size."""
    for table in range(game.num_envs):
        if not game.done[table]:
            legal = np.flatnonzero(game.legal[:, table])
            words = [game.describe_action(int(action), table) for action in legal]
            twice = sorted({word for word in words if words.count(word) > 1})
            subject.require(not twice, f"table {table}: two legal actions are named {twice}")
            subject.require(all(words), f"table {table}: an action has no name")
        snapshot = game.snapshot(table)
        try:
            again = json.loads(json.dumps(snapshot))
        except (TypeError, ValueError) as error:
            raise AssertionError(f"{subject.env_id}: snapshot is not plain: {error}") from error
        subject.require(again == snapshot, "snapshot changes when saved as JSON")
        subject.require(game.render(table).strip(), "render() is empty")
    private = int((~game.layout.public).sum())
    size = game.layout.size + (game.num_players - 1) * private
    vector = game.state_vector()
    subject.require(
        vector.shape == (size, game.num_envs) and vector.dtype == np.uint8, "state_vector's shape"
    )


def _check_hidden(subject: _Subject, game: BatchGame, seat: int) -> bool:
    """Redraw all that ``seat`` cannot know: nothing that it sees may change.

    What a seat knows is what the game says it knows; a memory that itself holds too much is for
    the game's own tests to find.

    Returns:
        Whether anything hidden changed at all.
    """
    twin = game.copy(~game.done)
    before = _everything(twin)
    seen = [twin.observe(other).copy() for other in range(twin.num_players)]
    legal, census = twin.legal.copy(), twin.census().copy()
    words = _words_of(twin)
    twin.resample_unknown(seat)
    after = _everything(twin)
    text = f"resample_unknown({seat})"
    changed = (twin.observe(seat) != seen[seat]).any(axis=1)
    if changed.any():
        names = sorted({twin.layout.locate(int(i))[0].name for i in np.flatnonzero(changed)})
        subject.require(False, f"seat {seat} sees what it cannot know (or forgot), in {names}")
    public = twin.layout.public
    for other in range(twin.num_players):
        differs = (twin.observe(other) != seen[other]).any(axis=1) & public
        names = sorted({twin.layout.locate(int(i))[0].name for i in np.flatnonzero(differs)})
        subject.require(not names, f"{names} are called public, but seat {seat} cannot know them")
    subject.require_same(after, before, text, ("to_act", "phase", *_ENDING))
    # the game's own luck must not move, only the side stream may
    subject.require_same(after, before, text, ("seed", "episode", "key", "counter", "over"))
    subject.require(np.array_equal(twin.census(), census), f"{text} loses or makes components")
    mine = twin.to_act == seat
    subject.require(
        np.array_equal(twin.legal[:, mine], legal[:, mine]),
        f"the mask of seat {seat} depends on what it cannot know",
    )
    subject.require(twin.legal.any(axis=0).all(), f"{text} leaves a mask empty")
    for table in np.flatnonzero(mine):
        subject.require(
            _words_of(twin)[table] == words[table], "names of actions tell hidden things"
        )
    for _ in range(5):  # it must still be a game
        if twin.done.all():
            break
        twin.step(twin.random_legal())
    subject.require(np.array_equal(twin.census(), census), f"{text} breaks the moves after it")
    side = ("side_counter",)
    return any(not np.array_equal(after[k], before[k]) for k in before if k not in side)


def _words_of(game: BatchGame) -> list[list[str]]:
    return [
        [game.describe_action(int(action), table) for action in np.flatnonzero(column)]
        for table, column in enumerate(game.legal.T)
    ]


def _check_rewards(subject: _Subject, games: int, seed: int) -> None:
    """Scores, winners, tie break and rewards agree under every reward scheme."""
    for scheme in REWARDS:
        game = subject.make(games, reward=scheme, autoreset=False)
        game.reset(seed)
        total = np.zeros_like(game.rewards)
        while not game.done.all():
            game.step(game.random_legal())
            total += game.rewards
        subject.where = f"reward={scheme!r}, seeds {seed} to {seed + games - 1}: "
        scores, winners, p = game.final_scores, game.winners, game.num_players
        subject.require(np.array_equal(scores, game.scores), "final_scores are not the scores")
        subject.require(np.isfinite(total).all(), "rewards are not finite")
        best = scores == scores.max(axis=0)
        subject.require(winners.any(axis=0).all(), "nobody wins")
        subject.require((winners <= best).all(), "a winner has not the best score")
        subject.require(
            np.array_equal((winners != best).any(axis=0), game.tie_break > 0),
            "tie_break must be named exactly when it decided",
        )
        subject.require((game.tie_break <= len(game.tie_breaks)).all(), "a tie break has no name")
        own_scheme = type(game)._write_rewards is not BatchGame._write_rewards
        if p == 1 or (own_scheme and scheme != "win"):
            continue
        others = [np.delete(scores, seat, axis=0).max(axis=0) for seat in range(p)]
        k = winners.sum(axis=0)
        expected = {
            "win": np.where(winners, (p - k) / (k * (p - 1)), -1 / (p - 1)),
            "margin": (scores - np.array(others)) / game.margin_scale,
            "score": scores / game.score_scale,
        }[scheme]
        subject.require(np.allclose(total, expected, atol=1e-5), "rewards do not fit the scores")


def _check_greedy(subject: _Subject, seed: int) -> None:
    """The heuristic plays legally to the end and draws only where it is asked."""
    game = subject.make(2, on_illegal="raise", autoreset=False)
    policy = game.heuristic()
    game.reset(seed)
    number = 0
    while not game.done.all():
        subject.where = f"greedy, seed {seed}, decision {number}: "
        number += 1
        subject.require(number < MOST_DECISIONS, "the game does not end")
        asked = ~game.done
        if number % 3 == 0 and asked.all():
            asked[number % 2] = False
        before = _everything(game)
        actions = policy(game.observe(), game.legal, game.side_stream, asked)
        after = _everything(game)
        drawn = after.pop("side_counter") != before.pop("side_counter")
        subject.require(not drawn[~asked].any(), "it draws for tables that were not asked")
        subject.require_same(after, before, "choosing changes the game")
        try:
            game.step(actions, asked)
        except FoldEnvsError as error:
            subject.require(False, f"it plays what is not legal: {error}")


# -------------------------------------------------------------------- the same game everywhere


def _length(subject: _Subject, seed: int) -> int:
    """Decisions of the game of ``seed`` under uniformly random play."""
    game = subject.make(1, autoreset=False)
    game.reset(seed)
    number = 0
    while not game.done[0]:
        subject.require(game.legal.any(), f"seed {seed}, decision {number}: a mask is empty")
        game.step(game.random_legal())
        number += 1
        subject.require(number < MOST_DECISIONS, "the game does not end")
    return number


def _check_streams(subject: _Subject, seed: int) -> None:
    """A seed gives the same games at any batch size, anywhere in the batch, in any company."""
    count = _length(subject, seed) + 25  # over the end, into the next game of the stream
    rng = np.random.default_rng(seed)
    seeds = [seed, seed + 1, seed + 2]
    alone = {s: _traces(subject, [s], count)[0] for s in seeds}
    for text, order, traces in (
        ("in a batch", seeds, _traces(subject, seed, count, num_envs=3)),
        (
            "elsewhere in a batch, stepped now and then",
            seeds[::-1],
            _traces(subject, seeds[::-1], count, rng=rng),
        ),
        ("without autoreset", seeds[1:], _traces(subject, seeds[1:], count, autoreset=False)),
    ):
        for s, trace in zip(order, traces, strict=True):
            for number in range(count):
                subject.where = f"seed {s}, decision {number}: "
                subject.require_same(
                    trace[number], alone[s][number], f"{text} the game is another one"
                )


def _traces(
    subject: _Subject,
    seeds: int | list[int],
    count: int,
    *,
    num_envs: int = 0,
    rng: np.random.Generator | None = None,
    autoreset: bool = True,
) -> list[list[dict[str, Any]]]:
    """What each table shows in its first ``count`` decisions; with ``rng`` only some move."""
    n = num_envs or len(np.atleast_1d(seeds))
    game = subject.make(n, autoreset=autoreset)
    game.reset(seeds)
    traces: list[list[dict[str, Any]]] = [[] for _ in range(n)]
    while min(map(len, traces)) < count:
        if not autoreset and game.done.any():
            game.reset(where=game.done.copy())
        moving = np.ones(n, bool) if rng is None else rng.random(n) < 0.6
        if not moving.any():
            continue
        actions = game.random_legal(moving)
        shown = {
            "observation": game.observe().copy(),
            "legal": game.legal.copy(),
            "to_act": game.to_act.copy(),
            "action": actions,
        }
        game.step(actions, None if rng is None else moving)
        shown |= {"done": game.done.copy(), "rewards": game.rewards.copy()}
        for table in np.flatnonzero(moving):
            record = {name: values[..., table] for name, values in shown.items()}
            if game.done[table]:
                record |= {name: getattr(game, name)[..., table].copy() for name in _ENDING}
            traces[table].append(record)
    return traces


def _check_saving(subject: _Subject, seed: int) -> None:
    """Copies, restored and unpickled games go on exactly as the first one, and apart from it."""
    game = subject.make(3, autoreset=False)
    game.reset(seed)
    for _ in range(_length(subject, seed) // 2):
        game.step(game.random_legal())
    subject.where = "in mid-game: "
    _check_copies(subject, game, 30)
    while not game.done.all():
        game.step(game.random_legal())
    subject.where = "after the end: "
    _check_copies(subject, game, 0)


def _check_parts(subject: _Subject, seed: int) -> None:
    """Tables that are lent to a smaller batch, as faces do, play on there as they would at home."""
    game = subject.make(6, autoreset=False)
    game.reset(seed)
    part = game.copy([0, 1, 2])
    tables = np.array([4, 1, 5])
    number = 0
    while not game.done.any():
        subject.where = f"seed {seed}, decision {number}, lent to a part: "
        number += 1
        actions = game.random_legal()
        game._lend(tables, part)
        for seat in (None, 0):
            seen = part.observe(seat)
            subject.require(
                np.array_equal(seen, game.observe(seat)[:, tables]), "the observation differs"
            )
        subject.require(np.array_equal(part.legal, game.legal[:, tables]), "the mask differs")
        part.step(actions[tables])
        game.step(actions)
        expected = {name: value[..., tables] for name, value in _everything(game).items()}
        subject.require_same(_everything(part), expected, "the step differs")
    subject.where = ""


def _check_copies(subject: _Subject, game: BatchGame, moves: int) -> None:
    before, state = _everything(game), game.get_state()
    restored = subject.make(game.num_envs, autoreset=False)
    restored.set_state(state)
    copies = {
        "set_state": restored,
        "copy": game.copy(),
        "pickle": pickle.loads(pickle.dumps(game)),
        "deepcopy": copy.deepcopy(game),
        "copy.copy": copy.copy(game),
    }
    reverse = list(range(game.num_envs))[::-1]
    turned = game.copy(reverse)
    for name, other in copies.items():
        whole = [key for key in before if (name, key) != ("set_state", "rewards")]
        subject.require_same(_everything(other), before, name, whole)
        _move(other, moves)
    subject.require_same(_everything(game), before, "playing with copies changes the original")
    _move(game, moves)
    after = _everything(game)
    for name, other in copies.items():
        whole = [key for key in after if (name, key) != ("set_state", "rewards")]
        subject.require_same(_everything(other), after, f"{name} goes on otherwise", whole)
    _move(turned, moves)
    turned_after = {name: value[..., reverse] for name, value in _everything(turned).items()}
    subject.require_same(turned_after, after, "copy(tables) goes on otherwise")
    game.set_state(state)
    whole = [name for name in before if name != "rewards"]  # nothing is paid again
    subject.require_same(_everything(game), before, "set_state on itself", whole)
    _move(game, moves)
    subject.require_same(_everything(game), after, "after set_state it goes on otherwise", whole)


def _move(game: BatchGame, moves: int) -> None:
    for _ in range(moves):
        if not game.done.all():
            game.step(game.random_legal())


def _everything(game: BatchGame) -> dict[str, NDArray[Any]]:
    """Copies of the whole state, how games ended, and what can be done."""
    kept = {f.name: getattr(game.state, f.name).copy() for f in game.state.fields}
    kept |= {name: getattr(game, name).copy() for name in _ENDING}
    kept |= {"legal": game.legal.copy(), "to_act": game.to_act.copy(), "phase": game.phase}
    return kept


# -------------------------------------------------------------------- illegal actions


def _raises(
    subject: _Subject, kind: type[Exception], call: Callable[[], Any], text: str
) -> Exception:
    try:
        call()
    except kind as error:
        return error
    except Exception as error:
        subject.require(False, f"{text} raises {type(error).__name__}, not {kind.__name__}")
    subject.require(False, f"{text} does not raise {kind.__name__}")
    raise AssertionError  # for type checkers: the line above always raises


def _check_illegal(subject: _Subject, seed: int) -> None:
    """Illegal actions raise and change nothing, or lose the game at that table alone."""
    rng = np.random.default_rng(seed)
    share = min(1.0, LOOKS / 2 / _length(subject, seed))
    game = subject.make(2, on_illegal="raise", autoreset=False)
    strict = subject.make(2, on_illegal="lose", autoreset=False)
    game.reset(seed)
    number = 0
    while not game.done.any():
        number += 1
        subject.where = f"seed {seed}, decision {number}: "
        actions = game.random_legal()
        if number == 1 or rng.random() < share:
            table = number % 2
            wrong = np.flatnonzero(~game.legal[:, table])
            wrong = rng.permutation(wrong)[:4].tolist()
            for action in (*wrong, -1, game.num_actions, 1 << 40):
                _check_one_illegal(subject, game, strict, actions, table, action)
        game.step(actions)


def _check_one_illegal(
    subject: _Subject,
    game: BatchGame,
    strict: BatchGame,
    actions: NDArray[np.intp],
    table: int,
    action: int,
) -> None:
    bad = actions.copy()
    bad[table] = action
    before = _everything(game)
    error = _raises(subject, IllegalActionError, lambda: game.step(bad), f"action {action}")
    subject.require_same(_everything(game), before, f"illegal action {action} changes something")
    subject.require(
        f"table {table}, seat {game.to_act[table]}" in str(error),
        f"the error does not name table and seat: {error}",
    )
    strict.set_state(game.get_state())
    seat = int(game.to_act[table])
    strict.step(bad)
    p = game.num_players
    share = 1 / max(1, p - 1)
    rewards = np.where(np.arange(p) == seat, -1, share)
    subject.require(strict.done[table], f"on_illegal='lose': action {action} does not end the game")
    subject.require(
        np.allclose(strict.rewards[:, table], rewards), "on_illegal='lose': wrong rewards"
    )
    subject.require(
        np.array_equal(strict.winners[:, table], rewards > 0), "on_illegal='lose': wrong winners"
    )
    lawful = game.copy([1 - table])
    lawful.step(actions[[1 - table]])
    other = {name: value[..., 1 - table] for name, value in _everything(strict).items()}
    expected = {name: value[..., 0] for name, value in _everything(lawful).items()}
    subject.require_same(other, expected, "on_illegal='lose': the other table is disturbed")


# -------------------------------------------------------------------- faces


Episode = list[tuple[NDArray[np.uint8], NDArray[np.bool_], float]]


def _rule(mask: NDArray[Any], number: int) -> int:
    """A legal action, by a rule that every face can follow."""
    choices = np.flatnonzero(mask)
    return int(choices[(7 * number + 3) % len(choices)])


def _check_faces(subject: _Subject, seed: int) -> None:
    """Same seed, same actions: the same episode through every face that is installed."""
    subject.where = ""
    references = [_by_core(subject, seed + table) for table in range(2)]
    seat = subject.make(1).num_players - 1  # the last one: a slip to seat 0 shows
    raw = {**subject.options, "seat": seat, "obs_dtype": "uint8", "on_illegal": "raise"}
    for table, reference in enumerate(references):
        env = gymnasium.make(subject.env_id, **raw)
        _compare(subject, "gymnasium.make", _by_env(env, seed + table), reference)
    env = gymnasium.make(subject.env_id, seat=seat, **subject.options)
    high = env.get_wrapper_attr("layout").high
    scaled = _by_env(env, seed)
    for observation, _, _ in scaled[0]:
        subject.require(
            observation.dtype == np.float32 and env.observation_space.contains(observation),
            "gymnasium.make: the observation is not in its space",
        )
    rows = [(np.rint(obs * high).astype(np.uint8), mask, pay) for obs, mask, pay in scaled[0]]
    _compare(subject, "gymnasium.make, float32", (rows, scaled[1]), references[0])

    vector = gymnasium.make_vec(subject.env_id, num_envs=2, **raw)
    for table, found in enumerate(_by_vector(vector, seed)):
        _compare(subject, f"gymnasium.make_vec, table {table}", found, references[table])
    if find_spec("stable_baselines3"):
        from fold_envs.api.sb3 import FoldVecEnv

        venv = FoldVecEnv(subject.env_id, 2, seed=seed, **raw)
        for table, found in enumerate(_by_sb3(venv)):
            _compare(subject, f"FoldVecEnv, table {table}", found, references[table])
    if find_spec("pettingzoo"):
        del raw["seat"]
        _check_aec(subject, seed, raw)


def _compare(
    subject: _Subject,
    face: str,
    found: tuple[Episode, dict[str, Any]],
    expected: tuple[Episode, dict[str, Any]],
) -> None:
    subject.require(len(found[0]) == len(expected[0]), f"{face}: the episode has another length")
    for number, (mine, theirs) in enumerate(zip(found[0], expected[0], strict=True)):
        subject.where = f"{face}, own decision {number}: "
        subject.require(np.array_equal(mine[0], theirs[0]), "another observation")
        subject.require(np.array_equal(mine[1], theirs[1]), "another mask")
        subject.require(mine[2] == np.float32(theirs[2]), "another reward")
    subject.where = ""
    for key in ("scores", "winners"):
        subject.require(np.array_equal(found[1][key], expected[1][key]), f"{face}: other {key}")


def _by_core(subject: _Subject, seed: int) -> tuple[Episode, dict[str, Any]]:
    """The last seat by the rule, the others at random: what the faces do, done with the core."""
    game = subject.make(1, on_illegal="raise", autoreset=False)
    own = game.num_players - 1
    game.reset(seed)
    episode: Episode = []
    reward, number = 0.0, 0
    while True:
        while not game.done[0] and game.to_act[0] != own:
            game.step(game.random_legal())
            reward += float(game.rewards[own, 0])
            if game.done[0] and not number:  # the seat never came to act: no episode for it
                game.reset()
                reward = 0.0
        episode.append((game.observe(own)[:, 0].copy(), game.legal[:, 0].copy(), reward))
        if game.done[0]:
            return episode, {"scores": game.final_scores[:, 0], "winners": game.winners[:, 0]}
        game.step(np.array([_rule(game.legal[:, 0], number)]))
        reward, number = float(game.rewards[own, 0]), number + 1


def _by_env(env: gymnasium.Env[Any, Any], seed: int) -> tuple[Episode, dict[str, Any]]:
    observation, info = env.reset(seed=seed)
    episode: Episode = [(observation, info["action_mask"], 0.0)]
    over = False
    while not over:
        action = _rule(info["action_mask"], len(episode) - 1)
        observation, reward, over, _, info = env.step(action)
        episode.append((observation, info["action_mask"], float(reward)))
    env.close()
    return episode, info


def _by_vector(env: Any, seed: int) -> list[tuple[Episode, dict[str, Any]]]:
    observations, infos = env.reset(seed=seed)
    n = env.num_envs
    episodes: list[Episode] = [[(observations[t], infos["action_mask"][t], 0.0)] for t in range(n)]
    endings: dict[int, dict[str, Any]] = {}
    while len(endings) < n:
        masks = infos["action_mask"]
        actions = np.array([_rule(masks[t], len(episodes[t]) - 1) for t in range(n)])
        observations, rewards, over, _, infos = env.step(actions)
        for t in range(n):
            if t not in endings:
                row = (observations[t], infos["action_mask"][t], float(rewards[t]))
                episodes[t].append(row)
                if over[t]:
                    endings[t] = {key: infos[key][t] for key in ("scores", "winners")}
    env.close()
    return [(episodes[t], endings[t]) for t in range(n)]


def _by_sb3(venv: Any) -> list[tuple[Episode, dict[str, Any]]]:
    observations = venv.reset()
    n = venv.num_envs
    masks = venv.action_masks()
    episodes: list[Episode] = [[(observations[t], masks[t], 0.0)] for t in range(n)]
    endings: dict[int, dict[str, Any]] = {}
    while len(endings) < n:
        actions = np.array([_rule(masks[t], len(episodes[t]) - 1) for t in range(n)])
        observations, rewards, over, infos = venv.step(actions)
        masks = venv.action_masks()
        for t in range(n):
            if t in endings:
                continue
            seen, mask = observations[t], masks[t]
            if over[t]:
                endings[t] = infos[t]
                # the rows shown belong to the next game; a mask after the end is all True
                seen, mask = infos[t]["terminal_observation"], np.ones_like(mask)
            episodes[t].append((seen, mask, float(rewards[t])))
    return [(episodes[t], endings[t]) for t in range(n)]


def _check_aec(subject: _Subject, seed: int, options: dict[str, Any]) -> None:
    """The AEC face against the core, all seats by the rule."""
    from fold_envs.api import aec

    game = subject.make(1, on_illegal="raise", autoreset=False)
    game.reset(seed)
    env = aec.env(subject.env_id, **options)
    env.reset(seed=seed)
    number = 0
    while not game.done[0]:
        subject.where = f"aec, decision {number}: "
        acting = int(game.to_act[0])
        subject.require(env.agent_selection == f"player_{acting}", "another seat is to act")
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            mask = game.legal[:, 0] if seat == acting else np.zeros(game.num_actions)
            subject.require(
                np.array_equal(seen["observation"], game.observe(seat)[:, 0]), "other observation"
            )
            subject.require(np.array_equal(seen["action_mask"], mask), "another mask")
        action = _rule(game.legal[:, 0], number)
        game.step(np.array([action]))
        env.step(action)
        number += 1
    subject.where = "aec, at the end: "
    for seat, agent in enumerate(env.possible_agents):
        subject.require(env.terminations[agent], "an agent goes on")
        subject.require(env.rewards[agent] == float(game.rewards[seat, 0]), "another reward")
        for key, values in (("scores", game.final_scores), ("winners", game.winners)):
            subject.require(np.array_equal(env.infos[agent][key], values[:, 0]), f"other {key}")
