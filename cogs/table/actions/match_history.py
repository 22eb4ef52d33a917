"""A match's history in words: what was done in it, by whom and when, as far as everybody may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from cogs.screens.truncation import utf16_length
from cogs.screens.words import join_with_and
from cogs.table.wording.player_names import markdown_name
from engines.store.match_store import FORGOTTEN_NAME, Action, ActionKind, MatchInfo

ACTION_TEXTS: Mapping[ActionKind, str] = {
    "new": "opened the table",
    "join": "joined",
    "hand over": "made somebody else the host",
    "computers": "seated other computers",
    "options": "changed the options",
    "start": "started the match",
    "settle": "opened the match's thread",
    "leave": "left",
    "remove": "took somebody out",
    "take seat": "took an empty seat",
    "back": "took their seat back from the computer",
    "give seat": "had the computer play at a seat",
    "give back": "gave a seat back from the computer",
    "vote end": "voted to end the match",
    "end": "voted to end the match, which decided it",
    "cancel": "closed the table",
    "expire": "closed the table, which nobody had started within a day",
    "reset": "reset the match",
    "call": "called the others to play again",
    "carry over": "carried the match over to newer rules",
    "set aside": "set the match aside",
    "forget": "wanted to be forgotten",
}
"""Every deed but moves, after the name of who did it."""
_WITH_REASON: frozenset[ActionKind] = frozenset({"remove", "cancel", "set aside"})  # which says more than the deed


def history_text(info: MatchInfo, actions: Sequence[Action], room: int) -> str:
    """What was done in the match, a line each, in so many characters at most; of more, the first and the newest."""
    lines = list(_history_lines(info, actions))
    heading = "**What was done**"
    kept = _fit_lines(lines, room - len(heading) - 1)
    return "\n".join((heading, *kept)) if kept else ""


def _history_lines(info: MatchInfo, actions: Sequence[Action]) -> Iterator[str]:
    """A line each; moves in a row are one, and so is what somebody did several times in a row."""
    names = {seat.user: markdown_name(seat.name) for seat in info.seats}
    for _, group in groupby(
        actions, key=lambda deed: ("play", 0, "") if deed.action == "play" else _grouping_key(deed)
    ):
        found = list(group)
        line = _moves_line(found, names) if found[0].action == "play" else _action_line(found, names)
        yield f"- <t:{found[0].at}:f> {line}"


def _grouping_key(action: Action) -> tuple[str, int, str]:
    return action.action, action.by, action.reason


def _action_line(found: Sequence[Action], names: Mapping[int, str]) -> str:
    deed = found[0]
    done = next((words for action, words in ACTION_TEXTS.items() if action == deed.action), "changed something")
    times = f" ({len(found)} times)" if len(found) > 1 else ""
    reason = f": {markdown_name(deed.reason)}" if deed.reason and deed.action in _WITH_REASON else ""
    return f"{_actor_name(deed.by, names)} {done}{times}{reason}"


def _moves_line(found: Sequence[Action], names: Mapping[int, str]) -> str:
    """How many moves each has made, those with the most first."""
    counted = Counter(deed.by for deed in found)
    own = [f"{_actor_name(user, names)} {number}" for user, number in counted.most_common()]
    return f"{'1 move' if len(found) == 1 else f'{len(found)} moves'}: {join_with_and(own)}"


def _actor_name(user: int, names: Mapping[int, str]) -> str:
    """A name; of somebody who does not sit there (any more), the mention, which Discord shows as their name."""
    return names.get(user) or (f"<@{user}>" if user > 0 else FORGOTTEN_NAME if user else "I")


def _fit_lines(lines: Sequence[str], room: int) -> list[str]:
    """Lines that fit together: all of them, or the first one, how many are left out, and the last ones."""
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
