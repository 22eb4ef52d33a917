"""The laws are laws: a game that breaks one fails it."""

from __future__ import annotations

from copy import copy
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, cast

import pytest

from cogs.screens.screen import GameScreen
from engines.kit.contract import Game
from players.player_model import PlayerModel
from tests.contract import broken as broken_games
from tests.contract.broken import boards as broken_boards
from tests.contract.broken import intros as broken_intros
from tests.contract.broken import notations as broken_notations
from tests.contract.broken import pieces as broken_pieces
from tests.contract.broken import players as broken_players
from tests.contract.broken import reasons as broken_reasons
from tests.contract.broken import rules as broken_rules
from tests.contract.broken import screens as broken_screens
from tests.contract.broken import secrets as broken_secrets
from tests.contract.broken import states as broken_states
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.laws import (
    LAWS,
    Law,
    boards,
    commands,
    controls,
    hints,
    intros,
    news,
    notations,
    pages,
    pictures,
    pieces,
    players,
    rules,
    secrets,
    states,
)
from tests.fronts import SCREENS

BrokenClass = type[Any]
"""A game, a screen, a player or a helper."""

BREACHES: list[tuple[BrokenClass, Law]] = [
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
    (broken_notations.CommaNotation, notations.notation_reads_back),
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
    (broken_screens.CalledAlike, commands.every_move_can_be_typed),
    (broken_screens.Unwritten, commands.every_move_can_be_typed),
    (broken_intros.Silent, intros.newcomers_read_what_awaits_them),
    (broken_intros.Rambling, intros.newcomers_read_what_awaits_them),
    (broken_intros.TooLongForDiscord, intros.newcomers_read_what_awaits_them),
    (broken_intros.Timeless, intros.newcomers_read_what_awaits_them),
    (broken_intros.Exact, intros.newcomers_read_what_awaits_them),
    (broken_intros.Vague, intros.newcomers_read_what_awaits_them),
    (broken_intros.Overwhelming, intros.newcomers_read_what_awaits_them),
    (broken_intros.Endless, intros.newcomers_read_what_awaits_them),
    (broken_screens.MissingControl, controls.controls_are_the_legal_moves),
    (broken_screens.IllegalControl, controls.controls_are_the_legal_moves),
    (broken_screens.LoopOfSteps, controls.controls_are_the_legal_moves),
    (broken_screens.ControlsForAll, controls.controls_are_the_legal_moves),
    (broken_screens.LongWay, controls.moves_take_few_taps),
    (broken_screens.FewerPicks, controls.controls_are_the_legal_moves),
    (broken_screens.EmptyBox, pages.pages_show_no_empty_box),
    (broken_screens.NamelessButton, pages.pages_keep_discords_limits),
    (broken_screens.EndlessButtons, pages.pages_keep_discords_limits),
    (broken_screens.WideButton, pages.a_telephone_shows_whole_controls),
    (broken_screens.CutLine, pages.a_telephone_shows_whole_controls),
    (broken_screens.LinesAlike, pages.a_telephone_shows_whole_controls),
    (broken_screens.RuleOfAnother, pages.hands_lead_to_their_rule),
    (broken_screens.NoRule, pages.hands_lead_to_their_rule),
    (broken_screens.Garrulous, pages.words_fit_a_message),
    (broken_screens.StillWaiting, pages.a_paused_match_says_so_first),
    (broken_screens.EndlessSheet, pages.words_fit_a_message),
    (broken_screens.TallResult, pictures.pictures_are_drawn),
    (broken_screens.Scratched, pictures.pictures_are_whole),
    (broken_screens.NamedPicture, pictures.pictures_name_people_as_plates_do),
    (broken_screens.NamedPicture, pictures.pictures_are_written_in_our_typeface),
    (broken_screens.StrangeNote, pictures.pictures_are_written_in_our_typeface),
    (broken_screens.StrangeThing, pictures.pictures_are_written_in_our_typeface),
    (broken_screens.ShortPlates, pictures.names_stay_on_their_plates),
    (broken_screens.WideName, pictures.names_stay_on_their_plates),
    (broken_screens.TellingFile, pictures.pictures_name_people_as_plates_do),
    (broken_screens.ShortAlt, pictures.alt_texts_tell_pictures_apart),
    (broken_screens.FinePrint, pictures.pictures_are_read_on_a_telephone),
    (broken_screens.TinyRank, pictures.pictures_are_read_on_a_telephone),
    (broken_screens.NoFaces, pictures.pictures_mark_the_seats_of_computers),
    (broken_screens.BlindTable, pictures.alt_texts_tell_pictures_apart),
    (broken_screens.ForgottenEvent, news.every_event_is_told),
    (broken_screens.ShortNews, news.every_event_is_told),
    (broken_screens.NeedlesslyUntold, news.every_event_is_told),
    (broken_screens.NothingRare, news.every_event_is_told),
    (broken_screens.NotRare, news.every_event_is_told),
    (broken_screens.Gossip, news.private_news_stay_private),
    (broken_players.Dreamer, hints.hints_are_legal_moves),
    (broken_players.Nostalgic, hints.hints_know_what_their_seat_knows),
    (broken_reasons.LongReason, hints.reasons_are_short_sentences),
    (broken_reasons.SomeReasons, hints.reasons_are_short_sentences),
    (broken_reasons.HalfReason, hints.reasons_are_short_sentences),
    (broken_reasons.FickleReason, hints.reasons_know_what_their_seat_knows),
    (broken_players.Peeper, players.players_know_what_their_seat_knows),
    (broken_players.Rememberer, players.players_know_what_their_seat_knows),
    (broken_players.Whimsical, players.players_know_what_their_seat_knows),
    (broken_players.Stubborn, players.players_go_on_from_anywhere),
    (broken_players.Faded, players.choices_need_the_view_alone),
    (broken_secrets.LeakyOrder, players.choices_need_the_view_alone),
    (broken_players.Hurried, players.playouts_go_as_the_policy_plays),
    (broken_players.Meddler, players.playouts_go_as_the_policy_plays),
]
MODULES = [import_module(module.name) for module in iter_modules(broken_games.__path__, f"{broken_games.__name__}.")]


@pytest.mark.parametrize(("broken", "law"), BREACHES, ids=[broken.__name__ for broken, _ in BREACHES])
def test_a_game_that_breaks_a_law_fails_it(broken: BrokenClass, law: Law) -> None:
    with pytest.raises(AssertionError):
        check_law(make_helper(broken), law)


def make_helper(broken: BrokenClass) -> GameHelper:
    """A broken helper; or that of the game that is not broken, with the rules, the screen or the player that are."""
    if issubclass(broken, GameHelper):
        return broken()
    if issubclass(broken, Game):
        found = copy(HELPERS[broken.key])
        found.game = broken()
        return found
    if issubclass(broken, PlayerModel):
        found = copy(HELPERS[broken.game.key])
        found.player_model = broken()
        return found
    key = next(key for key, screen in SCREENS.items() if issubclass(broken, type(screen)))
    found = copy(HELPERS[key])
    found.screen = cast("GameScreen", broken())
    return found


def check_law(helper: GameHelper, law: Law) -> None:
    """Hold a law against all starts of a game."""
    for start in helper.starts():
        law(helper, start)


def test_every_law_has_a_game_that_breaks_it() -> None:
    assert {law.__name__ for _, law in BREACHES} == set(LAWS)


def test_every_broken_game_is_tried() -> None:
    kept = [(name, value) for module in MODULES for name, value in vars(module).items() if isinstance(value, type)]
    faces = tuple(type(screen) for screen in SCREENS.values())
    kinds = [
        (name, cls) for name, cls in kept if issubclass(cls, (Game, GameHelper, PlayerModel, *faces)) and name[0] != "_"
    ]
    assert {cls for _, cls in kinds if "broken" in cls.__module__} == {broken for broken, _ in BREACHES}
