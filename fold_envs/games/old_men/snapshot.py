"""One table of Old Men of the Forest in plain Python, for people, tests and tools."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fold_envs.games.old_men.deck import HAND, RANKS, SUITS, ApeDeck, card_name


def take_snapshot(state: dict[str, NDArray[Any]], deck: ApeDeck, hands: int) -> dict[str, Any]:
    """All that lies on a table, hidden things included.

    Args:
        state: the fields of the table.
        deck: the orangutans.
        hands: hands of the match.
    """
    p = state["public"].shape[1]
    turn, turns = int(state["turn"]), HAND * (p + 4)  # of a hand
    hand_number = min(turn // turns, hands - 1)
    trick_number = turn // (p + 4) - hand_number * HAND
    leader, card_at = int(state["leader"]), state["card_at"]
    suit, _, shown = state["public"][-3:]
    order = [(leader + k) % p for k in range(p)]
    played = {seat: int(shown[seat]) - 1 for seat in order if shown[seat]}
    lies = [seat for seat in played if suit[seat]]
    claimers = [int(seat) for seat in state["claimer"]] if len(played) == p else []
    claims = [
        [seat, name]
        for seat in claimers
        for name in _names(card_at == _claim_code(p, trick_number, seat))
    ]
    won, owned, discard = _trace_claims(state, deck)
    for card in np.flatnonzero(card_at == p + 1):
        if int(card) not in [played[seat] for seat in lies]:
            discard.append(int(card))
    return {
        "apes": [deck.as_dict(kind) for kind in deck.kind_of],
        "hand_number": hand_number,
        "trick_number": trick_number,
        "leader": leader,
        "plays": [[seat, card_name(card)] for seat, card in played.items()],
        "trick": [[seat, card_name(played[seat])] for seat in lies],
        "claim_order": claimers,
        "claims": claims,
        "in_hand": [_names(card_at == seat) for seat in range(p)],
        "won": won,
        "owned": owned,
        "discard": [card_name(card) for card in sorted(discard)],
        "out": _names(card_at == p),
        "display": [int(slot) - 1 if slot else None for slot in state["display"]],
        "ape_deck": state["order"][int(state["drawn"]) :].tolist(),
        "points_now": state["points"][0].tolist(),
        "past_points": state["points"][1].tolist(),
        # the values of all orangutans taken in the match, by seat, falling
        "taken": [
            np.repeat(deck.values, counts)[::-1].tolist()
            for counts in state["public"][len(SUITS) : -3].T
        ],
        "coming": [_coming_hand(state, p, number) for number in range(hand_number, hands - 1)],
    }


def _coming_hand(state: dict[str, NDArray[Any]], p: int, number: int) -> dict[str, Any]:
    card_at = state["next_card_at"][number]
    return {
        "leader": int(state["next_leader"][number]),
        "hands": [_names(card_at == seat) for seat in range(p)],
        "out": _names(card_at == p),
        "ape_deck": state["next_order"][number].tolist(),
    }


def _trace_claims(
    state: dict[str, NDArray[Any]], deck: ApeDeck
) -> tuple[list[list[str]], list[list[dict[str, Any]]], list[int]]:
    """By seat the cards won and not cashed, and the orangutans with what lies under them.

    Last, the cards that paid for them. A card went with the first orangutan that its claimer took
    in that trick or later.
    """
    p = state["public"].shape[1]
    won: list[list[str]] = []
    owned: list[list[dict[str, Any]]] = []
    paid: list[int] = []
    for seat in range(p):
        pile: list[int] = []
        owned.append([])
        for trick in range(HAND):
            pile += np.flatnonzero(state["card_at"] == _claim_code(p, trick, seat)).tolist()
            for ape in np.flatnonzero(state["ape_at"] == 1 + trick * p + seat).tolist():
                cost = _cheapest(sorted(pile), deck.cost[deck.kind_of[ape]])
                under = [card_name(card) for card in sorted(pile) if card not in cost]
                owned[seat].append({"ape": ape, "under": under})
                paid += cost
                pile = []
        won.append([card_name(card) for card in sorted(pile)])
    return won, owned, paid


def _claim_code(num_players: int, trick: int, seat: int) -> int:
    """The entry of ``card_at`` for a card that ``seat`` claimed in ``trick``."""
    return num_players + 2 + trick * num_players + seat


def _cheapest(cards: list[int], cost: NDArray[np.uint8]) -> list[int]:
    """The cards, of the rising ``cards``, that pay for ``cost``: the lowest of each suit."""
    paid: list[int] = []
    for suit, count in enumerate(cost):
        paid += [card for card in cards if card // RANKS == suit][:count]
    return paid


def _names(flags: NDArray[np.bool_]) -> list[str]:
    return [card_name(int(card)) for card in np.flatnonzero(flags)]
