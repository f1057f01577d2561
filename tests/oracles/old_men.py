"""A slow and obvious oracle for Old Men of the Forest, one table at a time.

Written only from the rules page `old_men.md` (and the README beside it), to be held beside that
page and to check a fast core move by move. It favours the plain reading over speed everywhere.

Words
=====
Seats are absolute, 0 to num_players - 1, clockwise; "left" is seat + 1. All counters start from 0.

Card: the string "<suit> <rank>": "dollar 7". The suits are dollar, vehicle, banana, forest and
    deforestation, the ranks 1 to 10. Wherever a list of cards has no order of its own it is sorted
    by suit (in the order just given), then by rank.
Ape: an int, its index in the list `apes` of {"value": int, "cost": {suit: count}}: the ape's *id*.
    Two apes with the same value and the same cost (zero counts and any other keys ignored) cannot
    be told apart at the table; the *kind* of an ape is the lowest id of an ape equal to it.
    `state()` and `census()` speak of ids, `knowledge()` only of kinds.
    `house_apes()` is the house deck: ids 0-7 the babies (3 points), two per suit in the order
    dollar, vehicle, banana, forest; 8-11 worth 7: dollar+vehicle, vehicle+banana, banana+forest,
    forest+dollar; 12-15 worth 12, leaving out dollar, vehicle, banana, forest in this order.

Actions (strings):
    "play dollar 7"   phase "play": put this card of the own hand into the trick
    "claim dollar 7"  phase "claim": take this card of the trick, which another seat played
    "cash slot 2"     phase "cash": take the ape in slot 2 of the display, all cards won so far
                      leaving the won pile (the cost to the discard, the rest under the ape)
    "pass"            phase "cash": take no ape

`legal()` gives them in Python string order ("play dollar 10" before "play dollar 2", "cash ..."
before "pass"); it is empty when the match is over, and never before. Of equal apes on display only
the lowest slot is offered.

Order of one trick: every seat plays once from the leader on, then claim 1, cash 1, claim 2,
cash 2: always 7 (3 players) or 8 (4 players) decisions. The phase is "play", "claim", "cash" or, at
the end of the match, "done"; `to_act` is then -1.

Deal
====
    {"num_players": 3 or 4,
     "hands": [{"leader": seat that leads the first trick of this hand,
                "seats": one list of ten cards per seat,
                "out": the 20 (3 players) or 10 (4 players) cards left out of the hand,
                "ape_deck": every ape id once, first = top}, ...]}

The display is dealt from the top of `ape_deck`: the first num_players + 1 apes go to slots 0, 1 and
so on. If the list "hands" is shorter than the match, chance("hand", {"hand": number of the hand,
"num_players": n}) is called when the missing hand begins (at once after the last decision of the
hand before) and returns one hand in the same shape. The oracle makes no other use of chance and
never changes what it is given. Which of several equal apes has which id makes no difference.

State
=====
`state()` returns a fresh dict:
    num_players, num_hands, deforestation_penalty: the options
    apes: the list of apes
    phase, to_act, done: as the attributes
    hand_number: 0 or 1
    trick_number: 0 to 9 (10 once the match is over)
    first_leader: who led the first trick of this hand
    leader: who leads this trick (once the match is over: the first claimer of the last trick)
    plays: [[seat, card], ...] all cards played to this trick in order of play, also those claimed
        or discarded since
    trick: the part of `plays` that still lies on the table: neither claimed nor discarded
    claim_order: [first claimer, second claimer] from the moment when all have played, before it []
    claims: [[seat, card], ...] the claims made in this trick so far
    in_hand: cards in hand, per seat
    won: cards won and not cashed yet, per seat
    owned: per seat [{"ape": id, "under": cards}, ...] in the order taken, this hand only
    discard: cards (costs paid and unclaimed cards)
    out: cards left out of the hand
    display: num_players + 1 slots, each an ape id or None (empty)
    ape_deck: ids, first = top
    points_now: what this hand would score if it ended now, per seat
    past: one dict per finished hand: {"first_leader": seat, "points": per seat,
        "apes": per seat the ids in the order taken}
    scores: the points of the finished hands added, per seat (all 0 during the first hand)
    winners: bool per seat, all False until the end
    tie_break: see below
`plays`, `trick`, `claim_order` and `claims` are emptied when a trick ends. When the match is over,
the last hand is in `past`, and its cards and apes still lie where they lay.

tie_break is None while the match runs and when one seat alone has the best score; "apes" if the
comparison of apes left a single winner; "shared" if two or more seats share the win (even when the
apes beat a third one).

Knowledge
=========
`knowledge(seat)` returns what that seat knows; seats are absolute (not turned), apes are kinds:
    seat: the seat asked about
    num_players, num_hands, deforestation_penalty, apes, phase, to_act, done, hand_number,
        trick_number, first_leader, leader, plays, trick, claim_order, claims, won, discard,
        points_now, scores, winners, tie_break: as in the state
    owned, display, past: as in the state, but kinds for ids
    my_hand: the own cards
    legal: the legal actions if this seat is to act, else []
    hand_sizes: number of cards in hand, per seat
    num_out: number of cards left out of the hand
    played: the cards played in this hand in order, per seat
    unseen_cards: cards neither in the own hand nor played so far in this hand; each is in another
        hand or out
    ape_deck_size: number of apes in the face-down deck
    unseen_apes: sorted kinds of the apes in the face-down deck (their order is not known)
    history: every public event of the match in order, each in one of two forms:
        {"hand": h, "trick": t, "seat": s, "action": word}: an action (all of them are public)
        {"hand": h, "trick": t, "slot": i, "kind": k}: an ape turned up in slot i; the refill at the
            end of trick t has this t, the display dealt before trick 0 has t = -1

Two readings where the page leaves open a detail without effect on play: unclaimed cards go to the
discard at once with the second claim, before the second cash decision; and the display is refilled
after the tenth trick too.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

SUITS = ["dollar", "vehicle", "banana", "forest", "deforestation"]
RANKS = list(range(1, 11))
ALL_CARDS = [f"{suit} {rank}" for suit in SUITS for rank in RANKS]
CARDS_EACH = 10
TRICKS = 10


def suit_of(card: str) -> str:
    """Returns the suit of a card: "dollar" for "dollar 7"."""
    return card.split(" ")[0]


def rank_of(card: str) -> int:
    """Returns the rank of a card: 7 for "dollar 7"."""
    return int(card.split(" ")[1])


def sort_cards(cards: list[str]) -> list[str]:
    """Returns the cards by suit, then by rank."""
    return sorted(cards, key=ALL_CARDS.index)


def house_apes() -> list[dict[str, Any]]:
    """Returns the house deck of the page: 16 apes, in the order given in the module's docstring."""
    babies = ["dollar", "dollar", "vehicle", "vehicle", "banana", "banana", "forest", "forest"]
    pairs = [
        ["dollar", "vehicle"],
        ["vehicle", "banana"],
        ["banana", "forest"],
        ["forest", "dollar"],
    ]
    triples = [
        ["vehicle", "banana", "forest"],
        ["dollar", "banana", "forest"],
        ["dollar", "vehicle", "forest"],
        ["dollar", "vehicle", "banana"],
    ]
    apes: list[dict[str, Any]] = []
    for suit in babies:
        apes.append({"value": 3, "cost": {suit: 1}})
    for pair in pairs:
        apes.append({"value": 7, "cost": {suit: 1 for suit in pair}})
    for triple in triples:
        apes.append({"value": 12, "cost": {suit: 1 for suit in triple}})
    return apes


def same_ape(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tells whether two apes are equal at the table: same value, same cost."""
    for suit in SUITS:
        if one["cost"].get(suit, 0) != other["cost"].get(suit, 0):
            return False
    return bool(one["value"] == other["value"])


def payment(cards: list[str], cost: dict[str, int]) -> list[str] | None:
    """Finds the cards that pay a cost.

    Args:
        cards: The cards won so far.
        cost: How many cards of each suit the ape asks for.

    Returns:
        The paying cards, the lowest-ranked of each suit, or None if the cost is not covered.
    """
    paid: list[str] = []
    for suit, count in cost.items():
        fitting = sorted([card for card in cards if suit_of(card) == suit], key=rank_of)
        if len(fitting) < count:
            return None
        paid = paid + fitting[:count]
    return paid


def order_of_claims(plays: list[list[Any]]) -> list[int]:
    """Returns the two claiming seats, first claimer first.

    Args:
        plays: [seat, card] of the whole trick, in order of play.
    """
    # Highest rank first; of equal ranks the one played earlier.
    places = sorted(range(len(plays)), key=lambda place: (-rank_of(plays[place][1]), place))
    return [plays[places[0]][0], plays[places[1]][0]]


def decide_winners(scores: list[int], ape_values: list[list[int]]) -> tuple[list[bool], str | None]:
    """Finds who wins the match.

    Args:
        scores: Final score per seat.
        ape_values: Values of all apes of all hands together, per seat.

    Returns:
        Who wins, per seat, and what broke a tie: None (there was none), "apes" or "shared".
    """
    best = max(scores)
    tied = [seat for seat in range(len(scores)) if scores[seat] == best]
    if len(tied) == 1:
        return [seat in tied for seat in range(len(scores))], None
    most = max(len(values) for values in ape_values)
    place = 0
    while len(tied) > 1 and place < most:
        # Highest ape against highest ape, then second against second...; a missing ape counts 0.
        here: dict[int, int] = {}
        for seat in tied:
            values = sorted(ape_values[seat], reverse=True)
            here[seat] = values[place] if place < len(values) else 0
        tied = [seat for seat in tied if here[seat] == max(here.values())]
        place = place + 1
    winners = [seat in tied for seat in range(len(scores))]
    return winners, "apes" if len(tied) == 1 else "shared"


def random_hand(num_players: int, rng: random.Random, num_apes: int = 16) -> dict[str, Any]:
    """Deals one hand at random, in the shape of one entry of deal["hands"]."""
    cards = list(ALL_CARDS)
    rng.shuffle(cards)
    ape_deck = list(range(num_apes))
    rng.shuffle(ape_deck)
    seats = []
    for seat in range(num_players):
        seats.append(sort_cards(cards[seat * CARDS_EACH : (seat + 1) * CARDS_EACH]))
    return {
        "leader": rng.randrange(num_players),
        "seats": seats,
        "out": sort_cards(cards[num_players * CARDS_EACH :]),
        "ape_deck": ape_deck,
    }


def random_deal(num_players: int, rng: random.Random, **options: Any) -> dict[str, Any]:
    """Deals a whole match at random.

    Args:
        num_players: 3 or 4.
        rng: Source of randomness.
        **options: Those of OldMenOracle; `hands` and `apes` matter here.
    """
    apes = options.get("apes") or house_apes()
    hands = []
    for _ in range(options.get("hands", 2)):
        hands.append(random_hand(num_players, rng, len(apes)))
    return {"num_players": num_players, "hands": hands}


class OldMenOracle:
    """One table of Old Men of the Forest; see the module's docstring for all words and formats.

    Attributes:
        phase: "play", "claim", "cash" or "done".
        to_act: Absolute seat that decides now, -1 when the match is over.
        done: Whether the match is over.
        scores: Points of the finished hands added, per seat; the final score when done.
        winners: Who won, per seat; all False until done.
        tie_break: None, "apes" or "shared".
    """

    def __init__(
        self,
        deal: dict[str, Any],
        chance: Callable[[str, dict[str, Any]], dict[str, Any]] | None = None,
        *,
        num_players: int | None = None,
        hands: int = 2,
        deforestation_penalty: int = 2,
        apes: list[dict[str, Any]] | None = None,
    ) -> None:
        """Sets the table and deals the first hand.

        Args:
            deal: The complete hidden initial state.
            chance: Gives the hands that the deal lacks.
            num_players: 3 or 4; if given it must agree with the deal.
            hands: Hands of the match, 1 or 2.
            deforestation_penalty: What a deforestation card left over costs in all.
            apes: The ape deck, the house deck if None.

        Raises:
            ValueError: If the deal or an option breaks the rules.
        """
        if num_players is not None and num_players != deal["num_players"]:
            raise ValueError("option num_players and deal differ")
        self.num_players: int = deal["num_players"]
        if self.num_players not in (3, 4):
            raise ValueError("3 or 4 players")
        if hands not in (1, 2):
            raise ValueError("1 or 2 hands")
        if len(deal["hands"]) < hands and chance is None:
            raise ValueError("the deal lacks a hand and there is no chance to give it")
        self.num_hands = hands
        self.deforestation_penalty = deforestation_penalty
        self.apes = deepcopy(apes) if apes is not None else house_apes()
        self._deal = deepcopy(deal)
        self._chance = chance

        self.seats = list(range(self.num_players))
        self.past: list[dict[str, Any]] = []
        self.scores = [0 for _ in self.seats]
        self.winners = [False for _ in self.seats]
        self.tie_break: str | None = None
        self.done = False
        self.history: list[dict[str, Any]] = []
        self._begin_hand(0)

    # ---- The course of the game -------------------------------------------------------------

    def _begin_hand(self, number: int) -> None:
        """Reshuffles everything and deals the hand with this number."""
        if number < len(self._deal["hands"]):
            hand = self._deal["hands"][number]
        else:
            assert self._chance is not None
            info = {"hand": number, "num_players": self.num_players}
            hand = deepcopy(self._chance("hand", info))
        self._check_hand(hand)

        self.hand_number = number
        self.trick_number = 0
        self.first_leader: int = hand["leader"]
        self.in_hand: list[list[str]] = [list(cards) for cards in hand["seats"]]
        self.won: list[list[str]] = [[] for _ in self.seats]
        self.owned: list[list[dict[str, Any]]] = [[] for _ in self.seats]
        self.discard: list[str] = []
        self.out: list[str] = list(hand["out"])
        self.ape_deck: list[int] = list(hand["ape_deck"])
        self.display: list[int | None] = [None for _ in range(self.num_players + 1)]
        self._refill_display(trick=-1)
        self._begin_trick(self.first_leader)

    def _check_hand(self, hand: dict[str, Any]) -> None:
        """Raises ValueError unless every card and every ape is dealt exactly once."""
        dealt = list(hand["out"])
        for cards in hand["seats"]:
            if len(cards) != CARDS_EACH:
                raise ValueError("every seat gets ten cards")
            dealt = dealt + list(cards)
        if len(hand["seats"]) != self.num_players:
            raise ValueError("one hand of cards per seat")
        if sorted(dealt) != sorted(ALL_CARDS):
            raise ValueError("every player card must be dealt exactly once")
        if sorted(hand["ape_deck"]) != list(range(len(self.apes))):
            raise ValueError("every ape must be in the ape deck exactly once")
        if hand["leader"] not in self.seats:
            raise ValueError("the leader must be a seat")

    def _refill_display(self, trick: int) -> None:
        """Fills the empty slots, lowest first, from the top of the ape deck while it lasts."""
        for slot in range(self.num_players + 1):
            if self.display[slot] is None and self.ape_deck:
                ape = self.ape_deck.pop(0)
                self.display[slot] = ape
                self.history.append(
                    {
                        "hand": self.hand_number,
                        "trick": trick,
                        "slot": slot,
                        "kind": self.kind_of(ape),
                    }
                )

    def _begin_trick(self, leader: int) -> None:
        """Lets the leader open a new trick."""
        self.leader = leader
        self._clear_trick()
        self.phase = "play"
        self.to_act = leader

    def _clear_trick(self) -> None:
        """Forgets the trick that has just ended."""
        self.plays: list[list[Any]] = []
        self.trick: list[list[Any]] = []
        self.claim_order: list[int] = []
        self.claims: list[list[Any]] = []

    def legal(self) -> list[str]:
        """Returns the legal actions of the seat to act, sorted; empty when the match is over."""
        if self.phase == "play":
            # Any card: no following suit, no trump.
            return sorted([f"play {card}" for card in self.in_hand[self.to_act]])
        if self.phase == "claim":
            # Any card that still lies there, except the own one.
            return sorted([f"claim {card}" for seat, card in self.trick if seat != self.to_act])
        if self.phase == "cash":
            actions = ["pass"]
            offered: list[dict[str, Any]] = []
            for slot in range(self.num_players + 1):
                ape_id = self.display[slot]
                if ape_id is None:
                    continue
                ape = self.apes[ape_id]
                # Equal apes are one choice: the lowest slot.
                if any(same_ape(ape, earlier) for earlier in offered):
                    continue
                offered.append(ape)
                if payment(self.won[self.to_act], ape["cost"]) is not None:
                    actions.append(f"cash slot {slot}")
            return sorted(actions)
        return []

    def step(self, action: str) -> None:
        """Plays one action of the seat to act.

        Raises:
            ValueError: If the action is not legal now.
        """
        if action not in self.legal():
            raise ValueError(f"illegal action {action!r} in phase {self.phase!r}")
        self.history.append(
            {
                "hand": self.hand_number,
                "trick": self.trick_number,
                "seat": self.to_act,
                "action": action,
            }
        )
        if self.phase == "play":
            self._play(action.removeprefix("play "))
        elif self.phase == "claim":
            self._claim(action.removeprefix("claim "))
        else:
            if action != "pass":
                self._cash(int(action.removeprefix("cash slot ")))
            self._after_cash()

    def _play(self, card: str) -> None:
        """The seat to act plays a card to the trick."""
        self.in_hand[self.to_act].remove(card)
        self.plays.append([self.to_act, card])
        self.trick.append([self.to_act, card])
        if len(self.plays) < self.num_players:
            self.to_act = (self.to_act + 1) % self.num_players
        else:
            # The ranks played settle both claims, whatever is claimed.
            self.claim_order = order_of_claims(self.plays)
            self.phase = "claim"
            self.to_act = self.claim_order[0]

    def _claim(self, card: str) -> None:
        """The seat to act takes a card of the trick."""
        self.trick = [[seat, other] for seat, other in self.trick if other != card]
        self.won[self.to_act].append(card)
        self.claims.append([self.to_act, card])
        if len(self.claims) == 2:
            # Nobody else may claim.
            for _, unclaimed in self.trick:
                self.discard.append(unclaimed)
            self.trick = []
        self.phase = "cash"

    def _cash(self, slot: int) -> None:
        """The seat to act pays for the ape in a slot and empties its won pile."""
        ape_id = self.display[slot]
        assert ape_id is not None
        pile = self.won[self.to_act]
        paid = payment(pile, self.apes[ape_id]["cost"])
        assert paid is not None
        under = [card for card in pile if card not in paid]
        self.discard = self.discard + paid
        self.owned[self.to_act].append({"ape": ape_id, "under": under})
        self.won[self.to_act] = []
        # The slot stays empty until both claimers have had their cash decision.
        self.display[slot] = None

    def _after_cash(self) -> None:
        """Goes on after a cash decision: second claim, next trick, next hand or the end."""
        if len(self.claims) == 1:
            self.phase = "claim"
            self.to_act = self.claim_order[1]
            return
        self._refill_display(trick=self.trick_number)
        first_claimer = self.claim_order[0]
        self.trick_number = self.trick_number + 1
        if self.trick_number < TRICKS:
            self._begin_trick(first_claimer)
            return
        self._end_hand()
        if self.hand_number + 1 < self.num_hands:
            self._begin_hand(self.hand_number + 1)
            return
        self.leader = first_claimer
        self._clear_trick()
        self._end_match()

    def _end_hand(self) -> None:
        """Scores the hand after its ten tricks."""
        points = [self.hand_points(seat) for seat in self.seats]
        self.past.append(
            {
                "first_leader": self.first_leader,
                "points": points,
                "apes": [[entry["ape"] for entry in self.owned[seat]] for seat in self.seats],
            }
        )
        self.scores = [self.scores[seat] + points[seat] for seat in self.seats]

    def _end_match(self) -> None:
        """Finds the winners after the last hand."""
        ape_values: list[list[int]] = [[] for _ in self.seats]
        for hand in self.past:
            for seat in self.seats:
                for ape_id in hand["apes"][seat]:
                    ape_values[seat].append(self.apes[ape_id]["value"])
        self.winners, self.tie_break = decide_winners(self.scores, ape_values)
        self.phase = "done"
        self.to_act = -1
        self.done = True

    # ---- Scores and rewards -----------------------------------------------------------------

    def hand_points(self, seat: int) -> int:
        """Returns what this hand would score for a seat if it ended now."""
        points = 0
        left_over = list(self.won[seat])
        for entry in self.owned[seat]:
            points = points + self.apes[entry["ape"]]["value"]
            left_over = left_over + entry["under"]
        for card in left_over:
            if suit_of(card) == "deforestation":
                # The penalty is the whole cost of the card, not on top of the 1.
                points = points - self.deforestation_penalty
            else:
                points = points - 1
        return points

    def rewards(self, kind: str = "win", scale: float = 1.0) -> list[float]:
        """Returns the final reward per seat; all 0.0 before the end.

        Args:
            kind: "win", "margin" or "score".
            scale: What "margin" and "score" are divided by.

        Raises:
            ValueError: If the kind is unknown.
        """
        if kind not in ("win", "margin", "score"):
            raise ValueError(f"unknown kind of reward {kind!r}")
        if not self.done:
            return [0.0 for _ in self.seats]
        rewards: list[float] = []
        for seat in self.seats:
            if kind == "win":
                sharing = sum(self.winners)
                if sharing == self.num_players:
                    rewards.append(0.0)
                elif self.winners[seat]:
                    rewards.append(
                        (self.num_players - sharing) / (sharing * (self.num_players - 1))
                    )
                else:
                    rewards.append(-1 / (self.num_players - 1))
            elif kind == "margin":
                best_other = max(self.scores[other] for other in self.seats if other != seat)
                rewards.append((self.scores[seat] - best_other) / scale)
            else:
                rewards.append(self.scores[seat] / scale)
        return rewards

    # ---- Looking at the table ---------------------------------------------------------------

    def kind_of(self, ape_id: int) -> int:
        """Returns the kind of an ape: the lowest id of an ape equal to it."""
        for other in range(len(self.apes)):
            if same_ape(self.apes[other], self.apes[ape_id]):
                return other
        raise AssertionError("an ape equals itself")

    def state(self) -> dict[str, Any]:
        """Returns the complete state, hidden parts included."""
        owned = []
        for seat in self.seats:
            owned.append(
                [
                    {"ape": entry["ape"], "under": sort_cards(entry["under"])}
                    for entry in self.owned[seat]
                ]
            )
        return deepcopy(
            {
                "num_players": self.num_players,
                "num_hands": self.num_hands,
                "deforestation_penalty": self.deforestation_penalty,
                "apes": self.apes,
                "phase": self.phase,
                "to_act": self.to_act,
                "done": self.done,
                "hand_number": self.hand_number,
                "trick_number": self.trick_number,
                "first_leader": self.first_leader,
                "leader": self.leader,
                "plays": self.plays,
                "trick": self.trick,
                "claim_order": self.claim_order,
                "claims": self.claims,
                "in_hand": [sort_cards(self.in_hand[seat]) for seat in self.seats],
                "won": [sort_cards(self.won[seat]) for seat in self.seats],
                "owned": owned,
                "discard": sort_cards(self.discard),
                "out": sort_cards(self.out),
                "display": self.display,
                "ape_deck": self.ape_deck,
                "points_now": [self.hand_points(seat) for seat in self.seats],
                "past": self.past,
                "scores": self.scores,
                "winners": self.winners,
                "tie_break": self.tie_break,
            }
        )

    def knowledge(self, seat: int) -> dict[str, Any]:
        """Returns exactly what a seat may know now, with perfect memory of public events."""
        state = self.state()
        known: dict[str, Any] = {"seat": seat}

        # Played, claimed, cashed and discarded in the open, or agreed before the game.
        for name in [
            "num_players",
            "num_hands",
            "deforestation_penalty",
            "apes",
            "phase",
            "to_act",
            "done",
            "hand_number",
            "trick_number",
            "first_leader",
            "leader",
            "plays",
            "trick",
            "claim_order",
            "claims",
            "won",
            "discard",
            "points_now",
            "scores",
            "winners",
            "tie_break",
        ]:
            known[name] = state[name]
        known["history"] = deepcopy(self.history)

        # Apes lie face up, but equal ones look the same: kinds instead of ids.
        known["display"] = [
            None if ape_id is None else self.kind_of(ape_id) for ape_id in state["display"]
        ]
        known["owned"] = [
            [{"ape": self.kind_of(entry["ape"]), "under": entry["under"]} for entry in entries]
            for entries in state["owned"]
        ]
        known["past"] = [
            {
                "first_leader": hand["first_leader"],
                "points": hand["points"],
                "apes": [[self.kind_of(ape_id) for ape_id in taken] for taken in hand["apes"]],
            }
            for hand in state["past"]
        ]

        # The own hand in full, of the others only the number of cards.
        known["my_hand"] = state["in_hand"][seat]
        known["legal"] = self.legal() if seat == self.to_act else []
        known["hand_sizes"] = [len(cards) for cards in state["in_hand"]]
        known["num_out"] = len(state["out"])

        # Perfect memory: who played what in this hand, and hence which cards were never seen.
        played: list[list[str]] = [[] for _ in self.seats]
        for event in self.history:
            if event["hand"] == self.hand_number and event.get("action", "").startswith("play "):
                played[event["seat"]].append(event["action"].removeprefix("play "))
        known["played"] = played
        seen = list(known["my_hand"])
        for cards in played:
            seen = seen + cards
        known["unseen_cards"] = [card for card in ALL_CARDS if card not in seen]

        # The ape deck's composition is known: all apes less those turned up in this hand.
        unseen_apes = sorted(self.kind_of(ape_id) for ape_id in range(len(self.apes)))
        for event in self.history:
            if event["hand"] == self.hand_number and "kind" in event:
                unseen_apes.remove(event["kind"])
        known["unseen_apes"] = unseen_apes
        known["ape_deck_size"] = len(unseen_apes)
        return known

    def census(self) -> list[tuple[str, str]]:
        """Returns every player card and every ape with its place, once per place where it lies.

        Returns:
            Pairs (what, place). What: a card, or "ape <id>". Places of cards: "hand <seat>",
            "trick", "won <seat>", "under <ape id>", "discard", "out"; of apes: "display <slot>",
            "deck", "owned <seat>". Conservation: each card and each ape exactly once.
        """
        found: list[tuple[str, str]] = []
        for seat in self.seats:
            found = found + [(card, f"hand {seat}") for card in self.in_hand[seat]]
            found = found + [(card, f"won {seat}") for card in self.won[seat]]
            for entry in self.owned[seat]:
                found = found + [(card, f"under {entry['ape']}") for card in entry["under"]]
                found.append((f"ape {entry['ape']}", f"owned {seat}"))
        found = found + [(card, "trick") for _, card in self.trick]
        found = found + [(card, "discard") for card in self.discard]
        found = found + [(card, "out") for card in self.out]
        for slot in range(self.num_players + 1):
            if self.display[slot] is not None:
                found.append((f"ape {self.display[slot]}", f"display {slot}"))
        found = found + [(f"ape {ape_id}", "deck") for ape_id in self.ape_deck]
        return found
