"""The laws are laws: a game that breaks one fails it."""

from __future__ import annotations

import pytest

from engines.game import AnyGame
from engines.jest.game import JestGame
from engines.wizard.game import WizardGame
from tests.contract import broken, laws
from tests.contract.helper import Helper
from tests.contract.laws import LAWS, Law
from tests.engines.jest.helper import JestHelper
from tests.engines.wizard.helper import WizardHelper

BREACHES: list[tuple[type[WizardGame] | type[JestGame], Law]] = [
    (broken.EarlyOutcome, laws.over_exactly_when_nobody_may_act),
    (broken.NeverOver, laws.over_exactly_when_nobody_may_act),
    (broken.StrangePlaces, laws.over_exactly_when_nobody_may_act),
    (broken.NobodyDue, laws.over_exactly_when_nobody_may_act),
    (broken.MovesForAll, laws.over_exactly_when_nobody_may_act),
    (broken.SameNumber, laws.decisions_are_numbered_by_seat),
    (broken.PermissiveCheck, laws.check_accepts_what_moves_lists),
    (broken.StrictCheck, laws.check_accepts_what_moves_lists),
    (broken.OutOfTurn, laws.check_accepts_what_moves_lists),
    (broken.CheckThatChanges, laws.check_accepts_what_moves_lists),
    (broken.CurtCheck, laws.check_accepts_what_moves_lists),
    (broken.CountedFromTheEnd, laws.check_refuses_what_is_malformed),
    (broken.CrashingCheck, laws.check_refuses_what_is_malformed),
    (broken.TwiceListed, laws.check_accepts_what_moves_lists),
    (broken.CitedHolding, laws.refusals_cite_the_rule_that_forbids),
    (broken.CitedTurn, laws.refusals_cite_the_rule_that_forbids),
    (broken.UncitedRule, laws.refusals_cite_the_rule_that_forbids),
    (broken.UncitedMoment, laws.refusals_cite_the_rule_that_forbids),
    (broken.UnknownRule, laws.refusals_cite_the_rule_that_forbids),
    (broken.AmbiguousNotation, laws.notation_reads_back),
    (broken.OneWayNotation, laws.notation_reads_back),
    (broken.LongNotation, laws.notation_reads_back),
    (broken.PedanticNotation, laws.notation_reads_back),
    (broken.CrashingNotation, laws.notation_reads_back),
    (broken.NumberedNotation, laws.seats_go_by_letters),
    (broken.LenientNotation, laws.seats_go_by_letters),
    (broken.NumberedRefusal, laws.seats_go_by_letters),
    (broken.NumberedExample, laws.seats_go_by_letters),
    (broken.ForgetfulCheckpoint, laws.checkpoints_round_trip),
    (broken.SharedCopy, laws.copies_share_nothing),
    (broken.SharedChance, laws.copies_share_nothing),
    (broken.ForgetfulCopy, laws.copies_share_nothing),
    (broken.MutableView, laws.values_are_frozen),
    (broken.ForeignRandomness, laws.the_same_seed_gives_the_same_match),
    (broken.ForeignStart, laws.the_same_seed_gives_the_same_match),
    (broken.EventForSpectators, laws.events_can_be_stored_and_addressed),
    (broken.UnknownEvent, laws.events_can_be_stored_and_addressed),
    (broken.CarelessSample, laws.samples_look_the_same),
    (broken.RandomSample, laws.samples_look_the_same),
    (broken.StuckSample, laws.samples_look_the_same),
    (broken.LeakyView, laws.nothing_hidden_is_told),
    (broken.LeakyStock, laws.nothing_hidden_is_told),
    (broken.LeakySeed, laws.nothing_hidden_is_told),
    (broken.LeakyEvent, laws.nothing_hidden_is_told),
    (broken.LeakyOrder, laws.nothing_hidden_is_told),
]


@pytest.mark.parametrize(("game", "law"), BREACHES, ids=[f"{game.__name__}" for game, _ in BREACHES])
def test_a_game_that_breaks_a_law_fails_it(game: type[WizardGame] | type[JestGame], law: Law) -> None:
    with pytest.raises(AssertionError):
        hold(helper(game()), law)


def helper(game: AnyGame) -> Helper:
    """The helper of the game that is not broken."""
    return JestHelper(game) if isinstance(game, JestGame) else WizardHelper(game)


def hold(helper: Helper, law: Law) -> None:
    """Hold a law against all starts of a game."""
    for start in helper.starts():
        law(helper, start)


def test_every_law_has_a_game_that_breaks_it() -> None:
    assert {law.__name__ for _, law in BREACHES} == set(LAWS)


def test_every_broken_game_is_tried() -> None:
    games = {cls for cls in vars(broken).values() if isinstance(cls, type) and issubclass(cls, WizardGame | JestGame)}
    assert games - {WizardGame, JestGame, broken._Cites} == {game for game, _ in BREACHES}
