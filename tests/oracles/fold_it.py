"""A slow and obvious Fold-it: one table, plain Python, for checking the fast core move by move.

Written only from the rules page ``rules/fold_it.md`` (and ``rules/README.md`` for the rewards).
The cloth is folded explicitly as a grid of stacks; nothing here is looked up in a state table
except the fewest folds an order needs, which come from a breadth-first search over those grids.

Cloth
    A tuple of rows, top row first; a row is a tuple of stacks, left stack first; a stack is a
    tuple of ``(cell, front)`` pairs, TOP LAYER FIRST. ``cell`` is 4*row + column (0..15) of the
    square on the flat cloth, ``front`` is True while the front of that square faces up. The
    outline (rows, columns) is the grid's own size, shifted to the origin, never rotated or
    mirrored. The page's state has cells only, so ``cells(cloth)`` gives the same rows of stacks
    without the facing: nothing in the game depends on the facing (every square shows the same dish
    on both sides), all counts of cloths are counts of ``cells``, and it alone is what a core that
    numbers 35,838 states can be compared with. Facing can't be worked out from the cells: counted
    with it there are 64,553 cloths (64,622 with turning).

Actions (strings; the same words in ``legal``, ``step``, ``choice`` and ``own_choices``)
    "fold vertical 1 left over"     "fold <axis> <line> <side> <way>":
                                    axis: vertical | horizontal, the direction of the fold line;
                                    line: 1, 2 or 3, counted on the current outline from the left
                                      (vertical) or from the top (horizontal): line n lies behind
                                      the n-th column (row), so there are columns-1 (rows-1);
                                    side: the side that moves, left | right for a vertical line,
                                      top | bottom for a horizontal one;
                                    way: over = it lands on top, under = underneath. Either way
                                      the moved stacks are mirrored, reversed, and change facing.
    "undo"        take back the last fold still in the cloth; only with a non-empty history
    "flat"        cloth flat, front up, history emptied; only with a non-empty history
    "turn over"   about the vertical axis (columns mirrored, stacks reversed, facing changed); every
                  cloth in the history is turned over as well; always legal, not itself undoable
    "wait"        always legal
    "grab"        ask for a token; always legal, from tick 1 on, with any cloth
    A cloth that was only turned over (no folds) can be neither undone nor laid flat.

Course of a round
    Round and tick start at 1. At the start of a round every cloth (also of seats that are out) is
    flat, front up, history empty, counts 0, no tokens held, and tokens_left is the number of
    seats in minus 1 (with one player: 1). In a tick the seats that are in and hold no token are
    asked in ascending absolute order. Nothing changes while they choose; after the last choice all
    of them are carried out together. Then, if more seats grabbed than tokens are left, ``chance``
    says who gets them. The round ends when no token is left or when tick == max_ticks has been
    carried out; otherwise tick goes up by 1.
    A claim is a token HELD: whoever loses the draw has made no claim, right or wrong, and simply
    has no token. A claim is wrong if the set of cells on top is not exactly the order.
        wrong_claim "both":     wrong claimers and everybody in without a token lose a star;
        wrong_claim "instead":  if there is a wrong claim only the wrong claimers lose a star,
                                else everybody in without a token.
    No stars: out. One seat left in: it wins. None left in: of the seats that were in during this
    round, those without a wrong claim win together; if there are none, they all win together.
    When the game ends the table is left as it stands: cloths, tokens, order, tick and round of the
    last round stay visible, the order is not discarded, and no new card is turned up.

Cards
    The deck is a list, first = top. To turn a card up: if the deck is not empty take its first
    card; else, with orders "random", ask chance for an "order"; else ask chance for a "reshuffle"
    of the discards. The order of a finished round is discarded first (only with orders "deck";
    with "random" the discards stay empty), so a reshuffle takes in the card just played. It happens
    when a card is needed, not when the last one is taken. An order is a list of cells, ascending.

One player
    orders_per_game orders, one token each. Grabbing or running out of ticks ends the order. It
    scores fewest folds / (folds + undos + flats + turns made in this order; folds later undone
    count too, waits and the grab do not), and 0 if wrong or out of ticks. Stars stay 3. ``scores``
    and ``rewards`` are [mean of the orders scored so far (0.0 before the first)]; rewards only at
    the end. winners is [True] at the end, last_round["lost"] is always [].

deal
    {"num_players": int, "deck": [order, ...]}. With orders "random" the deck lists orders that are
    already drawn (it may be empty: then chance is asked for the first order in ``__init__``);
    random_deal puts exactly one there, the order of round 1. random_deal shuffles the full deck
    otherwise. There is no start seat: seats are always asked in ascending order.

Options (keywords of FoldItOracle and random_deal)
    deck "standard" | "advanced" | "mixed" (used by random_deal only), orders "deck" | "random",
    wrong_claim "both" | "instead", max_ticks 40, orders_per_game 10, num_players (optional, must
    agree with the deal), and for random orders dishes (1, 4) and folds (2, 5), both inclusive.

chance(kind, info)
    "tokens":    info {"round", "tick", "seats": grabbers ascending, "tokens": tokens left};
                 returns the list of seats that get one (any order, exactly "tokens" of them).
                 Only called if more seats grab than tokens are left.
    "reshuffle": info {"round": the round about to start, "discards": oldest first};
                 returns the new deck, top first, a permutation of the discards.
    "order":     info {"round": the round about to start, "orders": all allowed orders, sorted by
                 number of dishes, then by cells}; returns one of them.
    Without ``chance`` a random.Random(0) of its own draws uniformly.

state() (complete; together with later chance answers it fixes all that follows)
    num_players    int
    phase          "tick" | "done"
    to_act         absolute seat, -1 when done
    round, tick    int, from 1
    order          the order in play
    deck, discards lists of orders (deck: top first; discards: oldest first)
    tokens_left    tokens still in the middle
    seats          one dict per absolute seat:
        stars      int (out of the game at 0)
        token      bool
        cloth      as above, with facing
        cells      cells(cloth), without facing
        history    list of cloths, oldest first: the cloth before each fold still in it (0..6)
        counts     {"folds", "undos", "flats", "turns"}: acts carried out in this round
        choice     the action chosen in the tick under way, None if not (yet) asked
    order_scores   list of floats, one per finished order; only used with one player, else []
    last_round     None, or the public result of the last round that ended:
        round, tick (its last), order, timed_out (bool: max_ticks reached with tokens left),
        tokens / wrong / lost: absolute seats, ascending: held a token / held one with a wrong
        cloth / lost a star; stars: per absolute seat, after scoring; tops: per absolute seat
    winners        list of bool per absolute seat (all False until done)
    tie_break      None, or "no wrong claim" when all who were in went out together and the wrong
                   claims of some, not all, of them decided. A shared win breaks no tie: None.

knowledge(seat) (what that seat may know now, perfect memory of public events included)
    seat, num_players, phase, round, tick, order, tokens_left, discards, order_scores, last_round,
    winners, tie_break: as in state()
    options        dict of deck, orders, wrong_claim, max_ticks, orders_per_game, dishes, folds
    deck_count     cards left in the deck; None with orders "random"
    players        one dict per seat, OWN SEAT FIRST, then clockwise (seat + 1):
        seat (absolute), stars, token, outline [rows, columns], top (list of rows of cells)
        as they stood after the last tick
    cloth, cells, history, counts, choice: the seat's own, as in state()
    own_choices    list of [round, tick, action]: all own choices up to now, the one of the tick
                   under way included
    log            one dict per finished tick: round, tick, order, tokens (seats holding one,
                   ascending), stars (after scoring, if the tick ended the round), tops; lists by
                   absolute seat
    Not known: other seats' choices (also afterwards, beyond what tops and tokens show; a grab that
    lost the draw is not shown), their layers, facing, history and counts, the order of the deck.
    Nothing in it depends on whether other seats have already chosen in this tick.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import cache
from typing import Any

Layer = tuple[int, bool]
Stack = tuple[Layer, ...]
Cloth = tuple[tuple[Stack, ...], ...]
Cells = tuple[tuple[tuple[int, ...], ...], ...]
Order = list[int]
Chance = Callable[[str, dict], Any]

STARS = 3

# The house deck of the components.toml of the game, in its order.
STANDARD: list[Order] = [
    [7], [5], [9], [13],
    [11, 15], [1, 2], [6, 10], [4, 8], [0, 4], [8, 12],
    [3, 7, 11], [6, 10, 14], [12, 13, 14], [1, 2, 3], [1, 5, 9],
    [10, 11, 14, 15], [0, 4, 8, 12], [2, 3, 6, 7], [1, 5, 9, 13], [12, 13, 14, 15],
    [3, 7, 11, 15], [5, 6, 9, 10],
]  # fmt: skip
ADVANCED: list[Order] = [
    [2, 12], [1, 10], [6, 14], [0, 7], [11, 13], [3, 4],
    [8, 9, 15], [1, 5, 15], [3, 4, 5], [8, 9, 11], [6, 7, 12], [0, 10, 14],
    [2, 4, 12, 13], [2, 3, 13, 15], [0, 1, 8, 10], [5, 7, 9, 11], [5, 6, 13, 14],
    [6, 7, 14, 15], [0, 2, 9, 11], [1, 3, 8, 10],
]  # fmt: skip
DECKS: dict[str, list[Order]] = {
    "standard": STANDARD,
    "advanced": ADVANCED,
    "mixed": STANDARD + ADVANCED,
}

DEFAULTS: dict[str, Any] = {
    "deck": "standard",
    "orders": "deck",
    "wrong_claim": "both",
    "max_ticks": 40,
    "orders_per_game": 10,
    "dishes": (1, 4),
    "folds": (2, 5),
}


# ---------------------------------------------------------------------------------------------
# The cloth
# ---------------------------------------------------------------------------------------------


def flat() -> Cloth:
    """The cloth as a round starts: 4x4 stacks of one square each, front up."""
    return tuple(tuple(((4 * row + column, True),) for column in range(4)) for row in range(4))


def cells(cloth: Cloth) -> Cells:
    """The cloth as the rules page has it: rows of stacks of cell ids, top layer first."""
    return tuple(tuple(tuple(cell for cell, _ in stack) for stack in row) for row in cloth)


def outline(cloth: Cloth) -> list[int]:
    """Rows and columns of the cloth as it lies."""
    return [len(cloth), len(cloth[0])]


def flip_stack(stack: Stack) -> Stack:
    """A stack turned upside down: the layers in reverse, each showing its other face."""
    return tuple((cell, not front) for cell, front in reversed(stack))


def turn_over(cloth: Cloth) -> Cloth:
    """The whole cloth turned over about the vertical axis."""
    return tuple(tuple(flip_stack(stack) for stack in reversed(row)) for row in cloth)


def fold(cloth: Cloth, axis: str, line: int, side: str, over: bool) -> Cloth:
    """Folds the whole cloth, through all layers, along one inner line.

    Args:
        cloth: The cloth before the fold.
        axis: Direction of the fold line, "vertical" or "horizontal".
        line: Number of the line on the current outline, from the left or from the top, from 1.
        side: The side that moves: "left"/"right", or "top"/"bottom".
        over: True if the moved side lands on top, False if underneath.

    Returns:
        The folded cloth, shifted to the origin.

    Raises:
        ValueError: There is no such fold on this outline.
    """
    rows, columns = outline(cloth)
    if axis == "vertical" and side in ("left", "right"):
        size = columns
    elif axis == "horizontal" and side in ("top", "bottom"):
        size = rows
    else:
        raise ValueError(f"no such fold: {axis} {side}")
    if not 1 <= line <= size - 1:
        raise ValueError(f"no {axis} line {line} on a cloth of {rows}x{columns}")

    resting: dict[tuple[int, int], Stack] = {}
    moved: dict[tuple[int, int], Stack] = {}
    for row in range(rows):
        for column in range(columns):
            stack = cloth[row][column]
            place = column if axis == "vertical" else row
            before_line = place < line
            if before_line != (side in ("left", "top")):
                resting[row, column] = stack
                continue
            # The two squares that touch the line (line - 1 and line) land on each other.
            mirrored = 2 * line - 1 - place
            landing = (row, mirrored) if axis == "vertical" else (mirrored, column)
            moved[landing] = flip_stack(stack)

    # A moved side that is longer than the resting one sticks out beyond it.
    places = set(resting) | set(moved)
    row_numbers = sorted({row for row, _ in places})
    column_numbers = sorted({column for _, column in places})
    folded = []
    for row in row_numbers:
        stacks = []
        for column in column_numbers:
            below = resting.get((row, column), ())
            above = moved.get((row, column), ())
            if not over:
                below, above = above, below
            stacks.append(above + below)
        folded.append(tuple(stacks))
    return tuple(folded)


def top_rows(cloth: Cloth) -> list[list[int]]:
    """The dishes that lie on top, as they lie."""
    return [[stack[0][0] for stack in row] for row in cloth]


def top_set(cloth: Cloth) -> frozenset[int]:
    """The set of dishes that lie on top."""
    return frozenset(cell for row in top_rows(cloth) for cell in row)


def fold_words(cloth: Cloth) -> list[str]:
    """All folds of this cloth, in the game's words."""
    rows, columns = outline(cloth)
    words = []
    for axis, size, sides in (
        ("vertical", columns, ("left", "right")),
        ("horizontal", rows, ("top", "bottom")),
    ):
        for line in range(1, size):
            for side in sides:
                for way in ("over", "under"):
                    words.append(f"fold {axis} {line} {side} {way}")
    return words


def fold_by_words(cloth: Cloth, words: str) -> Cloth:
    """Carries out a fold given as "fold <axis> <line> <side> <way>"."""
    _, axis, line, side, way = words.split()
    return fold(cloth, axis, int(line), side, way == "over")


@cache
def _search(turning: bool) -> dict[Cells, int]:
    """Breadth-first from the flat cloth: fewest acts to every cloth, with or without turning."""
    fewest = {cells(flat()): 0}
    frontier = [flat()]
    while frontier:
        next_frontier = []
        for cloth in frontier:
            following = [fold_by_words(cloth, words) for words in fold_words(cloth)]
            if turning:
                following.append(turn_over(cloth))
            for after in following:
                # Cloths that differ in facing only are one state, and fold alike.
                if cells(after) not in fewest:
                    fewest[cells(after)] = fewest[cells(cloth)] + 1
                    next_frontier.append(after)
        frontier = next_frontier
    return fewest


@cache
def _fewest_by_set(turning: bool) -> dict[frozenset[int], int]:
    """Fewest acts to every set of dishes that can lie on top."""
    fewest: dict[frozenset[int], int] = {}
    for rows, acts in _search(turning).items():
        dishes = frozenset(stack[0] for row in rows for stack in row)
        fewest[dishes] = min(acts, fewest.get(dishes, acts))
    return fewest


def fewest_folds(order: Order) -> int:
    """Fewest folds from the flat cloth that show exactly this order.

    Raises:
        ValueError: No folding shows it.
    """
    dishes = frozenset(order)
    if dishes not in _fewest_by_set(False):
        raise ValueError(f"no folding shows {sorted(dishes)}")
    return _fewest_by_set(False)[dishes]


def possible_orders(
    dishes: tuple[int, int] = (1, 4), folds: tuple[int, int] = (2, 5)
) -> list[Order]:
    """All reachable sets with so many dishes and so many fewest folds, sorted."""
    orders = [
        sorted(shown)
        for shown, fewest in _fewest_by_set(False).items()
        if dishes[0] <= len(shown) <= dishes[1] and folds[0] <= fewest <= folds[1]
    ]
    return sorted(orders, key=lambda order: (len(order), order))


def reachable() -> dict[str, Any]:
    """Counts of everything the cloth can become, for comparison with the rules page.

    Returns:
        states: number of cloths reached by folds; by_folds: how many are first reached after
        0, 1, ... folds; single: how many are 1x1; sets: number of dishes -> number of different
        sets on top; fewest: number of dishes -> {fewest folds -> number of sets};
        states_turning: number of cloths with turning over allowed; turning_shortens: whether
        turning over ever brings a set of dishes up with fewer acts.
    """
    cloths = _search(False)
    by_folds: list[int] = [0] * (max(cloths.values()) + 1)
    for folds in cloths.values():
        by_folds[folds] += 1
    sets: dict[int, int] = {}
    fewest: dict[int, dict[int, int]] = {}
    for dishes, folds in _fewest_by_set(False).items():
        number = len(dishes)
        sets[number] = sets.get(number, 0) + 1
        row = fewest.setdefault(number, {})
        row[folds] = row.get(folds, 0) + 1
    with_turning = _fewest_by_set(True)
    return {
        "states": len(cloths),
        "by_folds": by_folds,
        "single": sum(len(rows) == len(rows[0]) == 1 for rows in cloths),
        "sets": sets,
        "fewest": fewest,
        "states_turning": len(_search(True)),
        "turning_shortens": with_turning != _fewest_by_set(False),
    }


# ---------------------------------------------------------------------------------------------
# The deal
# ---------------------------------------------------------------------------------------------


def _full_options(options: dict[str, Any]) -> dict[str, Any]:
    """Options with the defaults filled in.

    Raises:
        ValueError: An option is unknown or has no such value.
    """
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"unknown options: {sorted(unknown)}")
    full = {**DEFAULTS, **options}
    if full["deck"] not in DECKS:
        raise ValueError(f"no such deck: {full['deck']}")
    if full["orders"] not in ("deck", "random"):
        raise ValueError(f"no such orders: {full['orders']}")
    if full["wrong_claim"] not in ("both", "instead"):
        raise ValueError(f"no such wrong_claim: {full['wrong_claim']}")
    if full["max_ticks"] < 1 or full["orders_per_game"] < 1:
        raise ValueError("max_ticks and orders_per_game must be at least 1")
    full["dishes"] = tuple(full["dishes"])
    full["folds"] = tuple(full["folds"])
    return full


def random_deal(num_players: int, rng: random.Random, **options: Any) -> dict[str, Any]:
    """A random initial state (see the module docstring)."""
    full = _full_options(options)
    if full["orders"] == "random":
        deck = [rng.choice(possible_orders(full["dishes"], full["folds"]))]
    else:
        deck = [list(order) for order in DECKS[full["deck"]]]
        rng.shuffle(deck)
    return {"num_players": num_players, "deck": deck}


# ---------------------------------------------------------------------------------------------
# The game
# ---------------------------------------------------------------------------------------------


class _Seat:
    """What lies before one player, and what it has chosen."""

    def __init__(self) -> None:
        self.stars: int = STARS
        self.own_choices: list[list] = []
        self.start_round()

    def start_round(self) -> None:
        """Lays the cloth flat, front up, and gives the token back."""
        self.token: bool = False
        self.cloth: Cloth = flat()
        self.history: list[Cloth] = []
        self.counts: dict[str, int] = {"folds": 0, "undos": 0, "flats": 0, "turns": 0}
        self.choice: str | None = None

    def carry_out(self, action: str) -> None:
        """Carries out one act on the own cloth; waiting and grabbing leave it as it is."""
        if action.startswith("fold "):
            self.history.append(self.cloth)
            self.cloth = fold_by_words(self.cloth, action)
            self.counts["folds"] += 1
        elif action == "undo":
            self.cloth = self.history.pop()
            self.counts["undos"] += 1
        elif action == "flat":
            self.cloth = flat()
            self.history = []
            self.counts["flats"] += 1
        elif action == "turn over":
            # The history turns with the cloth: undo then takes the fold out of the turned cloth.
            self.cloth = turn_over(self.cloth)
            self.history = [turn_over(earlier) for earlier in self.history]
            self.counts["turns"] += 1


class FoldItOracle:
    """One table of Fold-it. See the module docstring for all formats."""

    def __init__(self, deal: dict[str, Any], chance: Chance | None = None, **options: Any) -> None:
        """Sets the table up and turns the first order up.

        Args:
            deal: The initial state.
            chance: Answers the draws made during the game.
            **options: See the module docstring.

        Raises:
            ValueError: The deal or an option is not possible.
        """
        self.num_players: int = deal["num_players"]
        if options.pop("num_players", self.num_players) != self.num_players:
            raise ValueError("num_players differs from the deal's")
        if self.num_players not in (1, 2, 3, 4):
            raise ValueError("1 to 4 players")
        self.options = _full_options(options)
        self._rng = random.Random(0)
        self._chance: Chance = chance if chance is not None else self._own_chance

        self._seats = [_Seat() for _ in range(self.num_players)]
        self._deck: list[Order] = [sorted(order) for order in deal["deck"]]
        self._discards: list[Order] = []
        self._order: Order = []
        self._order_scores: list[float] = []
        self._last_round: dict[str, Any] | None = None
        self._log: list[dict[str, Any]] = []
        self._round = 0
        self.done: bool = False
        self.winners: list[bool] = [False] * self.num_players
        self.tie_break: str | None = None
        self._start_round()

    # -- whose turn, and what is allowed ------------------------------------------------------

    @property
    def phase(self) -> str:
        """While the game runs "tick", then "done"."""
        return "done" if self.done else "tick"

    @property
    def to_act(self) -> int:
        """The seat asked next (absolute), -1 when the game is over."""
        if self.done:
            return -1
        for seat in self._choosing():
            if self._seats[seat].choice is None:
                return seat
        raise AssertionError("a tick is carried out as soon as all have chosen")

    def legal(self) -> list[str]:
        """The actions open to the seat to act, sorted; none when the game is over."""
        if self.done:
            return []
        player = self._seats[self.to_act]
        words = [*fold_words(player.cloth), "turn over", "wait", "grab"]
        if player.history:
            words += ["undo", "flat"]
        return sorted(words)

    def step(self, action: str) -> None:
        """The seat to act chooses; the last choice of a tick carries the tick out.

        Raises:
            ValueError: The action is not legal now.
        """
        if action not in self.legal():
            raise ValueError(f"not legal now: {action!r}")
        player = self._seats[self.to_act]
        player.choice = action
        player.own_choices.append([self._round, self._tick, action])
        if all(self._seats[seat].choice is not None for seat in self._choosing()):
            self._carry_out_tick()

    # -- results ------------------------------------------------------------------------------

    @property
    def scores(self) -> list[float]:
        """Stars left; with one player the mean of the orders scored so far."""
        if self.num_players == 1:
            if not self._order_scores:
                return [0.0]
            return [sum(self._order_scores) / len(self._order_scores)]
        return [player.stars for player in self._seats]

    def rewards(self, kind: str = "win") -> list[float]:
        """The final reward of every seat; all 0 while the game runs.

        Args:
            kind: "win", "margin" (own stars minus best other's, over 3) or "score" (stars over 3).
                One player gets the mean of the order scores, whatever the kind.

        Raises:
            ValueError: There is no such kind.
        """
        if kind not in ("win", "margin", "score"):
            raise ValueError(f"no such reward: {kind}")
        if not self.done:
            return [0.0] * self.num_players
        scores = self.scores
        if self.num_players == 1:
            return scores
        if kind == "score":
            return [score / STARS for score in scores]
        if kind == "margin":
            margins = []
            for seat, score in enumerate(scores):
                others = scores[:seat] + scores[seat + 1 :]
                margins.append((score - max(others)) / STARS)
            return margins
        players = self.num_players
        winning = sum(self.winners)
        share = (players - winning) / (winning * (players - 1))
        return [share if won else -1 / (players - 1) for won in self.winners]

    # -- what can be seen ---------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The complete state (a copy)."""
        return copy.deepcopy(
            {
                "num_players": self.num_players,
                "phase": self.phase,
                "to_act": self.to_act,
                "round": self._round,
                "tick": self._tick,
                "order": self._order,
                "deck": self._deck,
                "discards": self._discards,
                "tokens_left": self._tokens_left,
                "seats": [
                    {
                        "stars": player.stars,
                        "token": player.token,
                        "cloth": player.cloth,
                        "cells": cells(player.cloth),
                        "history": player.history,
                        "counts": player.counts,
                        "choice": player.choice,
                    }
                    for player in self._seats
                ],
                "order_scores": self._order_scores,
                "last_round": self._last_round,
                "winners": self.winners,
                "tie_break": self.tie_break,
            }
        )

    def knowledge(self, seat: int) -> dict[str, Any]:
        """What one seat may know now (a copy).

        Raises:
            ValueError: There is no such seat.
        """
        if not 0 <= seat < self.num_players:
            raise ValueError(f"no such seat: {seat}")
        own = self._seats[seat]
        players = []
        for distance in range(self.num_players):
            other = (seat + distance) % self.num_players
            # Cloths only change when a tick is carried out, so this is never ahead of the table.
            players.append(
                {
                    "seat": other,
                    "stars": self._seats[other].stars,
                    "token": self._seats[other].token,
                    "outline": outline(self._seats[other].cloth),
                    "top": top_rows(self._seats[other].cloth),
                }
            )
        return copy.deepcopy(
            {
                "seat": seat,
                "num_players": self.num_players,
                "options": self.options,
                "phase": self.phase,
                "round": self._round,
                "tick": self._tick,
                "order": self._order,
                "deck_count": len(self._deck) if self.options["orders"] == "deck" else None,
                "discards": self._discards,
                "tokens_left": self._tokens_left,
                "players": players,
                "cloth": own.cloth,
                "cells": cells(own.cloth),
                "history": own.history,
                "counts": own.counts,
                "choice": own.choice,
                "own_choices": own.own_choices,
                "order_scores": self._order_scores,
                "last_round": self._last_round,
                "log": self._log,
                "winners": self.winners,
                "tie_break": self.tie_break,
            }
        )

    # -- the course of the game ---------------------------------------------------------------

    def _in(self) -> list[int]:
        """The seats still in the game."""
        return [seat for seat, player in enumerate(self._seats) if player.stars > 0]

    def _choosing(self) -> list[int]:
        """The seats that do something in this tick: in, and without a token."""
        return [seat for seat in self._in() if not self._seats[seat].token]

    def _start_round(self) -> None:
        self._round += 1
        self._tick = 1
        for player in self._seats:
            player.start_round()
        # One player has a token for every order; otherwise there is one fewer than players in.
        self._tokens_left = 1 if self.num_players == 1 else len(self._in()) - 1
        self._order = self._turn_up()

    def _turn_up(self) -> Order:
        """Turns the next order up."""
        if not self._deck:
            if self.options["orders"] == "random":
                orders = possible_orders(self.options["dishes"], self.options["folds"])
                if not orders:
                    raise ValueError("no order has so many dishes and folds")
                info = {"round": self._round, "orders": copy.deepcopy(orders)}
                order = sorted(self._chance("order", info))
                if order not in orders:
                    raise ValueError(f"chance drew an order that is not allowed: {order}")
                return order
            if not self._discards:
                raise ValueError("the deal has no cards")
            info = {"round": self._round, "discards": copy.deepcopy(self._discards)}
            deck = [sorted(order) for order in self._chance("reshuffle", info)]
            if sorted(deck) != sorted(self._discards):
                raise ValueError("a reshuffle must keep all the cards")
            self._deck = deck
            self._discards = []
        return self._deck.pop(0)

    def _carry_out_tick(self) -> None:
        """Reveals and carries out all choices of the tick together."""
        grabbers = []
        for seat in self._choosing():
            player = self._seats[seat]
            assert player.choice is not None
            if player.choice == "grab":
                grabbers.append(seat)
            else:
                player.carry_out(player.choice)
        for player in self._seats:
            player.choice = None

        getting = grabbers
        if len(grabbers) > self._tokens_left:
            info = {
                "round": self._round,
                "tick": self._tick,
                "seats": list(grabbers),
                "tokens": self._tokens_left,
            }
            getting = sorted(self._chance("tokens", info))
            distinct = len(set(getting)) == len(getting) == self._tokens_left
            if not distinct or not set(getting) <= set(grabbers):
                raise ValueError(f"chance gave the tokens to {getting}")
        for seat in getting:
            self._seats[seat].token = True
            self._tokens_left -= 1

        round_over = self._tokens_left == 0 or self._tick >= self.options["max_ticks"]
        if round_over:
            self._score_round()
        self._log.append(
            {
                "round": self._round,
                "tick": self._tick,
                "order": list(self._order),
                "tokens": self._holding(),
                "stars": [player.stars for player in self._seats],
                "tops": [top_rows(player.cloth) for player in self._seats],
            }
        )
        if not round_over:
            self._tick += 1
        elif not self.done:
            if self.options["orders"] == "deck":
                self._discards.append(self._order)
            self._start_round()

    def _holding(self) -> list[int]:
        """The seats that hold a token."""
        return [seat for seat, player in enumerate(self._seats) if player.token]

    def _score_round(self) -> None:
        """Takes the stars of the round and finds out whether the game is over."""
        were_in = self._in()
        holding = self._holding()
        without = [seat for seat in were_in if seat not in holding]
        order = frozenset(self._order)
        wrong = [seat for seat in holding if top_set(self._seats[seat].cloth) != order]

        if self.num_players == 1:
            losing = []
            self._score_puzzle(right=bool(holding) and not wrong)
        elif self.options["wrong_claim"] == "instead":
            losing = wrong if wrong else without
        else:
            losing = sorted(wrong + without)
        for seat in losing:
            self._seats[seat].stars -= 1

        self._last_round = {
            "round": self._round,
            "tick": self._tick,
            "order": list(self._order),
            "timed_out": self._tokens_left > 0,
            "tokens": holding,
            "wrong": wrong,
            "lost": losing,
            "stars": [player.stars for player in self._seats],
            "tops": [top_rows(player.cloth) for player in self._seats],
        }
        if self.num_players > 1:
            self._find_winners(were_in, wrong)

    def _score_puzzle(self, right: bool) -> None:
        """Scores one order of the one-player puzzle."""
        score = 0.0
        if right:
            acts = sum(self._seats[0].counts.values())
            score = fewest_folds(self._order) / acts
        self._order_scores.append(score)
        if len(self._order_scores) == self.options["orders_per_game"]:
            self.done = True
            self.winners = [True]

    def _find_winners(self, were_in: list[int], wrong: list[int]) -> None:
        """Ends the game if at most one seat has a star left."""
        still_in = self._in()
        if len(still_in) > 1:
            return
        self.done = True
        if still_in:
            winning = still_in
        else:
            # All went out together: grabbing wrongly must not force a draw.
            winning = [seat for seat in were_in if seat not in wrong]
            if not winning:
                winning = were_in
            elif len(winning) < len(were_in):
                self.tie_break = "no wrong claim"
        self.winners = [seat in winning for seat in range(self.num_players)]

    # -- draws of its own ---------------------------------------------------------------------

    def _own_chance(self, kind: str, info: dict[str, Any]) -> Any:
        """Uniform draws, used when no ``chance`` was given."""
        if kind == "tokens":
            return self._rng.sample(info["seats"], info["tokens"])
        if kind == "reshuffle":
            deck = info["discards"]
            self._rng.shuffle(deck)
            return deck
        if kind == "order":
            return self._rng.choice(info["orders"])
        raise ValueError(f"no such draw: {kind}")
