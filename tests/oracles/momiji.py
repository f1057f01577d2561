"""A slow and obvious referee for one table of Momiji, written only from the rules page.

It is the yardstick for the fast core of the game: one table, plain Python, no cleverness. Read it
beside the rules of Momiji. This docstring is the contract: whoever builds the fast core can
take the whole decision tree from it.

Words
=====
seat      0 .. P-1 clockwise; left of seat s is s + 1 (mod P).
type      0 .. 5. Only ``P + 2`` of them are in use (``deal["types"]``, rising); names never shift.
corners   the acorns printed in the two bottom corners of a card: "none", "left", "right", "both".
card      the tuple ``(type, value, corners)``. Cards with equal tuples are alike: a *kind*.
kind order  type, then value, then corners in the order none < left < right < both. "Rising" always
          means this order; equal kinds may follow each other.
pile      ``[card, ...]``, bottom first; the last one is the visible top. Top value 3 = closed.
row       the piles of one seat, left to right, numbered from 0.
objective "most zeros", "highest tops", or "most type T".
tile      a landscape: mountain, pond, wind, shrine, bridge, lantern, teahouse, moon.
CARD in an action word is "type T value V CORNERS", for example "type 2 value 1 left".

The deal (all that is random; nothing is random later, ``chance`` is never called)
========
``num_players``, ``first`` (seat), ``types`` (rising list), ``objectives`` (P + 2 in the middle),
``hands`` (per seat, 6 cards), ``display`` (4 cards), ``deck`` (the first entry is the top),
``landscapes`` (per seat: for "draft" the 3 tiles dealt to that seat, for "first_game" mountain,
pond, bridge, for "none" empty). Cards leave the deck from the front, one at a time.

The decisions
=============
Every decision is one word; ``legal()`` lists each legal one once, also when there is only one
(a forced choice is still a decision). These phases exist:

"draft" (only with landscapes="draft", before the first turn; two decisions a seat). Beginning with
the first player and clockwise each seat says "keep TILE" for one tile of the hand in front of it
(3 tiles, then 2; equal tiles are offered once). Picks stay secret until the last seat has chosen;
then all are public and each rest goes to the left. After two rounds the last tile comes by itself.

"turn" (the open moment of a turn; the acting seat comes back here after each minor action, after a
reveal and after its main action).
  Before the main action, offered when:
    "collect type T"        T lies in the display. If wind was used this turn and the display shows
                            two or more types: only for T with a higher type in the display.
    "reveal"                1 acorn, deck not empty, not yet revealed this turn. Turns
                            min(4, deck) cards into the display; from then on the main action must
                            be a collect (no play, activate, pass).
    "play CARD"             not revealed, the card fits. Begins a same-type play with this card.
    "play different"        not revealed, hand cards that fit have two or more types.
    "activate"              not revealed, the middle is not empty, 3 acorns (1 after teahouse this
                            turn).
    "pass"                  not revealed, display empty and no hand card fits.
  After the main action: "end turn".
  Before and after it, until "end turn":
    "discard two"           not yet this turn, two or more hand cards.
    "use TILE"              no tile used yet this turn, an unused copy of the tile, 1 acorn (paid at
                            once), and the tile can do something:
        mountain  deck not empty            pond      display not empty
        shrine    always                    bridge    two or more piles
        wind      before the main action; the display shows two types, or a reveal is to come:
                  not revealed yet, deck not empty and its acorn can be there (see below)
        lantern   before the main action, not revealed; a same-type play of three cards is possible
        moon      before the main action, not revealed; some hand card fits
        teahouse  before the main action, not revealed; the middle is not empty and the 1 acorn can
                  be there
      "Can be there": acorns >= 2 now (one pays the tile), or "discard two" is still possible.
  A card fits if its type has no pile and its value is 0, or the pile's top is not 3 and the card's
  value is the top's value or 1 more.

"second collect" (one decision, only after the first collect of a wind turn that showed two or more
types). "collect type U" for every type U in the display higher than the first. So a wind collect
takes exactly two types, named in rising order. The first type's cards are already in hand.

"same" (after "play CARD", repeated). "put CARD" for every hand card of that type that fits now, or
"done". The play ends by itself, without "done", at its limit: 2 cards, 3 after lantern. So a
one-card play always says "done", and a two-card play says it only after lantern. After moon the
acorn bonus is paid when the play ends.

"different" (after "play different", repeated). "put CARD", and "done" from two cards on; "done" is
always said, also when nothing else is left. Order: cards for piles that lay there when the play
began, in strictly rising type order; then new piles (value 0) in any order of types. One card a
type. The first card is only offered if a second can follow it. At "done" the bonus is paid.

"place" (after a "play CARD" or "put CARD" that starts a pile while both ends of the row are open;
one decision, then back to the play). "left end" or "right end". The card stays in hand, shown to
all as move["placing"], until the end is named. A card for an existing pile has no place decision;
nor has the first pile of an empty row, nor a pile after another one of this play went to the right
end or onto the empty row: it goes to the right end by itself.

"objective" (after "activate"; one decision). "take OBJECTIVE" for each one in the middle; the price
is paid with it.

"discard" (after "discard two"; two decisions). "discard CARD", then "discard CARD" of the same or
a higher kind; the first is only offered if such a second card is in hand. The second one pays 1
acorn and leads back to "turn".

"pond" (after "use pond"; one decision). "take CARD" for each kind in the display.

"bridge" (after "use bridge"; one decision). "swap piles I and I+1" (both numbers written out).

mountain, shrine, wind, lantern, teahouse and moon have no decision of their own: back to "turn".

"limit" (after "end turn" with more than 8 cards, unless the game just ended; one decision for each
card too many). "discard CARD" in rising kinds; a card is only offered if enough cards of the same
or a higher kind are left for the discards still due.

"over": no decisions. The game ends at "end turn" if the deck is empty or no torii is left, or
after the last extra turn. With last_round="extra" the seat that triggered still discards to 8, then
each other seat has one more turn, clockwise; new triggers change nothing and the last of them
discards nothing.

At the start of a turn an empty display is filled with min(4, deck) cards for free.

state()
=======
A deep copy of everything, in plain Python; ``MomijiOracle.from_state(state)`` builds a table from
it (after edits, for hand-set positions). Keys:
    options        the dict of options           num_players, first, types, to_act, phase, turns
    objectives     in the middle                 owners  {objective: seat} activated
    hands, rows    per seat                      display, deck, discards (in order)
    acorns         per seat                      torii   left in the middle
    unused, used   tiles per seat
    extra_turns    None, or in the extra round the turns left, the one being played included
    turn           flags of this turn: main_done, revealed, discarded (two cards, for an acorn),
                   landscape (the tile used this turn, or None)
    move           what was said in the move now begun (empty dict if none):
                   kind, put, old_types, right_end, placing  of a play: "same" or "different",
                   cards laid so far, types with a pile when it began, whether only the right end
                   is open, card waiting for its place or None;
                   given  cards discarded so far; first_type  of a wind collect
    draft          None or round (1, 2), hands, passed (hands at the start of this round), picks
                   (tile or None), per seat
    log            public card moves [verb, seat, card]; verb is collected (display to hand, by
                   collect or pond), played or discarded
The lists of cards in hands and display are kept in kind order.

knowledge(seat)
===============
What this seat knows with perfect memory, absolute seats. Keys:
    seat, and out of state() as they are: num_players, first, types, to_act, phase, turns,
    objectives, owners, rows, display, discards, acorns, torii, unused, used, extra_turns, turn,
    move
    hand           own cards                     hand_sizes  per seat         deck_size
    collected, played, discarded   per seat {kind: count} over the whole game, from the log
    known          per seat {kind: count > 0}: cards this seat knows to be in that hand. Own seat:
                   the whole hand. Others: the log read event by event, +1 for collected, -1 but
                   never below 0 for played and discarded.
    known_by_totals   per seat the same from the totals, max(0, collected - played - discarded); it
                   can be less than ``known`` (a dealt card played before a like one is collected)
    unseen         {kind: count > 0}: all cards less own hand, display, discards, rows and ``known``
                   of the others: these lie in the deck or in other hands
    draft          None outside the draft; else round, hand (own, now), pick (own, this round),
                   has_picked (per seat, public), seen (per seat the hand at the start of this
                   round where this seat knows it, else None: its own, and in round 2 also its
                   left neighbour's, which it passed on)
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

Card = tuple[int, int, str]
Choices = dict[str, Callable[[], None]]

ALL_TYPES = 6
HAND_SIZE = 6
HAND_LIMIT = 8
DISPLAY_SIZE = 4
CORNER_ORDER = ["none", "left", "right", "both"]

# One entry a copy: five 0s, four 1s, three 2s, two 3s in each type.
DEFAULT_CORNERS = {
    0: ["both", "both", "both", "both", "both"],
    1: ["left", "left", "right", "right"],
    2: ["left", "left", "left"],
    3: ["none", "none"],
}

LANDSCAPES = ["mountain", "pond", "wind", "shrine", "bridge", "lantern", "teahouse", "moon"]
FIRST_GAME = ["mountain", "pond", "bridge"]

DEFAULT_OPTIONS: dict[str, Any] = {
    "landscapes": "first_game",  # or "draft", "none"
    "last_round": "same",  # the game ends with the same turn; or "extra"
    "start_acorns": [2, 3, 4, 5],  # in turn order, from the first player on
    "corners": DEFAULT_CORNERS,
}


def kind_order(card: Card) -> tuple[int, int, int]:
    """Sort key of the kind order."""
    return (card[0], card[1], CORNER_ORDER.index(card[2]))


def card_word(card: Card) -> str:
    """The card as it is named in the action words."""
    return f"type {card[0]} value {card[1]} {card[2]}"


def all_cards(types: list[int], corners: dict[int, list[str]]) -> list[Card]:
    """Every leaf card of the given types, in kind order."""
    cards = [(t, v, c) for t in types for v in corners for c in corners[v]]
    return sorted(cards, key=kind_order)


def kinds(cards: list[Card]) -> list[Card]:
    """The different kinds among some cards, rising."""
    return sorted(set(cards), key=kind_order)


def count_kinds(cards: list[Card]) -> dict[Card, int]:
    """How many cards of each kind, rising, only kinds that are there."""
    return {kind: cards.count(kind) for kind in kinds(cards)}


def objective_pool(types: list[int]) -> list[str]:
    """All objective tokens that could be in play with these types."""
    return ["most zeros", "highest tops"] + [f"most type {t}" for t in types]


def full_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options with the defaults filled in; raises ValueError for an unknown one."""
    for name in options:
        if name not in DEFAULT_OPTIONS:
            raise ValueError(f"unknown option {name!r}")
    filled = copy.deepcopy({**DEFAULT_OPTIONS, **options})
    if filled["landscapes"] not in ("first_game", "draft", "none"):
        raise ValueError(f"unknown landscapes {filled['landscapes']!r}")
    if filled["last_round"] not in ("same", "extra"):
        raise ValueError(f"unknown last_round {filled['last_round']!r}")
    return filled


def random_deal(num_players: int, rng: random.Random, **options: Any) -> dict[str, Any]:
    """Draws a complete deal for a stand-alone game."""
    if num_players not in (2, 3, 4):
        raise ValueError("Momiji is for 2 to 4 players")
    filled = full_options(options)
    types = sorted(rng.sample(range(ALL_TYPES), num_players + 2))
    cards = all_cards(types, filled["corners"])
    rng.shuffle(cards)
    hands = []
    for _ in range(num_players):
        hands.append(cards[:HAND_SIZE])
        cards = cards[HAND_SIZE:]
    pool = objective_pool(types)
    drawn = rng.sample(pool, num_players + 2)
    if filled["landscapes"] == "draft":
        tiles = LANDSCAPES * 2
        rng.shuffle(tiles)
        landscapes = [tiles[3 * seat : 3 * seat + 3] for seat in range(num_players)]
    elif filled["landscapes"] == "first_game":
        landscapes = [list(FIRST_GAME) for _ in range(num_players)]
    else:
        landscapes = [[] for _ in range(num_players)]
    return {
        "num_players": num_players,
        "first": rng.randrange(num_players),
        "types": types,
        "objectives": [token for token in pool if token in drawn],
        "hands": hands,
        "display": cards[:DISPLAY_SIZE],
        "deck": cards[DISPLAY_SIZE:],
        "landscapes": landscapes,
    }


class MomijiOracle:
    """One table of Momiji. The module docstring says what every word and key means."""

    def __init__(
        self,
        deal: dict[str, Any],
        chance: Callable[[str, dict[str, Any]], Any] | None = None,
        num_players: int | None = None,
        **options: Any,
    ) -> None:
        """Sets up the table.

        Args:
            deal: The complete hidden beginning, see the module docstring. It is copied.
            chance: Never called: nothing is random after the deal.
            num_players: If given it must agree with the deal.
            **options: landscapes, last_round, start_acorns, corners.
        """
        deal = copy.deepcopy(deal)
        self.chance = chance
        self.options = full_options(options)
        self.num_players: int = deal["num_players"]
        if self.num_players not in (2, 3, 4) or num_players not in (None, self.num_players):
            raise ValueError("the number of players is not 2 to 4, or not the deal's")
        self.first: int = deal["first"]
        self.types: list[int] = sorted(deal["types"])
        self.objectives: list[str] = deal["objectives"]
        self.owners: dict[str, int] = {}
        self.hands = [self._sorted_cards(hand) for hand in deal["hands"]]
        self.display = self._sorted_cards(deal["display"])
        self.deck: list[Card] = [tuple(card) for card in deal["deck"]]
        self.discards: list[Card] = []
        self.rows: list[list[list[Card]]] = [[] for _ in range(self.num_players)]
        self.torii = self.num_players + 2
        self.acorns = [0] * self.num_players
        for place in range(self.num_players):
            seat = (self.first + place) % self.num_players
            self.acorns[seat] = self.options["start_acorns"][place]
        self.unused: list[list[str]] = [[] for _ in range(self.num_players)]
        self.used: list[list[str]] = [[] for _ in range(self.num_players)]
        self.draft: dict[str, Any] | None = None
        self.extra_turns: int | None = None
        self.log: list[list[Any]] = []
        self.turn: dict[str, Any] = {}
        self.move: dict[str, Any] = {}
        self.turns = 0
        self.to_act = self.first
        self.phase = ""
        self._check_deal()

        if self.options["landscapes"] == "draft":
            self._clear_turn()
            self.phase = "draft"
            self.draft = {"round": 1, "hands": deal["landscapes"]}
            self._open_draft_round()
        else:
            self.unused = deal["landscapes"]
            self._start_turn(self.first)

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> MomijiOracle:
        """Builds a table from a dict of the shape of ``state()``; nothing is checked."""
        state = copy.deepcopy(state)
        table = cls.__new__(cls)
        table.chance = None
        for name, value in state.items():
            setattr(table, name, value)
        table.hands = [table._sorted_cards(hand) for hand in table.hands]
        table.display = table._sorted_cards(table.display)
        return table

    @staticmethod
    def _sorted_cards(cards: list[Any]) -> list[Card]:
        return sorted([(card[0], card[1], card[2]) for card in cards], key=kind_order)

    def _check_deal(self) -> None:
        """Raises ValueError unless the deal is one that could lie on the table."""
        if len(set(self.types)) != self.num_players + 2:
            raise ValueError("players + 2 types are in use")
        if len(set(self.objectives)) != self.num_players + 2:
            raise ValueError("players + 2 objectives are in play")
        if not set(self.objectives) <= set(objective_pool(self.types)):
            raise ValueError("an objective is not in the pool")
        if [len(hand) for hand in self.hands] != [HAND_SIZE] * self.num_players:
            raise ValueError("everybody has 6 cards")
        if len(self.display) != DISPLAY_SIZE:
            raise ValueError("4 cards lie in the display")
        cards = [card for _, card in self.census()]
        if sorted(cards, key=kind_order) != all_cards(self.types, self.options["corners"]):
            raise ValueError("the cards dealt are not the cards of the types in use")

    # ------------------------------------------------------------------ the interface

    @property
    def done(self) -> bool:
        """True when the game is over."""
        return self.phase == "over"

    def legal(self) -> list[str]:
        """All legal words of the seat to act, sorted, each once."""
        return sorted(self._choices())

    def step(self, action: str) -> None:
        """Makes one decision; raises ValueError when it is illegal."""
        choices = self._choices()
        if action not in choices:
            raise ValueError(f"illegal: {action!r}; legal are {sorted(choices)}")
        choices[action]()

    def _choices(self) -> Choices:
        """Every legal word of the moment, with what it does."""
        if self.phase == "over":
            return {}
        if self.phase == "draft":
            return self._draft_choices()
        if self.phase == "turn":
            return self._turn_choices()
        if self.phase == "second collect":
            return self._second_collect_choices()
        if self.phase == "same":
            return self._same_choices()
        if self.phase == "different":
            return self._different_choices()
        if self.phase == "place":
            return self._place_choices()
        if self.phase == "objective":
            return self._objective_choices()
        if self.phase == "discard":
            return self._discard_choices()
        if self.phase == "pond":
            return self._pond_choices()
        if self.phase == "bridge":
            return self._bridge_choices()
        if self.phase == "limit":
            return self._limit_choices()
        raise AssertionError(self.phase)

    # ------------------------------------------------------------------ the draft

    def _open_draft_round(self) -> None:
        self.draft["passed"] = copy.deepcopy(self.draft["hands"])
        self.draft["picks"] = [None] * self.num_players
        self.to_act = self.first

    def _draft_choices(self) -> Choices:
        tiles = set(self.draft["hands"][self.to_act])
        return {f"keep {tile}": partial(self._keep, tile) for tile in tiles}

    def _keep(self, tile: str) -> None:
        self.draft["hands"][self.to_act].remove(tile)
        self.draft["picks"][self.to_act] = tile
        self.to_act = (self.to_act + 1) % self.num_players
        if self.to_act != self.first:
            return
        # All have chosen: the picks are shown and the rests go to the left.
        for seat in range(self.num_players):
            self.unused[seat].append(self.draft["picks"][seat])
        rests = self.draft["hands"]
        self.draft["hands"] = [rests[(seat - 1) % self.num_players] for seat in self._seats()]
        if self.draft["round"] == 1:
            self.draft["round"] = 2
            self._open_draft_round()
            return
        for seat in range(self.num_players):
            self.unused[seat] += self.draft["hands"][seat]
        self.draft = None
        self._start_turn(self.first)

    def _seats(self) -> list[int]:
        return list(range(self.num_players))

    # ------------------------------------------------------------------ a turn begins and ends

    def _clear_turn(self) -> None:
        self.turn = {
            "main_done": False,
            "revealed": False,
            "discarded": False,
            "landscape": None,
        }
        self.move = {}

    def _start_turn(self, seat: int) -> None:
        self.to_act = seat
        self.turns += 1
        self._clear_turn()
        if not self.display:
            self._deal_to_display()
        self.phase = "turn"

    def _deal_to_display(self) -> None:
        """4 cards from the deck, or what is there."""
        for _ in range(min(DISPLAY_SIZE, len(self.deck))):
            self.display.append(self.deck.pop(0))
        self.display = self._sorted_cards(self.display)

    def _end_turn(self) -> None:
        if self.extra_turns is not None:
            # New triggers are ignored in the extra round.
            self.extra_turns -= 1
            if self.extra_turns == 0:
                self.phase = "over"
                return
        elif not self.deck or self.torii == 0:
            if self.options["last_round"] == "same":
                self.phase = "over"
                return
            self.extra_turns = self.num_players - 1
        if len(self.hands[self.to_act]) > HAND_LIMIT:
            self.phase = "limit"
            self.move = {"given": []}
        else:
            self._next_seat()

    def _next_seat(self) -> None:
        self._start_turn((self.to_act + 1) % self.num_players)

    def _limit_choices(self) -> Choices:
        due = len(self.hands[self.to_act]) - HAND_LIMIT
        return self._discards(due, self._limit_discard)

    def _limit_discard(self, card: Card) -> None:
        self._discard(card)
        if len(self.hands[self.to_act]) == HAND_LIMIT:
            self._next_seat()

    # ------------------------------------------------------------------ the open moment of a turn

    def _turn_choices(self) -> Choices:
        choices: Choices = {}
        if self.turn["main_done"]:
            choices["end turn"] = self._end_turn
        else:
            self._add_main_actions(choices)
        if self._discard_two_possible():
            choices["discard two"] = partial(self._begin, "discard", {"given": []})
        for tile in self.unused[self.to_act]:
            if self._landscape_possible(tile):
                choices[f"use {tile}"] = partial(self._use, tile)
        return choices

    def _add_main_actions(self, choices: Choices) -> None:
        shown = self._shown_types()
        for t in shown:
            # Wind takes two types, named in rising order: the highest cannot be named first.
            if self._collects_two() and t == shown[-1]:
                continue
            choices[f"collect type {t}"] = partial(self._collect, t)
        if self.turn["revealed"]:
            return  # a reveal commits to a collect
        if self.deck and self.acorns[self.to_act] >= 1:
            choices["reveal"] = self._reveal
        fitting = self._fitting_kinds()
        for card in fitting:
            choices[f"play {card_word(card)}"] = partial(self._play_same, card)
        if len(self._fitting_types()) >= 2:
            choices["play different"] = self._play_different
        if self.objectives and self.acorns[self.to_act] >= self._activation_price():
            choices["activate"] = partial(self._begin, "objective", {})
        if not shown and not fitting:
            choices["pass"] = self._main_done

    def _begin(self, phase: str, move: dict[str, Any]) -> None:
        self.phase = phase
        self.move = move

    def _back_to_turn(self) -> None:
        self.phase = "turn"
        self.move = {}

    def _main_done(self) -> None:
        self.turn["main_done"] = True
        self._back_to_turn()

    # ------------------------------------------------------------------ main: collect

    def _shown_types(self) -> list[int]:
        """The types in the display, rising."""
        return sorted({card[0] for card in self.display})

    def _collects_two(self) -> bool:
        return self.turn["landscape"] == "wind" and len(self._shown_types()) >= 2

    def _reveal(self) -> None:
        self.acorns[self.to_act] -= 1
        self._deal_to_display()
        self.turn["revealed"] = True

    def _collect(self, t: int) -> None:
        two = self._collects_two()
        self._take_type(t)
        if two:
            self._begin("second collect", {"first_type": t})
        else:
            self._main_done()

    def _second_collect_choices(self) -> Choices:
        choices: Choices = {}
        for t in self._shown_types():
            if t > self.move["first_type"]:
                choices[f"collect type {t}"] = partial(self._collect_second, t)
        return choices

    def _collect_second(self, t: int) -> None:
        self._take_type(t)
        self._main_done()

    def _take_type(self, t: int) -> None:
        for card in [card for card in self.display if card[0] == t]:
            self._take_from_display(card)

    def _take_from_display(self, card: Card) -> None:
        self.display.remove(card)
        self._into_hand(card)
        self.log.append(["collected", self.to_act, card])

    def _into_hand(self, card: Card) -> None:
        self.hands[self.to_act].append(card)
        self.hands[self.to_act].sort(key=kind_order)

    # ------------------------------------------------------------------ main: play

    def _pile(self, t: int) -> list[Card] | None:
        """The pile of type t in the acting seat's row, if there is one."""
        for pile in self.rows[self.to_act]:
            if pile[0][0] == t:
                return pile
        return None

    def _fits(self, card: Card) -> bool:
        pile = self._pile(card[0])
        if pile is None:
            return card[1] == 0
        top = pile[-1][1]
        return top != 3 and card[1] in (top, top + 1)

    def _fitting_kinds(self) -> list[Card]:
        return [card for card in kinds(self.hands[self.to_act]) if self._fits(card)]

    def _fitting_types(self) -> list[int]:
        return sorted({card[0] for card in self._fitting_kinds()})

    def _new_play(self, kind: str) -> dict[str, Any]:
        row = self.rows[self.to_act]
        return {
            "kind": kind,
            "put": [],
            "old_types": sorted(pile[0][0] for pile in row),
            # Beside the first pile of an empty row the others all go right, so that each resulting
            # row is reached once.
            "right_end": not row,
            "placing": None,
        }

    def _play_same(self, card: Card) -> None:
        self._begin("same", self._new_play("same"))
        self._put(card)

    def _play_different(self) -> None:
        self._begin("different", self._new_play("different"))

    def _same_choices(self) -> Choices:
        choices: Choices = {"done": self._finish_play}
        for card in self._fitting_kinds():
            if card[0] == self.move["put"][0][0]:
                choices[f"put {card_word(card)}"] = partial(self._put, card)
        return choices

    def _different_choices(self) -> Choices:
        choices: Choices = {}
        if len(self.move["put"]) >= 2:
            choices["done"] = self._finish_play
        for card in self._next_different(self.move["put"]):
            # A begun play can always be finished: some card must be able to follow the first.
            if self.move["put"] or self._next_different([card]):
                choices[f"put {card_word(card)}"] = partial(self._put, card)
        return choices

    def _next_different(self, put: list[Card]) -> list[Card]:
        """The hand kinds that may be the next one in a different-type play after ``put``."""
        old_put = [card[0] for card in put if card[0] in self.move["old_types"]]
        new_put = [card[0] for card in put if card[0] not in self.move["old_types"]]
        allowed = []
        for card in self._fitting_kinds():
            if card[0] in self.move["old_types"]:
                if not new_put and all(card[0] > t for t in old_put):
                    allowed.append(card)
            elif card[0] not in new_put:
                allowed.append(card)
        return allowed

    def _put(self, card: Card) -> None:
        """Lays a card that fits, or first asks at which end its new pile shall lie."""
        if self._pile(card[0]) is not None:
            self._lay(card, "pile")
        elif self.move["right_end"]:
            self._lay(card, "right")
        else:
            self.move["placing"] = card
            self.phase = "place"

    def _place_choices(self) -> Choices:
        card = self.move["placing"]
        return {
            "left end": partial(self._lay, card, "left"),
            "right end": partial(self._lay, card, "right"),
        }

    def _lay(self, card: Card, where: str) -> None:
        row = self.rows[self.to_act]
        self.hands[self.to_act].remove(card)
        if where == "pile":
            self._pile(card[0]).append(card)
        elif where == "left":
            row.insert(0, [card])
        else:
            row.append([card])
            self.move["right_end"] = True
        if card[1] == 3:
            # A spare marker closes the pile when none is left in the middle.
            self.torii = max(0, self.torii - 1)
        self.log.append(["played", self.to_act, card])
        self.move["put"].append(card)
        self.move["placing"] = None
        self.phase = self.move["kind"]
        most = 3 if self.turn["landscape"] == "lantern" else 2
        if self.move["kind"] == "same" and len(self.move["put"]) == most:
            self._finish_play()

    def _finish_play(self) -> None:
        if self.move["kind"] == "different" or self.turn["landscape"] == "moon":
            self._acorn_bonus()
        self._main_done()

    def _acorn_bonus(self) -> None:
        """2 acorns for each pair of neighbours whose facing corners both show an acorn."""
        row = self.rows[self.to_act]
        for left_pile, right_pile in pairwise(row):
            left_top, right_top = left_pile[-1], right_pile[-1]
            if left_top[1] == 3 or right_top[1] == 3:
                continue  # a torii covers the card
            if left_top[2] in ("right", "both") and right_top[2] in ("left", "both"):
                self.acorns[self.to_act] += 2

    # ------------------------------------------------------------------ main: activate

    def _activation_price(self) -> int:
        return 1 if self.turn["landscape"] == "teahouse" else 3

    def _objective_choices(self) -> Choices:
        choices: Choices = {}
        for token in self.objectives:
            choices[f"take {token}"] = partial(self._activate, token)
        return choices

    def _activate(self, token: str) -> None:
        self.acorns[self.to_act] -= self._activation_price()
        self.objectives.remove(token)
        self.owners[token] = self.to_act
        self._main_done()

    # ------------------------------------------------------------------ minor: discard 2 cards

    def _discard_two_possible(self) -> bool:
        return not self.turn["discarded"] and len(self.hands[self.to_act]) >= 2

    def _discard_choices(self) -> Choices:
        return self._discards(2 - len(self.move["given"]), self._give)

    def _discards(self, due: int, act: Callable[[Card], None]) -> Choices:
        """Discards in rising kinds; ``due`` cards are still to go, the next one included."""
        hand = self.hands[self.to_act]
        given = self.move["given"]
        choices: Choices = {}
        for card in kinds(hand):
            if given and kind_order(card) < kind_order(given[-1]):
                continue
            left = [other for other in hand if kind_order(other) >= kind_order(card)]
            if len(left) >= due:
                choices[f"discard {card_word(card)}"] = partial(act, card)
        return choices

    def _discard(self, card: Card) -> None:
        self.hands[self.to_act].remove(card)
        self.discards.append(card)
        self.move["given"].append(card)
        self.log.append(["discarded", self.to_act, card])

    def _give(self, card: Card) -> None:
        self._discard(card)
        if len(self.move["given"]) == 2:
            self.acorns[self.to_act] += 1
            self.turn["discarded"] = True
            self._back_to_turn()

    # ------------------------------------------------------------------ minor: landscapes

    def _landscape_possible(self, tile: str) -> bool:
        seat = self.to_act
        if self.turn["landscape"] is not None or self.acorns[seat] < 1:
            return False
        before_main = not self.turn["main_done"]
        before_reveal = before_main and not self.turn["revealed"]
        # One acorn pays the tile; may one more be there for what the tile serves?
        one_more = self.acorns[seat] >= 2 or self._discard_two_possible()
        if tile == "mountain":
            return len(self.deck) >= 1
        if tile == "pond":
            return len(self.display) >= 1
        if tile == "shrine":
            return True
        if tile == "bridge":
            return len(self.rows[seat]) >= 2
        if tile == "wind":
            reveal_to_come = before_reveal and len(self.deck) >= 1 and one_more
            return before_main and (len(self._shown_types()) >= 2 or reveal_to_come)
        if tile == "lantern":
            return before_reveal and self._longest_same_play() >= 3
        if tile == "moon":
            return before_reveal and len(self._fitting_types()) >= 1
        if tile == "teahouse":
            return before_reveal and len(self.objectives) >= 1 and one_more
        raise AssertionError(tile)

    def _longest_same_play(self) -> int:
        """The most hand cards of one type that could be laid one after the other."""
        longest = 0
        for t in self.types:
            pile = self._pile(t)
            values = sorted(card[1] for card in self.hands[self.to_act] if card[0] == t)
            top = pile[-1][1] if pile else None
            length = 0
            # Lowest first leaves out no card that could lie in the longest sequence.
            for value in values:
                starts = top is None and value == 0
                follows = top is not None and top != 3 and value in (top, top + 1)
                if starts or follows:
                    top = value
                    length += 1
            longest = max(longest, length)
        return longest

    def _use(self, tile: str) -> None:
        seat = self.to_act
        self.acorns[seat] -= 1
        self.unused[seat].remove(tile)
        self.used[seat].append(tile)
        self.turn["landscape"] = tile
        if tile == "mountain":
            for _ in range(min(2, len(self.deck))):
                self._into_hand(self.deck.pop(0))  # secret: not in the log
        elif tile == "shrine":
            self.acorns[seat] += 2
        elif tile == "pond":
            self._begin("pond", {})
        elif tile == "bridge":
            self._begin("bridge", {})
        # Wind, lantern, teahouse and moon only leave their name in the flags of the turn.

    def _pond_choices(self) -> Choices:
        choices: Choices = {}
        for card in kinds(self.display):
            choices[f"take {card_word(card)}"] = partial(self._pond_take, card)
        return choices

    def _pond_take(self, card: Card) -> None:
        self._take_from_display(card)
        self._back_to_turn()

    def _bridge_choices(self) -> Choices:
        choices: Choices = {}
        for i in range(len(self.rows[self.to_act]) - 1):
            choices[f"swap piles {i} and {i + 1}"] = partial(self._swap, i)
        return choices

    def _swap(self, i: int) -> None:
        row = self.rows[self.to_act]
        row[i], row[i + 1] = row[i + 1], row[i]
        self._back_to_turn()

    # ------------------------------------------------------------------ the score

    def _objective_count(self, token: str, seat: int) -> int:
        """What the objective counts in this seat's row."""
        row = self.rows[seat]
        if token == "most zeros":
            return sum(1 for pile in row for card in pile if card[1] == 0)
        if token == "highest tops":
            return sum(pile[-1][1] for pile in row)
        t = int(token.split()[-1])
        return sum(len(pile) for pile in row if pile[0][0] == t)

    @property
    def scores(self) -> list[int]:
        """The scores as the table lies now, per seat."""
        scores = []
        for seat in range(self.num_players):
            score = self.acorns[seat]
            for pile in self.rows[seat]:
                score += pile[-1][1] * len(pile)
            for token, owner in self.owners.items():
                counts = [self._objective_count(token, other) for other in self._seats()]
                best = max(counts)
                if best > 0 and counts[seat] == best:
                    score += 10 if seat == owner else 3
            scores.append(score)
        return scores

    @property
    def winners(self) -> list[bool]:
        """Who has the most points, per seat; a tie is shared. All False before the end."""
        scores = self.scores
        return [self.done and score == max(scores) for score in scores]

    @property
    def tie_break(self) -> None:
        """Always None: a tie is shared."""
        return None

    def rewards(self, kind: str = "win", scale: float = 50.0) -> list[float]:
        """The final rewards, per seat; all 0 before the end.

        Args:
            kind: "win", "margin" or "score".
            scale: What margins and scores are divided by (the page leaves the number open).
        """
        if kind not in ("win", "margin", "score"):
            raise ValueError(f"unknown reward {kind!r}")
        players = self.num_players
        if not self.done:
            return [0.0] * players
        scores = self.scores
        if kind == "score":
            return [score / scale for score in scores]
        if kind == "margin":
            margins = []
            for seat in range(players):
                others = [scores[other] for other in range(players) if other != seat]
                margins.append((scores[seat] - max(others)) / scale)
            return margins
        k = sum(self.winners)
        share = (players - k) / (k * (players - 1))
        loss = 0.0 if k == players else -1 / (players - 1)
        return [share if won else loss for won in self.winners]

    # ------------------------------------------------------------------ looking at the table

    def census(self) -> list[tuple[str, Card]]:
        """Every leaf card once, with the place where it lies."""
        cards = [("deck", card) for card in self.deck]
        cards += [("display", card) for card in self.display]
        cards += [("discards", card) for card in self.discards]
        for seat in range(self.num_players):
            cards += [(f"hand {seat}", card) for card in self.hands[seat]]
            cards += [(f"row {seat}", card) for pile in self.rows[seat] for card in pile]
        return cards

    def state(self) -> dict[str, Any]:
        """The complete state, a deep copy; see the module docstring."""
        names = [
            "options", "num_players", "first", "types", "to_act", "phase", "turns",
            "objectives", "owners", "hands", "rows", "display", "deck", "discards",
            "acorns", "torii", "unused", "used", "extra_turns", "turn", "move", "draft", "log",
        ]  # fmt: skip
        return {name: copy.deepcopy(getattr(self, name)) for name in names}

    def knowledge(self, seat: int) -> dict[str, Any]:
        """What this seat knows with perfect memory; see the module docstring."""
        names = [
            "num_players", "first", "types", "to_act", "phase", "turns", "objectives",
            "owners", "rows", "display", "discards", "acorns", "torii", "unused", "used",
            "extra_turns", "turn", "move",
        ]  # fmt: skip
        view = {name: copy.deepcopy(getattr(self, name)) for name in names}
        view["seat"] = seat
        view["hand"] = list(self.hands[seat])
        view["hand_sizes"] = [len(hand) for hand in self.hands]
        view["deck_size"] = len(self.deck)
        for verb in ("collected", "played", "discarded"):
            view[verb] = [count_kinds(self._logged(verb, other)) for other in self._seats()]
        view["known"] = []
        view["known_by_totals"] = []
        for other in self._seats():
            if other == seat:
                view["known"].append(count_kinds(self.hands[seat]))
                view["known_by_totals"].append(count_kinds(self.hands[seat]))
            else:
                view["known"].append(self._known_cards(other))
                view["known_by_totals"].append(self._known_by_totals(other))
        view["unseen"] = self._unseen(seat, view["known"])
        view["draft"] = self._draft_knowledge(seat)
        return view

    def _logged(self, verb: str, seat: int) -> list[Card]:
        return [card for said, who, card in self.log if said == verb and who == seat]

    def _known_cards(self, other: int) -> dict[Card, int]:
        """What all at the table know to be in that hand: the public moves, one by one."""
        known: list[Card] = []
        for verb, who, card in self.log:
            if who != other:
                continue
            if verb == "collected":
                known.append(card)
            elif card in known:
                known.remove(card)  # else it was a card nobody else had seen
        return count_kinds(known)

    def _known_by_totals(self, other: int) -> dict[Card, int]:
        collected = self._logged("collected", other)
        gone = self._logged("played", other) + self._logged("discarded", other)
        known = {kind: collected.count(kind) - gone.count(kind) for kind in kinds(collected)}
        return {kind: count for kind, count in known.items() if count > 0}

    def _unseen(self, seat: int, known: list[dict[Card, int]]) -> dict[Card, int]:
        unseen = all_cards(self.types, self.options["corners"])
        located = self.hands[seat] + self.display + self.discards
        for row in self.rows:
            for pile in row:
                located = located + pile
        for other in self._seats():
            if other != seat:
                for kind, count in known[other].items():
                    located = located + [kind] * count
        for card in located:
            unseen.remove(card)
        return count_kinds(unseen)

    def _draft_knowledge(self, seat: int) -> dict[str, Any] | None:
        if self.draft is None:
            return None
        left = (seat + 1) % self.num_players
        seen: list[list[str] | None] = [None] * self.num_players
        seen[seat] = list(self.draft["passed"][seat])
        if self.draft["round"] == 2:
            seen[left] = list(self.draft["passed"][left])
        return {
            "round": self.draft["round"],
            "hand": list(self.draft["hands"][seat]),
            "pick": self.draft["picks"][seat],
            "has_picked": [pick is not None for pick in self.draft["picks"]],
            "seen": seen,
        }
