"""A match in one phase, with everybody around it who may press something: its players, those who left, and outsiders.

Each press is judged by what is answered, and by what is stored and shown afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import pytest

from cogs.table.commands.component_router import NO_WAY_BACK
from cogs.table.pages import refusal_messages
from cogs.table.state.block_list import PERSON_TEXT, SERVER_TEXT, SHUT_OUT_TEXT
from cogs.table.transport import interaction_response
from engines.features.reports import REPORTS
from engines.features.takebacks.rules import plan_take_back
from engines.features.takebacks.taking_back import TakingBack, request_stamp, view_stamp
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches.lobbies import options_stamp
from engines.kit.errors import BadNotation
from engines.store.match_store import CLOSED, Status
from engines.store.owner_storage import Block
from tests.contract.helper import GameHelper
from tests.contract.secrets import OWN_HAND_PATTERN, find_matches, normalise_spaces
from tests.contract.walk import choose_move
from tests.engines.memory_store import MemoryStore
from tests.engines.memory_surfaces import MemoryShown
from tests.messages import Message
from tests.plain.access import Press, Who
from tests.plain.fake_discord import EPHEMERAL_FLAG
from tests.plain.leak_reader import ORDINARY_RIGHTS, OTHER_CHANNEL, OTHER_SERVERS
from tests.plain.payloads import ALL_PERMISSIONS, CHANNEL, GUILD, user_object
from tests.plain.plain_bot import COMMAND_KIND, COMPONENT_KIND, FORM_KIND, PlainBot, form_data, start_plain_bot

SECRET = "7c" * 16  # under which every deal is sealed
HOST, PLAYER, THIRD, FOURTH = SEATED = ("Ada", "Bela", "Chidi", "Dora")
REPLACED, LEFT, SPECTATOR, MANAGER = "Emil", "Fumi", "Greta", "Hilda"
ELSEWHERE, IN_MESSAGES, SHUT_OUT, BLOCKED = "Ivo", "Jana", "Kofi", "Lena"
BANNED = "Milan"  # on a server that the owner has blocked
BLOCKED_IN_MESSAGES = "Nora"  # blocked, and in direct messages
EVERYBODY = (
    *SEATED,
    REPLACED,
    LEFT,
    SPECTATOR,
    MANAGER,
    ELSEWHERE,
    IN_MESSAGES,
    SHUT_OUT,
    BLOCKED,
    BANNED,
    BLOCKED_IN_MESSAGES,
)
BLOCKED_PEOPLE = frozenset({SHUT_OUT, BLOCKED, BANNED, BLOCKED_IN_MESSAGES})
INSIDE_MESSAGES = frozenset({IN_MESSAGES, BLOCKED_IN_MESSAGES})
BANNED_CHANNEL, BANNED_SERVER = 9202, 9201
PHASES = ("lobby", "running", "asked", "over")
NOTE = "a private note of {}"
LONGEST_MATCH = 2000  # moves
MOVES_TO_ASK = 60  # after which somebody surely had to ask, if the game has that at all


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a press."""

    refusals: tuple[str, ...]
    texts: tuple[str, ...]  # all that was sent to the person who pressed, or to everybody
    changed: tuple[str, ...]  # the parts of what is stored and shown that are not as before

    @property
    def is_refused(self) -> bool:
        """Whether the answer is a refusal in a sentence, and nothing else."""
        sentences = (*self.refusals[-1:], PERSON_TEXT, SERVER_TEXT, SHUT_OUT_TEXT, NO_WAY_BACK)
        return any(json.dumps(each, ensure_ascii=False)[1:-1] in text for each in sentences for text in self.texts)


@dataclass
class Scene:
    """A match in one phase."""

    plain_bot: PlainBot
    shown: MemoryShown
    helper: GameHelper
    phase: str
    refusals: list[str] = field(default_factory=list)
    match: str = ""
    report: str = ""  # the number of a draft that the host wrote
    advice: set[str] = field(default_factory=set)  # on how moves are written, with cards as examples
    states: list[Any] = field(default_factory=list)  # through which the match went
    places: dict[str, str] = field(default_factory=dict)  # what stands for the placeholders

    async def prepare(self) -> None:
        """Open the match, and bring it into its phase."""
        plain_bot, game = self.plain_bot, self.helper.game
        for info in await plain_bot.matches.lookup.find():
            await plain_bot.matches.seating.reset_match(info.id, by=0)
        plain_bot.rights = dict.fromkeys(EVERYBODY, ORDINARY_RIGHTS) | {
            MANAGER: ALL_PERMISSIONS,
            ELSEWHERE: ALL_PERMISSIONS,
        }
        plain_bot.bot.shares._posts_free_at.clear()  # as when more time has passed
        await self._set_blocks(False)
        self.states.clear()
        self.match, lobby = await plain_bot.open_lobby(HOST, game, **self._options())
        await self._fill_lobby(lobby)
        if self.phase != "lobby":
            await plain_bot.click_control(HOST, lobby, f"t:{self.match}:start")
            await self._change_seats()
            await self._write_notes()
        if self.phase == "running":
            await self._play_until(lambda snapshot: self._is_due(snapshot, HOST))
        if self.phase == "asked":
            await self._ask_take_back()
        if self.phase == "over":
            await self._play_until(lambda snapshot: not snapshot.decisions())
        await plain_bot.submit_report(HOST, self.match, "It looks odd.")
        drafts = await plain_bot.matches.editor.find_rows(REPORTS, "user", [plain_bot.wire.people[HOST]])
        (drafted,) = (row for row in drafts if not row.sent)
        self.report = str(drafted.id)
        await self._set_blocks(True)
        await plain_bot.wait_quiet()
        wanted = {"lobby": Status.LOBBY, "over": Status.OVER}.get(self.phase, Status.RUNNING)
        snapshot = await plain_bot.load_snapshot(self.match)
        assert snapshot.info.status is wanted, snapshot.info
        self.places = self._placeholders(snapshot)

    def _options(self) -> dict[str, Any]:
        return {**self.helper.brief_options, "guesses": "true", "hints": "true"}

    @property
    def _most_seats(self) -> int:
        return min(4, max(self.helper.game.seats))

    async def _fill_lobby(self, lobby: Message) -> None:
        """Seat everybody who plays; of those who leave, as many as find a seat."""
        plain_bot, join = self.plain_bot, f"t:{self.match}:join"
        for name in self._people_to_seat():
            await plain_bot.click_control(name, lobby, join)
        if self.phase == "lobby":
            for name in {LEFT, REPLACED} & {*self._people_to_seat()}:
                await plain_bot.click_control(name, lobby, f"t:{self.match}:leave")
            if min(self.helper.game.seats) > 2:
                await plain_bot.click_control(THIRD, lobby, join)

    def _people_to_seat(self) -> Sequence[str]:
        """Who joins, besides the host: the last ones leave."""
        others = self._most_seats - 1
        return (PLAYER,) if others == 1 else (PLAYER, LEFT) if others == 2 else (PLAYER, REPLACED, LEFT)

    async def _change_seats(self) -> None:
        """One player leaves and a computer plays on, and another leaves and somebody takes their seat."""
        if LEFT in self._people_to_seat():
            await self.plain_bot.press(LEFT, self.match, "leave-on")
        if REPLACED in self._people_to_seat():
            await self.plain_bot.press(REPLACED, self.match, "leave")
            await self.plain_bot.press(THIRD, self.match, "seat")

    async def _write_notes(self) -> None:
        for name in (HOST, PLAYER):
            await self.plain_bot.submit_note(name, self.match, NOTE.format(name))

    async def _ask_take_back(self) -> None:
        """Somebody asks to take back their move, if the game lets them."""
        plain_bot, rng = self.plain_bot, Random(1)
        for _ in range(MOVES_TO_ASK):
            snapshot = await plain_bot.load_snapshot(self.match)
            self.states.append(snapshot.game.copy(snapshot.state))
            if not snapshot.decisions():
                break
            seat, move = choose_move(self.helper, snapshot.state, rng)
            await plain_bot.play_undrawn(snapshot, seat, move)
            user, saved = snapshot.info.seats[seat].user, plain_bot.store.saved[self.match]
            try:
                if plan_take_back(snapshot.game, saved.info, saved, user).is_free:
                    continue
                await TakingBack(plain_bot.matches.editor).take_back(self.match, user)
            except RequestRefused:
                continue
            self.states.append((await plain_bot.load_snapshot(self.match)).state)
            await plain_bot.show_match(self.match)
            return
        pytest.skip("Nobody has to ask in this game.")

    async def _play_until(self, is_there: Callable[[MatchSnapshot], bool]) -> None:
        rng = Random(1)
        for _ in range(LONGEST_MATCH):
            snapshot = await self.plain_bot.load_snapshot(self.match)
            self.states.append(snapshot.game.copy(snapshot.state))
            if is_there(snapshot):
                await self.plain_bot.show_match(self.match)
                return
            await self.plain_bot.play_undrawn(snapshot, *choose_move(self.helper, snapshot.state, rng))
        raise AssertionError("The match does not come there.")

    def _is_due(self, snapshot: MatchSnapshot, name: str) -> bool:
        return snapshot.info.seat_of(self.plain_bot.wire.people[name]) in snapshot.decisions()

    async def _set_blocks(self, wanted: bool) -> None:
        people, requests = self.plain_bot.wire.people, self.plain_bot.bot.owner_requests
        for block in (
            Block(GUILD, people[SHUT_OUT]),
            Block(0, people[BLOCKED]),
            Block(0, people[BLOCKED_IN_MESSAGES]),
            Block(BANNED_SERVER, 0),
        ):
            await (requests.put_block if wanted else requests.drop_block)(block)

    async def may_press(self, name: str, press: Press) -> bool:
        """Whether somebody may press it in this phase."""
        snapshot, user = await self.plain_bot.load_snapshot(self.match), self.plain_bot.wire.people[name]
        if name in BLOCKED_PEOPLE:
            return press.who is Who.ABOUT_SELF and name in INSIDE_MESSAGES
        if press.who in (Who.ANYBODY, Who.ABOUT_SELF):
            return True
        if press.who is Who.IN_SERVER:
            return name not in INSIDE_MESSAGES
        if press.who is Who.MANAGER:
            return name in (MANAGER, ELSEWHERE)
        phase = "running" if self.phase == "asked" else self.phase
        if phase not in press.when or name in (ELSEWHERE, IN_MESSAGES):
            return False
        info, request = snapshot.info, snapshot.info.undoing.open_request
        seat = info.seat_of(user)
        has_played = any(each.user == user for each in info.seats)
        return {
            Who.READER: True,
            Who.MATCH_MANAGER: name == MANAGER,
            Who.SEATED: seat is not None,
            Who.DUE: seat is not None and snapshot.state is not None and seat in snapshot.decisions(),
            Who.HOST: info.host == user,
            Who.ASKED: request is not None and seat in request.seats,
            Who.PLAYED: has_played,
            Who.UNSEATED: seat is None,
            Who.WATCHER: not has_played,
            Who.AUTHOR: name == HOST,
            Who.NOBODY: False,
        }[press.who]

    def _placeholders(self, snapshot: MatchSnapshot) -> dict[str, str]:
        people, decisions = self.plain_bot.wire.people, snapshot.decisions() if snapshot.state is not None else {}
        seat = next((each for each in sorted(decisions) if not snapshot.info.seats[each].level), None)
        number, move = (0, "nothing") if seat is None else (decisions[seat].number, snapshot.moves(seat)[0])
        request = snapshot.info.undoing.open_request
        return {
            "match": self.match,
            "number": str(number),
            "move": move if isinstance(move, str) else snapshot.game.format_move(move),
            "options": options_stamp(snapshot.info),
            "seen": view_stamp(snapshot, 0) if snapshot.state is not None else "0" * 8,
            "request": request_stamp(snapshot.info) if request else "0" * 8,
            "player": str(people[PLAYER]),
            "report": self.report,
            "game": snapshot.game.key,
            "now": str(self.plain_bot.bot.clock.now()),
        }

    async def press(self, name: str, press: Press, *, is_public: bool) -> Outcome:
        """Have somebody press it, and say what came of it."""
        plain_bot, wire = self.plain_bot, self.plain_bot.wire
        channel = {ELSEWHERE: OTHER_CHANNEL, BANNED: BANNED_CHANNEL}.get(name, CHANNEL)
        channel = wire.inbox_of(wire.people[name]) if name in INSIDE_MESSAGES else channel
        message = {"id": "1", "channel_id": str(channel), "type": 0, "content": "", "components": []}
        message |= {"flags": 0 if is_public else EPHEMERAL_FLAG}
        wire.place_message(message, None if is_public else wire.people[name])
        plain_bot.bot.shares._posts_free_at.clear()
        kind, data = self._data(press)
        start, before = len(wire.sent_requests), self._state()
        self.refusals.clear()
        interaction = await plain_bot._dispatch(name, channel, kind, data, None if press.is_command else message)
        after = self._state()
        sent = wire.sent_requests[start:]
        changed = [key for key in before if before[key] != after[key]]
        changed += (
            ["messages"] if any(not each.interaction_text and each.reader != interaction.user for each in sent) else []
        )
        assert len(interaction.first_answer_kinds) == 1, (
            f"{len(interaction.first_answer_kinds)} answers to {press} of {name}"
        )
        texts = tuple(each.text for each in sent if each.reader in (None, interaction.user))
        return Outcome(tuple(self.refusals), texts, tuple(changed))

    def _data(self, press: Press) -> tuple[int, dict[str, Any]]:
        name = press.name.format_map(self.places)
        if press.text is not None:
            return FORM_KIND, form_data(name, press.text)
        if not press.is_command:
            values = None if press.values is None else [each.format_map(self.places) for each in press.values]
            data: dict[str, Any] = {"custom_id": name, "component_type": 2 if values is None else 3}
            return COMPONENT_KIND, data if values is None else data | {"values": values}
        root, part = name.split()
        known = {each["name"]: each["options"] for each in self.plain_bot.wire.commands}
        kinds = {each["name"]: each["type"] for c in known[root] if c["name"] == part for each in c["options"]}
        given = {k: v.format_map(self.places) if isinstance(v, str) else v for k, v in press.options.items()}
        typed_options = [{"name": key, "type": kinds[key], "value": value} for key, value in given.items()]
        inner = {"name": part, "type": 1, "options": typed_options}
        names = {number: person for person, number in self.plain_bot.wire.people.items()}
        people = {given[key]: user_object(int(given[key]), names[int(given[key])]) for key in given if kinds[key] == 6}
        return COMMAND_KIND, {"id": "1", "name": root, "type": 1, "options": [inner], "resolved": {"users": people}}

    async def has_seat(self, name: str) -> bool:
        """Whether somebody has a seat."""
        return (await self.plain_bot.load_snapshot(self.match)).info.seat_of(
            self.plain_bot.wire.people[name]
        ) is not None

    def find_leaks(self, name: str, press: Press, outcome: Outcome) -> list[str]:
        """Return what an answer tells somebody that they must not know: a seed, a note, or what a game hides."""
        text = normalise_spaces("\n".join(outcome.texts))
        others = [each for each in (HOST, PLAYER) if each != name]
        private = [NOTE.format(each) for each in others]
        if self.plain_bot.store.infos[self.match].status not in CLOSED:
            saved = self.plain_bot.store.saved.get(self.match)
            private += [SECRET, *((saved.seed,) if saved is not None else ())]
        leaks = [each for each in private if each and each in text]
        is_open = self.phase in ("lobby", "over") or press.names_open_cards
        return leaks + ([] if is_open else self._hidden_names(name, press, text))

    def _hidden_names(self, name: str, press: Press, text: str) -> list[str]:
        """Return what of that which was always hidden from somebody a text names."""
        info = self.plain_bot.store.infos[self.match]
        seat = info.seat_of(self.plain_bot.wire.people[name])
        patterns = frozenset.intersection(*(frozenset(self.helper.secret_patterns(s, seat)) for s in self.states))
        for each in self.advice:
            text = text.replace(json.dumps(each, ensure_ascii=False)[1:-1], "")
        request = str(press).format_map(self.places)
        hidden = tuple(sorted(each for each in patterns if re.search(each, request) is None))
        found = find_matches(hidden, self.helper.strip_harmless(text))
        return found + (["a hand"] if seat is None and OWN_HAND_PATTERN.search(text) else [])

    def note_refusal(self, original: Callable[[Any], str], refusal: Any) -> str:
        """Return the sentence of a refusal, and note that it is shown."""
        self.refusals.append(original(refusal))
        if isinstance(refusal, BadNotation):
            self.advice.add(self.refusals[-1])
        return self.refusals[-1]

    def _state(self) -> dict[str, Any]:
        """All that is stored and shown, by part."""
        store, surfaces = self.plain_bot.store, self.shown
        parts: dict[str, Any] = {
            "matches": dict(store.infos),
            "saved": dict(store.saved),
            "deals": dict(store.deals),
            "servers": dict(store.servers),
            "rows": {name: dict(rows) for name, rows in store.rows.items()},
            "changes": len(store.changes),
        }
        parts |= {
            "surfaces": dict(surfaces.surfaces),
            "shown rows": {name: dict(rows) for name, rows in surfaces.rows.items()},
            "blocks": set(surfaces.stored_blocks),
            "preferences": dict(surfaces.liked_preferences),
        }
        return parts


@asynccontextmanager
async def start_scene(helper: GameHelper, phase: str) -> AsyncIterator[Scene]:
    """Start a bot with a match in that phase."""
    stores = MemoryStore(), MemoryShown()
    other_servers = {**OTHER_SERVERS, BANNED_CHANNEL: BANNED_SERVER}
    async with start_plain_bot(
        "", people=EVERYBODY, other_servers=other_servers, secret=SECRET, stores=stores
    ) as plain_bot:
        scene = Scene(plain_bot, stores[1], helper, phase)
        with pytest.MonkeyPatch.context() as patched:
            for module in (refusal_messages, interaction_response):
                patched.setattr(module, "refusal_text", partial(scene.note_refusal, refusal_messages.refusal_text))
            await scene.prepare()
            yield scene
