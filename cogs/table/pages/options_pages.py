"""The pages on which a host chooses how a match is played: presets first, then options by intention. Pure functions.

A preset or a switch is one tap on its button, and other options are lists. `docs/architecture.md` says why not a form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_OPTION
from cogs.screens.intro import length_text
from cogs.screens.screen import GameScreen, LobbyAdvice, OptionSuggestion
from cogs.screens.truncation import truncate
from cogs.table.pages import custom_ids
from cogs.table.pages.page import (
    Block,
    Line,
    Menu,
    Page,
    Press,
    PressSection,
    Row,
    Text,
    press_rows,
    table_press,
)
from cogs.table.wording import table_option_words
from cogs.table.wording.how_played import game_differences, how_played_text, seats_to_play
from cogs.table.wording.player_names import markdown_name
from engines.hosting.match import MatchSnapshot
from engines.kit.contract import AnyGame
from engines.kit.options import (
    MAX_LISTED_VALUES,
    PRESET,
    START_FROM,
    Option,
    differing_options,
    find_preset,
    format_value,
    game_options,
    has_preset,
    known_presets,
    no_effect_reason,
    preset_option_names,
    preset_options,
)
from engines.store.match_store import Status
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import CLOCK, PACE, PACES, TableOption, find_pace, list_all_options

PAGE_TITLES = {"presets": "presets", "length": "length", "rules": "house rules", "table": "table options"}
"""The pages, in order: presets, then each group of options."""
PAGE_LABELS = {"presets": "Presets", "length": "Length", "rules": "Rules", "table": "Table"}
"""The labels of the buttons that turn to them; one row of a phone has room for all four."""
PACE_LABELS = {"over-days": "Slow", "together": "Live", "to-learn": "Learning"}
"""The labels of the buttons that set the pace."""
MAX_PAGES = 5  # of older versions, whose buttons still turn to them
MOST_DIFFERENCES = 4  # named on the pages
OUR_RULE, VARIANT, PUBLISHED = "Motley's own", "published variant", "published"


@dataclass(frozen=True, slots=True)
class OptionSetting:
    """A lobby and what its server fixes: what all parts of the pages are made from."""

    snapshot: MatchSnapshot
    screen: GameScreen
    server: ServerSettings

    @property
    def fixed(self) -> str | None:
        """The preset that the server fixes, if any."""
        return self.server.fixed_preset(self.snapshot.game)

    def reason(self, option: Option, value: Any) -> str:
        """Return why an option with that value changes nothing in this match; empty if it does."""
        game = self.snapshot.game
        if isinstance(option, TableOption):
            return option.no_effect(game, self.snapshot.info.table_options.set_option(option, value))
        options = replace(self.snapshot.options, **{option.name: value})
        return no_effect_reason(game, options, seats_to_play(self.snapshot, options), option.name)

    def value(self, option: Option) -> Any:
        """Return the current value of an option."""
        if isinstance(option, TableOption):
            return self.snapshot.info.table_options.of(option)
        return getattr(self.snapshot.options, option.name)

    def default(self, option: Option) -> Any:
        """Return the value that an option has at new tables of the server."""
        return self.server.clock if option is CLOCK else option.default


def options_page(
    snapshot: MatchSnapshot,
    screen: GameScreen,
    server: ServerSettings = DEFAULT_SERVER_SETTINGS,
    page: int = 1,
) -> Page:
    """Return one of the host's pages: presets, or the options of a group; the presets if the group has none."""
    setting = OptionSetting(snapshot, screen, server)
    groups = split_options(snapshot, server)
    name = list(PAGE_TITLES)[min(page, len(PAGE_TITLES)) - 1]
    name = name if name in groups else "presets"
    body = _preset_blocks(setting) if name == "presets" else _option_blocks(setting, groups[name])
    title = f"{snapshot.game.title.partition(',')[0]}: {PAGE_TITLES[name]}"
    heading = "\n".join(filter(None, (f"## {title}", _now_text(setting), trouble_text(snapshot))))
    turns = (
        replace(table_press(snapshot.info.id, label, f"options-{number}"), idle=key == name)
        for number, (key, label) in enumerate(PAGE_LABELS.items(), 1)
        if key in groups or key == "presets"
    )
    advice = advice_blocks(snapshot, screen, server) if name == "length" else ()
    return Page((Text(heading), *advice, *body, *press_rows(turns)))


def chosen_options_page(snapshot: MatchSnapshot, screen: GameScreen) -> Page:
    """Return all options of a match, for somebody who cannot change them."""
    setting = OptionSetting(snapshot, screen, DEFAULT_SERVER_SETTINGS)
    groups = split_options(snapshot).items()
    lines = [
        f"**{PAGE_TITLES[group].capitalize()}**: "
        + " · ".join(f"{option.title} {_now_value_text(setting, option)}" for option in options)
        for group, options in groups
    ]
    is_open = snapshot.info.status is Status.LOBBY
    last = f"{host_name(snapshot)} can change them until the start." if is_open else "They stay as they are."
    return Page((Text("\n".join(("**Options**", _now_text(setting), *lines, f"-# {last}"))),))


def split_options(snapshot: MatchSnapshot, server: ServerSettings = DEFAULT_SERVER_SETTINGS) -> dict[str, list[Option]]:
    """Return the options that hosts can change, by group. Published variants stand before rules of our own."""
    found: dict[str, list[Option]] = {}
    for option in changeable_options(snapshot, server):
        if option.name != PRESET:
            found.setdefault(option.group, []).append(option)
    return {
        group: sorted(found[group], key=lambda option: not option.is_published)
        for group in PAGE_TITLES
        if group in found
    }


def options_page_of(snapshot: MatchSnapshot, name: str, server: ServerSettings = DEFAULT_SERVER_SETTINGS) -> int:
    """Return the number of the page with that option, preset or group of switches; the first if there is none."""
    wanted = next(iter(snapshot.game.option_groups.get(name.lower(), (name.lower(),))))
    return next(
        (
            [*PAGE_TITLES].index(group) + 1
            for group, options in split_options(snapshot, server).items()
            if any(option.name == wanted for option in options)
        ),
        1,
    )


def changeable_options(snapshot: MatchSnapshot, server: ServerSettings) -> tuple[Option, ...]:
    """Return the options that hosts can change: without those of the presets, if the server fixes one."""
    found = list_all_options(snapshot.game, snapshot.info.table_options.known)
    return tuple(option for option in found if not is_fixed(snapshot.game, server, option.name))


def typed_options(snapshot: MatchSnapshot, server: ServerSettings) -> tuple[Option, ...]:
    """Return what a host can change by a command: the presets and paces of the first page, and each option."""
    presets = tuple(snapshot.game.presets) if server.fixed_preset(snapshot.game) is None else ()
    starts = (Option(START_FROM, "", presets),) if presets else ()
    return (*starts, Option(PACE, "", tuple(PACES)), *changeable_options(snapshot, server))


def is_fixed(game: AnyGame, server: ServerSettings, option: str) -> bool:
    """Whether the host cannot change an option, because the server fixes a preset that sets it."""
    return server.fixed_preset(game) is not None and option in (PRESET, *preset_option_names(game))


def option_choices(snapshot: MatchSnapshot, screen: GameScreen, option: Option) -> list[tuple[str, Any]]:
    """Return the values to offer for an option, each with its words. The current value is always among them."""
    if isinstance(option, TableOption):
        return [(table_option_words.option_value_text(each, option), each) for each in option.values]
    if option.name in (START_FROM, PACE):
        return [(each, each) for each in option.values]
    if option.name == PRESET:
        preset = find_preset(snapshot.game, snapshot.options, seats_to_play(snapshot))
        return [(each, each) for each in known_presets(snapshot.game) if each in option.values or each == preset]
    seats = seats_to_play(snapshot)
    offered: Sequence[Any] = screen.option_values(option.name, snapshot.options, seats) or option.values

    each_options = [(replace(snapshot.options, **{option.name: value}), value) for value in offered]
    found = [(screen.option_texts(options, seats)[option.name], value) for options, value in each_options]
    now = screen.option_texts(snapshot.options, seats)[option.name]
    if now not in (text for text, _ in found):
        found = [*found[:MAX_LISTED_VALUES], (now, getattr(snapshot.options, option.name))]
    return found


def preset_description(game: AnyGame, screen: GameScreen, preset: str, seats: int) -> str:
    """Return what differs from the published game in a preset, as far as a line of a list has room for it."""
    return truncate(", ".join(game_differences(game, screen, preset_options(game, preset), seats)), MAX_DESCRIPTION)


def advice_blocks(snapshot: MatchSnapshot, screen: GameScreen, server: ServerSettings) -> tuple[Block, ...]:
    """Return what to expect of the match, if there is a warning, with buttons for the host to change it."""
    advice = screen.lobby_advice(snapshot.options, len(snapshot.info.seats))
    if advice is None:
        return ()
    presses = [
        Press(offer.label, custom_ids.option_id(snapshot.info.id, offer.option, format_value(offer.value)))
        for offer in free_suggestions(snapshot.game, advice, server)
    ]
    return (Text(advice.text), *press_rows(presses))


def free_suggestions(game: AnyGame, advice: LobbyAdvice, server: ServerSettings) -> list[OptionSuggestion]:
    """Return the suggestions that the server leaves to the host."""
    return [offer for offer in advice.suggestions if not is_fixed(game, server, offer.option)]


def trouble_text(snapshot: MatchSnapshot) -> str:
    """Return why these players cannot play with these options; empty if they can."""
    try:
        snapshot.game.validate_setup(seats_to_play(snapshot), snapshot.options)
    except ValueError as error:
        return f"⚠ {error}"
    return ""


def host_name(snapshot: MatchSnapshot) -> str:
    """Return the host's name, escaped for markdown."""
    return next(markdown_name(seat.name) for seat in snapshot.info.seats if seat.user == snapshot.info.host)


def fixed_rules_text(snapshot: MatchSnapshot, fixed: str) -> str:
    """Return which preset the server fixes. A table that was opened before keeps other options."""
    if has_preset(snapshot.game, snapshot.options, fixed):
        return f"-# This server plays the *{fixed}* rules."
    return f"-# New tables on this server play the *{fixed}* rules. This one was opened before that."


def _now_text(setting: OptionSetting) -> str:
    """Return how the match is played now, and how long it takes."""
    played = how_played_text(setting.snapshot, setting.screen, MOST_DIFFERENCES)
    return f"-# **Now:** {played} · about {_length_text(setting, setting.snapshot.options)}"


def _length_text(setting: OptionSetting, options: Any) -> str:
    """Return about how long a match with these options takes: `40 min`."""
    return length_text(setting.screen.match_minutes(options, seats_to_play(setting.snapshot, options)))


# Presets


def _preset_blocks(setting: OptionSetting) -> Iterator[Block]:
    """Return a sentence and a button for each preset of the game, then for each pace."""
    snapshot = setting.snapshot
    if setting.fixed is not None:
        yield Text(fixed_rules_text(snapshot, setting.fixed))
        if not has_preset(snapshot.game, snapshot.options, setting.fixed):
            yield Row((_chooser(setting, PRESET, setting.fixed, setting.fixed.capitalize(), chosen=False),))
    else:
        now = find_preset(snapshot.game, snapshot.options, seats_to_play(snapshot))
        for preset in snapshot.game.presets:
            text = f"{setting.screen.preset_sentences()[preset]}\n-# {_preset_facts(setting, preset)}"
            press = _chooser(setting, START_FROM, preset, preset.capitalize(), chosen=preset == now)
            yield PressSection(text, press)
        if snapshot.game.presets:
            yield Text("-# Pace:")
    pace = find_pace(snapshot.info.table_options)
    for each, sentence in PACES.items():
        press = _chooser(setting, PACE, each, PACE_LABELS[each], chosen=each == pace)
        yield PressSection(sentence, press)


def _chooser(setting: OptionSetting, name: str, value: str, label: str, *, chosen: bool) -> Press:
    """Return the button that chooses a preset; the one that is chosen has a mark."""
    custom_id = custom_ids.option_id(setting.snapshot.info.id, name, value)
    return Press(f"✓ {label}" if chosen else label, custom_id, "success" if chosen else "primary", idle=chosen)


def _preset_facts(setting: OptionSetting, preset: str) -> str:
    """Return whose rules a preset plays, and how long a match takes: `published variant, 40 min`."""
    game = setting.snapshot.game
    options = preset_options(game, preset)
    differing = differing_options(game, options, seats_to_play(setting.snapshot, options))
    published = all(option.is_published for option in game_options(game) if option.name in differing)
    whose = PUBLISHED if not differing else VARIANT if published else OUR_RULE
    return f"{whose}, {_length_text(setting, options)}"


# Options


def _option_blocks(setting: OptionSetting, options: Sequence[Option]) -> Iterator[Block]:
    """Return the controls of a group: lists, then switches, then a list for each group of switches."""
    grouped = {name: group for group, names in setting.snapshot.game.option_groups.items() for name in names}
    single = [option for option in options if option.name not in grouped]
    for option in single:
        if not option.is_switch:
            yield Text(_title_text(setting, option))
            yield Row(_value_menu(setting, option))
    for option in single:
        if option.is_switch:
            yield _switch_section(setting, option)
    for group in dict.fromkeys(grouped[option.name] for option in options if option.name in grouped):
        members = [option for option in options if grouped.get(option.name) == group]
        title = group.replace("_", " ").capitalize()
        yield Text(f"**{title}**{_whose(members[0])}\n-# Pick as many as you like")
        yield Row(_group_menu(setting, group, title, members))


def _whose(option: Option) -> str:
    """Return whose rule an option of a game is, to follow its title; nothing for a table option."""
    if isinstance(option, TableOption):
        return ""
    return f" · {VARIANT if option.is_published else OUR_RULE}"


def _title_text(setting: OptionSetting, option: Option) -> str:
    return f"**{option.title}**{_whose(option)}\n-# {_effect(setting, option)}"


def _effect(setting: OptionSetting, option: Option) -> str:
    """Return what an option does in one line, or why it has no effect: neither now nor with another value."""
    others = [value for value in option.values if value != setting.default(option)]
    now = setting.value(option)
    values = [now] if now != option.default or setting.reason(option, now) else others
    reasons = [setting.reason(option, value) for value in values]
    return f"No effect: {reasons[0]}" if reasons and all(reasons) else option.description


def _value_menu(setting: OptionSetting, option: Option) -> Menu:
    now, default = _now_value_text(setting, option), setting.default(option)
    lines = tuple(
        Line(
            truncate(text, MAX_OPTION),
            format_value(value),
            _value_note(setting, option, value, default),
            chosen=text == now,
        )
        for text, value in option_choices(setting.snapshot, setting.screen, option)
    )
    return Menu(custom_ids.option_id(setting.snapshot.info.id, option.name), option.title, lines)


def _now_value_text(setting: OptionSetting, option: Option) -> str:
    snapshot = setting.snapshot
    if isinstance(option, TableOption):
        return table_option_words.option_value_text(setting.value(option), option)
    return setting.screen.option_texts(snapshot.options, seats_to_play(snapshot))[option.name]


def _value_note(setting: OptionSetting, option: Option, value: Any, default: Any) -> str | None:
    """Return what to know of a value: that it changes nothing here, that it is the default, or whom a clock is for."""
    if value != option.default and (why := setting.reason(option, value)):
        return f"No effect: {why}"
    return table_option_words.option_note(value, default)


def _switch_section(setting: OptionSetting, option: Option) -> PressSection:
    is_on = setting.value(option)
    custom_id = custom_ids.option_id(setting.snapshot.info.id, option.name, format_value(not is_on))
    press = Press(f"{option.title}: {'on' if is_on else 'off'}", custom_id, "success" if is_on else "secondary")
    return PressSection(_title_text(setting, option), press)


def _group_menu(setting: OptionSetting, group: str, title: str, options: Sequence[Option]) -> Menu:
    lines = []
    for option in options:
        why = setting.reason(option, True)
        text = f"No effect: {why}" if why else option.description
        lines.append(Line(option.title, option.name, text, chosen=bool(setting.value(option))))
    custom_id = custom_ids.option_id(setting.snapshot.info.id, group)
    return Menu(custom_id, f"{title}: none", tuple(lines), least=0, most=len(lines))
