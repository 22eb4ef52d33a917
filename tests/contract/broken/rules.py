"""Games that break a law of what may be done each. All are Wizard, Jest or the example, but for one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engines.jest import model as jest_model
from engines.jest.game import JestGame
from engines.kit.chance import Chance
from engines.kit.contract import Decision, Event, Outcome
from engines.kit.errors import IllegalMove
from engines.wizard.game import WizardGame
from engines.wizard.model import Bid, Move, Options, Play, State
from tests.example.engines.glimpse import model as glimpse_model
from tests.example.engines.glimpse.game import GlimpseGame


class CrowdedTable(WizardGame):  # an option adds a seventh seat
    def seats_with(self, options: Options) -> range:
        return range(2, 8)


class ClosedTable(WizardGame):  # nobody can start as two, though the option says so
    def start(self, seats: int, options: Options, chance: Chance) -> State:
        if seats < 3:
            raise ValueError("Wait for a third player.")
        return super().start(seats, options, chance)


class OpenTable(JestGame):  # as many as come can start
    def validate_setup(self, seats: int, options: jest_model.Options) -> jest_model.Options:
        return options


class PermissiveCheck(WizardGame):  # nobody need follow suit
    def check(self, state: State, seat: int, move: Move) -> None:
        holds = isinstance(move, Play) and move.card in state.hands[seat]
        if not (holds and seat == state.turn and state.phase == "play"):
            super().check(state, seat, move)


class StrictCheck(WizardGame):  # nobody may bid 0, though it is listed
    def check(self, state: State, seat: int, move: Move) -> None:
        super().check(state, seat, move)
        if move == Bid(0):
            raise IllegalMove("W4", "Be brave.")


class OutOfTurn(WizardGame):  # the first seat may do it in anybody's turn
    def check(self, state: State, seat: int, move: Move) -> None:
        super().check(state, state.turn if seat == 0 else seat, move)


class CheckThatChanges(WizardGame):  # checking a move counts it
    def check(self, state: State, seat: int, move: Move) -> None:
        state.numbers[seat] += 1
        super().check(state, seat, move)


class CurtCheck(WizardGame):  # refusals are no sentences
    def check(self, state: State, seat: int, move: Move) -> None:
        try:
            super().check(state, seat, move)
        except IllegalMove as refused:
            raise IllegalMove(refused.rule, "no") from None


def _citing(words: str, rule: str | None) -> type[WizardGame]:
    """Wizard that cites a rule of its own choice if a refusal says something."""

    class CitingGame(WizardGame):
        def check(self, state: State, seat: int, move: Move) -> None:
            try:
                super().check(state, seat, move)
            except IllegalMove as refused:
                raise IllegalMove(rule if words in refused.reason else refused.rule, refused.reason) from None

    return CitingGame


CitedHolding = _citing("You do not hold", "W7")  # it is W7 that a card is not held
CitedTurn = _citing("not your turn", "W5")  # it is W5 that it is not the seat's turn
UncitedRule = _citing("You must follow", None)  # no rule is named by which a suit is to be followed
UncitedMoment = _citing("You cannot play cards yet", None)  # no rule is named by which the bids come first
UnknownRule = _citing("You must follow", "W99")  # the rule cited stands on no page


class CountedFromTheEnd(JestGame):
    """An offer of a seat that is not there is that of a seat counted from the end, as Python counts."""

    def check(self, state: jest_model.State, seat: int, move: jest_model.Move) -> None:
        if isinstance(move, jest_model.Take) and move.source < 0:
            move = replace(move, source=move.source % len(state.jests))
        super().check(state, seat, move)


class CrashingCheck(WizardGame):  # a card that there is not is looked up all the same
    def check(self, state: State, seat: int, move: Move) -> None:
        if isinstance(move, Play):
            assert range(60)[move.card] >= 0
        super().check(state, seat, move)


class TwiceListed(WizardGame):  # Jesters and Wizards are listed as often as they are held
    def moves(self, state: State, seat: int) -> Sequence[Move]:
        moves = super().moves(state, seat)
        return [*moves, moves[-1]] if state.phase == "play" and moves else moves


class MovesForAll(WizardGame):  # seats that may not act have moves all the same
    def moves(self, state: State, seat: int) -> Sequence[Move]:
        return super().moves(state, seat) or (Bid(0),)


class EarlyOutcome(WizardGame):  # there is a winner while the game still runs
    def outcome(self, state: State) -> Outcome | None:
        return Outcome.from_points(state.scores)


class NeverOver(WizardGame):  # it ends without a result
    def outcome(self, state: State) -> Outcome | None:
        return None


class NeverEnding(GlimpseGame):  # every deal is the first of several
    def play(self, state: glimpse_model.State, seat: int, move: glimpse_model.Move) -> list[Event]:
        events = super().play(state, seat, move)
        state.deal = 1
        return events


class StrangePlaces(WizardGame):  # places that leave a gap: nobody is first
    def outcome(self, state: State) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and Outcome(tuple(place + 1 for place in outcome.places), outcome.points)


class NobodyDue(WizardGame):  # the match waits for nobody
    def decisions(self, state: State) -> Mapping[int, Decision]:
        return {seat: replace(decision, due=False) for seat, decision in super().decisions(state).items()}


class SameNumber(WizardGame):  # all decisions of a seat have the same number, so that a stale click counts
    def decisions(self, state: State) -> Mapping[int, Decision]:
        return {seat: replace(decision, number=0) for seat, decision in super().decisions(state).items()}
