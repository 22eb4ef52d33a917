"""Options: what they may be, from their type; changed in the lobby by its host; and a start that comes too soon."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, make_dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import CONFIRM_SECONDS, UnconfirmedStart, options_stamp
from engines.jest.game import JestGame
from engines.kit.contract import AnyGame
from engines.kit.options import (
    PAST_VALUES,
    PRESET,
    Option,
    change_option,
    find_preset,
    format_value,
    game_choices,
    game_options,
    has_preset,
    known_presets,
    preset_option_names,
    set_options,
)
from engines.store.match_store import Place, Seat, Status
from engines.store.table_options import TableOptions
from engines.wizard import WIZARD
from engines.wizard.model import SPECIAL_NAMES
from engines.wizard.model import Options as WizardOptions
from tests.engines.memory_matches import (
    ADA,
    BELA,
    CHIDI,
    DORA,
    Clock,
    make_matches,
    open_lobby,
    play_to_end,
    start_match,
)
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES


class Mood(StrEnum):
    SWEET = "sweet"
    SOUR = "sour"


@dataclass(frozen=True, slots=True)
class Every:
    few: Annotated[int, Field(ge=2, le=4)] = 3
    many: Annotated[int, Field(ge=3, le=4000)] = 77
    perhaps: Annotated[int, Field(ge=1, le=3)] | None = None
    open: bool = True
    mood: Mood = Mood.SWEET
    way: Annotated[Literal["up", "down", "sideways"] | None, Field(json_schema_extra={PAST_VALUES: ["sideways"]})] = (
        "up"
    )


def stored_options(**changed: Any) -> str:
    """Wizard's options as a match stores them."""
    return WIZARD.options_adapter.dump_json(replace(WIZARD.options(), **changed)).decode()


class EveryGame(JestGame):
    options = Every  # type: ignore[assignment]
    presets = MappingProxyType({"plain": {"few": 3, "open": True}, "small": {"few": 2, "open": False}})
    past_presets = MappingProxyType({"old": {"few": 4, "open": False}})


# From their type


def test_every_kind_of_option_is_listed() -> None:
    found = {option.name: option for option in game_options(EveryGame())}
    assert found["few"] == Option("few", 3, (2, 3, 4), 2, 4)
    many = found["many"].values
    assert len(many) <= 24
    assert {3, 5, 77, 100, 1000, 4000} <= set(many)
    assert list(many) == sorted(many)
    assert found["perhaps"].values == (None, 1, 2, 3)
    assert found["open"].values == (True, False)
    assert found["mood"].values == ("sweet", "sour")
    assert (found["way"].values, found["way"].past) == ((None, "up", "down"), ("sideways",))


def test_data_that_cannot_be_listed_is_an_error_of_ours() -> None:
    class EndlessGame(JestGame):
        options = make_dataclass("Endless", [("name", str, "x")], frozen=True)  # type: ignore[assignment]

    with pytest.raises(TypeError, match="The values of option name"):
        game_options(EndlessGame())


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("few", "4", 4),
        (" FEW ", " 2 ", 2),
        ("many", "1234", 1234),
        ("perhaps", "2", 2),
        ("perhaps", "None", None),
        ("open", "False", False),
        ("mood", "sour", Mood.SOUR),
        ("way", "down", "down"),
        ("way", "sideways", "sideways"),
    ],
)
def test_an_option_is_read(name: str, typed: str, value: Any) -> None:
    start = Every(perhaps=1)
    changed = change_option(EveryGame(), start, name, typed)
    assert changed == replace(start, **{name.strip().lower(): value})
    assert type(getattr(changed, name.strip().lower())) is type(value)


@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        *(("few", typed, "Few can be 2 to 4") for typed in ("1", "none", "true", "3.0", "²", "-3", "9" * 500, "")),
        ("few", "5", "Few can be 2 to 4. Nothing has changed."),
        ("perhaps", "0", "Perhaps can be 1 to 3, or none"),
        ("open", "1", "Open can be true, or false"),
        ("mood", "bitter", "Mood can be sweet, or sour"),
        ("way", "x", r"Way can be none, or up, or down\. Nothing"),
        ("mode", "sour", "has no such option. Its options are: rules, few, many, perhaps, open, mood, way"),
    ],
)
def test_a_wrong_option_is_refused_in_a_sentence(name: str, typed: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        change_option(EveryGame(), Every(), name, typed)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_games_options_are_listed_with_their_default_and_each_can_be_chosen(game: AnyGame) -> None:
    start = game.options()
    for option in game_options(game):
        assert getattr(start, option.name) == option.default
        assert option.default in option.values
        assert len(option.values) <= 24
        for value in option.values:
            assert getattr(change_option(game, start, option.name, format_value(value)), option.name) == value
        for wrong in ("-1", "0", "99999", "x", ""):
            with pytest.raises(ValueError, match=f"{option.name.capitalize()} can be "):
                change_option(game, start, option.name, wrong)
    sentence = r"has no such option\. Its options are" if game_options(game) else "has no options"
    with pytest.raises(ValueError, match=sentence):
        change_option(game, start, "luck", "3")


# Presets


def test_a_preset_sets_several_options_at_once_and_leaves_the_others_alone() -> None:
    start = Every(many=5, way="down")
    small = change_option(EveryGame(), start, " RULES ", "small")
    assert small == replace(start, few=2, open=False)
    assert change_option(EveryGame(), small, "rules", "plain") == start
    assert change_option(EveryGame(), small, "rules", "old") == replace(start, few=4, open=False)
    for wrong in ("big", "", "1", "none"):
        with pytest.raises(ValueError, match=r"Rules can be plain, or small. Nothing has changed."):
            change_option(EveryGame(), start, "rules", wrong)


def test_the_preset_in_force_is_found_and_a_mixture_is_none() -> None:
    assert find_preset(EveryGame(), Every(), 3) == "plain"
    assert find_preset(EveryGame(), Every(few=2, open=False), 3) == "small"
    assert find_preset(EveryGame(), Every(few=4, open=False), 3) == "old"
    assert find_preset(EveryGame(), Every(few=2), 3) is None
    assert find_preset(EveryGame(), Every(many=5), 3) is None, "an option beside the preset differs"
    assert has_preset(EveryGame(), Every(many=5), "plain"), "and yet a server that fixes it lets that be"
    assert preset_option_names(EveryGame()) == ("few", "open")


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_games_presets_set_the_same_options_and_the_defaults_come_first(game: AnyGame) -> None:
    assert PRESET not in {option.name for option in game_options(game)}
    names = [option.name for option in game_choices(game)]
    assert (PRESET in names[:1]) is bool(game.presets)
    assert not {*game.presets} & {*game.past_presets}
    for number, (name, values) in enumerate(known_presets(game).items()):
        assert set(values) == set(preset_option_names(game))
        changed = change_option(game, game.options(), PRESET, name)
        assert find_preset(game, changed, game.seats[0]) == name
        assert (changed == game.options()) is (number == 0)
    if not game.presets:
        assert find_preset(game, game.options(), game.seats[0]) is None
        with pytest.raises(ValueError, match=r"no such option|has no options"):
            change_option(game, game.options(), PRESET, "as published")


async def test_the_host_chooses_a_preset_and_the_match_is_played_by_it(matches: Matches) -> None:
    match = await open_lobby(matches, ADA, BELA, CHIDI)
    await matches.lobbies.change_option(match, ADA, "rounds", "4")
    info = await matches.lobbies.change_option(match, ADA, "rules", "quick hands")
    assert info.options == stored_options(rounds=4, hands="by twos")
    with pytest.raises(RequestRefused, match="already set that way"):
        await matches.lobbies.change_option(match, ADA, "rules", "quick hands")
    with pytest.raises(RequestRefused, match=r"Rules can be as published, or hook, or quick hands, or carnival\. "):
        await matches.lobbies.change_option(match, ADA, "rules", "wild")
    await matches.lobbies.change_option(match, ADA, "hook", "1")
    await matches.lobbies.start_match(match, ADA, options_stamp((await matches.cache.get_snapshot(match)).info))
    state = (await matches.cache.get_snapshot(match)).state
    assert (state.rounds, state.hand_plan, state.hook) == (4, "by twos", 1)


async def test_a_preset_that_is_no_longer_offered_means_what_it_meant(matches: Matches) -> None:
    """A setting of a server, an older message and an older lobby name it."""
    match = await open_table(matches, WizardOptions(5))
    info = await matches.lobbies.change_option(match, ADA, "rules", "party")
    party = stored_options(rounds=5, hands="quick", bids="hidden", **dict.fromkeys(SPECIAL_NAMES, True))
    assert info.options == party
    await fix_preset(matches, "quick")
    await open_table(matches, WizardOptions(hands="quick"))
    with pytest.raises(RequestRefused, match=r"play the \*quick\* rules"):
        await open_table(matches, WizardOptions(hands="by twos"))
    assert set_options(WIZARD, {"hook": 5}, "quick") == WizardOptions(hands="quick", hook=5)


@pytest.mark.parametrize(
    ("chosen", "preset", "result"),
    [
        ({}, None, Every()),
        ({}, "small", Every(few=2, open=False)),
        ({"few": 1}, "small", Every(few=1, open=False)),
        ({"rules": "plain"}, "small", Every()),
        ({"rules": "small", "open": True}, None, Every(few=2, open=True)),
    ],
)
def test_a_new_match_has_what_was_chosen_then_the_chosen_preset_then_the_usual_one(
    chosen: dict[str, Any], preset: str | None, result: Every
) -> None:
    assert set_options(EveryGame(), chosen, preset) == result


def test_a_preset_that_does_not_exist_opens_no_match() -> None:
    with pytest.raises(ValueError, match="Rules can be plain, or small"):
        set_options(EveryGame(), {"rules": "big"})


# Fixed by the server

FIXED = r"Wizard tables on this server play the \*hook\* rules\. .* cannot be changed: rules, hands, hook, bids, "
HOOK = WizardOptions(hook=2)


async def fix_preset(matches: Matches, preset: str | None = "hook") -> None:
    await matches.lobbies.change_server_settings(1, lambda old: old.with_preset("wizard", preset))


async def open_table(matches: Matches, options: WizardOptions) -> str:
    return (await matches.lobbies.open_lobby(WIZARD, options, Place(1, 2), Seat(ADA, "Ada"))).id


@pytest.mark.parametrize(
    ("options", "opens"),
    [(HOOK, True), (replace(HOOK, rounds=3), True), (WizardOptions(), False), (replace(HOOK, hands="quick"), False)],
)
async def test_a_new_table_has_the_preset_that_its_server_fixes(
    matches: Matches, options: WizardOptions, opens: bool
) -> None:
    await fix_preset(matches)
    if opens:
        await open_table(matches, options)
    else:
        with pytest.raises(RequestRefused, match=FIXED):
            await open_table(matches, options)
    assert len(await matches.lookup.find()) == opens


async def test_options_of_a_fixed_preset_cannot_be_changed_and_all_others_can(matches: Matches) -> None:
    await fix_preset(matches)
    match = await open_table(matches, HOOK)
    before = (await matches.cache.get_snapshot(match)).info
    for name, value in (("rules", "quick"), ("hook", "none"), ("hook", "3"), ("hands", "quick")):
        with pytest.raises(RequestRefused, match=FIXED):
            await matches.lobbies.change_option(match, ADA, name, value)
    assert (await matches.cache.get_snapshot(match)).info == before
    for name, value in (("rounds", "4"), ("clock", "1 hour")):
        await matches.lobbies.change_option(match, ADA, name, value)
    assert (await matches.cache.get_snapshot(match)).options == replace(HOOK, rounds=4)
    await fix_preset(matches, None)
    await matches.lobbies.change_option(match, ADA, "rules", "quick")


async def test_a_table_from_before_can_only_change_to_the_fixed_preset(matches: Matches) -> None:
    match = await open_table(matches, WizardOptions(hands="quick"))
    await fix_preset(matches)
    with pytest.raises(RequestRefused, match=FIXED):
        await matches.lobbies.change_option(match, ADA, "rules", "as published")
    await matches.lobbies.change_option(match, ADA, "rounds", "4")  # this is none of its options
    await matches.lobbies.change_option(match, ADA, "rules", "hook")
    assert (await matches.cache.get_snapshot(match)).options == replace(HOOK, rounds=4)


async def test_a_rematch_has_the_preset_that_is_fixed_by_then_and_a_running_match_its_own(matches: Matches) -> None:
    match = await start_match(matches, ADA, BELA, CHIDI, rounds=1)
    await fix_preset(matches)
    await play_to_end(matches, match)
    assert (await matches.cache.get_snapshot(match)).options == WizardOptions(rounds=1)
    assert (await matches.rematches.join_rematch(match, ADA, "Ada")).info.options == stored_options(rounds=1, hook=2)


# Changed by the host


async def test_the_host_changes_an_option_and_it_is_kept(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await open_lobby(matches, ADA, BELA, CHIDI)
    clock.now += 5
    info = await matches.lobbies.change_option(match, ADA, "rounds", "7")
    assert (info.options, info.chosen) == (stored_options(rounds=7), clock.now)
    assert (store.changes[-1].action, store.changes[-1].by) == ("options", ADA)
    for each in (matches, make_matches(store, clock)):
        assert (await each.cache.get_snapshot(match)).options.rounds == 7
    clock.now += CONFIRM_SECONDS + 1
    await matches.lobbies.start_match(match, ADA)
    assert (await matches.cache.get_snapshot(match)).state.rounds == 7


@pytest.mark.parametrize(
    ("user", "option", "value", "refusal"),
    [
        (BELA, "rounds", "7", r"Only the host can do that\. The host is user11"),
        (DORA, "rounds", "7", r"Only the host can do that\. The host is user11"),
        (ADA, "rounds", "0", "Rounds can be 1 to 20, or none. Nothing has changed"),
        (ADA, "rounds", "21", "Rounds can be 1 to 20, or none"),
        (ADA, "rounds", "many", "Rounds can be 1 to 20, or none"),
        (ADA, "rounds", "none", "already set that way"),
        (ADA, "banners", "3", "no such option"),
    ],
)
async def test_a_refused_option_changes_nothing(
    matches: Matches, store: MemoryStore, user: int, option: str, value: str, refusal: str
) -> None:
    match = await open_lobby(matches, ADA, BELA, CHIDI)
    before = store.infos[match], len(store.changes)
    with pytest.raises(RequestRefused, match=refusal):
        await matches.lobbies.change_option(match, user, option, value)
    assert (store.infos[match], len(store.changes)) == before
    await matches.lobbies.start_match(match, ADA)
    with pytest.raises(RequestRefused, match="already started"):
        await matches.lobbies.change_option(match, ADA, "rounds", "7")


async def test_two_options_changed_at_once_are_both_changed(matches: Matches) -> None:
    court = GAMES["court"]
    info = await matches.lobbies.open_lobby(court, court.options(), Place(1, 2), Seat(ADA, "Ada"))
    await asyncio.gather(
        matches.lobbies.change_option(info.id, ADA, "banners", "3"),
        matches.lobbies.change_option(info.id, ADA, "turns", "120"),
    )
    assert (await matches.cache.get_snapshot(info.id)).info.options == '{"banners":3,"turns":120}'


@pytest.mark.parametrize("first", ["change", "start"])
async def test_a_change_that_races_with_the_start_is_in_it_or_refused(matches: Matches, first: str) -> None:
    match = await open_lobby(matches, ADA, BELA, CHIDI)
    tries = [matches.lobbies.change_option(match, ADA, "rounds", "7"), matches.lobbies.start_match(match, ADA)]
    if first == "start":
        tries.reverse()
    results = await asyncio.gather(*tries, return_exceptions=True)
    snapshot = await matches.cache.get_snapshot(match)
    assert isinstance(results[1], UnconfirmedStart if first == "change" else RequestRefused)
    assert snapshot.options.rounds == (7 if first == "change" else None)
    assert snapshot.info.status is (Status.LOBBY if first == "change" else Status.RUNNING)
    assert (snapshot.state is None) == (first == "change")


# A start that comes too soon


async def test_a_start_within_ten_seconds_of_a_change_is_asked_about_also_after_a_restart(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await open_lobby(matches, ADA, BELA, CHIDI)
    info = await matches.lobbies.change_option(match, ADA, "rounds", "7")
    clock.now += CONFIRM_SECONDS
    for each in (matches, make_matches(store, clock)):  # also after a restart
        with pytest.raises(UnconfirmedStart, match="options have just changed"):
            await each.lobbies.start_match(match, ADA)
        with pytest.raises(UnconfirmedStart):
            await each.lobbies.start_match(match, ADA, "00000000")
        with pytest.raises(RequestRefused, match="Only the host"):
            await each.lobbies.start_match(match, BELA, options_stamp(info))
    assert (
        await make_matches(store, clock).lobbies.start_match(match, ADA, options_stamp(info))
    ).status is Status.RUNNING


async def test_table_options_are_confirmed_like_those_of_the_game(matches: Matches, store: MemoryStore) -> None:
    match = await open_lobby(matches, ADA, BELA, CHIDI, table_options=TableOptions())
    old = options_stamp(await matches.lobbies.change_option(match, ADA, "clock", "none"))
    info = await matches.lobbies.change_option(match, ADA, "clock", "5 minutes")
    assert (info.options, info.table_options) == (stored_options(), TableOptions("5 minutes"))
    assert store.changes[-1].action == "options"
    for sure in ("", old):
        with pytest.raises(UnconfirmedStart):
            await matches.lobbies.start_match(match, ADA, sure)
    for option, value, refusal in (("clock", "2 hours", "Clock can be none"), ("hints", "false", "Only the host")):
        with pytest.raises(RequestRefused, match=refusal):
            await matches.lobbies.change_option(match, ADA if option == "clock" else BELA, option, value)
    assert (await matches.lobbies.start_match(match, ADA, options_stamp(info))).table_options == TableOptions(
        "5 minutes"
    )


async def test_somebody_who_plays_alone_with_computers_is_asked_nothing(matches: Matches) -> None:
    match = await open_lobby(matches, ADA)
    await matches.lobbies.add_computers(match, ADA, "easy")
    old = options_stamp((await matches.cache.get_snapshot(match)).info)
    await matches.lobbies.change_option(match, ADA, "rounds", "7")
    with pytest.raises(UnconfirmedStart):  # but what was confirmed is what is played
        await matches.lobbies.start_match(match, ADA, old)
    assert (await matches.lobbies.start_match(match, ADA)).status is Status.RUNNING


async def test_the_confirmed_options_are_played(matches: Matches, clock: Clock) -> None:
    match = await open_lobby(matches, ADA, BELA, CHIDI)
    old = options_stamp(await matches.lobbies.change_option(match, ADA, "rounds", "7"))
    new = options_stamp(await matches.lobbies.change_option(match, ADA, "rounds", "9"))
    for _ in range(2):  # at once, and when the change is no longer fresh
        with pytest.raises(UnconfirmedStart):
            await matches.lobbies.start_match(match, ADA, old)
        clock.now += 60
    assert (await matches.lobbies.start_match(match, ADA, new)).status is Status.RUNNING
    assert (await matches.cache.get_snapshot(match)).state.rounds == 9
