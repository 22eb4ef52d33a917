"""The laws are laws: a game that breaks one fails it."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import pytest

from engines.game import Game
from engines.jest.game import JestGame
from engines.wizard.game import WizardGame
from tests.contract import broken as broken_games
from tests.contract.broken import boards as broken_boards
from tests.contract.broken import notations as broken_notations
from tests.contract.broken import pieces as broken_pieces
from tests.contract.broken import rules as broken_rules
from tests.contract.broken import secrets as broken_secrets
from tests.contract.broken import states as broken_states
from tests.contract.helper import Helper
from tests.contract.laws import LAWS, Law, boards, notations, pieces, rules, secrets, states
from tests.engines.jest.helper import JestHelper
from tests.engines.wizard.helper import WizardHelper

Broken = type[WizardGame] | type[JestGame] | type[WizardHelper] | type[JestHelper]

BREACHES: list[tuple[Broken, Law]] = [
    (broken_rules.EarlyOutcome, rules.over_exactly_when_nobody_may_act),
    (broken_rules.NeverOver, rules.over_exactly_when_nobody_may_act),
    (broken_rules.StrangePlaces, rules.over_exactly_when_nobody_may_act),
    (broken_rules.NobodyDue, rules.over_exactly_when_nobody_may_act),
    (broken_rules.MovesForAll, rules.over_exactly_when_nobody_may_act),
    (broken_rules.SameNumber, rules.decisions_are_numbered_by_seat),
    (broken_rules.PermissiveCheck, rules.check_accepts_what_moves_lists),
    (broken_rules.StrictCheck, rules.check_accepts_what_moves_lists),
    (broken_rules.OutOfTurn, rules.check_accepts_what_moves_lists),
    (broken_rules.CheckThatChanges, rules.check_accepts_what_moves_lists),
    (broken_rules.CurtCheck, rules.check_accepts_what_moves_lists),
    (broken_rules.CountedFromTheEnd, rules.check_refuses_what_is_malformed),
    (broken_rules.CrashingCheck, rules.check_refuses_what_is_malformed),
    (broken_rules.TwiceListed, rules.check_accepts_what_moves_lists),
    (broken_rules.CitedHolding, rules.refusals_cite_the_rule_that_forbids),
    (broken_rules.CitedTurn, rules.refusals_cite_the_rule_that_forbids),
    (broken_rules.UncitedRule, rules.refusals_cite_the_rule_that_forbids),
    (broken_rules.UncitedMoment, rules.refusals_cite_the_rule_that_forbids),
    (broken_rules.UnknownRule, rules.refusals_cite_the_rule_that_forbids),
    (broken_notations.AmbiguousNotation, notations.notation_reads_back),
    (broken_notations.OneWayNotation, notations.notation_reads_back),
    (broken_notations.LongNotation, notations.notation_reads_back),
    (broken_notations.PedanticNotation, notations.notation_reads_back),
    (broken_notations.CrashingNotation, notations.notation_reads_back),
    (broken_notations.NumberedNotation, notations.seats_go_by_letters),
    (broken_notations.LenientNotation, notations.seats_go_by_letters),
    (broken_notations.NumberedRefusal, notations.seats_go_by_letters),
    (broken_notations.NumberedExample, notations.seats_go_by_letters),
    (broken_states.ForgetfulCheckpoint, states.checkpoints_round_trip),
    (broken_states.SharedCopy, states.copies_share_nothing),
    (broken_states.SharedChance, states.copies_share_nothing),
    (broken_states.ForgetfulCopy, states.copies_share_nothing),
    (broken_states.MutableView, states.values_are_frozen),
    (broken_states.ForeignRandomness, states.the_same_seed_gives_the_same_match),
    (broken_states.ForeignStart, states.the_same_seed_gives_the_same_match),
    (broken_states.EventForSpectators, states.events_can_be_stored_and_addressed),
    (broken_states.UnknownEvent, states.events_can_be_stored_and_addressed),
    (broken_secrets.CarelessSample, secrets.samples_look_the_same),
    (broken_secrets.RandomSample, secrets.samples_look_the_same),
    (broken_secrets.StuckSample, secrets.samples_look_the_same),
    (broken_secrets.LeakyView, secrets.nothing_hidden_is_told),
    (broken_secrets.LeakyStock, secrets.nothing_hidden_is_told),
    (broken_secrets.LeakySeed, secrets.nothing_hidden_is_told),
    (broken_secrets.LeakyEvent, secrets.nothing_hidden_is_told),
    (broken_secrets.LeakyOrder, secrets.nothing_hidden_is_told),
    (broken_boards.LeakyBoard, secrets.nothing_hidden_is_told),
    (broken_boards.WideBoard, boards.boards_can_be_read),
    (broken_boards.RaggedBoard, boards.boards_can_be_read),
    (broken_boards.NumberedBoard, boards.boards_can_be_read),
    (broken_boards.UnmarkedBoard, boards.boards_can_be_read),
    (broken_boards.BoardOfNobody, boards.boards_can_be_read),
    (broken_boards.BoardWithoutHand, boards.boards_can_be_read),
    (broken_boards.RawBoard, boards.boards_can_be_read),
    (broken_boards.FickleBoard, boards.boards_can_be_read),
    (broken_boards.CoarseBoard, boards.boards_tell_moments_apart),
    (broken_secrets.ExcusesAll, secrets.reveals_excuses_nobody_without_need),
    (broken_secrets.ExcusesTakes, secrets.reveals_excuses_nobody_without_need),
    (broken_pieces.ShortDeck, pieces.pieces_are_conserved),
    (broken_pieces.LostCard, pieces.pieces_are_conserved),
    (broken_pieces.CopiedCard, pieces.pieces_are_conserved),
    (broken_pieces.DoubleSample, pieces.pieces_are_conserved),
]
MODULES = [import_module(module.name) for module in iter_modules(broken_games.__path__, f"{broken_games.__name__}.")]


@pytest.mark.parametrize(("broken", "law"), BREACHES, ids=[broken.__name__ for broken, _ in BREACHES])
def test_a_game_that_breaks_a_law_fails_it(broken: Broken, law: Law) -> None:
    with pytest.raises(AssertionError):
        hold(helper(broken), law)


def helper(broken: Broken) -> Helper:
    """A broken helper, or that of the game that is not broken with the one that is."""
    if issubclass(broken, Helper):
        return broken()
    return JestHelper(broken()) if issubclass(broken, JestGame) else WizardHelper(broken())


def hold(helper: Helper, law: Law) -> None:
    """Hold a law against all starts of a game."""
    for start in helper.starts():
        law(helper, start)


def test_every_law_has_a_game_that_breaks_it() -> None:
    assert {law.__name__ for _, law in BREACHES} == set(LAWS)


def test_every_broken_game_is_tried() -> None:
    kept = [(name, value) for module in MODULES for name, value in vars(module).items() if isinstance(value, type)]
    games = {
        cls for name, cls in kept if issubclass(cls, Game | Helper) and "broken" in cls.__module__ and name[0] != "_"
    }
    assert games == {broken for broken, _ in BREACHES}
