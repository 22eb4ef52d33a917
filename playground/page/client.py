"""An async client of the page's API, for playing by program as people do in the browser.

    async with PlaygroundClient.connect("http://127.0.0.1:8750") as client:
        ada, bela = client.player("Ada"), client.player("Bela")
        lobby = (await ada.run_command("chess new", "games")).reply
        await bela.click(lobby, "Join")
        hand = await bela.wait_message("dm", lambda message: "Your hand" in message.text)
        await bela.click(hand, hand.buttons[0].custom_id)
        hand = await bela.wait_message_change(hand)

A place is a channel's id, its name ("games"), or "dm" for the player's direct messages with the bot. A channel of
another server than the first one has the server's name before it ("The Old Mill/games").
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

import aiohttp

from playground.page.visible_message import Button, SeenMessage, Select
from playground.world import ids
from playground.world.world import Json

__all__ = ["Button", "Outcome", "Player", "PlaygroundClient", "RequestRejected", "SeenMessage", "Select"]

WAIT_SECONDS: Final = 10.0
_DM: Final = 1

Found = TypeVar("Found")
MessagePredicate = Callable[[SeenMessage], bool]


class RequestRejected(Exception):
    """The page's API would not let a person do that."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The page's API refused a person's action."""

    interaction_id: str
    responded: bool
    response_type: int | None
    message: SeenMessage | None
    modal: Json | None

    @property
    def reply(self) -> SeenMessage:
        """The result of a command, click, selection or submitted form."""
        assert self.message is not None, "The message that answered; raises AssertionError if there is none."
        return self.message


class PlaygroundClient:
    """Follows the playground's events and stores what the page would show."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self._session = session
        self._base = base
        self._change_event = asyncio.Event()
        self._settled_ids: set[str] = set()
        self._is_disconnected = False
        self.people: list[Json] = []
        self.commands: list[Json] = []
        self.guilds: list[Json] = []
        self.channels: dict[str, Json] = {}
        self.messages: dict[str, dict[str, Json]] = {}
        self.bot_status = "offline"
        self.faults: Json = {}

    @classmethod
    @asynccontextmanager
    async def connect(cls, base: str) -> AsyncIterator[Self]:
        """Connect to a running playground."""
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{base}/play/events") as events:
            visitor = cls(session, base)
            visitor._apply_frame(json.loads(await events.receive_str()))
            reader = asyncio.create_task(visitor._read_events(events), name="playground visitor")
            try:
                yield visitor
            finally:
                reader.cancel()
                await asyncio.gather(reader, return_exceptions=True)

    def player(self, name: str) -> Player:
        """Return one of the people, by name."""
        found = next((person for person in self.people if person["name"] == name), None)
        if found is None:
            raise KeyError(f"No {name!r} among {[person['name'] for person in self.people]}")
        return Player(self, found["id"], name)

    async def wait_until(
        self, condition: Callable[[], Found | None], description: str, seconds: float = WAIT_SECONDS
    ) -> Found:
        """Wait until the condition returns something true; it is checked after every event."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := condition()):
                    if self._is_disconnected:
                        raise ConnectionError(f"The playground closed the connection while waiting for {description}")
                    self._change_event.clear()
                    await self._change_event.wait()
                return found
        except TimeoutError as error:
            raise TimeoutError(f"Waited {seconds} s in vain for {description}") from error

    async def wait_bot_ready(self, seconds: float = 30.0) -> None:
        """Wait until the bot is online and has registered its commands."""
        await self.wait_until(lambda: self.bot_status == "online" and self.commands, "the bot", seconds)

    async def cause_fault(self, kind: str, **details: Any) -> None:
        """Cause a fault, by its kind and details as on the page; "clear" ends them all."""
        await self.post_json("/play/fault", {"kind": kind, **details})

    async def fetch_request_log(self, since: int = 0) -> list[Json]:
        """Return the request log after that entry."""
        async with self._session.get(f"{self._base}/play/requests", params={"since": str(since)}) as answer:
            entries: list[Json] = (await answer.json())["requests"]
            return entries

    async def fetch_file(self, address: str) -> bytes:
        """Return the bytes of an attachment."""
        async with self._session.get(address) as answer:
            answer.raise_for_status()
            return await answer.read()

    async def post_json(self, path: str, body: Json) -> Json:
        """POST to the page's API. Raises RequestRejected with its sentence."""
        async with self._session.post(self._base + path, json=body) as answer:
            found: Json = await answer.json()
        if answer.status != 200:
            raise RequestRejected(found["error"])
        return found

    def is_settled(self, interaction_id: str) -> bool:
        """Return whether the events up to the bot's answer to this interaction have arrived."""
        return interaction_id in self._settled_ids

    async def _read_events(self, events: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in events:
            self._apply_frame(json.loads(frame.data))
            self._change_event.set()
        self._is_disconnected = True
        self._change_event.set()

    def _apply_frame(self, frame: Json) -> None:
        match frame["type"]:
            case "snapshot":
                self._apply_snapshot(frame)
            case "message_create" | "message_update":
                message = frame["message"]
                self.messages.setdefault(message["channel_id"], {})[message["id"]] = message
            case "message_delete":
                self.messages.get(frame["channel_id"], {}).pop(frame["id"], None)
            case "channel_create" | "channel_update":
                self.channels[frame["channel"]["id"]] = frame["channel"]
            case "channel_delete":
                self.channels.pop(frame["id"], None)
                self.messages.pop(frame["id"], None)
            case "commands":
                self.commands = frame["commands"]
            case "bot":
                self.bot_status = frame["status"]
            case "people":
                self.people = frame["people"]
            case "faults":
                self.faults = frame["faults"]
            case "interaction" if frame["status"] != "pending":
                self._settled_ids.add(frame["id"])

    def _apply_snapshot(self, frame: Json) -> None:
        self.people, self.guilds, self.commands = frame["people"], frame["guilds"], frame["commands"]
        self.bot_status = frame["bot"]["status"]
        self.faults = frame["faults"]
        self.channels = {channel["id"]: channel for channel in frame["channels"]}
        self.messages = {
            channel_id: {message["id"]: message for message in messages}
            for channel_id, messages in frame["messages"].items()
        }


class Player:
    """One person at the playground, who acts and sees what that person may see."""

    def __init__(self, client: PlaygroundClient, person_id: str, name: str) -> None:
        self._client = client
        self.id = person_id
        self.name = name

    async def run_command(self, path: str, place: str = "games", **options: Any) -> Outcome:
        """Run a slash command, "chess new", with its options by name."""
        nested = self._command_options(path, options)
        return await self._run_interaction(
            "command", channel_id=self.channel_id(place), name=path.split()[0], options=nested
        )

    async def autocomplete(self, path: str, option: str, text: str, place: str = "games", **others: Any) -> list[Json]:
        """Return the bot's suggestions while `option` is being typed, as {"name", "value"}."""
        nested = self._command_options(path, {**others, option: text}, focused=option)
        action = {"channel_id": self.channel_id(place), "name": path.split()[0], "options": nested}
        answer = await self._client.post_json("/play/act", {"person": self.id, "do": "autocomplete", **action})
        choices: list[Json] = answer["choices"]
        return choices

    async def click(self, message: SeenMessage, button: str) -> Outcome:
        """Click the button with that custom_id or label."""
        return await self._act_on_message(message, "click", custom_id=message.find_button(button).custom_id)

    async def select(self, message: SeenMessage, custom_id: str, *values: str) -> Outcome:
        """Choose in a select menu."""
        return await self._act_on_message(message, "select", custom_id=custom_id, values=list(values))

    async def forge_click(self, message: SeenMessage, custom_id: str, *values: str) -> Outcome:
        """Send a click, or a selection if there are values, that the message does not offer (any more)."""
        do = "select" if values else "click"
        extra: Json = {"values": list(values)} if values else {}
        return await self._act_on_message(message, do, custom_id=custom_id, unchecked=True, **extra)

    async def submit_form(self, form: Outcome, **answers: str | list[str]) -> Outcome:
        """Submit the form of an outcome: texts, and lists of values for selects, by custom_id."""
        modal = form.modal
        assert modal is not None, f"No form was opened: {form}"
        components = [fill_component(component, answers) for component in modal["components"]]
        return await self._run_interaction(
            "modal", interaction_id=form.interaction_id, custom_id=modal["custom_id"], components=components
        )

    async def send_message(self, text: str, place: str = "games") -> SeenMessage:
        """Write in a channel."""
        answer = await self.act("say", channel_id=self.channel_id(place), content=text)
        message = SeenMessage(answer["message"])
        return await self._client.wait_until(lambda: self.current_message(message), f"{self.name}'s own message")

    async def act(self, do: str, **details: Any) -> Json:
        """Perform any other action of the protocol: dms, leave_guild, join_guild, delete_message, archive, ..."""
        return await self._client.post_json("/play/act", {"person": self.id, "do": do, **details})

    def channel_id(self, place: str) -> str:
        """Return the id of a place. Raises KeyError if it does not exist (yet)."""
        if ids.parse_snowflake(place) is not None:
            return place
        server, _, name = place.rpartition("/")
        guild = next((each["id"] for each in self._client.guilds if each["name"] == server), None)
        for channel in self._client.channels.values():
            if place == "dm" and channel.get("person") == self.id:
                return str(channel["id"])
            if channel["type"] != _DM and channel["name"] == name and guild in (None, channel["guild_id"]):
                return str(channel["id"])
        raise KeyError(f"{self.name} has no place {place!r}")

    def visible_messages(self, place: str = "games") -> list[SeenMessage]:
        """Return what this person sees there, oldest first."""
        try:
            channel_id = self.channel_id(place)
        except KeyError:
            return []
        messages = self._client.messages.get(channel_id, {}).values()
        return [SeenMessage(m) for m in messages if m.get("visible_to") in (None, self.id)]

    def newest_message(self, place: str = "games", predicate: MessagePredicate | None = None) -> SeenMessage | None:
        """Return the newest message there that fits the predicate."""
        fitting = (m for m in reversed(self.visible_messages(place)) if predicate is None or predicate(m))
        return next(fitting, None)

    def current_message(self, message: SeenMessage) -> SeenMessage | None:
        """Return the message as it is now; None if it is gone."""
        data = self._client.messages.get(message.channel_id, {}).get(message.id)
        return None if data is None else SeenMessage(data)

    async def wait_message(self, place: str, predicate: MessagePredicate, seconds: float = WAIT_SECONDS) -> SeenMessage:
        """Wait for a message that fits the predicate."""
        return await self._client.wait_until(
            lambda: self.newest_message(place, predicate), f"a message for {self.name} in {place}", seconds
        )

    async def wait_message_change(
        self, message: SeenMessage, predicate: MessagePredicate | None = None, seconds: float = WAIT_SECONDS
    ) -> SeenMessage:
        """Wait until the message differs from the given one and fits the predicate."""

        def changed() -> SeenMessage | None:
            now = self.current_message(message)
            fits = now is not None and now.data != message.data and (predicate is None or predicate(now))
            return now if fits else None

        return await self._client.wait_until(changed, f"a change of message {message.id}", seconds)

    async def wait_message_deleted(self, message: SeenMessage, seconds: float = WAIT_SECONDS) -> None:
        """Wait until the message has been deleted."""
        await self._client.wait_until(
            lambda: self.current_message(message) is None, f"the deletion of message {message.id}", seconds
        )

    async def wait_reply(self, outcome: Outcome, seconds: float = WAIT_SECONDS) -> SeenMessage:
        """Wait until the bot no longer thinks, and return the message that answers."""

        def final_answer() -> SeenMessage | None:
            now = self.current_message(outcome.reply)
            return None if now is None or now.is_thinking else now

        return await self._client.wait_until(final_answer, "the bot's final answer", seconds)

    async def _act_on_message(self, message: SeenMessage, do: str, **details: Any) -> Outcome:
        return await self._run_interaction(do, channel_id=message.channel_id, message_id=message.id, **details)

    async def _run_interaction(self, do: str, **details: Any) -> Outcome:
        answer = await self.act(do, wait=True, **details)
        interaction_id = answer["interaction_id"]
        await self._client.wait_until(lambda: self._client.is_settled(interaction_id), f"interaction {interaction_id}")
        message = SeenMessage(answer["message"]) if "message" in answer else None
        return Outcome(interaction_id, answer["responded"], answer["response_type"], message, answer.get("modal"))

    def _command_options(self, path: str, values: Json, focused: str | None = None) -> list[Json]:
        name, *deeper = path.split()
        node = next((c for c in self._client.commands if c["name"] == name), None)
        if node is None:
            raise KeyError(f"No command /{name} among {[c['name'] for c in self._client.commands]}")
        return nest_options(node, deeper, values, focused)


def nest_options(node: Json, deeper: list[str], values: Json, focused: str | None) -> list[Json]:
    """Return the options of a command as they are sent: `node` declares them, `deeper` names the subcommand."""
    declared = {option["name"]: option for option in node.get("options") or []}
    if deeper:
        inner = declared[deeper[0]]
        return [
            {
                "name": inner["name"],
                "type": inner["type"],
                "options": nest_options(inner, deeper[1:], values, focused),
            }
        ]
    nested: list[Json] = []
    for name, value in values.items():
        option = {"name": name, "type": declared[name]["type"], "value": value}
        nested.append(option | {"focused": True} if name == focused else option)
    return nested


def fill_component(component: Json, answers: dict[str, str | list[str]]) -> Json:
    """Return a form's component as it is submitted."""
    filled: Json = {"type": component["type"], "id": component.get("id", 0)}
    if "component" in component:
        return filled | {"component": fill_component(component["component"], answers)}
    if "components" in component:
        return filled | {"components": [fill_component(inner, answers) for inner in component["components"]]}
    if "custom_id" not in component:
        return filled
    answer = answers.get(component["custom_id"])
    filled["custom_id"] = component["custom_id"]
    if isinstance(answer, list) or component["type"] in (3, 5, 6, 7, 8):
        return filled | {"values": answer if isinstance(answer, list) else [answer] if answer else []}
    return filled | {"value": answer if answer is not None else component.get("value", "")}
