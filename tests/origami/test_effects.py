"""Every effect of the card table, in positions set by hand; page: README.md of the game.

Cards without an instant effect: folds 1: Minnow, Ant (cost 2); folds 2: Chicken (cost 4); folds 3:
Rabbit, Gorilla, Bee; folds 4: Whale.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.origami.positions import Position

PAY_2, PAY_4, PAY_6 = ["Minnow"] * 2, ["Whale"], ["Whale", "Chicken"]
PAY_3, PAY_5, PAY_7 = ["Rabbit"], ["Minnow", "Whale"], ["Rabbit", "Whale"]
PAY_8, PAY_9 = ["Whale"] * 2, ["Minnow", "Whale", "Whale"]
PAYMENTS = dict(enumerate([[], [], PAY_2, PAY_3, PAY_4, PAY_5, PAY_6, PAY_7, PAY_8, PAY_9]))


def played(
    card: str, cost: int, rest: list[str], others: Any = (["Minnow"],), **places: Any
) -> Any:
    """Seat 0 has just paid for ``card`` and laid it on collection 0."""
    position = Position([[card, *PAYMENTS[cost], *rest], *others], **places)
    position.play(f"play {card}")
    for paid in sorted(PAYMENTS[cost], key=position.game.cards.names.index):
        position.play(f"pay {paid}")
    assert position.phase == "place"
    return position.play("to collection 0")


def on_top(card: str, hand: list[str], others: Any = (["Minnow"],), **places: Any) -> Position:
    """Seat 0 has ``card`` on top of collection 0."""
    places.setdefault("collections", [[[card], []]] + [[[], []] for _ in others])
    return Position([hand, *others], **places)


# -------------------------------------------------------------------- drawing


def test_draw() -> None:
    cat = played("Cat", 2, ["Fox"], deck=["Pig", "Dog"])
    assert cat.phase == "instant"
    assert cat.words == ["no", "yes"]
    cat.play("yes")
    assert cat.hand() == ["Pig", "Fox"]
    assert cat["deck"] == ["Dog"]
    assert cat.to_act == 1
    assert played("Cat", 2, ["Fox"]).play("no").hand() == ["Fox"]
    assert played("Pig", 6, []).play("yes").hand() == ["Bee"] * 2  # amount 2


def test_draw_is_not_asked_when_there_is_nothing_to_draw() -> None:
    # the cards paid are discards, so only a cost of 0 leaves none
    free = played("Cat", 0, [], deck=[], Cat={"cost": 0})
    assert free.to_act == 1
    assert free.phase == "turn"


def test_draw_after_paying_with_an_empty_deck_uses_the_discards() -> None:
    cat = played("Cat", 2, [], deck=[]).play("yes")
    assert cat.hand() == ["Minnow"]
    assert cat["emptyings"] == 0  # it was empty before
    assert cat["deck"] == ["Minnow"]


def test_all_draw() -> None:
    deck = ["Cat", "Dog", "Pig", "Fox", "Ant"]
    dove = played("Dove", 4, [], others=([], []), deck=deck).play("yes")
    assert [dove.hand(seat) for seat in range(3)] == [["Cat", "Dog"], ["Pig"], ["Fox"]]
    assert dove["deck"] == ["Ant"]


def test_all_draw_the_player_first_when_cards_run_out() -> None:
    dove = played("Dove", 0, [], others=([], []), deck=["Cat", "Dog", "Pig"], Dove={"cost": 0})
    dove.play("yes")
    assert [dove.hand(seat) for seat in range(3)] == [["Cat", "Dog"], ["Pig"], []]
    assert dove["emptyings"] == 1


def test_all_draw_over_an_emptied_deck_in_the_middle() -> None:
    dove = played("Dove", 4, [], others=([],), deck=["Cat"], discards=["Pig", "Pig"]).play("yes")
    # the Whale that was paid and two Pigs are the new deck
    assert len(dove.hand(0)) == 2
    assert "Cat" in dove.hand(0)
    assert len(dove.hand(1)) == 1
    assert (dove["emptyings"], len(dove["deck"]), dove["discards"]) == (1, 1, [])


@pytest.mark.parametrize(
    ("mine", "theirs", "line", "drawn"),
    [
        ([], [], [], 1),
        (["Sheep"], [], ["Whale"] * 4, 2),  # covered by the Dog
        ([], ["Sheep", "Sheep", "Bee"], ["Whale"] * 4, 3),  # covered, of the opponent
        (["Sheep"], ["Sheep"], ["Sheep", "Sheep", "Whale"], 5),
    ],
)
def test_draw_sheep(mine: list[str], theirs: list[str], line: list[str], drawn: int) -> None:
    laid = [[mine, ["Bee"] * len(mine)], [theirs, ["Bee"] * len(theirs)]]
    dog = played("Dog", 6, [], collections=laid, line=line).play("yes")
    assert dog.hand() == ["Bee"] * drawn


def test_draw_sheep_takes_what_there_is() -> None:
    laid = [[["Sheep"], ["Sheep"]], [["Sheep"], ["Sheep"]]]
    dog = played("Dog", 0, [], collections=laid, deck=["Pig", "Cat"], Dog={"cost": 0}).play("yes")
    assert dog.hand() == ["Cat", "Pig"]
    assert dog["emptyings"] == 1


def test_draw_discard() -> None:
    owl = played("Owl", 6, ["Fox"], deck=["Pig", "Dog", "Cat", "Ant"]).play("yes")
    assert owl.phase == "discard one"
    assert owl.cards("discard") == ["Cat", "Dog", "Fox", "Pig"]
    owl.play("discard Fox")
    assert owl.hand() == ["Cat", "Pig", "Dog"]
    assert owl["discards"][0] == "Fox"
    assert owl.to_act == 1


def test_draw_discard_with_nothing_to_draw_still_discards() -> None:
    crab = played("Crab", 0, ["Fox"], deck=[], Crab={"cost": 0}).play("yes")
    assert crab.cards("discard") == ["Fox"]
    none = played("Crab", 0, [], deck=[], Crab={"cost": 0})
    assert none.phase == "turn"  # neither a card to draw nor one to discard


# -------------------------------------------------------------------- the Draw Line


def test_line_offers_rising_kinds_that_fit_and_refills() -> None:
    cheetah = played("Cheetah", 4, [], line=["Cat", "Chick", "Minnow", "Whale"], deck=["Fox"] * 4)
    assert cheetah.words == ["stop", "take Cat", "take Chick", "take Minnow", "take Whale"]
    cheetah.play("take Chick")
    assert cheetah.words == ["stop", "take Minnow"]  # Cat is below, Whale has 4 folds
    cheetah.play("stop")
    assert cheetah.hand() == ["Chick"]
    assert cheetah["line"] == ["Cat", "Fox", "Minnow", "Whale"]


def test_line_stopped_at_once_is_refused_and_does_not_refill() -> None:
    sheep = played("Sheep", 4, [], line=["Cat", "Cat"])
    assert sheep.play("stop")["line"] == ["Cat", "Cat"]
    taken = played("Sheep", 4, [], line=["Cat", "Cat"]).play("take Cat", "take Cat")
    assert (taken.hand(), taken["line"], taken.to_act) == (["Cat"] * 2, ["Bee"] * 4, 1)


def test_line_is_not_asked_when_nothing_fits() -> None:
    assert played("Monkey", 2, [], line=["Chicken", "Whale"]).phase == "turn"
    assert played("Monkey", 2, [], line=[]).phase == "turn"


def test_magpie_takes_at_least_one() -> None:
    magpie = on_top("Magpie", ["Fox"], line=["Minnow", "Whale", "Ant"])
    magpie.play("use Magpie")
    assert magpie.words == ["take Ant", "take Minnow", "take Whale"]
    magpie.play("take Minnow")
    assert "stop" in magpie.words
    magpie.play("take Whale")  # five folds: it ends by itself
    assert (magpie.to_act, magpie["line"]) == (1, ["Ant", "Bee", "Bee", "Bee"])


def test_magpie_needs_a_card_that_fits() -> None:
    assert "use Magpie" not in on_top("Magpie", ["Fox"], line=[]).words
    small = on_top("Magpie", ["Fox"], line=["Whale"], Magpie={"amount": 3})
    assert "use Magpie" not in small.words


def test_spider_needs_exactly_six() -> None:
    for line in (["Whale", "Rabbit"], ["Whale", "Minnow"], ["Minnow"] * 4, ["Bee"], []):
        assert "use Spider" not in on_top("Spider", ["Fox"], line=line).words
    for line in (["Whale", "Chicken"], ["Bee", "Bee"], ["Minnow", "Ant", "Whale"]):
        assert "use Spider" in on_top("Spider", ["Fox"], line=line).words


def test_spider_offers_only_cards_from_which_six_can_be_met() -> None:
    spider = on_top("Spider", [], line=["Chicken", "Rabbit", "Whale", "Gorilla"], deck=["Fox"])
    spider.play("use Spider")
    # Whale + Chicken or Rabbit + Gorilla; in rising kinds Rabbit, Chicken, Whale, Gorilla
    assert spider.words == ["take Chicken", "take Rabbit"]
    spider.play("take Rabbit")
    assert spider.words == ["take Gorilla"]
    spider.play("take Gorilla")
    assert (spider.to_act, spider.hand()) == (1, ["Rabbit", "Gorilla"])
    assert spider["line"] == ["Chicken", "Whale"]  # no refill


def test_sweep_line() -> None:
    deck = ["Cat", "Ant", "Whale", "Bee", "Fox"]
    skate = played("Roundel Skate", 4, [], line=["Pig", "Dog"], deck=deck).play("yes")
    assert skate["line"] == ["Cat", "Whale", "Ant", "Bee"]
    assert skate["discards"] == ["Pig", "Dog", "Whale"]
    assert skate.words == ["stop", "take Ant", "take Cat"]
    skate.play("take Cat", "take Ant")
    assert (skate.to_act, skate["line"]) == (1, ["Whale", "Bee"])  # no second refill


def test_sweep_line_ends_when_nothing_fits() -> None:
    rhino = played("Rhino", 7, [], line=["Cat"], deck=["Bee"] * 9).play("yes")
    assert (rhino.to_act, rhino["line"]) == (1, ["Bee"] * 4)
    rhino = played("Rhino", 7, [], line=["Cat"], deck=["Ant", *["Bee"] * 5]).play("yes")
    assert rhino.words == ["stop", "take Ant"]  # its amount is 1, by default
    none = played("Rhino", 7, [], line=["Cat"], deck=["Ant"] * 4, Rhino={"amount": 0})
    assert none.play("yes").to_act == 1


def test_sweep_line_shuffles_what_it_swept_when_the_deck_runs_out() -> None:
    skate = played("Roundel Skate", 4, [], line=["Pig"] * 4, deck=["Fox"]).play("yes")
    assert skate["emptyings"] == 1
    assert "Fox" in skate["line"]
    assert len(skate["line"]) == 4
    assert sorted(skate["line"] + skate["deck"]) == sorted(["Fox", "Whale", *["Pig"] * 4])


# -------------------------------------------------------------------- Fox


def test_fox_looks_at_three_and_keeps_two() -> None:
    fox = on_top("Fox", ["Cat"], deck=["Pig", "Dog", "Pig", "Ant"]).play("use Fox")
    assert fox.phase == "look"
    assert fox["looked"] == ["Pig", "Pig", "Dog"]
    assert fox.hand() == ["Cat"]
    assert fox.words == ["discard Dog", "discard Pig"]
    fox.play("discard Pig")
    assert (fox.hand(), fox["discards"], fox.to_act) == (["Cat", "Pig", "Dog"], ["Pig"], 1)


@pytest.mark.parametrize("deck", [["Pig"], ["Pig", "Dog"]])
def test_fox_with_fewer_than_three_still_discards_one(deck: list[str]) -> None:
    fox = on_top("Fox", [], deck=deck).play("use Fox", "discard Pig")
    assert fox.hand() == deck[1:]


def test_fox_needs_a_card_to_draw() -> None:
    assert "use Fox" not in on_top("Fox", ["Cat"], deck=[]).words
    assert "use Fox" in on_top("Fox", ["Cat"], deck=[], discards=["Pig"]).words


def test_cards_looked_at_are_not_shuffled() -> None:
    fox = on_top("Fox", [], deck=["Pig", "Dog"], discards=["Ant"]).play("use Fox")
    assert (fox["looked"], fox["deck"], fox["emptyings"]) == (["Pig", "Dog", "Ant"], [], 2)
    fox.play("discard Dog")
    assert fox["discards"] == ["Dog"]


# -------------------------------------------------------------------- Parrot


def test_parrot_offers_each_effect_once_and_no_others() -> None:
    laid = [[["Pig"], ["Sheep"]], [["Cat"], ["Raccoon"]], [["Fox"], ["Snake"]]]
    line = ["Chick", "Owl", "Parrot", "Rabbit"]
    parrot = played("Parrot", 6, [], others=(["Ant"], ["Ant"]), collections=laid, line=line)
    assert parrot.phase == "copy"
    # covered is the Pig; Cat and Raccoon both draw 1, Sheep and Chick both line 2
    assert parrot.words == ["copy draw 1", "copy draw_discard 3", "copy line 2", "no"]
    parrot.play("copy draw 1")
    assert (parrot.hand(), parrot.to_act) == (["Bee"], 1)  # no second question


def test_parrot_does_not_offer_what_would_do_nothing() -> None:
    laid = [[[], []], [["Eagle"], ["Zebra"]]]
    nobody = played("Parrot", 6, [], others=([],), collections=laid)
    assert nobody.phase == "turn"
    somebody = played("Parrot", 6, [], collections=laid)
    assert somebody.words == ["copy pass_right", "copy steal 1", "no"]


def test_parrot_copies_zebra() -> None:
    laid = [[[], []], [["Zebra"], []]]
    parrot = played("Parrot", 6, ["Fox"], others=(["Ant", "Pig"],), collections=laid)
    parrot.play("copy pass_right", "pass Fox", "pass Pig")
    assert (parrot.hand(0), parrot.hand(1), parrot.to_act) == (["Pig"], ["Fox", "Ant"], 1)


def test_parrot_copies_line_and_may_take_nothing() -> None:
    parrot = played("Parrot", 6, [], line=["Sheep", "Ant"]).play("copy line 2")
    assert parrot.words == ["stop", "take Ant", "take Sheep"]
    assert parrot.play("stop")["line"] == ["Sheep", "Ant"]


def test_parrot_copies_steal_without_a_second_refusal() -> None:
    parrot = played("Parrot", 6, [], line=["Eagle"]).play("copy steal 1")
    assert parrot.words == ["steal from seat 1"]


# -------------------------------------------------------------------- other hands


def test_steal() -> None:
    eagle = played("Eagle", 9, [], others=(["Ant"], [], ["Pig", "Pig"]))
    assert eagle.words == ["no", "steal from seat 1", "steal from seat 3"]
    eagle.play("steal from seat 3")
    assert (eagle.hand(0), eagle.hand(3), eagle.to_act) == (["Pig"], ["Pig"], 1)
    known = eagle["known"]
    assert known[3][0] == {"Pig": 1}  # the victim knows what was stolen
    assert known[1][0] == known[2][0] == {}


def test_steal_is_not_asked_when_nobody_has_cards_and_takes_what_there_is() -> None:
    assert played("Eagle", 9, [], others=([],)).phase == "turn"
    two = played("Eagle", 9, [], others=(["Ant"],), Eagle={"amount": 2})
    assert two.play("steal from seat 1").hand() == ["Ant"]


def test_opponents_discard_is_secret_until_all_have_chosen() -> None:
    shark = played("Shark", 8, ["Fox"], others=(["Ant", "Pig"], [], ["Cat", "Dog"])).play("yes")
    assert (shark.to_act, shark.words) == (1, ["discard Ant", "discard Pig"])
    shark.play("discard Pig")
    assert shark.hand(1) == ["Pig", "Ant"]  # still there
    assert (shark.to_act, shark["chosen"][1]) == (3, ["Pig"])
    shark.play("discard Cat")
    assert [shark.hand(seat) for seat in range(4)] == [["Fox"], ["Ant"], [], ["Dog"]]
    assert shark["discards"][:2] == ["Cat", "Pig"]
    assert shark.to_act == 1


def test_opponents_discard_two_in_rising_kinds_or_all_they_have() -> None:
    others = (["Ant"], ["Cat", "Pig", "Pig", "Dog"])
    shark = played("Shark", 8, [], others=others, Shark={"amount": 2}).play("yes")
    shark.play("discard Ant")
    assert shark.words == ["discard Cat", "discard Pig"]  # after Dog none would be left
    shark.play("discard Pig")
    assert shark.words == ["discard Dog", "discard Pig"]
    shark.play("discard Pig")
    assert (shark.hand(1), shark.hand(2)) == ([], ["Cat", "Dog"])


def test_opponents_discard_is_not_asked_when_they_have_nothing() -> None:
    assert played("Shark", 8, ["Fox"], others=([], [])).phase == "turn"


def test_zebra_passes_to_the_right_at_once() -> None:
    zebra = played("Zebra", 3, ["Fox", "Cat"], others=(["Ant"], ["Pig", "Dog"])).play("yes")
    assert (zebra.to_act, zebra.words) == (0, ["pass Cat", "pass Fox"])
    zebra.play("pass Fox", "pass Ant", "pass Pig")
    assert [zebra.hand(seat) for seat in range(3)] == [["Cat", "Ant"], ["Pig"], ["Dog", "Fox"]]
    known = zebra["known"]
    assert known[0] == [{}, {}, {"Fox": 1}]
    assert known[1] == [{"Ant": 1}, {}, {}]
    assert known[2] == [{}, {"Pig": 1}, {}]
    assert zebra.to_act == 1


def test_zebra_with_empty_hands() -> None:
    zebra = played("Zebra", 3, [], others=([], ["Pig", "Dog"])).play("yes")
    assert (zebra.to_act, zebra["waiting"]) == (2, [2])
    zebra.play("pass Pig")
    assert [zebra.hand(seat) for seat in range(3)] == [[], ["Pig"], ["Dog"]]
    assert played("Zebra", 3, [], others=([], [])).phase == "turn"  # nobody has cards


def test_zebra_alone_with_cards() -> None:
    zebra = played("Zebra", 3, ["Fox"], others=([],)).play("yes", "pass Fox")
    assert (zebra.hand(0), zebra.hand(1)) == ([], ["Fox"])


# -------------------------------------------------------------------- Snake


def test_snake_goes_under_and_the_top_keeps_its_action() -> None:
    pair = [["Fox"], ["Bee"]]
    snake = played("Snake", 5, ["Cat"], collections=[pair, [[], []]])
    snake.play("yes", "draw", "take Whale")
    assert snake["collections"][0][0] == ["Snake", "Fox"]
    assert "use Fox" in snake.words
    covered = played("Snake", 5, ["Cat"], collections=[pair, [[], []]])
    covered.play("no", "draw", "take Whale")
    assert covered["collections"][0][0] == ["Fox", "Snake"]
    assert "use Fox" not in covered.words


def test_snake_may_not_go_under_an_empty_collection() -> None:
    snake = played("Snake", 5, [])
    assert (snake.phase, snake["collections"][0]) == ("turn", [["Snake"], []])


def test_cards_are_laid_on_a_collection_with_a_snake_beneath() -> None:
    laid = [[["Fox"], ["Bee"]], [[], []]]
    snake = Position([["Snake", "Snake", *PAY_5, *PAY_5], ["Ant"]], collections=laid)
    for side in (0, 1):
        snake.play("play Snake", "pay Minnow", "pay Whale", f"to collection {side}", "yes")
        snake.play("draw", "take Whale")
    assert snake["collections"][0] == [["Snake", "Fox"], ["Snake", "Bee"]]


# -------------------------------------------------------------------- Lion and Dolphin


def test_lion_plays_free_and_may_cover_itself() -> None:
    lion = on_top("Lion", ["Whale"], collections=[[["Lion"], ["Bee"]], [[], []]])
    lion.play("use Lion")
    assert lion.words == ["play Whale"]  # it must be followed by a play
    lion.play("play Whale")
    assert lion.words == ["to collection 0", "to collection 1"]
    lion.play("to collection 0")
    assert lion["collections"][0] == [["Lion", "Whale"], ["Bee"]]
    assert (lion.hand(), lion["discards"], lion.to_act) == ([], [], 1)
    lion.play("draw", "take Whale")
    assert "use Lion" not in lion.words


def test_lion_s_play_works_with_its_instant_effect() -> None:
    lion = on_top("Lion", ["Pig"]).play("use Lion", "play Pig", "to collection 1", "yes")
    assert lion.hand() == ["Bee"] * 2


def test_lion_needs_a_card_in_hand() -> None:
    assert "use Lion" not in on_top("Lion", []).words


def test_dolphin_to_cost_0() -> None:
    dolphin = on_top("Dolphin", ["Cat"]).play("use Dolphin")
    assert dolphin.words == ["play Cat"]
    dolphin.play("play Cat")
    assert dolphin.phase == "place"  # 2 less is nothing to pay
    less = on_top("Dolphin", ["Cat"], Dolphin={"amount": 5}).play("use Dolphin", "play Cat")
    assert less.phase == "place"  # not below 0


def test_dolphin_pays_two_less_and_needs_a_payable_card() -> None:
    dolphin = on_top("Dolphin", ["Chicken", "Zebra"])
    assert (dolphin.cards("play"), dolphin.cards("use")) == ([], ["Dolphin"])
    dolphin.play("use Dolphin")
    assert dolphin.words == ["play Chicken"]  # 4 - 2 = 2; Zebra: 3 - 2 = 1 cannot be met
    dolphin.play("play Chicken")
    assert dolphin.words == ["pay Zebra"]
    assert "use Dolphin" not in on_top("Dolphin", ["Zebra", "Rabbit"]).words


# -------------------------------------------------------------------- Cricket and Vulture


def test_cricket_may_not_play_the_card_just_taken() -> None:
    cricket = on_top("Cricket", ["Minnow", "Minnow"], line=["Ant", "Whale"]).play("use Cricket")
    assert cricket.words == ["take Ant", "take Whale"]
    cricket.play("take Ant")
    assert cricket.phase == "extra play"
    assert cricket.words == ["no", "play Minnow"]
    cricket.play("play Minnow")
    assert cricket.words == ["pay Minnow"]  # Minnow, then the Ant: it may pay
    cricket.play("pay Minnow", "pay Ant", "to collection 1")
    assert (cricket.hand(), cricket.to_act) == ([], 1)


def test_cricket_with_a_second_copy_in_hand() -> None:
    cricket = on_top("Cricket", ["Ant", "Minnow"], line=["Ant"]).play("use Cricket", "take Ant")
    assert cricket.words == ["no", "play Ant", "play Minnow"]
    assert len(cricket["line"]) == 4  # refilled before the playing
    cricket.play("no")
    assert (cricket.hand(), cricket.to_act) == (["Minnow", "Ant", "Ant"], 1)


def test_cricket_asks_even_when_nothing_can_be_played() -> None:
    cricket = on_top("Cricket", [], line=["Whale"]).play("use Cricket", "take Whale")
    assert cricket.words == ["no"]
    assert "use Cricket" not in on_top("Cricket", ["Cat"], line=[]).words


def test_vulture_s_shown_card_is_part_of_the_payment() -> None:
    hand = ["Cat", "Chicken", "Minnow", "Rabbit"]
    vulture = on_top("Vulture", hand, deck=["Bee", "Cat"]).play("use Vulture")
    assert (vulture["shown"], vulture.hand()) == ("Bee", ["Cat", "Rabbit", "Chicken", "Minnow"])
    # Bee has 3 folds: Cat and Minnow cost less; Chicken 4: with one; Rabbit 5: with one and one
    assert vulture.words == ["no", "play Chicken", "play Rabbit"]
    vulture.play("play Rabbit")
    assert (vulture["discards"], vulture["shown"]) == (["Bee"], None)
    assert vulture.words == ["pay Cat", "pay Chicken"]
    vulture.play("pay Cat", "pay Minnow", "to collection 1")
    assert vulture["discards"] == ["Cat", "Minnow", "Bee"]


def test_vulture_without_a_play_discards_the_shown_card() -> None:
    vulture = on_top("Vulture", ["Whale"], deck=["Bee", "Cat"]).play("use Vulture")
    assert vulture.words == ["no"]
    vulture.play("no")
    assert (vulture["discards"], vulture.hand(), vulture.to_act) == (["Bee"], ["Whale"], 1)


def test_vulture_s_shown_card_cannot_be_played_but_another_copy_can() -> None:
    vulture = on_top("Vulture", ["Cat", "Ant"], deck=["Cat"]).play("use Vulture")
    assert vulture.words == ["no", "play Ant", "play Cat"]  # the Cat in hand
    alone = on_top("Vulture", ["Ant"], deck=["Cat"]).play("use Vulture")
    assert alone.words == ["no"]


def test_vulture_needs_a_card_to_draw_and_its_card_is_not_shuffled() -> None:
    assert "use Vulture" not in on_top("Vulture", ["Cat"], deck=[]).words
    vulture = on_top("Vulture", ["Cat"], deck=["Bee"], discards=["Ant"]).play("use Vulture")
    assert (vulture["deck"], vulture["emptyings"], vulture["shown"]) == (["Ant"], 1, "Bee")


# -------------------------------------------------------------------- scoring


def laid(*collections: list[str], hand: int = 0, **places: Any) -> int:
    """Points of seat 0 with these collections and so many cards in hand."""
    pair = [*collections, []][:2]
    return Position([["Ant"] * hand, []], collections=[pair, [[], []]], **places).scores[0]


@pytest.mark.parametrize(("cards", "points"), [(0, 0), (1, 0), (2, 1), (5, 2), (6, 3), (8, 4)])
def test_rabbit_counts_half_the_hand(cards: int, points: int) -> None:
    assert laid(["Rabbit"], hand=cards) == 2 + points
    assert laid(["Rabbit"], ["Rabbit"], hand=cards) == 2 * (2 + points)  # every copy scores


def gained(card: str, side: int, pair: list[list[str]]) -> int:
    """Points that playing a card adds."""
    free = {card: {"cost": 0}}
    position = Position([[card], []], collections=[pair, [[], []]], **free)
    before = position.scores[0]
    return position.play(f"play {card}", f"to collection {side}").scores[0] - before


def test_bee_counts_its_family_in_its_collection_with_itself() -> None:
    assert gained("Bee", 0, [["Ant"], ["Fly"]]) == 2 + 2
    assert gained("Ant", 0, [["Bee"], ["Fly"]]) == 1 + 1
    assert gained("Ant", 1, [["Bee"], ["Fly"]]) == 1
    assert gained("Bee", 0, [["Bee"], ["Fly"]]) == 2 + 2 + 1
    assert gained("Minnow", 0, [["Bee"], ["Fly"]]) == 1


def test_whale_counts_the_others_of_its_family() -> None:
    assert gained("Whale", 0, [["Shell"], ["Shell"]]) == 4 + 1
    assert gained("Whale", 0, [["Bee"], ["Shell"]]) == 4
    assert gained("Chicken", 0, [["Whale"], ["Shell"]]) == 2


def test_two_whales_together_count_each_other() -> None:
    assert gained("Whale", 0, [["Whale"], ["Shell"]]) == 4 + 1 + 1
    assert gained("Whale", 1, [["Whale"], ["Bee"]]) == 4
    assert gained("Whale", 0, [["Whale", "Minnow"], ["Bee", "Bee"]]) == 4 + 2 + 1


def test_per_name_counts_both_collections_and_every_copy_scores() -> None:
    assert gained("Chicken", 0, [["Chick"], ["Chick"]]) == 2 + 2
    assert gained("Chicken", 0, [["Chicken"], ["Chick"]]) == 2 + 1
    assert laid(["Chicken", "Chick"], ["Chicken", "Chick"]) == 2 * 2 + 2 * 1 + 4
    assert gained("Gorilla", 1, [["Monkey"], ["Bee"]]) == 2 + 1


def test_minnow_needs_another_in_the_same_collection() -> None:
    assert gained("Minnow", 0, [["Minnow"], ["Bee"]]) == 1 + 2
    assert gained("Minnow", 1, [["Minnow"], ["Bee"]]) == 1
    assert gained("Minnow", 0, [["Minnow", "Minnow"], ["Bee", "Bee"]]) == 1 + 1


def test_ant_needs_two_others_anywhere() -> None:
    assert gained("Ant", 0, [["Minnow"], ["Minnow"]]) == 1
    assert gained("Ant", 0, [["Ant"], ["Minnow"]]) == 1
    assert gained("Ant", 0, [["Ant"], ["Ant"]]) == 1 + 3
    assert gained("Ant", 0, [["Ant", "Ant"], ["Ant", "Bee"]]) == 1 + 1


def test_a_scoring_card_may_name_itself() -> None:
    changes = {"Chicken": {"target": "Chicken", "cost": 0}}
    game = Position([["Chicken"], []], collections=[[["Chicken"], ["Bee"]], [[], []]], **changes)
    assert game.scores[0] == (2 + 1) + 2 + 1
    game.play("play Chicken", "to collection 1")
    assert game.scores[0] == 2 * (2 + 2) + 2 + 1


def test_covered_cards_keep_points_and_scoring() -> None:
    assert laid(["Whale", "Shell", "Shell"], ["Bee", "Bee"]) == 4 + 2 + 2 + 2 + 2 * (2 + 2)


def test_a_collection_higher_than_a_family() -> None:
    laid = [[["Ant"] * 30, ["Ant"] * 30], *[[[], []]] * 3]
    cat = played("Cat", 2, [], others=(["Minnow"], [], []), collections=laid)
    assert len(cat["collections"][0][0]) == 31
