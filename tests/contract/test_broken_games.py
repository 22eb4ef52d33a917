"""The laws are laws: a game that breaks one fails it."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, cast

import pytest

from cogs.screens.screen import GameScreen
from engines.kit.contract import Game
from players.player_model import PlayerModel
from tests.contract import broken as broken_games
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.laws import LAWS, Law
from tests.game_uis import SCREENS

BREACHES: Mapping[str, str] = {
    "matches_end": "NeverEnding",
    "over_exactly_when_nobody_may_act": "EarlyOutcome NeverOver StrangePlaces NobodyDue MovesForAll",
    "starts_are_for_the_seats_that_the_options_allow": "CrowdedTable ClosedTable OpenTable",
    "decisions_are_numbered_by_seat": "SameNumber",
    "check_accepts_what_moves_lists": "PermissiveCheck StrictCheck OutOfTurn CheckThatChanges CurtCheck TwiceListed",
    "check_refuses_what_is_malformed": "CountedFromTheEnd CrashingCheck",
    "refusals_cite_the_rule_that_forbids": "CitedHolding CitedTurn UncitedRule UncitedMoment UnknownRule",
    "notation_reads_back": "AmbiguousNotation OneWayNotation LongNotation PedanticNotation CommaNotation "
    "CrashingNotation",
    "seats_go_by_letters": "NumberedNotation LenientNotation NumberedRefusal NumberedExample",
    "checkpoints_round_trip": "ForgetfulCheckpoint",
    "copies_share_nothing": "SharedCopy SharedChance ForgetfulCopy",
    "values_are_frozen": "MutableView",
    "the_same_seed_gives_the_same_match": "ForeignRandomness ForeignStart",
    "the_order_of_sets_decides_nothing": "SetOfMoves SetOfEvents SetInSample",
    "events_can_be_stored_and_addressed": "EventForSpectators UnknownEvent",
    "samples_look_the_same": "CarelessSample RandomSample StuckSample",
    "nothing_hidden_is_told": "LeakyView LeakyStock LeakySeed LeakyEvent LeakyOrder LeakyBoard",
    "secret_moves_stay_secret": "OpenChoice OpenLastCard",
    "answers_come_out_both_ways": "NeverForced NeverAsks WaitsForChanges LacksAll SaidConstant",
    "reports_say_nothing_hidden": "LeakyView LeakyStock LeakyEvent",
    "boards_can_be_read": "WideBoard RaggedBoard NumberedBoard UnmarkedBoard BoardOfNobody BoardWithoutHand RawBoard "
    "FickleBoard",
    "boards_tell_moments_apart": "CoarseBoard",
    "reveals_excuses_nobody_without_need": "ExcusesAll ExcusesTakes",
    "forced_moves_reveal_nothing": "ForcedCard ForcedOutOfTurn ForcedBid",
    "everybody_who_learns_is_named": "UnseenTakes OwnBidsOnly SilentDeal NamedSpectator AskingPlays",
    "nobody_is_named_without_need": "NamesAll NamesAllTakers",
    "what_was_revealed_is_said_in_a_sentence": "TellsAll Speechless",
    "what_was_taken_back_leaves_no_trace": "CountingPlays RemembersMoves SharedTrick SharedCopy ForgetfulCheckpoint",
    "screens_forget_what_was_taken_back": "StaleHand DrawingCounter",
    "plans_know_what_their_seat_knows": "PeepingPlans",
    "plans_wait_for_a_turn_and_hold_at_first": "HastyPlans NeedyPlans LatePlans",
    "plans_are_called_as_their_buttons": "MisnamedPlans ShuffledPlans",
    "plans_without_a_failure_are_legal": "StubbornPlans",
    "pieces_are_conserved": "ShortDeck LostCard CopiedCard DoubleSample",
    "every_move_can_be_typed": "CalledAlike Unwritten",
    "newcomers_read_what_awaits_them": "Silent Rambling TooLongForDiscord Timeless Exact Vague Overwhelming Endless",
    "every_game_has_a_sign": "Nameless Stolen Oblong",
    "lobbies_are_short_and_their_buttons_stay": "EndlessRules",
    "lobbies_show_no_digits_of_the_deal": "SealInWords",
    "alt_texts_of_lobbies_say_everything": "EndlessAlt",
    "pictures_of_lobbies_are_drawn_well": "LongInvitation",
    "lobbies_look_alike_but_for_their_figure": "BorrowedPicture",
    "controls_are_the_legal_moves": "MissingControl IllegalControl LoopOfSteps ControlsForAll FewerPicks",
    "emoji_are_registered_and_said_in_words": "EmojiOfNobody EmojiWithoutWords",
    "a_highlighted_move_stands_alone": "HighlightedAmongMoves HighlightedBesideList",
    "moves_take_few_taps": "LongWay",
    "pages_show_no_empty_box": "EmptyBox",
    "pages_keep_discords_limits": "NamelessButton EndlessButtons",
    "a_telephone_shows_whole_controls": "WideButton CutLine LinesAlike",
    "hands_lead_to_their_rule": "RuleOfAnother NoRule",
    "words_fit_a_message": "Garrulous EndlessSheet",
    "score_sheets_show_more_than_the_table": "TableAsSheet",
    "a_paused_match_says_so_first": "StillWaiting",
    "pictures_are_drawn": "TallResult",
    "pictures_are_whole": "Scratched",
    "pictures_name_people_as_plates_do": "NamedPicture TellingFile",
    "pictures_are_written_in_our_typeface": "NamedPicture StrangeNote StrangeThing",
    "names_stay_on_their_plates": "ShortPlates EarlyEllipsis WideName",
    "alt_texts_tell_pictures_apart": "ShortAlt BlindTable",
    "pictures_are_read_on_a_telephone": "FinePrint TinyRank",
    "results_have_a_banner": "PlainResult OtherWinner",
    "words_in_pictures_have_contrast": "PaleNote PaleRank",
    "words_stay_off_the_frame": "OnTheWood",
    "pictures_mark_the_seats_of_computers": "NoFaces",
    "every_event_is_told": "ForgottenEvent RawEventNames NeedlesslyUntold NothingRare NotRare",
    "private_news_stay_private": "Gossip",
    "news_are_sentences": "Telegraphic Breathless",
    "news_are_not_corrected": "Premature",
    "spectators_guess_about_what_they_may_know": "PeekingQuestion StrangeChoice",
    "questions_close_before_their_answer_and_get_one": "LateQuestion ReopenedQuestion UnansweredQuestion PartialAnswer",
    "luck_is_counted_next_to_what_chance_allows": "Luckless CountedTwice Forgetful Shuffled Wordy",
    "every_section_has_a_clip": "StillClip EndlessClip WordlessClip",
    "a_clip_begins_with_a_moment_that_mattered": "HalfStanding UnweighedMatch",
    "every_event_has_a_weight": "HeavyEvent",
    "sections_of_a_match_follow_each_other": "SectionsByPhase Untitled",
    "finished_matches_can_be_watched": "EndlessHand",
    "open_hands_are_told_apart": "CountedHand SilentHand",
    "hints_are_legal_moves": "Dreamer",
    "hints_know_what_their_seat_knows": "Nostalgic",
    "reasons_are_short_sentences": "LongReason SomeReasons HalfReason TwoReasons Telegram",
    "advice_says_the_move_and_then_one_reason": "ReasonInLines",
    "special_cards_say_what_they_do": "SilentCards LongEffects",
    "hands_name_their_special_cards": "StrangeCards",
    "lists_say_what_special_cards_do": "PlainLists",
    "hands_explain_each_special_card_once": "ForgottenDeals",
    "changes_of_special_cards_add_up": "EndlessCards",
    "explanations_know_what_their_seat_knows": "FickleHands",
    "hints_name_a_special_card_with_its_effect": "FickleEffects",
    "reasons_know_what_their_seat_knows": "FickleReason",
    "players_know_what_their_seat_knows": "Peeper Rememberer Whimsical Moody",
    "players_go_on_from_anywhere": "Stubborn",
    "choices_need_the_view_alone": "Faded LeakyOrder",
    "variety_begins_with_the_policys_move": "Contrary Doubter",
    "pauses_tell_nothing_hidden": "Recalling",
    "playouts_go_as_the_policy_plays": "Hurried Meddler",
    "options_have_an_effect_or_say_why_not": "DeafOption NeverMatters WrongReason ShoutedReason EndlessReason",
    "lobbies_say_what_differs": "OtherHands",
    "lobbies_agree_with_the_intro": "ShortLobby",
}
"""By law, the games, screens, players and helpers that break it."""
MODULES = [import_module(module.name) for module in iter_modules(broken_games.__path__, f"{broken_games.__name__}.")]
KINDS: tuple[type, ...] = (Game, GameHelper, PlayerModel, *(type(screen) for screen in SCREENS.values()))
BROKEN: Mapping[str, type[Any]] = {
    name: value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, KINDS) and name[0] != "_" and "broken" in value.__module__
}
CASES = [
    pytest.param(broken, law, id=broken, marks=[pytest.mark.long] if law.startswith("pictures_") else [])
    for law, games in BREACHES.items()
    for broken in games.split()
]


@pytest.mark.parametrize(("broken", "law"), CASES)
def test_a_game_that_breaks_a_law_fails_it(broken: str, law: str) -> None:
    with pytest.raises(AssertionError):
        check_law(make_helper(BROKEN[broken]), LAWS[law])


def check_law(helper: GameHelper, law: Law) -> None:
    for start in helper.starts():
        law(helper, start)


def make_helper(broken: type[Any]) -> GameHelper:
    """A broken helper; or that of the game that is not broken, with the rules, the screen or the player that are."""
    if issubclass(broken, GameHelper):
        return broken()
    if issubclass(broken, Game):
        found = copy(HELPERS[broken.key])
        found.game = broken()
    elif issubclass(broken, PlayerModel):
        found = copy(HELPERS[broken.game.key])
        found.player_model = broken()
    else:
        found = copy(HELPERS[next(key for key, screen in SCREENS.items() if issubclass(broken, type(screen)))])
        found.screen = cast("GameScreen", broken())
    return found


def test_every_law_has_a_game_that_breaks_it_and_every_broken_game_is_tried() -> None:
    assert set(BREACHES) == set(LAWS)
    assert {broken for games in BREACHES.values() for broken in games.split()} == set(BROKEN)
