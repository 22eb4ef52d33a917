"""The public history of a match in words: what was done, by whom and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from cogs.screens.truncation import utf16_length
from cogs.screens.words import join_with_and
from cogs.table.wording.player_names import markdown_name
from engines.store.match_store import FORCED, FORGOTTEN_NAME, Action, ActionKind, MatchInfo

ACTION_TEXTS: Mapping[ActionKind, str] = {
    "new": "opened the table",
    "join": "joined",
    "hand over": "made somebody else the host",
    "computers": "seated other computers",
    "options": "changed the options",
    "start": "started the match",
    "settle": "opened the match's thread",
    "leave": "left",
    "remove": "removed somebody",
    "take seat": "took an empty seat",
    "back": "took their seat back from the computer",
    "give seat": "let the computer play for a seat",
    "give back": "gave a seat back to its owner",
    "suspend": "stopped the match because the people who run me asked me to",
    "resume": "let the match go on",
    "vote end": "voted to end the match",
    "end": "cast the deciding vote to end the match",
    "cancel": "cancelled the table",
    "expire": "cancelled the table, because nobody started the match within a day",
    "idle": "ended the practice match, because nobody had played for a day",
    "replace": "began another practice match, so this one ended",
    "reset": "ended the match for good",
    "call": "pinged the others for another match",
    "carry over": "carried the match over to newer rules",
    "set aside": "set the match aside as damaged",
    "forget": "asked to be forgotten",
}
"""The text of every action except moves and those of features. It follows the name of the person who acted."""
_WITH_REASON: frozenset[ActionKind] = frozenset({"remove", "cancel", "set aside"})  # actions whose reason is shown


def history_text(info: MatchInfo, actions: Sequence[Action], room: int, of_features: Mapping[ActionKind, str]) -> str:
    """Return the match's actions, one per line, in at most `room` characters. If needed, omit lines in the middle.

    `of_features` are the texts of features' actions.
    """
    lines = list(_history_lines(info, actions, {**ACTION_TEXTS, **of_features}))
    heading = "**History**"
    fitting = _fit_lines(lines, room - len(heading) - 1)
    return "\n".join((heading, *fitting)) if fitting else ""


def _history_lines(info: MatchInfo, actions: Sequence[Action], texts: Mapping[ActionKind, str]) -> Iterator[str]:
    """Yield one line per action. Consecutive moves share a line, and so do equal consecutive actions of a person."""
    names = {seat.user: markdown_name(seat.name) for seat in info.seats}
    for _, group in groupby(
        actions, key=lambda entry: ("play", 0, "") if entry.action == "play" else _grouping_key(entry)
    ):
        found = list(group)
        line = _moves_line(found, names) if found[0].action == "play" else _action_line(found, names, texts)
        yield f"- <t:{found[0].at}:f> {line}"


def _grouping_key(action: Action) -> tuple[str, int, str]:
    return action.action, action.by, action.reason


def _action_line(found: Sequence[Action], names: Mapping[int, str], texts: Mapping[ActionKind, str]) -> str:
    entry = found[0]
    done = next((words for action, words in texts.items() if action == entry.action), "changed something")
    times = f" ({len(found)} times)" if len(found) > 1 else ""
    reason = f": {markdown_name(entry.reason)}" if entry.reason and entry.action in _WITH_REASON else ""
    if entry.action == "end" and not entry.by:
        done = "ended the match, because nobody was playing any more"
    actor = _actor_name(entry.by, names) if entry.by else "I"  # computers act in moves alone
    return f"{actor} {done}{times}{reason}"


def _moves_line(found: Sequence[Action], names: Mapping[int, str]) -> str:
    """Return a line with each player's number of moves, highest first, and how many of them were made automatically."""
    counted, forced = (
        Counter(each.by for each in found),
        Counter(each.by for each in found if each.reason == FORCED),
    )
    own = [f"{_actor_name(user, names)} {number}{_forced_note(forced[user])}" for user, number in counted.most_common()]
    return f"{'1 move' if len(found) == 1 else f'{len(found)} moves'}: {join_with_and(own)}"


def _forced_note(number: int) -> str:
    return f" ({number} automatic)" if number else ""


def _actor_name(user: int, names: Mapping[int, str]) -> str:
    """Return a player's name. For somebody without a seat, return a mention, which Discord shows as their name."""
    return names.get(user) or (f"<@{user}>" if user > 0 else FORGOTTEN_NAME if user else "I")


def _fit_lines(lines: Sequence[str], room: int) -> list[str]:
    """Return all lines if they fit, or the first line, the number of omitted lines, and the last lines."""
    if sum(utf16_length(line) + 1 for line in lines) <= room:
        return list(lines)
    room -= utf16_length(lines[0]) + utf16_length(_omission_line(len(lines))) + 2
    last: list[str] = []
    for line in reversed(lines[1:]):
        room -= utf16_length(line) + 1
        if room < 0:
            break
        last.insert(0, line)
    return [lines[0], _omission_line(len(lines) - 1 - len(last)), *last]


def _omission_line(number: int) -> str:
    return f"-# … {number} more …"
