"""Hand-set positions of one table of Momiji, in words.

A card is written as on the text view: type A-F, value, its acorn corners: "A0<>", "B1>", "C3".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fold_envs.games.momiji.board import FIRST_SPOT, TURN
from fold_envs.games.momiji.components import CORNERS
from fold_envs.games.momiji.game import Momiji

MARKS = {"": "none", "<": "left", ">": "right", "<>": "both"}


def kind_of(game: Momiji, text: str) -> int:
    index = (int(text[1]), CORNERS.index(MARKS[text[2:]]))
    return "ABCDEF".index(text[0]) * game.shape.each + game.components.kinds.index(index)


def word_of(text: str) -> str:
    """The card as actions name it."""
    return f"type {'ABCDEF'.index(text[0])} value {text[1]} {MARKS[text[2:]]}"


class Table:
    """One table; seat 0 is to act, in the open moment of a turn, everything is empty.

    Args:
        hands: cards of each seat, separated by blanks.
        rows: the piles of each seat from the left, as lists of cards from the bottom.
        tiles: unused landscape tiles of each seat.
        acorns: of each seat.
        types: those in use; by default the first P + 2.
        objectives: in the middle.
        owners: activated objectives and who owns them.
    """

    def __init__(
        self,
        hands: list[str] | str = "",
        *,
        rows: list[list[str]] | None = None,
        display: str = "",
        deck: str = "F0<> F0<> F0<> F0<> F0<>",
        acorns: list[int] | int = 0,
        tiles: list[str] | str = "",
        objectives: str = "",
        owners: dict[str, int] | None = None,
        torii: int = 4,
        players: int = 2,
        **options: Any,
    ) -> None:
        options.setdefault("landscapes", "draft")  # all powers are known then
        self.game = Momiji(1, num_players=players, **options)
        self.game.reset(0)
        game, board, s = self.game, self.game.board, self.game.state
        s.first[:] = s.seat[:] = 0
        board.situation[:] = TURN << 4
        board.seats[:] = 0
        s.turns[:] = 1
        if game.shape.draft:
            s.round[:] = 0
        board.left_end[:], board.right_end[:] = FIRST_SPOT - 1, FIRST_SPOT
        s.types[:] = 1
        board.pile[:] = 1
        s.laid[:] = s.cards[: game.shape.kinds] = s.left[:] = 0
        s.torii[:] = torii
        board.acorns[:] = np.reshape(acorns, (-1, 1))
        for place, hand in enumerate([hands] if isinstance(hands, str) else hands):
            for kind in self._kinds(hand):
                board.hand[place].reshape(-1)[kind] += 1
        for kind in self._kinds(display):
            s.cards[kind] += 1
        drawn = self._kinds(deck)
        s.drawn[:] = game.shape.deck - len(drawn)
        s.deck[game.shape.deck - len(drawn) :, 0] = drawn
        for kind in drawn:
            s.left[kind] += 1
        s.left[:] += s.cards[: game.shape.kinds]
        s.left[:] += board.hand.sum(axis=0, dtype=np.uint8).reshape(-1, 1)
        for place, row in enumerate(rows or []):
            for spot, pile in enumerate(row, start=FIRST_SPOT):
                self._lay(place, spot, pile)
        for place, names in enumerate([tiles] if isinstance(tiles, str) else tiles):
            for name in names.split():
                board.unused[place, game.shape.powers.index(name)] += 1
        names = self._tokens(objectives)
        s.middle[:] = sum(1 << token for token in names)
        board.owned[:] = 0
        for name, seat in (owners or {}).items():
            board.owned[seat] |= np.uint8(1 << self._tokens(name)[0])
        game.set_state(game.get_state())  # forget what was computed before

    def _kinds(self, cards: str) -> list[int]:
        return [kind_of(self.game, card) for card in cards.split()]

    def _tokens(self, names: str) -> list[int]:
        """Numbers of tokens such as "zeros, tops, A, B"."""
        order = ["zeros", "tops", *"ABCDEF"]
        return [order.index(name) for name in names.replace(",", " ").split()]

    def _lay(self, place: int, spot: int, pile: str) -> None:
        game, board = self.game, self.game.board
        kinds = self._kinds(pile)
        type_ = kinds[0] // game.shape.each
        code = game._attributes[0, kinds[-1]]
        board.pile[place, type_], board.spot[place, type_] = code, spot
        board.height[place, type_] = len(kinds)
        board.founded[place] |= np.uint8(1 << type_)
        board.right_end[place] = spot + 1
        board.zeros[place] += np.uint8(sum(card[1] == "0" for card in pile.split()))
        for kind in kinds:
            game.state.laid[place, kind] += 1

    # ------------------------------------------------------------------ play and look

    @property
    def words(self) -> list[str]:
        """The legal actions."""
        legal = np.flatnonzero(self.game.legal[:, 0])
        return [self.game.describe_action(int(action), 0) for action in legal]

    def play(self, *words: str) -> Table:
        """Take these actions one after the other; cards as "play A0<>"."""
        for word in words:
            verb, _, rest = word.partition(" ")
            if rest[:1] in "ABCDEF" and rest[1:2].isdigit():
                word = f"{verb} {word_of(rest)}"
            legal = np.flatnonzero(self.game.legal[:, 0])
            named = {self.game.describe_action(int(action), 0): action for action in legal}
            assert word in named, f"{word!r} is not legal; {sorted(named)} are"
            self.game.step([named[word]])
        return self

    def offers(self, *words: str) -> bool:
        """All of these are legal."""
        return all(self._full(word) in self.words for word in words)

    def refuses(self, *words: str) -> bool:
        """None of these is legal."""
        return not any(self._full(word) in self.words for word in words)

    @staticmethod
    def _full(word: str) -> str:
        verb, _, rest = word.partition(" ")
        if rest[:1] in "ABCDEF" and rest[1:2].isdigit():
            return f"{verb} {word_of(rest)}"
        return word

    @property
    def now(self) -> dict[str, Any]:
        """The snapshot."""
        return self.game.snapshot(0)

    def hand(self, seat: int = 0) -> str:
        return self._text(self.now["hands"][seat])

    def row(self, seat: int = 0) -> list[str]:
        return [self._text(pile) for pile in self.now["rows"][seat]]

    @property
    def display(self) -> str:
        return self._text(self.now["display"])

    def acorns(self, seat: int = 0) -> int:
        return self.now["acorns"][seat]

    @staticmethod
    def _text(cards: list[Any]) -> str:
        marks = {corners: mark for mark, corners in MARKS.items()}
        return " ".join(f"{'ABCDEF'[t]}{value}{marks[corners]}" for t, value, corners in cards)
