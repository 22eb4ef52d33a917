"""The laws that every game keeps. Each takes a helper and a start, and raises AssertionError where it is broken."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from cogs.table.rules import part_of
from engines import record
from engines.chance import Chance
from engines.game import BadNotation, Event, IllegalMove
from engines.seats import letter
from tests.contract.graph import exactly, mutable_parts
from tests.contract.helper import Helper, Start
from tests.contract.malformed import malformed
from tests.contract.walk import choose, positions, readers

Law = Callable[[Helper, Start], None]

CUSTOM_ID = 100  # characters, of which these go before a notation: the match's id and the decision's number
PREFIX = "m:abcdefgh:9999:"
SEAT_BY_NUMBER = re.compile(
    r"\b(seat|offer|player|opponent|mage|menhir)s?,? (number|by number|\d)|\bnumbered\b", re.IGNORECASE
)  # a sentence that names one so
JUNK = (
    "",
    " ",
    "x",
    "play",
    "bid",
    "bid two",
    "play 1X",
    "play 10H 10H",
    "bid 99999999999999999999",
    "🃏",
    "bid -1",
    "bid ²",
)


def over_exactly_when_nobody_may_act(helper: Helper, start: Start) -> None:
    """No decisions ⇔ an outcome; who may act has moves, who may not has none, and somebody is waited for."""
    game = helper.game
    for state in positions(helper, start):
        decisions, outcome = game.decisions(state), game.outcome(state)
        assert bool(decisions) != (outcome is not None), "over, and yet somebody may act"
        assert not decisions or any(decision.due for decision in decisions.values()), "nobody is waited for"
        assert set(decisions) <= set(range(start.seats))
        for seat in range(start.seats):
            assert bool(game.moves(state, seat)) == (seat in decisions), f"seat {seat}: moves and decisions disagree"
    assert outcome is not None
    assert len(outcome.places) == len(outcome.points) == start.seats
    for place in outcome.places:
        assert place == 1 + sum(other < place for other in outcome.places), "places leave a gap"


def decisions_are_numbered_by_seat(helper: Helper, start: Start) -> None:
    """A choice raises its own seat's number, and nobody's number ever falls."""
    game, rng = helper.game, Random(start.seed)
    state = helper.begin(start)
    newest = [-1] * start.seats
    while decisions := game.decisions(state):
        for seat, decision in decisions.items():
            assert decision.number >= newest[seat], f"seat {seat} meets an old number again"
            newest[seat] = decision.number
        seat, move = choose(helper, state, rng)
        game.play(state, seat, move)
        newest[seat] += 1


def check_accepts_what_moves_lists(helper: Helper, start: Start) -> None:
    """Over the whole vocabulary, `check` lets pass exactly the moves, put in canonical order; it changes nothing."""
    game = helper.game
    vocabulary = helper.vocabulary(start.seats)
    for state in positions(helper, start, share=0.5):
        before = game.checkpoints.dump_json(state)
        for seat in range(start.seats):
            listed = game.moves(state, seat)
            assert len(set(listed)) == len(listed), "a move is listed twice"
            assert list(listed) == list(game.moves(state, seat)), "the order is not stable"
            accepted = {helper.canonical(move) for move in vocabulary if _passes(helper, state, seat, move)}
            assert accepted == set(listed), f"check and moves differ by {accepted ^ set(listed)}"
        assert game.checkpoints.dump_json(state) == before, "listing or checking changed the state"


def _passes(helper: Helper, state: Any, seat: int, move: Any) -> bool:
    refusal = _refusal(lambda: helper.game.check(state, seat, move))
    return refusal is None


def _refusal(action: Callable[[], object]) -> IllegalMove | None:
    """What is said against the action, which is a sentence; None where it is allowed."""
    try:
        action()
    except IllegalMove as refused:
        said = refused
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise AssertionError("an error where a sentence was due") from error
    else:
        return None
    assert said.reason.endswith((".", "!", "?")), f"no sentence: {said.reason}"
    return said


def check_refuses_what_is_malformed(helper: Helper, start: Start) -> None:
    """Of legal moves with one part changed, `check` lets pass those that are legal, and refuses all others in words."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.5):
        for seat in game.decisions(state):
            listed = game.moves(state, seat)
            some = [rng.choice(listed) for _ in range(6)]
            for move in {other for each in (*some, listed[0], listed[-1]) for other in malformed(each, rng)}:
                if _passes(helper, state, seat, move):
                    assert helper.canonical(move) in listed, f"{move} is let pass"


def refusals_cite_the_rule_that_forbids(helper: Helper, start: Start) -> None:
    """A move that is refused by a rule cites one that the rules page shown to players says; no other refusal cites any.

    Out of turn there is no rule to cite, and none where what the move names is not there or not the seat's own.
    Whatever belongs to another moment is refused by a rule.
    """
    game = helper.game
    vocabulary = helper.vocabulary(start.seats)
    kinds = _kinds(helper)
    for state in positions(helper, start, share=0.2):
        decisions = game.decisions(state)
        for seat in range(start.seats):
            for move in vocabulary:
                refusal = _refusal(partial(game.check, state, seat, move))
                if refusal is None:
                    continue
                if refusal.rule is not None:
                    assert part_of(game.key, refusal.rule) is not None, f"the page does not say {refusal.rule}"
                forbidden = seat in decisions and not (
                    type(move) in kinds[decisions[seat].kind] and helper.lacks(state, seat, move)
                )
                assert (refusal.rule is not None) == forbidden, f"{move}: {refusal.reason} ({refusal.rule})"


@cache
def _kinds(helper: Helper) -> Mapping[str, set[type]]:
    """By kind of decision, the kinds of moves that are made at it in all the matches."""
    found: dict[str, set[type]] = {}
    for state in (state for start in helper.starts() for state in positions(helper, start)):
        for seat, decision in helper.game.decisions(state).items():
            found.setdefault(decision.kind, set()).update(map(type, helper.game.moves(state, seat)))
    return found


def notation_reads_back(helper: Helper, start: Start) -> None:
    """`read(write(move)) == move`, no two moves look alike, and what is no move is refused; all fits a custom_id."""
    game = helper.game
    seen: dict[str, Any] = {}
    for state in positions(helper, start):
        for seat in game.decisions(state):
            for move in game.moves(state, seat):
                text = game.write(move)
                assert seen.setdefault(text, move) == move, f"“{text}” is two moves"
    for text, move in seen.items():
        for same in (text, text.lower(), f" {text.upper()} ".replace(" ", "  ")):
            assert _refusal(lambda same=same: game.read(same)) is None, f"“{same}” is not read"  # type: ignore[misc]
            assert game.read(same) == move
        assert len(PREFIX + text) <= CUSTOM_ID, f"“{text}” is too long"
    for junk in (*JUNK, *(text[:-1] for text in seen), *(text + "x" for text in seen)):
        refusal = _refusal(lambda text=junk: game.read(text))  # type: ignore[misc]
        assert refusal is None or (isinstance(refusal, BadNotation) and refusal.rule is None)
        if refusal is None:
            assert game.read(game.write(game.read(junk))) == game.read(junk)


def seats_go_by_letters(helper: Helper, start: Start) -> None:
    """No notation, no refusal and no line of a record names a seat by a number."""
    game, rng = helper.game, Random(start.seed)
    vocabulary = helper.vocabulary(start.seats)
    naming = [move for move in vocabulary if helper.named(move)]
    said: set[str] = set()
    notations: dict[str, Sequence[int]] = {}
    for state in positions(helper, start):
        for seat in game.decisions(state) if naming else ():
            notations |= {game.write(move): seats for move in game.moves(state, seat) if (seats := helper.named(move))}
        if rng.random() < 0.1:
            said |= _refusals(helper, state, [*naming, *rng.sample(vocabulary, min(len(vocabulary), 300))])
    for text, seats in notations.items():
        said |= _letters_alone(helper, text, {letter(seat): seat for seat in seats})
    for verb in {text.split()[0] for text in (*notations, *_recorded(helper, start, rng))}:
        for junk in (verb, f"{verb} ?", f"{verb} ? ? ?"):
            refusal = _refusal(lambda text=junk: game.read(text))  # type: ignore[misc]
            said |= {refusal.reason} if refusal else set()
    for reason in said:
        assert not SEAT_BY_NUMBER.search(reason), f"a seat by its number: {reason}"


def _refusals(helper: Helper, state: Any, moves: Sequence[Any]) -> set[str]:
    """What is said to the seats against these moves."""
    seats = {*helper.game.decisions(state), 0}
    refusals = (_refusal(lambda: helper.game.check(state, seat, move)) for seat in seats for move in moves)  # noqa: B023
    return {refusal.reason for refusal in refusals if refusal}


def _letters_alone(helper: Helper, text: str, letters: Mapping[str, int]) -> set[str]:
    """A notation that names these seats does it by letters, and with numbers instead it is refused; in which words."""
    verb, *words = text.split()
    assert set(letters) <= set(words), f"“{text}” names a seat by something else than its letter"
    said = set()
    for first in (0, 1):
        numbered = " ".join((verb, *(str(letters[word] + first) if word in letters else word for word in words)))
        refusal = _refusal(lambda text=numbered: helper.game.read(text))  # type: ignore[misc]
        assert isinstance(refusal, BadNotation), f"“{numbered}” is read"
        said.add(refusal.reason)
    return said


def _recorded(helper: Helper, start: Start, rng: Random) -> list[str]:
    """The notations of a match, whose record says by letters whose they are."""
    game, state = helper.game, helper.begin(start)
    made: list[record.Made] = []
    while game.decisions(state):
        seat, move = choose(helper, state, rng)
        made.append(record.Made(seat, game.write(move)))
        game.play(state, seat, move)
    options = game.settings.dump_json(start.options).decode()
    kept = record.Record(game.key, game.version, start.seats, options, "0" * 32, tuple(made), game.outcome(state))
    text = record.write(kept)
    lines = text.partition("\n\n")[2].splitlines()
    assert lines == [f"{number} {letter(each.seat)} {each.notation}" for number, each in enumerate(made, 1)]
    assert record.parse(text) == kept
    return [each.notation for each in made]


def checkpoints_round_trip(helper: Helper, start: Start) -> None:
    """A state that was stored and read back is the same to the last type, and goes on in the same way."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.1):
        stored = game.checkpoints.dump_json(state)
        loaded = game.checkpoints.validate_json(stored)
        assert exactly(loaded) == exactly(state)
        assert game.checkpoints.dump_json(loaded) == stored
        going_on = game.copy(state)
        for _ in range(4 * start.seats):
            if not game.decisions(going_on):
                break
            seat, move = choose(helper, going_on, rng)
            assert game.play(going_on, seat, move) == game.play(loaded, seat, move), "it went on differently"
            assert game.view(going_on, seat) == game.view(loaded, seat)


def copies_share_nothing(helper: Helper, start: Start) -> None:
    """A copy is equal, has no mutable part in common, and playing on it leaves the original as it was."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.2):
        copy = game.copy(state)
        assert exactly(copy) == exactly(state)
        own = dict(mutable_parts(state))
        shared = [path for part, path in mutable_parts(copy) if part in own]
        assert not shared, f"shared: {shared}"
        before = game.checkpoints.dump_json(state)
        for _ in range(2 * start.seats):
            if game.decisions(copy):
                game.play(copy, *choose(helper, copy, rng))
        assert game.checkpoints.dump_json(state) == before


def values_are_frozen(helper: Helper, start: Start) -> None:
    """Views, moves, decisions and events have no part that could be changed."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.1):
        values = [game.view(state, seat) for seat in readers(start)]
        values += [move for seat in range(start.seats) for move in game.moves(state, seat)]
        values += game.decisions(state).values()
        if game.decisions(state):
            values += game.play(game.copy(state), *choose(helper, state, rng))
        for value in values:
            assert not list(mutable_parts(value)), f"mutable in {value}"


def the_same_seed_gives_the_same_match(helper: Helper, start: Start) -> None:
    """Same seed and moves ⇒ same events and states: nothing random comes from anywhere else (C1)."""
    game, rng = helper.game, Random(start.seed)
    random.seed(1)
    one = helper.begin(start)
    random.seed(2)
    two = helper.begin(start)
    assert exactly(one) == exactly(two)
    while game.decisions(one):
        seat, move = choose(helper, one, rng)
        random.seed(1)
        events = game.play(one, seat, move)
        random.seed(2)
        assert game.play(two, seat, move) == events
        assert one == two
    assert exactly(one) == exactly(two)


def events_can_be_stored_and_addressed(helper: Helper, start: Start) -> None:
    """Events read back from JSON as they were; a private one is for some of the seats, and never for a spectator."""
    game, rng = helper.game, Random(start.seed)
    state = helper.begin(start)
    while game.decisions(state):
        events = game.play(state, *choose(helper, state, rng))
        for event in events:
            if event.to is not None:
                assert set(event.to) <= set(range(start.seats)), "to nobody who plays"
                assert len(set(event.to)) == len(event.to)
                assert not event.seen_by(None)
        assert exactly(_stored(helper, events)) == exactly(events)


def _stored(helper: Helper, events: list[Event]) -> object:
    """The events as they come back from JSON."""
    try:
        return helper.game.events.validate_json(helper.game.events.dump_json(events, warnings="error"))
    except (PydanticSerializationError, ValidationError) as error:
        raise AssertionError("events that cannot be stored") from error


def samples_look_the_same(helper: Helper, start: Start) -> None:
    """A sampled state has the same view, decisions and moves, and can be played on; one chance gives one state."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.06):
        for seat in readers(start):
            view = game.view(state, seat)
            chance = Chance(f"{rng.getrandbits(128):032x}")
            random.seed(1)
            sampled = game.sample(view, chance.copy())
            random.seed(2)
            assert exactly(game.sample(view, chance.copy())) == exactly(sampled), "two samples by one chance differ"
            assert game.view(sampled, seat) == view
            _same_choices(helper, state, sampled, seat)
            assert exactly(game.checkpoints.validate_json(game.checkpoints.dump_json(sampled))) == exactly(sampled)
            for _ in range(3 * start.seats):
                if game.decisions(sampled):
                    who, move = choose(helper, sampled, rng)
                    game.check(sampled, who, move)
                    game.play(sampled, who, move)


def nothing_hidden_is_told(helper: Helper, start: Start) -> None:
    """Changing all that a seat cannot know leaves its view, its moves, its screens and what it is told as they were.

    It is told the events of any move that both worlds allow, unless that move shows it something new.
    """
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start, share=0.12):
        for seat in readers(start):
            other = helper.scramble(state, seat, rng)
            view = game.view(state, seat)
            assert game.view(other, seat) == view, "the view tells"
            _same_choices(helper, state, other, seat)
            assert _drawn(helper, start, state, seat) == _drawn(helper, start, other, seat), "a screen tells"
            other.chance = state.chance.copy()
            for actor in game.decisions(state):
                both = [move for move in game.moves(state, actor) if move in game.moves(other, actor)]
                for move in rng.sample(both, min(3, len(both))):
                    if not helper.reveals(state, seat, actor, move):
                        _same_told(helper, (state, other), seat, actor, move)


def _same_choices(helper: Helper, one: Any, two: Any, seat: int | None) -> None:
    """The seat has the same to decide in both, and sees the match wait for the same seats."""
    first, second = helper.game.decisions(one), helper.game.decisions(two)
    assert {who: decision.due for who, decision in first.items()} == {who: d.due for who, d in second.items()}
    if seat is not None:
        assert first.get(seat) == second.get(seat), "the decision differs"
        assert list(helper.game.moves(one, seat)) == list(helper.game.moves(two, seat)), "the moves differ"


def _drawn(helper: Helper, start: Start, state: Any, seat: int | None) -> object:
    decision = None if seat is None else helper.game.decisions(state).get(seat)
    moves = () if seat is None else helper.game.moves(state, seat)
    return helper.draw_screens(start, helper.game.view(state, seat), decision, moves)


def _same_told(helper: Helper, worlds: tuple[Any, Any], seat: int | None, actor: int, move: Any) -> None:
    game = helper.game
    told = []
    for world in worlds:
        state = game.copy(world)
        events = [event for event in game.play(state, actor, move) if event.seen_by(seat)]
        told.append((events, game.view(state, seat)))
    assert told[0][0] == told[1][0], f"the events of {game.write(move)} tell"
    assert told[0][1] == told[1][1], f"the view after {game.write(move)} tells"


LAWS: Mapping[str, Law] = {
    law.__name__: law
    for law in (
        over_exactly_when_nobody_may_act,
        decisions_are_numbered_by_seat,
        check_accepts_what_moves_lists,
        check_refuses_what_is_malformed,
        refusals_cite_the_rule_that_forbids,
        notation_reads_back,
        seats_go_by_letters,
        checkpoints_round_trip,
        copies_share_nothing,
        values_are_frozen,
        the_same_seed_gives_the_same_match,
        events_can_be_stored_and_addressed,
        samples_look_the_same,
        nothing_hidden_is_told,
    )
}
