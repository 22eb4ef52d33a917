"""What somebody who looks for leaks asks the bot: everything that there is to ask, and what is refused."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any

from cogs.table.pages import custom_ids
from engines.features.reports import REPORTS
from engines.hosting.match import MatchSnapshot
from tests.contract.helper import GameHelper, MatchStart
from tests.log_checks import collect_log
from tests.messages import SELECT, Message, control_ids, kind_of, walk_components
from tests.plain.access import Who, quiet_presses
from tests.plain.fake_discord import SentRequest
from tests.plain.payloads import ALL_PERMISSIONS, CHANNEL
from tests.plain.plain_bot import PEOPLE, WATCHER, PlainBot
from tests.playing import move_command

FOREIGN_LOGGERS = ("playground", "aiosqlite", "asyncio")
EVENT_PREFIX = "Dispatching event"  # what discord.py says of each interaction, and of whatever else it is told
ADMIN, STRANGER = "Hilda", "Ivo"
ALL_NAMES = (*PEOPLE, ADMIN, STRANGER)
OTHER_CHANNEL = 9102  # the channel of another server,
OTHER_SERVERS = {OTHER_CHANNEL: 9101}
MANAGE_RIGHTS = 1 << 5 | 1 << 3  # the server, by right or as its administrator
ORDINARY_RIGHTS = str(int(ALL_PERMISSIONS) & ~MANAGE_RIGHTS)
STRING_OPTION = 3
SOME_PRESSES = 6  # of those that nobody may press while a match runs


@dataclass(frozen=True, slots=True)
class LeakReader:
    """Somebody who looks: in a seat, beside the table, with the right to manage the server, or in another one."""

    name: str
    seat: int | None = None

    def sees(self, sent: SentRequest) -> bool:
        return sent.reader == ALL_NAMES.index(self.name) + 1 if sent.reader or self.name == STRANGER else True


def reader_in_seat(seat: int | None) -> LeakReader:
    """The person who sits there; None: who watches."""
    return LeakReader(WATCHER) if seat is None else LeakReader(PEOPLE[seat], seat)


# Everything that there is to ask


async def ask_everything(
    plain_bot: PlainBot,
    snapshot: MatchSnapshot,
    reader: LeakReader,
    moves: Sequence[Any],
    own: Collection[Any],
    rng: Random,
) -> None:
    """Ask for all that there is: by the table's buttons, by commands, by steps on a hand, by moves but `own`."""
    match, name, seat = snapshot.info.id, reader.name, reader.seat
    table = {"id": "1", "channel_id": str(OTHER_CHANNEL), "type": 0, "content": "", "components": []}
    if reader.name != STRANGER:  # who sits elsewhere
        table = await plain_bot.surface_message(snapshot.info.id, "table")
    wrong = [move for move in moves if move not in own]
    await _press_table(plain_bot, snapshot, name, table, wrong[rng.randrange(len(wrong))] if wrong else None, rng)
    if seat is not None and rng.random() < 0.25:
        await plain_bot.run_command(name, "motley my-data")
    if seat is None:
        await plain_bot.run_command(name, "admin matches")
    if rng.random() < 0.5:
        await _report(plain_bot, match, name)
    await _type_commands(plain_bot, snapshot, reader, moves, rng)
    await _try_moves(plain_bot, snapshot, reader, table, wrong, rng)
    if seat is not None:
        await _browse_hand(plain_bot, match, name, seat, rng)


async def _press_table(
    plain_bot: PlainBot, snapshot: MatchSnapshot, name: str, table: Message, wrong: Any, rng: Random
) -> None:
    """Press what changes nothing: all that answers people in a match that runs, and some of what does not."""
    decision = (
        None if (seat := snapshot.info.seat_of(plain_bot.wire.people[name])) is None else snapshot.decisions().get(seat)
    )
    places = {
        "match": snapshot.info.id,
        "game": snapshot.game.key,
        "number": str(decision.number if decision else 0),
        "move": snapshot.game.format_move(wrong) if wrong is not None else "pass",
        "options": "0" * 8,
    }
    quiet = quiet_presses()
    usual = [each for each in quiet if each.answers and "running" in each.when and each.who is not Who.HOST]
    for press in (*usual, *rng.sample([each for each in quiet if each not in usual], SOME_PRESSES)):
        custom_id = press.name.format_map(places)
        if press.is_command:
            given = {key: value.format_map(places) for key, value in press.options.items()}
            await plain_bot.run_command(name, custom_id, **given)
        else:
            values = None if press.values is None else [each.format_map(places) for each in press.values]
            await plain_bot.click_control(name, table, custom_id, values)


async def _report(plain_bot: PlainBot, match: str, name: str) -> None:
    """Report that something is wrong, look at all that would be sent, and send it to the log."""
    await plain_bot.submit_report(name, match, "It looks odd.")
    user = ALL_NAMES.index(name) + 1
    for report in await plain_bot.matches.editor.find_rows(REPORTS, "user", [user]):
        if not report.sent and report.match == match:
            room = str(plain_bot.rooms.get(name, CHANNEL))
            message = {"id": "1", "channel_id": room, "type": 0, "content": "", "components": []}
            await plain_bot.click_control(name, message, custom_ids.feature_id("reports", match, "send", report.id))


async def _type_commands(
    plain_bot: PlainBot, snapshot: MatchSnapshot, reader: LeakReader, moves: Sequence[Any], rng: Random
) -> None:
    roots = {each["name"]: each["options"] for each in plain_bot.wire.commands}
    for root in (snapshot.game.key, "admin"):
        options = [(each["name"], o) for each in roots[root] for o in each.get("options", ()) if o.get("autocomplete")]
        own = [
            (root_name, option) for root_name, option in options if root_name != "options" and option["name"] != "match"
        ]
        root_name, option = rng.choice(own or options)
        own_options = next(each for each in roots[root] if each["name"] == root_name).get("options", ())
        others = {o["name"]: "" for o in own_options if o["type"] == STRING_OPTION and o["name"] != option["name"]}
        words = snapshot.game.format_move(rng.choice(moves)).split()
        typed = rng.choice(("", "", words[-1], words[-1][:1]))
        await plain_bot.autocomplete(
            reader.name, f"{root} {root_name}", option["name"], typed, **others | {"match": snapshot.info.id}
        )


async def _try_moves(
    plain_bot: PlainBot, snapshot: MatchSnapshot, reader: LeakReader, table: Message, moves: Sequence[Any], rng: Random
) -> None:
    """Try moves of other seats and of other moments, by click and by word: what is said against them tells nothing."""
    decision = None if reader.seat is None else snapshot.decisions().get(reader.seat)
    number = decision.number if decision else 0
    wrong = rng.sample(moves, min(2, len(moves)))
    for move in wrong:
        await plain_bot.click_control(
            reader.name, table, f"m:{snapshot.info.id}:{number}:{snapshot.game.format_move(move)}"
        )
    for move in wrong[:1]:
        root, given = move_command(snapshot.game.key, snapshot.game.format_move(move))
        await plain_bot.run_command(reader.name, root, **given, match=snapshot.info.id)


async def _browse_hand(plain_bot: PlainBot, match: str, name: str, seat: int, rng: Random) -> None:
    hand = await hand_message(plain_bot, match, seat)
    for _ in range(3):
        found = [
            c for c in walk_components(hand["components"]) if c["type"] == SELECT and kind_of(c["custom_id"]) in {*"fp"}
        ]
        lines = [[each["value"] for each in c["options"] if not custom_ids.instant_move(each["value"])] for c in found]
        lists = [(c, values) for c, values in zip(found, lines, strict=True) if values]
        if not lists:
            break
        chosen, values = rng.choice(lists)
        await plain_bot.click_control(name, hand, chosen["custom_id"], values[: max(1, chosen.get("min_values", 1))])
        hand = plain_bot.current_message(hand)
    asks = [custom_id for custom_id in control_ids(hand) if custom_id.startswith("c:")]
    if asks:
        await plain_bot.click_control(name, hand, rng.choice(asks))
    await plain_bot.click_control(name, hand, f"t:{match}:back")


# What is done beside


async def start_match(
    plain_bot: PlainBot,
    helper: GameHelper,
    start: MatchStart,
    computers: Sequence[str] = (),
    also: Mapping[str, Any] | None = None,
) -> str:
    """The match at its first decision, with computers of these levels in the last seats; its id."""
    usual = helper.game.options()
    given = {each.name: getattr(start.options, each.name) for each in fields(usual)}
    options = {name: value for name, value in given.items() if value != getattr(usual, name)} | dict(also or {})
    match = await plain_bot.seat_match(helper.game, PEOPLE[: start.seats - len(computers)], options, computers)
    snapshot = await plain_bot.load_snapshot(match)
    for seat in snapshot.info.seats[::2]:  # all that a hand can say, and what it shows to most
        if seat.has_owner:
            await plain_bot.bot.surfaces.change_preferences(seat.user, lambda old: replace(old, words=True))
    await plain_bot.replace_state(replace(snapshot, state=helper.start_state(start)))
    return match


async def hand_message(plain_bot: PlainBot, match: str, seat: int) -> Message:
    """Somebody's hand; of those whose direct messages are closed, the table, which takes their clicks as well."""
    surface = await plain_bot.bot.surfaces.find_surface(match, "hand", seat)
    return await plain_bot.surface_message(
        match, "hand" if surface and surface.message else "table", seat if surface else -1
    )


async def press_move(plain_bot: PlainBot, match: str, seat: int, move: Any) -> None:
    """Make a move by the button that a hand has for it, or would have after a few steps."""
    snapshot, hand = await plain_bot.load_snapshot(match), await hand_message(plain_bot, match, seat)
    custom_id = f"m:{match}:{snapshot.decisions()[seat].number}:{snapshot.game.format_move(move)}"
    await plain_bot.click_control(PEOPLE[seat], hand, custom_id)
    assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves + 1, f"{custom_id} was not made"


def capture_log() -> AbstractContextManager[list[str]]:
    """Every line that is logged of our own and of what lies between us and Discord, of whatever level."""

    def keep(record: logging.LogRecord) -> bool:
        return not record.name.startswith(FOREIGN_LOGGERS) and not record.getMessage().startswith(EVENT_PREFIX)

    return collect_log(keep)
