"""The page of server settings: what it offers can be chosen, and it fits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_OPTION
from cogs.table.pages import custom_ids
from cogs.table.pages.server_settings_pages import (
    HOST_DECIDES,
    LIMIT_LABELS,
    RULES_PREFIX,
    apply_choice,
    settings_page,
)
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.options import known_presets
from engines.store.match_store import TableLimits
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS
from tests.contract.shown import page_buttons, page_menus
from tests.game_uis import SCREENS
from tests.games import GAMES

COMPONENTS = 40
MAX_CLOSED = 34  # characters of the chosen line in a closed list on a phone, beside its arrow
GAMES_WITH_SCREENS = [(game, SCREENS[key]) for key, game in GAMES.items()]


def test_every_game_with_presets_has_a_list_of_them_in_which_the_chosen_one_stands() -> None:
    for game in GAMES.values():
        own = custom_ids.server_setting_id(RULES_PREFIX + game.key)
        assert custom_ids.parse_control(own) is not None
        for preset in (None, *known_presets(game)):
            server = DEFAULT_SERVER_SETTINGS.with_preset(game.key, preset)
            page = settings_page(server, [], TableLimits(), GAMES_WITH_SCREENS)
            components = (
                len(page.blocks) + len(page_buttons(page)) + len(page_menus(page)) + 2
            )  # the list of channels, the frame
            assert components <= COMPONENTS
            found = [menu for menu in page_menus(page) if menu.to == own]
            assert len(found) == bool(game.presets)
            for menu in found:
                past = [preset] if preset in game.past_presets else []
                assert [line.value for line in menu.lines] == [HOST_DECIDES, *game.presets, *past]
                assert [line.value for line in menu.lines if line.chosen] == [preset or HOST_DECIDES]
                assert all(len(line.label) <= MAX_OPTION for line in menu.lines)
                assert all(len(line.description or "") <= MAX_DESCRIPTION for line in menu.lines)


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.presets], ids=lambda game: game.key)
def test_a_chosen_preset_is_that_of_its_game_alone(game: AnyGame) -> None:
    before = replace(DEFAULT_SERVER_SETTINGS, presets=(("another", "one"),), calls=False)
    for preset in known_presets(game):
        after = apply_choice(before, GAMES, RULES_PREFIX + game.key, [preset])
        assert (after.fixed_preset(game), dict(after.presets)["another"], after.calls) == (preset, "one", False)
        assert apply_choice(after, GAMES, RULES_PREFIX + game.key, [HOST_DECIDES]) == before
    for name, values in (
        (RULES_PREFIX + game.key, ["nothing"]),
        (RULES_PREFIX + game.key, [*game.presets][:2]),
        (RULES_PREFIX + game.key, []),
        (RULES_PREFIX, ["quick"]),
        (game.key, [*game.presets][:1]),
    ):
        with pytest.raises(RequestRefused, match="no longer exists"):
            apply_choice(before, GAMES, name, values)


def test_each_limit_ends_with_the_bots_own_one_and_fits_on_a_line() -> None:
    page = settings_page(DEFAULT_SERVER_SETTINGS, [], TableLimits(2, 5, matches_per_person=7), GAMES_WITH_SCREENS)
    last = {}
    for menu in page_menus(page):
        setting = menu.to.removeprefix("h:")
        if setting in LIMIT_LABELS:
            assert all(len(line.label) <= MAX_CLOSED for line in menu.lines)
            last[setting] = menu.lines[-1].label.partition(": ")[2]
    assert last == {
        "own_lobbies": "2 (bot's limit)",
        "lobbies": "5 (bot's limit)",
        "own_tables": "7 (bot's limit)",
        "tables": "no limit",
    }


def test_a_game_without_presets_is_not_mentioned() -> None:
    page = settings_page(DEFAULT_SERVER_SETTINGS, [], TableLimits(), [(GAMES["jest"], SCREENS["jest"])])
    assert not [menu for menu in page_menus(page) if RULES_PREFIX in menu.to]
    assert "Rules for new tables" not in str(page)
