"""Independent oracle for Ohanami: one table, plain Python, slow and obvious.

Written only from the rules page (`ohanami.md`); hold it beside that page. It shares no code with
the fast core that it checks.

Numbering
---------
Seats are 0..P-1, clockwise; "left" is seat + 1. Rounds are 1..3, picks are 1..5 within a round,
gardens are 1..3 by founding *in action words*. In lists, a garden is at index 0..2
(`gardens[seat][0]` is garden 1). Cards are the ints 1..120. Every value below is plain Python (int,
str, bool, None, list, dict) and a fresh copy.

Deal
----
`{"num_players": P, "start": seat, "hands": hands}` where `hands[r][seat]` is the list of the ten
cards dealt to `seat` in round r + 1 (r = 0, 1, 2); the order inside a hand means nothing. The cards
in none of these hands are never dealt (60 / 30 / 0 at 2 / 3 / 4 players).

Constructor options
-------------------
`scale` (float, default 1.0): divisor of the "margin" and "score" rewards (the rules page names no
number). Any other option raises TypeError. `chance` is accepted and never called: nothing is random
after the deal.

Order of the game
-----------------
`picks_done` counts the finished picks of the game (0..15); `s = (start + picks_done) % P`.

1. Phase "keep": seats s, s+1, ..., s-1 choose. Each seat makes two decisions in a row, lower card
   first. A card leaves the hand for `kept` at once; the rest stays in that seat's `hands` until all
   have chosen.
2. When the last seat has chosen, all rests are passed at the same moment: they lie, unseen, in
   `passed[receiver]` (left in rounds 1 and 3, right in round 2) and all `hands` are empty. Nothing
   is left to pass in pick 5.
3. Phase "place": seats s-1, s, s+1, ..., s-2. Each seat makes two decisions in a row, one for each
   kept card.
4. After the last of them the pick is over. In picks 1..4 the `passed` packs become the `hands`;
   after pick 5 the round is scored, and the next round is dealt or the game is over. This happens
   inside the same `step`.

So a pick is 4P decisions, always: forced ones (both keeps of pick 5 are forced) are taken as well.

`phase` is "keep", "place" or "over". `to_act` is an absolute seat, or -1 when over.

Action words
------------
- `"keep 37"`: phase "keep". First card of the pair: any card of the hand but the highest. Second
  card: any card left in the hand that is higher than the first.
- `"place 37 in garden 1"`: phase "place", 37 one of the seat's (two, then one) kept cards. Allowed
  for every garden that has cards when 37 is above its highest or below its lowest card, and for the
  first empty garden.
- `"discard 37"`: phase "place", always allowed for every kept card.

Numbers have no leading zeros. `legal()` is sorted as strings ("keep 10" before "keep 9"); it is []
when over. `step` raises ValueError for any other word, and changes nothing then.

Scores
------
`scores[seat]`: the sum of the rounds scored so far (all 0 in round 1). Nothing is counted in the
middle of a round. `winners[seat]`: all False until the game is over. `tie_break`: None until the
game is over; then "pink" when several seats had most points and the count of pink cards (no cap)
removed at least one of them from the winners; else None (one seat had most points, or nobody was
removed: all seats tied on points have as many pink cards and share). `rewards(kind)`: floats, all
0.0 until the game is over. "win": each of k winners (P-k)/(k(P-1)), each loser -1/(P-1), all 0.0
when k = P. "margin": (own score - best other score) / scale. "score": own score / scale.

State
-----
`state()` is complete and hides nothing:

- `num_players`, `start`, `round` (1..3), `pick` (1..5), `picks_done` (0..15), `phase`, `to_act`;
  when the game is over, round stays 3, pick stays 5, picks_done is 15.
- `hands[seat]`: sorted. `kept[seat]`: ascending, cards kept and not yet placed or discarded (0..2
  cards).
- `passed[receiver]`: sorted, the pack on its way to `receiver`; empty lists in phase "keep" and in
  all of pick 5.
- `gardens[seat][0..2]`: ascending card lists, in order of founding; [] for a garden not founded.
- `discards[seat]`: sorted, over the whole game.
- `future_hands[i][seat]`: sorted, the hands of the rounds still to come, next round first.
- `undealt`: sorted, the cards no round deals.
- `round_scores[i][seat]`: points of round i + 1 alone, for each round scored so far.
- `scores`, `winners`, `tie_break`: as above.

`census()` is the sorted list of all cards in hands, kept, passed, gardens, discards, future_hands
and undealt; it must always equal [1, ..., 120].

Knowledge
---------
`knowledge(seat)` replays the log of those events only that are public or private to that seat. A
*pack* is what is left of one dealt hand, on its way round the table; packs move by public rules.
"The pack at h" is, in phase "keep", the hand of seat h; in phase "place" of picks 1..4, the pack
passed to h, which nobody but its passer has seen; in phase "place" of pick 5, the emptied last hand
of h (size 0; also when the game is over). A seat's own private events: its hand when a pick begins,
the cards it keeps, the cards it discards.

- `seat`, `num_players`, `start`, `round`, `pick`, `picks_done`, `phase`, `to_act`: as in the state.
- `hand`: sorted, own hand ([] in phase "place": it has been passed on). `kept`: own kept cards,
  ascending.
- `own_discards`: sorted. `gardens`: as in the state, all seats. `discard_counts[seat]`: over the
  whole game.
- `kept_counts[seat]`: cards kept and not yet placed or discarded. It rises at each single "keep"
  decision.
- `pack_sizes[h]`: cards in the pack at h. It falls at each single "keep" decision of h.
- `round_scores`, `scores`: as in the state.
- `packs[h]`: what is remembered of the pack at h: None when this seat has not passed that pack on
  in this round, and None for the own hand (h == seat in phase "keep", and from then until the pack
  is passed on). Else a dict:

  - `left_with`: sorted, the exact cards when this seat last passed the pack on;
  - `unplaced`: sorted, `left_with` less all cards that stand in gardens by now. The pack is always
    a subset of it; the others in it are kept by some seat and not yet placed, or were discarded;
  - `size`: same as `pack_sizes[h]`;
  - `exact`: `len(unplaced) == size`, so the pack is known card by card. True until the receiver's
    first "keep" decision; later True again when all cards kept from the pack since then have been
    placed for all to see.

  A pack that has come to the seat itself (phase "place", h == seat) is remembered like all others
  until the next pick begins; then it is the own hand, in plain sight, and the entry is None.
- `known_discards`: sorted, the cards that this seat knows to be among the discards of *other*
  seats: when a pack comes back as the own hand, the cards in `unplaced` that are not in it; and in
  pick 5, when both last cards kept from the pack at h are placed or discarded, everything in its
  `unplaced`. Never forgotten.
- `never_seen`: sorted, the cards that this seat never had in hand and that stand in no garden.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

NUM_CARDS = 120
NUM_ROUNDS = 3
PICKS_PER_ROUND = 5
HAND_SIZE = 10
NUM_GARDENS = 3

# What one card of each colour is worth after each round. Pink is scored by pink_points, in round 3
# only.
POINTS_PER_CARD = {
    1: {"blue": 3, "green": 0, "grey": 0},
    2: {"blue": 3, "green": 4, "grey": 0},
    3: {"blue": 3, "green": 4, "grey": 7},
}


def colour(card: int) -> str:
    """Returns the colour of a card: the first rule that fits, in the order of the page."""
    if card % 7 == 0:
        return "grey"
    if card % 3 == 0:
        return "green"
    if card % 2 == 0:
        return "blue"
    return "pink"


def pink_points(count: int) -> int:
    """Returns the points for `count` pink cards."""
    if count >= 15:
        return 120
    return count * (count + 1) // 2


def count_colour(gardens: list[list[int]], wanted: str) -> int:
    """Returns how many cards of one colour stand in the gardens of one seat."""
    count = 0
    for garden in gardens:
        for card in garden:
            if colour(card) == wanted:
                count += 1
    return count


def round_points(gardens: list[list[int]], round_number: int) -> int:
    """Returns what the gardens of one seat score after a round (1..3), that round alone."""
    points = 0
    for name, value in POINTS_PER_CARD[round_number].items():
        points += value * count_colour(gardens, name)
    if round_number == 3:
        points += pink_points(count_colour(gardens, "pink"))
    return points


def open_gardens(card: int, gardens: list[list[int]]) -> list[int]:
    """Returns the numbers (1..3) of the gardens of one seat that may take the card."""
    numbers = []
    for number in range(1, NUM_GARDENS + 1):
        garden = gardens[number - 1]
        if not garden:
            numbers.append(number)
            break  # empty gardens are interchangeable: only the first one may be used
        if card > max(garden) or card < min(garden):
            numbers.append(number)
    return numbers


def pass_step(round_number: int) -> int:
    """Returns +1 when hands go to the left (rounds 1 and 3), -1 when to the right (round 2)."""
    return -1 if round_number == 2 else 1


def random_deal(num_players: int, rng: random.Random, **options: Any) -> dict[str, Any]:
    """Shuffles once and deals the three rounds.

    Args:
        num_players: 2 to 4.
        rng: Source of randomness; it also draws the start seat.
        **options: `start` fixes the start seat.

    Returns:
        A deal as the module docstring describes it, hands sorted.
    """
    start = options.pop("start", None)
    if options:
        raise TypeError(f"unknown options: {sorted(options)}")
    cards = list(range(1, NUM_CARDS + 1))
    rng.shuffle(cards)
    hands = []
    for _ in range(NUM_ROUNDS):
        round_hands = []
        for _ in range(num_players):
            round_hands.append(sorted(cards.pop() for _ in range(HAND_SIZE)))
        hands.append(round_hands)
    if start is None:
        start = rng.randrange(num_players)
    return {"num_players": num_players, "start": start, "hands": hands}


class OhanamiOracle:
    """One game of Ohanami, played decision by decision.

    Attributes:
        to_act: Absolute seat that decides next, -1 when the game is over.
        phase: "keep", "place" or "over".
        done: Whether the game is over.
        scores: Sum of the rounds scored so far, per seat.
        winners: Who won, per seat; all False until the game is over.
        tie_break: "pink" when pink cards broke a tie, else None.
    """

    def __init__(
        self,
        deal: dict[str, Any],
        chance: Callable[[str, dict[str, Any]], Any] | None = None,
        **options: Any,
    ) -> None:
        """Sets up the first pick of the first round.

        Args:
            deal: The complete hidden start, see the module docstring.
            chance: Not used: Ohanami has no chance after the deal.
            **options: `scale`, see the module docstring.
        """
        self.scale = float(options.pop("scale", 1.0))
        if options:
            raise TypeError(f"unknown options: {sorted(options)}")
        check_deal(deal)
        self.chance = chance
        self.num_players: int = deal["num_players"]
        self.start: int = deal["start"]
        self.future_hands = [[sorted(hand) for hand in hands] for hands in deal["hands"]]
        dealt = {card for hands in deal["hands"] for hand in hands for card in hand}
        self.undealt = [card for card in range(1, NUM_CARDS + 1) if card not in dealt]

        self.hands: list[list[int]] = self._empty_lists()
        self.kept: list[list[int]] = self._empty_lists()
        self.passed: list[list[int]] = self._empty_lists()
        self.discards: list[list[int]] = self._empty_lists()
        self.gardens: list[list[list[int]]] = [
            [[] for _ in range(NUM_GARDENS)] for _ in range(self.num_players)
        ]
        self.round_scores: list[list[int]] = []
        self.scores = [0] * self.num_players
        self.winners = [False] * self.num_players
        self.tie_break: str | None = None
        self.done = False
        self.picks_done = 0
        # Each entry is (audience, event); audience None means everybody, else that seat alone.
        self._log: list[tuple[int | None, tuple[Any, ...]]] = []

        self.round = 0
        self.pick = 0
        self.phase = "keep"
        self.to_act = -1
        self._waiting: list[int] = []  # seats that decide after to_act in this phase, in order
        self._begin_round()

    # ----- what may be done ---------------------------------------------------------------

    def legal(self) -> list[str]:
        """Returns the legal actions of `to_act`, sorted as strings."""
        seat = self.to_act
        actions = []
        if self.phase == "keep":
            hand = self.hands[seat]
            for card in hand:
                if not self.kept[seat]:
                    allowed = card != max(hand)  # a higher one must be left to be the second
                else:
                    allowed = card > self.kept[seat][0]
                if allowed:
                    actions.append(f"keep {card}")
        elif self.phase == "place":
            for card in self.kept[seat]:
                for number in open_gardens(card, self.gardens[seat]):
                    actions.append(f"place {card} in garden {number}")
                actions.append(f"discard {card}")
        return sorted(actions)

    def step(self, action: str) -> None:
        """Takes one decision of `to_act`.

        Args:
            action: One of the words of `legal()`.

        Raises:
            ValueError: The action is not legal now.
        """
        if action not in self.legal():
            raise ValueError(f"illegal action {action!r} in phase {self.phase}")
        seat = self.to_act
        words = action.split()
        card = int(words[1])
        if words[0] == "keep":
            self._keep(seat, card)
        elif words[0] == "place":
            self._place(seat, card, int(words[4]))
        else:
            self._discard(seat, card)

    # ----- the single decisions -----------------------------------------------------------

    def _keep(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self.kept[seat].append(card)
        self._tell(seat, "kept", card)
        self._tell(None, "keeps", seat)
        if len(self.kept[seat]) < 2:
            return  # the same seat names its second card
        if self._waiting:
            self.to_act = self._waiting.pop(0)
            return
        self._pass_hands()
        self._begin_placing()

    def _place(self, seat: int, card: int, number: int) -> None:
        self.kept[seat].remove(card)
        self.gardens[seat][number - 1].append(card)
        self.gardens[seat][number - 1].sort()
        self._tell(None, "places", seat, card, number)
        self._after_placing(seat)

    def _discard(self, seat: int, card: int) -> None:
        self.kept[seat].remove(card)
        self.discards[seat].append(card)
        self._tell(seat, "discarded", card)
        self._tell(None, "discards", seat)
        self._after_placing(seat)

    def _after_placing(self, seat: int) -> None:
        if self.kept[seat]:
            return  # the same seat places its other card
        if self._waiting:
            self.to_act = self._waiting.pop(0)
            return
        self._end_pick()

    # ----- the course of the game ---------------------------------------------------------

    def _begin_round(self) -> None:
        self.round += 1
        self.pick = 0
        self.hands = self.future_hands.pop(0)
        self._tell(None, "round begins", self.round)
        self._begin_pick()

    def _begin_pick(self) -> None:
        self.pick += 1
        self._tell(None, "pick begins", self.pick)
        for seat in range(self.num_players):
            self._tell(seat, "hand", list(self.hands[seat]))
        self.phase = "keep"
        self._let_act(self._first_chooser())

    def _pass_hands(self) -> None:
        if self.pick == PICKS_PER_ROUND:
            return  # both last cards have been kept: nothing to pass
        step = pass_step(self.round)
        for seat in range(self.num_players):
            receiver = (seat + step) % self.num_players
            self.passed[receiver] = self.hands[seat]
        self.hands = self._empty_lists()
        self._tell(None, "hands are passed", step)

    def _begin_placing(self) -> None:
        self.phase = "place"
        last_chooser = (self._first_chooser() - 1) % self.num_players
        self._let_act(last_chooser)

    def _end_pick(self) -> None:
        self.picks_done += 1
        if self.pick < PICKS_PER_ROUND:
            self.hands = self.passed
            self.passed = self._empty_lists()
            self._begin_pick()
            return
        self._score_round()
        if self.round < NUM_ROUNDS:
            self._begin_round()
        else:
            self._end_game()

    def _score_round(self) -> None:
        points = [round_points(gardens, self.round) for gardens in self.gardens]
        self.round_scores.append(points)
        for seat in range(self.num_players):
            self.scores[seat] += points[seat]
        self._tell(None, "scores", list(points))

    def _end_game(self) -> None:
        self.done = True
        self.phase = "over"
        self.to_act = -1
        seats = range(self.num_players)
        leaders = [seat for seat in seats if self.scores[seat] == max(self.scores)]
        pinks = {seat: count_colour(self.gardens[seat], "pink") for seat in leaders}
        best = [seat for seat in leaders if pinks[seat] == max(pinks.values())]
        if len(best) < len(leaders):
            self.tie_break = "pink"
        self.winners = [seat in best for seat in seats]

    def _first_chooser(self) -> int:
        return (self.start + self.picks_done) % self.num_players

    def _let_act(self, first: int) -> None:
        """Lets all seats decide once around the table, clockwise from `first`."""
        order = [(first + i) % self.num_players for i in range(self.num_players)]
        self.to_act = order[0]
        self._waiting = order[1:]

    def _empty_lists(self) -> list[list[int]]:
        return [[] for _ in range(self.num_players)]

    def _tell(self, audience: int | None, *event: Any) -> None:
        self._log.append((audience, event))

    # ----- the result ---------------------------------------------------------------------

    def rewards(self, kind: str = "win") -> list[float]:
        """Returns the final reward of every seat, all 0.0 until the game is over.

        Args:
            kind: "win", "margin" or "score", see the module docstring.
        """
        if kind not in ("win", "margin", "score"):
            raise ValueError(f"unknown reward {kind!r}")
        players = self.num_players
        if not self.done:
            return [0.0] * players
        rewards = []
        for seat in range(players):
            own = self.scores[seat]
            if kind == "score":
                rewards.append(own / self.scale)
            elif kind == "margin":
                others = [self.scores[other] for other in range(players) if other != seat]
                rewards.append((own - max(others)) / self.scale)
            else:
                k = sum(self.winners)
                if k == players:
                    rewards.append(0.0)
                elif self.winners[seat]:
                    rewards.append((players - k) / (k * (players - 1)))
                else:
                    rewards.append(-1 / (players - 1))
        return rewards

    # ----- looking at the table -----------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Returns the complete state, hidden cards included, see the module docstring."""
        return {
            "num_players": self.num_players,
            "start": self.start,
            "round": self.round,
            "pick": self.pick,
            "picks_done": self.picks_done,
            "phase": self.phase,
            "to_act": self.to_act,
            "hands": [sorted(hand) for hand in self.hands],
            "kept": [sorted(kept) for kept in self.kept],
            "passed": [sorted(pack) for pack in self.passed],
            "gardens": [[list(garden) for garden in gardens] for gardens in self.gardens],
            "discards": [sorted(discards) for discards in self.discards],
            "future_hands": [[list(hand) for hand in hands] for hands in self.future_hands],
            "undealt": list(self.undealt),
            "round_scores": [list(points) for points in self.round_scores],
            "scores": list(self.scores),
            "winners": list(self.winners),
            "tie_break": self.tie_break,
        }

    def census(self) -> list[int]:
        """Returns every card of the game, sorted, once for each place where it lies."""
        cards = list(self.undealt)
        for hands in self.future_hands:
            for hand in hands:
                cards += hand
        for seat in range(self.num_players):
            cards += self.hands[seat] + self.kept[seat] + self.passed[seat] + self.discards[seat]
            for garden in self.gardens[seat]:
                cards += garden
        return sorted(cards)

    def knowledge(self, seat: int) -> dict[str, Any]:
        """Returns what one seat knows now, see the module docstring.

        Only the events that reach this seat are replayed; the hidden state is not read.

        Args:
            seat: Absolute seat.
        """
        players = self.num_players
        seats = range(players)
        round_number = pick = 0
        hand: list[int] = []
        kept: list[int] = []
        own_discards: list[int] = []
        gardens: list[list[list[int]]] = [[[] for _ in range(NUM_GARDENS)] for _ in seats]
        discard_counts = [0] * players
        kept_counts = [0] * players
        pack_sizes = [0] * players
        round_scores: list[list[int]] = []
        packs: list[dict[str, Any] | None] = [None] * players
        known_discards: set[int] = set()
        seen: set[int] = set()

        for audience, event in self._log:
            if audience is not None and audience != seat:
                continue  # private to another seat
            name = event[0]

            if name == "round begins":
                round_number = event[1]
                pack_sizes = [HAND_SIZE] * players
                packs = [None] * players

            elif name == "pick begins":
                pick = event[1]

            elif name == "hand":
                hand = list(event[1])
                seen.update(hand)
                returned = packs[seat]
                if returned is not None:
                    # Nobody has a kept card now: what left the pack and is in no garden was
                    # discarded.
                    known_discards.update(set(returned["unplaced"]) - set(hand))
                packs[seat] = None

            elif name == "kept":
                hand.remove(event[1])
                kept.append(event[1])

            elif name == "keeps":
                kept_counts[event[1]] += 1
                pack_sizes[event[1]] -= 1

            elif name == "hands are passed":
                old_packs, old_sizes = packs, pack_sizes
                packs, pack_sizes = [None] * players, [0] * players
                for giver in seats:
                    receiver = (giver + event[1]) % players
                    pack_sizes[receiver] = old_sizes[giver]
                    if giver == seat:
                        packs[receiver] = {"left_with": sorted(hand), "unplaced": sorted(hand)}
                    else:
                        packs[receiver] = old_packs[giver]
                hand = []

            elif name == "places":
                _, placer, card, number = event
                gardens[placer][number - 1].append(card)
                gardens[placer][number - 1].sort()
                seen.add(card)
                kept_counts[placer] -= 1
                if placer == seat:
                    kept.remove(card)
                for pack in packs:
                    if pack is not None and card in pack["unplaced"]:
                        pack["unplaced"].remove(card)

            elif name == "discarded":
                kept.remove(event[1])
                own_discards.append(event[1])

            elif name == "discards":
                discard_counts[event[1]] += 1
                kept_counts[event[1]] -= 1

            elif name == "scores":
                round_scores.append(list(event[1]))

            for holder in seats:
                pack = packs[holder]
                if pack is not None and pack_sizes[holder] == 0 and kept_counts[holder] == 0:
                    # Fifth pick: the pack is used up and its last two cards are laid down.
                    known_discards.update(pack["unplaced"])

        for holder in seats:
            pack = packs[holder]
            if pack is not None:
                pack["size"] = pack_sizes[holder]
                pack["exact"] = len(pack["unplaced"]) == pack_sizes[holder]

        return {
            "seat": seat,
            "num_players": players,
            "start": self.start,
            "round": round_number,
            "pick": pick,
            "picks_done": self.picks_done,
            "phase": self.phase,
            "to_act": self.to_act,
            "hand": sorted(hand),
            "kept": sorted(kept),
            "own_discards": sorted(own_discards),
            "gardens": gardens,
            "discard_counts": discard_counts,
            "kept_counts": kept_counts,
            "pack_sizes": pack_sizes,
            "round_scores": round_scores,
            "scores": [sum(points[other] for points in round_scores) for other in seats],
            "packs": packs,
            "known_discards": sorted(known_discards),
            "never_seen": [card for card in range(1, NUM_CARDS + 1) if card not in seen],
        }


def check_deal(deal: dict[str, Any]) -> None:
    """Raises ValueError when a deal is not one of the game."""
    players = deal["num_players"]
    if players not in (2, 3, 4):
        raise ValueError(f"num_players must be 2, 3 or 4, not {players}")
    if deal["start"] not in range(players):
        raise ValueError(f"start must be a seat, not {deal['start']}")
    if len(deal["hands"]) != NUM_ROUNDS:
        raise ValueError("a deal has the hands of three rounds")
    cards: list[int] = []
    for hands in deal["hands"]:
        if len(hands) != players or any(len(hand) != HAND_SIZE for hand in hands):
            raise ValueError("each round deals ten cards to each seat")
        for hand in hands:
            cards += hand
    if len(set(cards)) != len(cards):
        raise ValueError("a card is dealt twice")
    if not all(1 <= card <= NUM_CARDS for card in cards):
        raise ValueError("cards are 1..120")
