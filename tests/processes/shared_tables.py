"""Tables in several servers, of which several processes look after some each, and a book of what people were told."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cogs.system_clock import SystemClock
from engines import GAMES
from playground.page.client import Outcome, Player, SeenMessage
from playground.world.ids import BOT
from playground.world.messages import walk_components
from playground.world.world import EPHEMERAL, Json
from storage.postgres import Database, MatchStore, SurfaceStore
from tests.processes.crash_book import UPDATE, CallWitness, CrashTables, RequestedMove
from tests.processes.process_group import TRESPASSES_SQL, BotProcessGroup
from tests.processes.tables import is_kind

SERVERS = {"wizard": "The Old Mill", "jest": "Harbour Lights", "jokers": "The Jesters' Inn", "court": "Moonrakers"}
SERVERS["jesters"] = SERVERS["jokers"]
OPEN_DECISIONS_SQL = """
SELECT game, checkpoint, seat
FROM matches JOIN states USING (match) JOIN seats USING (match) JOIN due USING (match, seat)
WHERE match = ? AND status = 'running' AND user = ? AND gone = '' AND kind = 'call' AND decision = ?
"""
SORRY_TEXTS = (
    *("could not be saved", "could not be looked up", "not certain"),
    *("shutting down", "being updated", "try again"),
)


class PostedMessage(NamedTuple):
    channel: str
    match: str
    kind: str


class PostingWitness(CallWitness):
    """Counts besides how often each message of a match was posted, whatever became of it."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.posted: Counter[PostedMessage] = Counter()

    def _apply_frame(self, frame: Json) -> None:
        if frame["type"] == "message_create":
            self._count_posting(frame["message"])
        super()._apply_frame(frame)

    def _count_posting(self, message: Json) -> None:
        if message["flags"] & EPHEMERAL or message["author"]["id"] != str(BOT) or message.get("content"):
            return
        controls = [each.get("custom_id") or "" for each in walk_components(message["components"])]
        for match in {each.split(":")[1] for each in controls if each.count(":") > 1}:
            inside = self.channels.get(message["channel_id"], {}).get("type") != 1
            kind = "hand" if not inside else "table" if is_kind(message, match, "table") else "lobby"
            self.posted[PostedMessage(message["channel_id"], match, kind)] += 1


class RefusedMove(NamedTuple):
    move: RequestedMove
    text: str


@dataclass
class SharedTables(CrashTables):
    bot: BotProcessGroup = field(kw_only=True)
    witness: PostingWitness = field(kw_only=True)
    refused_moves: list[RefusedMove] = field(default_factory=list)  # though the decision was open
    sorry_moves: list[RefusedMove] = field(default_factory=list)  # it was said that it is not made
    answers: dict[RequestedMove, list[str]] = field(default_factory=dict)  # what was said of each move

    def channel_of(self, game: str) -> str:
        return f"{SERVERS[game]}/games"

    async def find_faults(self) -> list[str]:
        self.matches |= self._live_matches()
        async with Database.open(self.bot.server.address(), clock=SystemClock().now) as fresh:
            found = await self.find_differing(MatchStore(fresh), SurfaceStore(fresh))
        return [*found, *self._find_overdue(), *self._find_strays()]

    def find_losses(self) -> list[str]:
        found = super().find_losses()
        for written, of, by, owner in self.bot.query(TRESPASSES_SQL):
            found.append(f"{by} has written of what {owner} looks after: {written} {of}")
        found += [
            f"of that was said: {each}, {replies}" for each, replies in self.answers.items() if str(each) in str(found)
        ]
        found += [f"refused, though it was open: {each}" for each in self.refused_moves]
        sql = "SELECT match, user, decision, notation FROM moves WHERE level = ''"
        made_moves = {RequestedMove(*row) for row in self.bot.query(sql)}
        sorry = [each for each in self.sorry_moves if each.move in made_moves and "nothing has changed" in each.text]
        found += [f"told as not made, and made: {each}" for each in sorry if self.requested[each.move] == 1]
        finished = {match for (match,) in self.bot.query("SELECT match FROM matches WHERE status = 'over'")}
        for posted, times in self.witness.posted.items():
            calls = sum(n for c, n in self.witness.again.items() if (c.channel, c.match) == posted[:2])
            result = posted.kind == "table" and posted.match in finished  # is posted again, for everybody to notice
            if times > 1 + calls * (posted.kind == "hand") + result:
                found.append(f"posted {times} times, with {calls} calls: {posted}")
        return found

    async def _click_move(self, player: Player, hand: SeenMessage, custom_id: str, values: tuple[str, ...]) -> None:
        wanted, outcome = await self._click(player, hand, custom_id, values)
        if wanted is None:
            return
        text = outcome.message.text if outcome.message else ""
        acknowledges = await self._is_acknowledged(outcome)
        interaction = self.playground.simulation.interactions.find_interaction(int(outcome.interaction_id))
        deferred = "" if interaction is None else self.witness.answered.get(interaction.token, "")
        description = f"{outcome.interaction_id} {outcome.response_type}: {text[:120]} {deferred[:400]}"
        self.answers.setdefault(wanted, []).append(description)
        if acknowledges:
            self.acknowledged[wanted] += 1
        elif text_ := _refusal_text(outcome):
            if any(words in text_ for words in SORRY_TEXTS):
                self.sorry_moves.append(RefusedMove(wanted, text_))
            elif self._is_open_decision(wanted):
                self.refused_moves.append(RefusedMove(wanted, text_))

    def _is_open_decision(self, requested: RequestedMove) -> bool:
        for key, checkpoint, seat in self.bot.query(
            OPEN_DECISIONS_SQL, requested.match, requested.user, requested.decision
        ):
            moves = GAMES[key].moves(GAMES[key].checkpoint_adapter.validate_json(checkpoint), seat)
            return requested.notation in map(GAMES[key].format_move, moves)
        return False


def _refusal_text(outcome: Outcome) -> str:
    """What stands in bold on top of an answer, if it is a refusal."""
    text = outcome.message.text.lstrip() if outcome.message is not None else ""
    private = outcome.message is not None and outcome.message.is_ephemeral
    return text[:300] if text.startswith("**") or (private and outcome.response_type != UPDATE) else ""
