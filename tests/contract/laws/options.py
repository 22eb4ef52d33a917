"""Laws of options: each can have an effect, what is said to have none has none, and a lobby says what differs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

from engines.kit.chance import Chance
from engines.kit.options import Option, differing_options, game_options, no_effect_reason
from tests.contract.helper import GameHelper, MatchStart
from tests.until_over import until_over

MAX_REASON = 35  # characters: “No effect: ” and the reason fit under a line of a list
TRACED = 700  # moves of a match that are compared
TRIED = 3  # matches in which a reason must hold


def options_have_an_effect_or_say_why_not(helper: GameHelper, start: MatchStart) -> None:
    """Each option changes what is asked or what happens in some match, and changes nothing if it says why not."""
    for option in game_options(helper.game):
        cases = [*option_cases(helper, option)]
        Random(f"{start.seed} {option.name}").shuffle(cases)
        reasons = {case: no_effect_reason(helper.game, case[1], case[0], option.name) for case in cases}
        usual = {case: replace(case[1], **{option.name: option.default}) for case in cases}
        assert any(changes_match(helper, case, usual[case], start.seed) for case in cases if not reasons[case]), (
            f"{option.name} never has an effect"
        )
        for (seats, options), why in islice(((case, why) for case, why in reasons.items() if why), TRIED):
            assert_reads_as_reason(why)
            assert option.name not in differing_options(helper.game, options, seats), "it is said to differ"
            if option.name not in helper.pack_options:
                changed = changes_match(helper, (seats, options), usual[seats, options], start.seed)
                assert not changed, f"{option.name} has an effect with {seats} players and {options}"


def lobbies_say_what_differs(helper: GameHelper, start: MatchStart) -> None:
    """Every option that makes a difference has a phrase that tells its values apart; the published game has none."""
    game, screen = helper.game, helper.screen
    for seats in game.seats:
        assert differing_options(game, game.options(), seats) == ()
    for option in game_options(game):
        phrases: dict[str, Any] = {}
        for seats, options in option_cases(helper, option, mixed=False):
            if seats == game.seats[-1] and option.name in differing_options(game, options, seats):
                phrase = (
                    screen.option_phrases(options, seats).get(option.name)
                    or screen.option_texts(options, seats)[option.name]
                )
                value = getattr(options, option.name)
                assert phrase not in phrases, f"{option.name}: {phrases[phrase]} and {value} are both called “{phrase}”"
                phrases[phrase] = value


def lobbies_agree_with_the_intro(helper: GameHelper, start: MatchStart) -> None:
    """A match of the published game takes as long in its lobby as in the intro."""
    for seats, minutes in helper.intro.minutes.items():
        assert helper.screen.match_minutes(helper.game.options(), seats) == minutes


def option_cases(helper: GameHelper, option: Option, mixed: bool = True) -> Iterator[tuple[int, Any]]:
    """Numbers of players, and valid options in which this one has another value than its default."""
    game = helper.game
    others = [helper.brief_options, *helper.rule_mixtures] if mixed else []
    for values in ({}, *others):
        for value in option.values:
            with suppress(ValueError):
                options = game.validate_options(replace(game.options(), **{**values, option.name: value}))
                if value != option.default:
                    yield from ((seats, options) for seats in game.seats_with(options))


def changes_match(helper: GameHelper, case: tuple[int, Any], usual: Any, seed: str) -> bool:
    """Whether a match with these options goes another way than one with usual ones, if so many can play that at all."""
    seats, options = case
    if seats not in helper.game.seats_with(usual):
        return True
    return trace(helper, seats, options, seed) != trace(helper, seats, usual, seed)


def trace(helper: GameHelper, seats: int, options: Any, seed: str) -> list[str]:
    """What is asked and what happens in a match by the same chance, in which everybody takes the same moves."""
    game, rng = helper.game, Random(seed)
    state, found = game.start(seats, options, Chance(seed)), []
    for _ in islice(until_over(game, state), TRACED):
        due = [seat for seat, decision in game.decisions(state).items() if decision.due]
        seat = due[0]
        moves = game.moves(state, seat)
        move = moves[rng.randrange(len(moves))]
        found.append(f"{due} {moves} {game.play(state, seat, move)}")
    return [*found, str(game.outcome(state))]


def assert_reads_as_reason(why: str) -> None:
    """It follows “because” and fits under a line of a list."""
    assert why[0].islower(), f"no clause: {why}"
    assert not why.endswith("."), f"no clause: {why}"
    assert len(why) <= MAX_REASON, f"longer than {MAX_REASON} characters: {why}"
