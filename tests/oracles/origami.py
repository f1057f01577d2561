"""Oracle for Origami: one table, plain Python, slow and obvious, from the rules page alone.

Authority: the rules of Origami, and the rules common to all games (seats, rewards).
Nothing here was taken from the fast core; the two are meant to be compared move by move.

CARDS. The card table is a list of dicts, one a kind, with the keys of
the components.toml of the game (name, family, copies, folds, cost, points, kind, effect, amount,
target). `amount` defaults to 1. A card is its name. "Rising kinds" means the order of the rows of
the card table; the same kind may follow itself. Card lists called "sorted" below are in that
order, with repeats. Cards are paid and taken by their folds. "Right" is seat - 1, "left" and
"clockwise" seat + 1, modulo the players.

DEAL (a dict): `num_players` int; `families` list of names; `start` the starting seat; `hands` one
list of names a seat; `line` list of 4 names; `deck` list of names, first = top.

CHANCE is a callable (kind, info). ("reshuffle", {"cards": sorted list}) returns these cards as the
new deck, first = top. ("steal", {"by": seat, "from": seat, "hand": sorted list}) returns one name
of the hand. Nothing else is random after the deal. Without one, `random.Random(seed)` is used.

WORDS AND PHASES. `legal()` returns the words below, sorted as strings. X is a card name, S an
absolute seat. A decision with a single legal word is asked like any other.

* "turn" (the seat whose turn it is): "draw", always; "play X" for each kind in hand whose cost can
  be paid exactly with the folds of other hand cards; "use X" for each name of a special card on
  top of one's two collections that is usable now: draw3_discard1 and draw1_play when a card can be
  drawn (deck or discards not empty); take1_play when the line is not empty; line when a card of
  the line fits; line_exact when some cards of the line make exactly the amount; play_free and
  play_discount when "play" would offer a card. What follows:
  draw: empty line: only refill, end of turn. Else "take" with 4 folds and at least one card.
  play X: X leaves the hand and lies apart (`playing`); "pay" with its cost, or at once "place"
    when nothing is to be paid.
  use of line: "take" with the amount, at least one card. use of line_exact: "take" exactly.
  use of draw3_discard1: draw up to three cards, which lie apart (`looked`); "look".
  use of play_free / play_discount: "extra play". use of take1_play: "take" one card of any size.
  use of draw1_play: draw one card, which lies open apart (`shown`); "extra play".
* "take": "take X" for each kind of the line that is not below the last kind taken and fits what is
  left of the folds (exactly: from which the amount can still be met; take1_play: any); "stop" when
  a card was taken already, and also before for instant effects (never for exact amounts and
  take1_play). A taken card goes to the hand at once. The taking ends after "stop"; by itself when
  no "take X" is left (nothing of a rising kind fits), and for take1_play after one card. Then the
  line is refilled to 4 after draw, line and take1_play, but not after line_exact and the taking of
  sweep_line, whose rows say no such thing; nor after an instant line "stopped" before the first
  card: that was its refusal. Then end of turn; take1_play: "extra play".
* "extra play" (play_free, play_discount, take1_play, draw1_play): "play X" for each kind in hand
  that can be paid: free; for the cost less the amount, not below 0; at its cost, and not the card
  just taken (so of its kind a second copy is needed; the taken card may pay); at its cost with the
  shown card in the payment (the cost is not below its folds; the rest is paid from hand). For
  take1_play and draw1_play also "no", which is asked even when nothing can be played. "play X"
  goes on like a play from "turn" with the other price; the shown card is discarded at once, as the
  first card of the payment (it has no place in the rising order of the rest), or at "no".
* "pay": "pay X" for each kind in hand not below the last kind paid after which the rest can still
  be paid exactly. Each goes to the discards at once. It ends by itself when all is paid. "place".
* "place": "to collection 0", "to collection 1": where the sizes then differ by at most one; with
  both empty only 0. The card is laid on top. Then its instant effect, if it has one that would do
  something (see USEFUL): "steal" for steal, "copy" for copy, "take" for line, else "instant"
  (place_under included: asked after the collection, and only when that one was not empty).
* "instant": "yes", "no". No: end of turn. Yes: place_under moves the card to the bottom. draw n,
  all_draw n (the player 2n, then clockwise each n), draw_sheep: draw; end of turn. draw_discard:
  draw, then "discard one" if the hand is not empty. sweep_line: the whole line to the discards,
  refill, then "take" with the amount (may stop at once; skipped when nothing fits).
  opponents_discard: "give up". pass_right: "pass".
* "copy": "copy E n" for each different (effect, amount) of the instant cards that are in the line
  or on top of any collection (after the copying card was laid), but copy and place_under, and
  useful now; "copy draw_sheep", "copy pass_right" have no n; and "no". It is carried out at once
  as after "yes"; for line "take" follows (stop allowed at once), for steal "steal" without "no".
* "steal": "steal from seat S" for each opponent with cards; "no". n random cards, while there are.
* "look": "discard X" for each kind looked at. The others go to the hand. End of turn.
* "discard one": "discard X" for each kind in hand. End of turn.
* "give up": each opponent with cards, clockwise from the left of the player whose turn it is: n
  times (or as many as are held) "discard X", rising kinds, only such that enough cards are left.
  The chosen cards stay in the hands until the last has chosen, then all are discarded together.
* "pass": each seat with cards, first the player whose turn it is, then clockwise: "pass X". The
  chosen cards stay in the hands until the last has chosen, then all go to the right together.
* "hand limit" (end of turn with more than 8 cards, not asked otherwise): "discard X", rising
  kinds, only such that enough cards are left, until there are 8. At once discarded.
* "over": legal() is empty, to_act is -1.

USEFUL (what would do nothing is not asked, nor offered by copy): draw, all_draw, draw_sheep: a
card can be drawn. draw_discard: that, or one's hand is not empty. line: a card of the line fits.
sweep_line: the line is not empty or a card can be drawn. steal, opponents_discard: an opponent has
cards. pass_right: anybody has cards. copy: an effect is offered. place_under: see "place".

DECK. When the last card leaves the deck, `emptyings` goes up by one and the discards become the
new deck at once. When a card is wanted from an empty deck, the discards become the deck and
nothing is counted. The cards `playing`, `shown` and `looked` are not among the discards.

STATE, `state()`: `num_players`, `families`, `start`; `turn` seat whose turn it is, `to_act` seat
that decides, `phase`; `hands` sorted lists; `line`, `discards` sorted; `deck` first = top;
`collections[seat][0 or 1]` lists, bottom first; `emptyings`; `final_round` bool; `turns` finished
turns a seat; `decisions`; `playing` name or None; `shown` name or None; `looked` sorted list;
`chosen` one list a seat, the secret choices of "give up" and "pass" in the order made (still in
the hands as well); `waiting` the seats yet to choose there, in order, the one to act first;
`pending` the details of the phase:
  take {"effect": "draw", "line", "line_exact", "sweep_line" or "take1_play", "left": folds left
    (None for take1_play), "exact": bool, "may_stop": bool, "last": name or None};
  extra play {"effect", "amount", "taken": name or None}; pay {"left": folds, "last": name or
    None};
  place {}; instant {"effect", "amount", "collection"}; copy {}; steal {"amount", "may_refuse"};
  give up {"amount"}; hand limit {"last"}; all others {};
and `known[observer][holder]`, a dict name -> lower bound (positive only) of what the observer
knows of the holder's hand; the entry of an observer about itself is {}.

KNOWLEDGE, `knowledge(seat)`: `seat`; all public keys with the values of the state (`num_players`,
`families`, `start`, `turn`, `to_act`, `phase`, `line`, `discards`, `collections`, `emptyings`,
`final_round`, `turns`, `playing`, `shown`, `waiting`, `pending`); `deck_size`; `hand_sizes` a seat
(secretly chosen cards still counted, looked at cards not); `looked_count`; `hand` own, sorted;
`known` a dict a seat, the lower bounds, for the own seat the exact hand; `chosen` the own secret
choice; `looked` the cards looked at, for the seat that looks, else []; `legal` the own legal
words, [] when another seat is to act. Seats are absolute. The bounds: dealt hands and cards taken
from the line raise a kind for every observer; cards played, paid and discarded from the hand lower
it (not below 0). Cards drawn change nothing, nor does the card of "look" that is discarded (it was
never in hand). A stolen or passed card: both sides of the exchange lower and raise exactly; every
other observer lowers all positive kinds of the loser by one. Of a passing all losses come before
all gains.

END. After the turn of the seat right of `start`: in the final round the game is over; else, with
two or more emptyings, the final round begins. A turn that starts with deck, discards and line
empty lifts `emptyings` to at least 2. `scores`, `winners`; `tie_break` is None (one best score),
"cards in hand" (those broke the tie for one winner) or "shared". Before the end: the scores so
far, all False, None.
"""

from __future__ import annotations

import copy as copying
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

LINE_SIZE = 4
DRAW_FOLDS = 4
HAND_LIMIT = 8
DEAL_FOLDS = 10

# Effects whose meaning has no number, so that `copy` does not tell them apart by one.
WITHOUT_AMOUNT = ("draw_sheep", "pass_right")
NOT_COPIED = ("copy", "place_under")

Chance = Callable[[str, dict], Any]


def random_deal(
    num_players: int,
    rng: random.Random,
    cards: list[dict],
    families: list[str] | None = None,
) -> dict:
    """Shuffles and deals one game.

    Args:
        num_players: 2 to 4.
        rng: Source of randomness.
        cards: The card table.
        families: The families in play; drawn when None.

    Returns:
        The deal, as described in the module docstring.
    """
    folds = {row["name"]: row["folds"] for row in cards}
    if families is None:
        all_families = list(dict.fromkeys(row["family"] for row in cards))
        families = rng.sample(all_families, num_players)
    if len(set(families)) != num_players:
        raise ValueError("as many different families as players are needed")
    deck = [row["name"] for row in cards if row["family"] in families for _ in range(row["copies"])]
    rng.shuffle(deck)
    hands: list[list[str]] = []
    for _ in range(num_players):
        hand: list[str] = []
        while sum(folds[name] for name in hand) < DEAL_FOLDS:
            hand.append(deck.pop(0))
        hands.append(hand)
    line = [deck.pop(0) for _ in range(LINE_SIZE)]
    totals = [sum(folds[name] for name in hand) for hand in hands]
    start = rng.choice([seat for seat in range(num_players) if totals[seat] == min(totals)])
    return {
        "num_players": num_players,
        "families": list(families),
        "start": start,
        "hands": hands,
        "line": line,
        "deck": deck,
    }


def can_total(folds: list[int], amount: int) -> bool:
    """Tells whether some of these cards total exactly the amount (none of them: 0)."""
    totals = {0}
    for number in folds:
        totals |= {total + number for total in totals}
    return amount in totals


class OrigamiOracle:
    """One game of Origami; the module docstring describes every word and format.

    Attributes:
        to_act: The absolute seat that decides next, -1 when the game is over.
        phase: What is being decided.
        done: True when the game is over.
    """

    def __init__(
        self, deal: dict, cards: list[dict], chance: Chance | None = None, **options: Any
    ) -> None:
        """Sets up the table from a complete deal.

        Args:
            deal: The hidden initial state, see the module docstring.
            cards: The card table, a list of rows.
            chance: Gives the results of random events during the game.
            **options: `seed` (0) for the built-in chance. `reward_scale` (1.0) for "margin" and
                "score". And four places where the page can be read in two ways, to try the other:
                `refill_after_exact_and_sweep` (False): the line is also refilled after line_exact
                and after the taking of sweep_line, although their rows do not say so.
                `copied_line_may_stop` (True): a copied line may take nothing.
                `copied_steal_may_refuse` (False): "no" is offered after copying steal.
                `ask_when_no_play` (True): take1_play and draw1_play ask even if only "no" is left.
        """
        self._set_table(cards, chance, options)
        self.num_players: int = deal["num_players"]
        self.families: list[str] = list(deal["families"])
        self.start: int = deal["start"]
        self.hands: list[list[str]] = [self._sorted(hand) for hand in deal["hands"]]
        self.line: list[str] = self._sorted(deal["line"])
        self.deck: list[str] = list(deal["deck"])
        self.discards: list[str] = []
        self.collections: list[list[list[str]]] = [[[], []] for _ in range(self.num_players)]
        self.emptyings = 0
        self.final_round = False
        self.turns = [0] * self.num_players
        self.decisions = 0
        self.turn = self.start
        # Dealt hands lie face up first, so everybody starts by knowing them.
        self.known: list[list[dict[str, int]]] = [
            [
                {} if holder == observer else dict(Counter(self.hands[holder]))
                for holder in range(self.num_players)
            ]
            for observer in range(self.num_players)
        ]
        self._clear_apart()
        self._ask("turn", self.turn)

    def _set_table(self, cards: list[dict], chance: Chance | None, options: dict) -> None:
        """Keeps the card table, the source of chance and the options."""
        self.cards: dict[str, dict] = {row["name"]: {"amount": 1, **row} for row in cards}
        self.order: dict[str, int] = {row["name"]: index for index, row in enumerate(cards)}
        self.options: dict[str, Any] = {
            "seed": 0,
            "reward_scale": 1.0,
            "refill_after_exact_and_sweep": False,
            "copied_line_may_stop": True,
            "copied_steal_may_refuse": False,
            "ask_when_no_play": True,
        }
        for name in options:
            if name not in self.options:
                raise TypeError(f"unknown option {name!r}")
        self.options.update(options)
        self._rng = random.Random(self.options["seed"])
        self.chance: Chance = chance if chance is not None else self._own_chance

    def _clear_apart(self) -> None:
        """Nothing lies apart and nothing was chosen secretly."""
        self.playing: str | None = None
        self.shown: str | None = None
        self.looked: list[str] = []
        self.chosen: list[list[str]] = [[] for _ in range(self.num_players)]
        self.waiting: list[int] = []

    def _own_chance(self, kind: str, info: dict) -> Any:
        """The chance used when the caller gave none."""
        if kind == "reshuffle":
            cards = list(info["cards"])
            self._rng.shuffle(cards)
            return cards
        return self._rng.choice(info["hand"])

    @classmethod
    def position(
        cls,
        cards: list[dict],
        hands: list[list[str]],
        line: list[str] | None = None,
        deck: list[str] | None = None,
        discards: list[str] | None = None,
        collections: list[list[list[str]]] | None = None,
        start: int = 0,
        turn: int = 0,
        emptyings: int = 0,
        final_round: bool = False,
        known: list[list[dict[str, int]]] | None = None,
        chance: Chance | None = None,
        **options: Any,
    ) -> OrigamiOracle:
        """Sets up any position at the start of a turn; it need not hold all cards.

        Args:
            cards: The card table.
            hands: One list a seat.
            line: The Draw Line, empty when None.
            deck: First = top, empty when None.
            discards: Empty when None.
            collections: Two lists a seat, bottom first, empty when None.
            start: The starting seat.
            turn: The seat whose turn begins.
            emptyings: How often the deck was emptied.
            final_round: Whether the last round is being played.
            known: The lower bounds, nothing known when None.
            chance: As in the constructor.
            **options: As in the constructor.

        Returns:
            The game, `turn` being asked for its turn.
        """
        players = len(hands)
        deal = {
            "num_players": players,
            "families": sorted({row["family"] for row in cards}),
            "start": start,
            "hands": hands,
            "line": line or [],
            "deck": deck or [],
        }
        game = cls(deal, cards, chance, **options)
        game.discards = game._sorted(discards or [])
        if collections is not None:
            game.collections = copying.deepcopy(collections)
        game.emptyings = emptyings
        game.final_round = final_round
        game.known = copying.deepcopy(known) or [[{} for _ in hands] for _ in hands]
        game._begin_turn(turn)
        return game

    # ------------------------------------------------------------------ small helpers

    def _sorted(self, names: list[str]) -> list[str]:
        """Sorts cards by their kind, that is by their row in the table."""
        return sorted(names, key=lambda name: self.order[name])

    def _folds(self, names: list[str]) -> list[int]:
        return [self.cards[name]["folds"] for name in names]

    def _effect(self, name: str) -> tuple[str, int]:
        return self.cards[name]["effect"], self.cards[name]["amount"]

    def _ask(self, phase: str, seat: int, **pending: Any) -> None:
        """The next decision is of this phase and seat."""
        self.phase = phase
        self.to_act = seat
        self.pending: dict[str, Any] = pending

    def _clockwise_from(self, seat: int) -> list[int]:
        """All seats, this one first."""
        return [(seat + step) % self.num_players for step in range(self.num_players)]

    def _opponents(self) -> list[int]:
        """The opponents of the player whose turn it is, clockwise from the left."""
        return self._clockwise_from(self.turn)[1:]

    def _not_below(self, names: list[str], last: str | None) -> list[str]:
        """The cards of rising kinds: those of the last kind or of a later one."""
        if last is None:
            return list(names)
        return [name for name in names if self.order[name] >= self.order[last]]

    @staticmethod
    def _without(names: list[str], *gone: str) -> list[str]:
        """A copy of the list, with one copy less of each card named."""
        rest = list(names)
        for name in gone:
            rest.remove(name)
        return rest

    def _exact_steps(self, names: list[str], last: str | None, amount: int) -> list[str]:
        """Kinds to take or pay next, in rising kinds, so that the amount can still be met."""
        offered = []
        for name in dict.fromkeys(self._not_below(names, last)):
            rest = self._not_below(self._without(names, name), name)
            left = amount - self.cards[name]["folds"]
            if left >= 0 and can_total(self._folds(rest), left):
                offered.append(name)
        return offered

    def _counted_steps(self, names: list[str], last: str | None, number: int) -> list[str]:
        """Kinds to discard next, in rising kinds, so that `number` cards can be discarded."""
        return [
            name
            for name in dict.fromkeys(self._not_below(names, last))
            if len(self._not_below(names, name)) >= number
        ]

    # ------------------------------------------------------------------ what may be known

    def _public_gain(self, holder: int, name: str) -> None:
        """Everybody saw this card come into the hand."""
        for observer in range(self.num_players):
            if observer != holder:
                self._raise_bound(observer, holder, name)

    def _public_loss(self, holder: int, name: str) -> None:
        """Everybody saw this card leave the hand."""
        for observer in range(self.num_players):
            if observer != holder:
                self._lower_bound(observer, holder, name)

    def _hidden_loss(self, holder: int, name: str, receiver: int) -> None:
        """A card left the hand; only its receiver saw which."""
        for observer in range(self.num_players):
            if observer == holder:
                continue
            if observer == receiver:
                self._lower_bound(observer, holder, name)
            else:
                # It may have been any of the known ones.
                for possible in list(self.known[observer][holder]):
                    self._lower_bound(observer, holder, possible)

    def _raise_bound(self, observer: int, holder: int, name: str) -> None:
        bounds = self.known[observer][holder]
        bounds[name] = bounds.get(name, 0) + 1

    def _lower_bound(self, observer: int, holder: int, name: str) -> None:
        bounds = self.known[observer][holder]
        if bounds.get(name, 0) > 1:
            bounds[name] -= 1
        else:
            bounds.pop(name, None)

    # ------------------------------------------------------------------ moving cards

    def _into_hand(self, seat: int, name: str) -> None:
        self.hands[seat] = self._sorted([*self.hands[seat], name])

    def _discard(self, name: str) -> None:
        self.discards = self._sorted([*self.discards, name])

    def _discard_from_hand(self, seat: int, name: str) -> None:
        """Openly discards (or pays) a card of the hand."""
        self.hands[seat].remove(name)
        self._public_loss(seat, name)
        self._discard(name)

    def _can_draw(self) -> bool:
        return bool(self.deck or self.discards)

    def _reshuffle(self) -> None:
        """The discards become the deck."""
        cards = self.discards
        order = list(self.chance("reshuffle", {"cards": list(cards)}))
        if Counter(order) != Counter(cards):
            raise ValueError("the new deck is not made of the discards")
        self.discards = []
        self.deck = order

    def _from_deck(self) -> str | None:
        """Takes the top card off the deck, None when there is no card at all."""
        if not self.deck:
            if not self.discards:
                return None
            # Its emptying was counted when the last card left; forming it anew is not another.
            self._reshuffle()
        name = self.deck.pop(0)
        if not self.deck:
            self.emptyings += 1
            if self.discards:
                self._reshuffle()
        return name

    def _draw(self, seat: int, number: int) -> None:
        """Draws secretly from the deck, as many as there are."""
        for _ in range(number):
            name = self._from_deck()
            if name is None:
                return
            self._into_hand(seat, name)

    def _refill(self) -> None:
        while len(self.line) < LINE_SIZE:
            name = self._from_deck()
            if name is None:
                return
            self.line = self._sorted([*self.line, name])

    # ------------------------------------------------------------------ what may be decided

    def legal(self) -> list[str]:
        """Returns every legal word once, sorted."""
        return sorted(self._words())

    def _words(self) -> list[str]:
        hand = self.hands[self.to_act] if self.to_act >= 0 else []
        if self.phase == "turn":
            plays = [f"play {name}" for name in self._playable("turn", 0, None)]
            return ["draw", *plays, *[f"use {name}" for name in self._usable_tops()]]
        if self.phase == "take":
            takes = [f"take {name}" for name in self._takeable()]
            return [*takes, "stop"] if self.pending["may_stop"] else takes
        if self.phase == "extra play":
            effect = self.pending["effect"]
            plays = self._playable(effect, self.pending["amount"], self.pending["taken"])
            may_refuse = effect in ("take1_play", "draw1_play")
            return [f"play {name}" for name in plays] + (["no"] if may_refuse else [])
        if self.phase == "pay":
            steps = self._exact_steps(hand, self.pending["last"], self.pending["left"])
            return [f"pay {name}" for name in steps]
        if self.phase == "place":
            return [f"to collection {index}" for index in self._places(self.to_act)]
        if self.phase == "instant":
            return ["yes", "no"]
        if self.phase == "copy":
            return [*self._copyable(), "no"]
        if self.phase == "steal":
            seats = [seat for seat in self._opponents() if self.hands[seat]]
            words = [f"steal from seat {seat}" for seat in seats]
            return [*words, "no"] if self.pending["may_refuse"] else words
        if self.phase == "look":
            return [f"discard {name}" for name in dict.fromkeys(self.looked)]
        if self.phase == "discard one":
            return [f"discard {name}" for name in dict.fromkeys(hand)]
        if self.phase == "give up":
            chosen = self.chosen[self.to_act]
            rest = self._without(hand, *chosen)
            last = chosen[-1] if chosen else None
            number = self._number_to_give_up(self.to_act) - len(chosen)
            return [f"discard {name}" for name in self._counted_steps(rest, last, number)]
        if self.phase == "pass":
            return [f"pass {name}" for name in dict.fromkeys(hand)]
        if self.phase == "hand limit":
            number = len(hand) - HAND_LIMIT
            steps = self._counted_steps(hand, self.pending["last"], number)
            return [f"discard {name}" for name in steps]
        return []  # over

    def _price(self, name: str, effect: str, amount: int) -> int:
        """Folds to be paid from hand for this card, below 0 when it cannot be played at all."""
        cost = self.cards[name]["cost"]
        if effect == "play_free":
            return 0
        if effect == "play_discount":
            return max(0, cost - amount)
        if effect == "draw1_play" and self.shown is not None:
            # The shown card must be in the payment, which must be exact.
            return cost - self.cards[self.shown]["folds"]
        return cost

    def _playable(self, effect: str, amount: int, taken: str | None) -> list[str]:
        """Kinds in the hand of the player whose turn it is that can be played and paid for."""
        hand = self.hands[self.turn]
        # The card just taken may pay but not be played.
        candidates = hand if taken is None else self._without(hand, taken)
        playable = []
        for name in dict.fromkeys(candidates):
            price = self._price(name, effect, amount)
            if price >= 0 and can_total(self._folds(self._without(hand, name)), price):
                playable.append(name)
        return playable

    def _usable_tops(self) -> list[str]:
        """Names of one's top cards whose special action can be used now."""
        tops = [pile[-1] for pile in self.collections[self.turn] if pile]
        return [
            name
            for name in dict.fromkeys(tops)
            if self.cards[name]["kind"] == "special" and self._is_usable(*self._effect(name))
        ]

    def _is_usable(self, effect: str, amount: int) -> bool:
        """Tells whether a special action can be used."""
        if effect in ("draw3_discard1", "draw1_play"):
            return self._can_draw()
        if effect == "take1_play":
            return bool(self.line)
        if effect == "line":
            return any(folds <= amount for folds in self._folds(self.line))
        if effect == "line_exact":
            return amount > 0 and can_total(self._folds(self.line), amount)
        if effect in ("play_free", "play_discount"):
            return bool(self._playable(effect, amount, None))
        raise ValueError(f"{effect!r} is no special action")

    def _takeable(self) -> list[str]:
        """Kinds of the line that may be taken next."""
        left = self.pending["left"]
        last = self.pending["last"]
        if self.pending["effect"] == "take1_play":
            return list(dict.fromkeys(self.line))
        if self.pending["exact"]:
            return self._exact_steps(self.line, last, left)
        rising = dict.fromkeys(self._not_below(self.line, last))
        return [name for name in rising if self.cards[name]["folds"] <= left]

    def _places(self, seat: int) -> list[int]:
        """Collections a card may be added to."""
        sizes = [len(pile) for pile in self.collections[seat]]
        if sizes == [0, 0]:
            return [0]
        return [index for index in (0, 1) if sizes[index] + 1 - sizes[1 - index] <= 1]

    def _copyable(self) -> list[str]:
        """The words for the different effects that can be copied now."""
        visible = list(self.line)
        for piles in self.collections:
            visible += [pile[-1] for pile in piles if pile]
        words = []
        for name in visible:
            effect, amount = self._effect(name)
            if self.cards[name]["kind"] != "instant" or effect in NOT_COPIED:
                continue
            if not self._is_useful(effect, amount):
                continue
            word = f"copy {effect}" if effect in WITHOUT_AMOUNT else f"copy {effect} {amount}"
            if word not in words:
                words.append(word)
        return words

    def _is_useful(self, effect: str, amount: int) -> bool:
        """Tells whether an instant effect would do something now."""
        hands = self.hands
        if effect in ("draw", "all_draw"):
            return amount > 0 and self._can_draw()
        if effect == "draw_sheep":
            return self._can_draw()
        if effect == "draw_discard":
            return self._can_draw() or bool(hands[self.turn])
        if effect == "line":
            return any(folds <= amount for folds in self._folds(self.line))
        if effect == "sweep_line":
            return bool(self.line) or self._can_draw()
        if effect in ("steal", "opponents_discard"):
            return amount > 0 and any(hands[seat] for seat in self._opponents())
        if effect == "pass_right":
            return any(hands)
        if effect == "copy":
            return bool(self._copyable())
        raise ValueError(f"{effect!r} is no instant effect")

    def _number_to_give_up(self, seat: int) -> int:
        return min(self.pending["amount"], len(self.hands[seat]))

    # ------------------------------------------------------------------ carrying out

    def step(self, action: str) -> None:
        """Carries out one decision of the seat to act.

        Args:
            action: One of the words of `legal()`.

        Raises:
            ValueError: When it is not legal now.
        """
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal in phase {self.phase!r}: {self.legal()}")
        self.decisions += 1
        verb, _, rest = action.partition(" ")
        if self.phase in ("turn", "extra play"):
            self._do_turn(verb, rest)
        elif self.phase == "take":
            self._do_take(verb, rest)
        elif self.phase == "pay":
            self._do_pay(rest)
        elif self.phase == "place":
            self._do_place(int(rest[-1]))
        elif self.phase == "instant":
            self._do_instant(verb)
        elif self.phase == "copy":
            self._do_copy(rest)
        elif self.phase == "steal":
            self._do_steal(verb, rest)
        elif self.phase == "look":
            self._do_look(rest)
        elif self.phase == "discard one":
            self._discard_from_hand(self.turn, rest)
            self._end_turn()
        elif self.phase == "give up":
            self._do_give_up(rest)
        elif self.phase == "pass":
            self._do_pass(rest)
        elif self.phase == "hand limit":
            self._discard_from_hand(self.turn, rest)
            self._check_hand_limit(last=rest)

    def _do_turn(self, verb: str, name: str) -> None:
        """Draw, play, use, or no to an extra play."""
        if verb == "draw":
            if self.line:
                self._start_taking("draw", DRAW_FOLDS, may_stop=False)
            else:
                self._refill()
                self._end_turn()
        elif verb == "play":
            effect = self.pending.get("effect", "turn")
            self._play(name, self._price(name, effect, self.pending.get("amount", 0)))
        elif verb == "use":
            self._use(*self._effect(name))
        else:  # no
            self._discard_shown()
            self._end_turn()

    def _play(self, name: str, price: int) -> None:
        """Lays the card apart and asks for its payment."""
        self.hands[self.turn].remove(name)
        self._public_loss(self.turn, name)
        self.playing = name
        self._discard_shown()  # it is part of the payment
        self._pay_or_place(price, None)

    def _pay_or_place(self, left: int, last: str | None) -> None:
        if left > 0:
            self._ask("pay", self.turn, left=left, last=last)
        else:
            self._ask("place", self.turn)

    def _do_pay(self, name: str) -> None:
        self._discard_from_hand(self.turn, name)
        self._pay_or_place(self.pending["left"] - self.cards[name]["folds"], name)

    def _do_place(self, index: int) -> None:
        """Lays the card on top of a collection; then its instant effect."""
        name = self.playing
        assert name is not None
        pile = self.collections[self.turn][index]
        covered = bool(pile)
        pile.append(name)
        self.playing = None
        effect, amount = self._effect(name)
        if self.cards[name]["kind"] != "instant":
            self._end_turn()
        elif effect == "place_under":
            if covered:
                self._ask("instant", self.turn, effect=effect, amount=amount, collection=index)
            else:
                self._end_turn()
        elif not self._is_useful(effect, amount):
            self._end_turn()
        elif effect == "line":
            self._start_taking("line", amount, may_stop=True)
        elif effect == "steal":
            self._ask("steal", self.turn, amount=amount, may_refuse=True)
        elif effect == "copy":
            self._ask("copy", self.turn)
        else:
            self._ask("instant", self.turn, effect=effect, amount=amount, collection=index)

    def _do_instant(self, verb: str) -> None:
        if verb == "no":
            self._end_turn()
        elif self.pending["effect"] == "place_under":
            pile = self.collections[self.turn][self.pending["collection"]]
            pile.insert(0, pile.pop())
            self._end_turn()
        else:
            self._carry_out(self.pending["effect"], self.pending["amount"])

    def _do_copy(self, rest: str) -> None:
        """Carries out the copied effect, without another question."""
        if not rest:  # no
            self._end_turn()
            return
        effect, _, number = rest.partition(" ")
        amount = int(number) if number else 1
        if effect == "line":
            self._start_taking("line", amount, may_stop=self.options["copied_line_may_stop"])
        elif effect == "steal":
            may_refuse = self.options["copied_steal_may_refuse"]
            self._ask("steal", self.turn, amount=amount, may_refuse=may_refuse)
        else:
            self._carry_out(effect, amount)

    def _carry_out(self, effect: str, amount: int) -> None:
        """An instant effect to which the player said yes."""
        player = self.turn
        if effect == "draw":
            self._draw(player, amount)
            self._end_turn()
        elif effect == "all_draw":
            self._draw(player, 2 * amount)
            for seat in self._opponents():
                self._draw(seat, amount)
            self._end_turn()
        elif effect == "draw_sheep":
            piles = [pile for both in self.collections for pile in both]
            sheep = sum(pile.count("Sheep") for pile in [*piles, self.line])
            self._draw(player, 1 + sheep)
            self._end_turn()
        elif effect == "draw_discard":
            self._draw(player, amount)
            if self.hands[player]:
                self._ask("discard one", player)
            else:
                self._end_turn()
        elif effect == "sweep_line":
            for name in self.line:
                self._discard(name)
            self.line = []
            self._refill()
            self._start_taking("sweep_line", amount, may_stop=True)
        elif effect == "opponents_discard":
            self.waiting = [seat for seat in self._opponents() if self.hands[seat]]
            self._ask("give up", self.waiting[0], amount=amount)
        elif effect == "pass_right":
            self.waiting = [seat for seat in self._clockwise_from(player) if self.hands[seat]]
            self._ask("pass", self.waiting[0])
        else:
            raise ValueError(f"{effect!r} is no instant effect")

    def _use(self, effect: str, amount: int) -> None:
        """A special action."""
        player = self.turn
        if effect == "line":
            self._start_taking("line", amount, may_stop=False)
        elif effect == "line_exact":
            self._start_taking("line_exact", amount, may_stop=False, exact=True)
        elif effect == "take1_play":
            self._start_taking("take1_play", None, may_stop=False)
        elif effect == "draw3_discard1":
            for _ in range(3):
                name = self._from_deck()
                if name is not None:
                    self.looked = self._sorted([*self.looked, name])
            self._ask("look", player)
        elif effect == "draw1_play":
            self.shown = self._from_deck()
            self._offer_play(effect, amount, taken=None)
        else:  # play_free, play_discount: used only when a play is possible
            self._ask("extra play", player, effect=effect, amount=amount, taken=None)

    def _offer_play(self, effect: str, amount: int, taken: str | None) -> None:
        """The player may play an Origami after take1_play or draw1_play."""
        if self._playable(effect, amount, taken) or self.options["ask_when_no_play"]:
            self._ask("extra play", self.turn, effect=effect, amount=amount, taken=taken)
        else:
            self._discard_shown()
            self._end_turn()

    def _discard_shown(self) -> None:
        if self.shown is not None:
            self._discard(self.shown)
            self.shown = None

    def _do_look(self, name: str) -> None:
        """Discards one of the cards looked at and keeps the others."""
        self.looked.remove(name)
        self._discard(name)
        for kept in self.looked:
            self._into_hand(self.turn, kept)
        self.looked = []
        self._end_turn()

    # ---- taking from the line

    def _start_taking(
        self, effect: str, left: int | None, may_stop: bool, exact: bool = False
    ) -> None:
        self._ask(
            "take",
            self.turn,
            effect=effect,
            left=left,
            exact=exact,
            may_stop=may_stop,
            last=None,
        )
        if not self._takeable():
            self._end_taking()

    def _do_take(self, verb: str, name: str) -> None:
        if verb == "stop":
            self._end_taking()
            return
        self.line.remove(name)
        self._into_hand(self.turn, name)
        self._public_gain(self.turn, name)
        self.pending["last"] = name
        if self.pending["effect"] == "take1_play":
            self._end_taking()
            return
        self.pending["left"] -= self.cards[name]["folds"]
        # Exact amounts stop by themselves only; all others may stop after the first card.
        self.pending["may_stop"] = not self.pending["exact"]
        if not self._takeable():
            self._end_taking()

    def _end_taking(self) -> None:
        """Refills the line, before any playing."""
        effect, last = self.pending["effect"], self.pending["last"]
        if effect == "take1_play":
            self._refill()
            self._offer_play(effect, 1, taken=last)
            return
        refused = effect == "line" and last is None
        says_so = effect in ("draw", "line") or self.options["refill_after_exact_and_sweep"]
        if says_so and not refused:
            self._refill()
        self._end_turn()

    # ---- exchanges with other seats

    def _do_steal(self, verb: str, rest: str) -> None:
        if verb == "steal":
            victim = int(rest.split(" ")[-1])
            for _ in range(self.pending["amount"]):
                if self.hands[victim]:
                    self._steal_one(victim)
        self._end_turn()

    def _steal_one(self, victim: int) -> None:
        hand = list(self.hands[victim])
        name = self.chance("steal", {"by": self.turn, "from": victim, "hand": hand})
        if name not in hand:
            raise ValueError(f"{name!r} cannot be stolen from {hand}")
        self._hidden_loss(victim, name, receiver=self.turn)
        self.hands[victim].remove(name)
        self._into_hand(self.turn, name)
        self._raise_bound(victim, self.turn, name)

    def _do_give_up(self, name: str) -> None:
        seat = self.to_act
        self.chosen[seat].append(name)
        if len(self.chosen[seat]) < self._number_to_give_up(seat):
            return
        self.waiting.pop(0)
        if self.waiting:
            self.to_act = self.waiting[0]
            return
        for seat in self._opponents():
            for card in self.chosen[seat]:
                self._discard_from_hand(seat, card)
        self.chosen = [[] for _ in range(self.num_players)]
        self._end_turn()

    def _do_pass(self, name: str) -> None:
        self.chosen[self.to_act].append(name)
        self.waiting.pop(0)
        if self.waiting:
            self.to_act = self.waiting[0]
            return
        # All at once: every hand loses its card before any hand receives one.
        gifts = [
            (giver, (giver - 1) % self.num_players, self.chosen[giver][0])
            for giver in range(self.num_players)
            if self.chosen[giver]
        ]
        for giver, receiver, card in gifts:
            self.hands[giver].remove(card)
            self._hidden_loss(giver, card, receiver)
        for giver, receiver, card in gifts:
            self._into_hand(receiver, card)
            self._raise_bound(giver, receiver, card)
        self.chosen = [[] for _ in range(self.num_players)]
        self._end_turn()

    # ------------------------------------------------------------------ turns and the end

    def _end_turn(self) -> None:
        self._check_hand_limit(last=None)

    def _check_hand_limit(self, last: str | None) -> None:
        if len(self.hands[self.turn]) > HAND_LIMIT:
            self._ask("hand limit", self.turn, last=last)
        else:
            self._next_turn()

    def _next_turn(self) -> None:
        self.turns[self.turn] += 1
        right_of_start = (self.start - 1) % self.num_players
        if self.turn == right_of_start:
            if self.final_round:
                self._ask("over", -1)
                return
            if self.emptyings >= 2:
                self.final_round = True
        self._begin_turn((self.turn + 1) % self.num_players)

    def _begin_turn(self, seat: int) -> None:
        self.turn = seat
        if not self.deck and not self.discards and not self.line:
            self.emptyings = max(self.emptyings, 2)
        self._ask("turn", seat)

    # ------------------------------------------------------------------ scoring

    @property
    def done(self) -> bool:
        """True when the game is over."""
        return self.phase == "over"

    def score(self, seat: int) -> int:
        """Points of a seat's collections as they lie now."""
        piles = self.collections[seat]
        names = piles[0] + piles[1]
        total = 0
        for pile in piles:
            for name in pile:
                total += self.cards[name]["points"]
                if self.cards[name]["kind"] == "scoring":
                    total += self._bonus(name, pile, names, len(self.hands[seat]))
        return total

    def _bonus(self, name: str, pile: list[str], names: list[str], hand_size: int) -> int:
        """Points of one scoring card.

        Args:
            name: The scoring card.
            pile: The collection it is in.
            names: All cards of both collections.
            hand_size: Cards left in hand.

        Returns:
            The points of its effect, without its own points.
        """
        effect, amount = self._effect(name)
        family = self.cards[name]["family"]
        if effect == "half_hand":
            return amount * (hand_size // 2)
        if effect == "per_name":
            return amount * names.count(self.cards[name]["target"])
        if effect == "pair_in_collection":
            return amount if pile.count(name) >= 2 else 0
        if effect == "trio_by_name":
            return amount if names.count(name) >= 3 else 0
        same_family = sum(self.cards[other]["family"] == family for other in pile)
        if effect == "per_family_all":
            return amount * same_family
        if effect == "per_family_others":
            return amount * (same_family - 1)
        raise ValueError(f"{effect!r} is no scoring effect")

    @property
    def scores(self) -> list[int]:
        """The points of every seat."""
        return [self.score(seat) for seat in range(self.num_players)]

    def _best_seats(self) -> list[int]:
        """The seats with the best score, before the tie is broken."""
        scores = self.scores
        return [seat for seat in range(self.num_players) if scores[seat] == max(scores)]

    @property
    def winners(self) -> list[bool]:
        """Who wins: best score, then most cards in hand, then shared. All False before the end."""
        if not self.done:
            return [False] * self.num_players
        best = self._best_seats()
        most = max(len(self.hands[seat]) for seat in best)
        return [seat in best and len(self.hands[seat]) == most for seat in range(self.num_players)]

    @property
    def tie_break(self) -> str | None:
        """What broke a tie: None, "cards in hand" or "shared"."""
        if not self.done or len(self._best_seats()) == 1:
            return None
        return "cards in hand" if sum(self.winners) == 1 else "shared"

    def rewards(self, kind: str = "win") -> list[float]:
        """Final rewards of all seats, zeros before the end.

        Args:
            kind: "win", "margin" or "score"; the last two are divided by the option `reward_scale`.

        Returns:
            One number a seat.
        """
        players = self.num_players
        if kind not in ("win", "margin", "score"):
            raise ValueError(f"unknown reward {kind!r}")
        if not self.done:
            return [0.0] * players
        scores, scale = self.scores, self.options["reward_scale"]
        if kind == "score":
            return [score / scale for score in scores]
        if kind == "margin":
            rewards = []
            for seat in range(players):
                best_other = max(scores[other] for other in range(players) if other != seat)
                rewards.append((scores[seat] - best_other) / scale)
            return rewards
        winners = self.winners
        sharing = sum(winners)
        if sharing == players:
            return [0.0] * players
        prize = (players - sharing) / (sharing * (players - 1))
        return [prize if winner else -1 / (players - 1) for winner in winners]

    # ------------------------------------------------------------------ looking at the table

    def state(self) -> dict:
        """Returns the complete state in plain Python, see the module docstring."""
        state = {
            "num_players": self.num_players,
            "families": self.families,
            "start": self.start,
            "turn": self.turn,
            "to_act": self.to_act,
            "phase": self.phase,
            "hands": self.hands,
            "line": self.line,
            "deck": self.deck,
            "discards": self.discards,
            "collections": self.collections,
            "emptyings": self.emptyings,
            "final_round": self.final_round,
            "turns": self.turns,
            "decisions": self.decisions,
            "playing": self.playing,
            "shown": self.shown,
            "looked": self.looked,
            "chosen": self.chosen,
            "waiting": self.waiting,
            "pending": self.pending,
            "known": self.known,
        }
        return copying.deepcopy(state)

    def knowledge(self, seat: int) -> dict:
        """Returns what this seat may know now, see the module docstring."""
        known = [
            dict(Counter(self.hands[seat])) if holder == seat else self.known[seat][holder]
            for holder in range(self.num_players)
        ]
        knowledge = {
            "seat": seat,
            "num_players": self.num_players,
            "families": self.families,
            "start": self.start,
            "turn": self.turn,
            "to_act": self.to_act,
            "phase": self.phase,
            "line": self.line,
            "discards": self.discards,
            "collections": self.collections,
            "emptyings": self.emptyings,
            "final_round": self.final_round,
            "turns": self.turns,
            "playing": self.playing,
            "shown": self.shown,
            "waiting": self.waiting,
            "pending": self.pending,
            "deck_size": len(self.deck),
            "hand_sizes": [len(hand) for hand in self.hands],
            "looked_count": len(self.looked),
            "hand": self.hands[seat],
            "known": known,
            "chosen": self.chosen[seat],
            "looked": self.looked if seat == self.turn else [],
            "legal": self.legal() if seat == self.to_act else [],
        }
        return copying.deepcopy(knowledge)

    def census(self) -> list[tuple[str, str]]:
        """Returns a (card, place) pair for every card, sorted: each card is in one place."""
        places: list[tuple[str, list[str]]] = [
            ("line", self.line),
            ("deck", self.deck),
            ("discards", self.discards),
            ("looked", self.looked),
            ("playing", [self.playing] if self.playing is not None else []),
            ("shown", [self.shown] if self.shown is not None else []),
        ]
        for seat in range(self.num_players):
            places.append((f"hand {seat}", self.hands[seat]))
            for index in (0, 1):
                places.append((f"collection {seat}.{index}", self.collections[seat][index]))
        return sorted((name, place) for place, names in places for name in names)
