"""Who may press each control and give each command, and when: the table that the laws of access walk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any

EVERY_PHASE = frozenset({"lobby", "running", "over"})
LOBBY, RUNNING, OVER = (frozenset({phase}) for phase in ("lobby", "running", "over"))


class Who(Enum):
    """Who may press something. Everybody else is refused, and so is anybody who is blocked or shut out."""

    ANYBODY = auto()  # it is about no match
    IN_SERVER = auto()  # likewise, on a server
    ABOUT_SELF = auto()  # likewise, and in direct messages even those who are blocked may press it
    MANAGER = auto()  # of the server where it is pressed
    READER = auto()  # anyone who may see the match: on its server, or with a seat in it
    MATCH_MANAGER = auto()  # of the match's server
    SEATED = auto()
    DUE = auto()  # who has a decision to make
    HOST = auto()
    ASKED = auto()  # who has to agree to a take-back
    PLAYED = auto()  # who has a seat or left one
    UNSEATED = auto()  # a reader who has no seat
    WATCHER = auto()  # a reader who has neither a seat nor left one
    AUTHOR = auto()  # who wrote the report
    NOBODY = auto()


@dataclass(frozen=True, slots=True)
class Press:
    """A control or a command, with placeholders, and who may press it in which phases.

    Unless it `answers`, people who may press it can still be refused, because the sample fits no hand or table.
    """

    name: str
    who: Who
    when: frozenset[str] = EVERY_PHASE
    values: Sequence[str] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    text: str | None = None  # of a form
    is_command: bool = False
    answers: bool = True
    changes: bool = False  # something in a match that runs, or for others
    names_open_cards: bool = False  # as examples, or because they lay open before

    def __str__(self) -> str:
        return " ".join([f"/{self.name}" if self.is_command else self.name, *(self.values or ()), *self.options])


def _actions(
    names: str, person: Who, when: frozenset[str] = EVERY_PHASE, *, answers: bool = True, changes: bool = False
) -> Iterable[Press]:
    return [Press(f"t:{{match}}:{name}", person, when, answers=answers, changes=changes) for name in names.split()]


def _command(name: str, person: Who, when: frozenset[str] = EVERY_PHASE, **options: Any) -> Press:
    answers, changes = options.pop("answers", True), options.pop("changes", False)
    given = {"match": "{match}", **options}
    return Press(name, person, when, options=given, is_command=True, answers=answers, changes=changes)


PRESSES: Sequence[Press] = (
    # A hand
    Press("m:{match}:{number}:{move}", Who.DUE, RUNNING, changes=True),
    Press("c:{match}:{number}:{move}", Who.DUE, RUNNING),
    Press("s:{match}:{number}:0", Who.DUE, RUNNING, ["{move}"], changes=True),
    Press("p:{match}:{number}:pass", Who.DUE, RUNNING, ["x", "y"], answers=False, names_open_cards=True),
    Press("o:{match}:{number}:{move}", Who.DUE, RUNNING, answers=False),
    Press("f:{match}:{number}:0", Who.DUE, RUNNING, ["={move}"], changes=True),
    Press("f:{match}:{number}:0", Who.DUE, RUNNING, ["x"], answers=False),
    Press("n:{match}:{number}:x", Who.DUE, RUNNING, answers=False),
    Press("g:{match}:{number}:x", Who.DUE, RUNNING, answers=False),
    # A lobby
    *(
        Press(f"v:{{match}}:{each}", Who.HOST, LOBBY)
        for each in ("clock=none", "preset=quick hands", "pace=together", "special_cards=mouse", "hints=false")
    ),
    Press("b:{match}:{options}", Who.HOST, LOBBY),
    *_actions("start options options-1 options-2 options-3 options-4 options-5", Who.HOST, LOBBY, answers=False),
    *_actions("options computers computer-easy computer-normal computer-hard cancel-ask cancel", Who.HOST, LOBBY),
    *_actions("no-computer", Who.HOST, LOBBY, answers=False),
    *_actions("join", Who.UNSEATED, LOBBY),
    Press("deals:{match}:write", Who.SEATED, LOBBY, text="1234", changes=True),
    Press("deals:{match}:cut", Who.SEATED, LOBBY),
    Press("deals:{match}:last", Who.SEATED, LOBBY),
    Press("deals:{match}:free", Who.SEATED, LOBBY, answers=False),
    # A table
    *_actions("chosen", Who.READER),
    *_actions("keep sheet sheet-words words status more settings take-back practice agree refuse", Who.READER),
    *(replace(each, names_open_cards=True) for each in _actions("rule minute rules", Who.READER)),
    *_actions("hand back return leave-ask", Who.SEATED),
    *_actions("leave leave-on", Who.SEATED, LOBBY | RUNNING, changes=True),
    *_actions("here", Who.SEATED, RUNNING, answers=False),
    *_actions("seat", Who.UNSEATED, RUNNING, changes=True),
    *_actions("stop stop-ask", Who.SEATED, RUNNING, changes=True),
    *_actions("again", Who.SEATED, OVER),
    *_actions("record replay", Who.READER, OVER),
    *_actions("clicked", Who.NOBODY),
    *_actions("take-back={seen} practice={seen}", Who.SEATED, RUNNING, answers=False, changes=True),
    *_actions("agree={request} refuse={request}", Who.ASKED, RUNNING, changes=True),
    Press("t:{match}:host", Who.HOST, LOBBY | RUNNING, ["{player}"], changes=True),
    Press("deals:{match}:check", Who.READER),
    # A match that is over
    Press("x:{match}:n0ty0", Who.READER, OVER),
    Press("x:{match}:n0oy1", Who.READER, OVER),
    Press("x:{match}:p0ty0", Who.READER, OVER, changes=True),
    Press("z:{match}:1:n0ty0", Who.READER, OVER, answers=False),
    Press("j:{match}:open", Who.READER, OVER),
    Press("j:{match}:pick", Who.READER, OVER, ["0"]),
    Press("j:{match}:post=0", Who.PLAYED, OVER, changes=True),
    Press("replays:{match}:open", Who.READER, OVER),
    Press("replays:{match}:at:n0ty0", Who.READER, OVER),
    Press("replays:{match}:led:1:n0ty0", Who.READER, OVER, answers=False),
    Press("replays:{match}:own:o0ty0", Who.READER, OVER),
    Press("replays:{match}:together:t0ty0", Who.READER, OVER, answers=False, changes=True),
    Press("replays:{match}:practice:p0ty0", Who.READER, OVER, changes=True),
    Press("clips:{match}:open", Who.READER, OVER),
    Press("clips:{match}:pick", Who.READER, OVER, ["0"]),
    Press("clips:{match}:post:0", Who.PLAYED, OVER, changes=True),
    # Features
    Press("guesses:{match}:open", Who.WATCHER, RUNNING, answers=False),
    Press("guesses:{match}:pick:0", Who.WATCHER, RUNNING, ["0"], answers=False, changes=True),
    Press("hints:{match}:ask", Who.DUE, RUNNING),
    Press("hints:{match}:review", Who.SEATED, OVER),
    Press("lessons:{match}:open", Who.READER, names_open_cards=True),
    Press("notes:{match}:open", Who.SEATED, RUNNING | OVER),
    Press("notes:{match}:write", Who.SEATED, RUNNING | OVER, text="Watch the clubs.", changes=True),
    Press("plans:{match}:open", Who.SEATED, RUNNING, answers=False),
    Press("plans:{match}:change:{number}:none", Who.SEATED, RUNNING, answers=False, changes=True),
    Press("plans:{match}:change:{number}:move", Who.SEATED, RUNNING, ["{move}"], answers=False, changes=True),
    Press("reports:{match}:open", Who.READER),
    Press("reports:{match}:write", Who.READER, text="It looks odd.", changes=True),
    Press("reports:{match}:drop:{report}", Who.AUTHOR, changes=True),
    Press("reports:{match}:send:{report}", Who.AUTHOR, changes=True),
    Press("takebacks:{match}:take:{seen}", Who.SEATED, RUNNING, answers=False, changes=True),
    Press("takebacks:{match}:practice:{seen}", Who.SEATED, RUNNING, answers=False, changes=True),
    Press("takebacks:{match}:agree:{request}", Who.ASKED, RUNNING, changes=True),
    Press("takebacks:{match}:refuse:{request}", Who.ASKED, RUNNING, changes=True),
    Press("takebacks:{match}:old", Who.READER),
    # No match
    Press("r:{game}:0", Who.ANYBODY, names_open_cards=True),
    Press("u:{game}:W1", Who.ANYBODY, answers=False, names_open_cards=True),
    Press("l:0", Who.SEATED),
    Press("h:calls=off", Who.MANAGER, changes=True),
    Press("h:clock", Who.MANAGER, values=["none"], changes=True),
    Press("y:words=on", Who.ANYBODY, changes=True),
    Press("breaks::ask", Who.ANYBODY),
    Press("breaks::choose", Who.ANYBODY, values=["2 hours"], changes=True),
    Press("takebacks::allow:on", Who.ANYBODY, changes=True),
    Press("breaks::choose:back", Who.ANYBODY, answers=False, changes=True),
    Press("t:~{game}.1:show", Who.ANYBODY, names_open_cards=True),
    Press("t:~{game}.1:begin", Who.ANYBODY, names_open_cards=True),
    Press("t:!{game}.1:show", Who.ANYBODY, names_open_cards=True),
    Press("i:help", Who.ANYBODY, names_open_cards=True),
    Press("i:games", Who.ANYBODY, names_open_cards=True),
    Press("i:pick", Who.ANYBODY, values=["{game}"], names_open_cards=True),
    Press("i:table:{game}", Who.IN_SERVER, changes=True),
    Press("q:data", Who.ABOUT_SELF, names_open_cards=True),
    Press("q:ask", Who.ABOUT_SELF),
    # A manager
    Press("a:{match}:cancel:0", Who.MATCH_MANAGER),
    Press("a:{match}:reset:0", Who.MATCH_MANAGER, LOBBY | RUNNING, changes=True),
    # Commands
    _command("{game} move", Who.DUE, RUNNING, move="{move}", changes=True),
    _command("{game} hand", Who.SEATED),
    _command("{game} status", Who.READER),
    _command("motley replay", Who.READER, OVER),
    _command("motley hint", Who.DUE, RUNNING),
    _command("motley cut", Who.SEATED, LOBBY, digits="1234"),
    _command("motley check-deal", Who.READER),
    _command("motley leave", Who.SEATED),
    _command("motley stop", Who.SEATED, RUNNING, changes=True),
    _command("motley options", Who.HOST, LOBBY),
    _command("motley options", Who.HOST, LOBBY, option="clock", value="1 hour"),
    _command("motley note", Who.SEATED, RUNNING | OVER),
    _command("motley note", Who.SEATED, RUNNING | OVER, text="Watch the clubs.", changes=True),
    _command("admin show", Who.MATCH_MANAGER),
    _command("admin reset", Who.MATCH_MANAGER, LOBBY | RUNNING),
    _command("admin remove-player", Who.MATCH_MANAGER, LOBBY | RUNNING, player="{player}", changes=True),
    _command("admin give-seat", Who.MATCH_MANAGER, RUNNING, seat="B", changes=True),
    _command("admin give-back", Who.MATCH_MANAGER, RUNNING, seat="B", answers=False, changes=True),
)


def quiet_presses() -> Sequence[Press]:
    """Return what somebody can press or ask in a match that runs without a change of anything for others.

    Pages of rules are left out, and the file of somebody's data: they name cards that are no secret.
    """
    return [each for each in PRESSES if not each.changes and not each.names_open_cards]


def verb_press(command: str, options: Iterable[str]) -> Press:
    """Return the press of a game's own command for a verb of its moves."""
    return _command(command, Who.DUE, RUNNING, answers=False, changes=True, **dict.fromkeys(options, "x"))
