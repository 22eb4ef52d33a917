"""The messages of a match, drawn from a look at it: lobby, table, hand, menu. Pure; nothing of Discord's is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cogs.screens.control_widths import LABEL
from cogs.screens.screen import GameScreen, Screen, Step
from cogs.screens.truncation import cut
from cogs.screens.words import listed
from cogs.table.pages import custom_ids, hand_controls, lobby_pages, screen_layout
from cogs.table.pages.page import (
    GOLD,
    GREY,
    Block,
    Page,
    Paper,
    Press,
    Row,
    Text,
    rows,
    table_press,
    texts,
)
from cogs.table.pages.screen_layout import ANYBODY, Reader
from cogs.table.wording import table_option_words, time_left
from cogs.table.wording.narration import brief_news, context, escaped, news
from cogs.table.wording.player_names import seated
from engines.hosting.match import Look, Refused, standing
from engines.store.match_store import Info, Status

WAITING = "Waiting for"  # how screens begin a line that says whose turn it is
CLOSED = frozenset({Status.ENDED, Status.CANCELLED, Status.EXPIRED, Status.RESET, Status.ASIDE})


@dataclass(frozen=True, slots=True)
class Setting:
    """What a message says of the world around the match; and the screen on which its game is shown."""

    screen: GameScreen
    server: str = ""
    table_url: str = ""  # where the table is, once it is posted
    trouble: str = ""  # why the table cannot be kept up to date
    record: str = ""  # the readable record of a finished match
    computers: bool = True  # whether they may sit down in a lobby


def lobby(look: Look, setting: Setting) -> Page:
    """The message that `new` answers with: who is in, and, once started, where the table is."""
    info = look.info
    if info.status is Status.LOBBY:
        return lobby_pages.lobby(look, setting.screen, computers=setting.computers)
    if info.status in (Status.RUNNING, Status.PAUSED):
        return _started(look, setting)
    title = f"## {look.game.title} — {'the match is over' if info.status is Status.OVER else 'closed'}"
    said = _winners(look, setting.screen) if info.status is Status.OVER else standing(escaped(info))
    link = (Row((_table_link(setting),)),) if setting.table_url else ()
    return Page((*texts((title, said)), *link), GREY)


def table(look: Look, setting: Setting) -> Page:
    """The public table."""
    info, screen = look.info, setting.screen
    if look.state is None:
        return Page((_head(look), Text(f"**{standing(escaped(info))}**")), GREY)
    view, around, brief = look.view(None), context(look, news(look, screen, None)), brief_news(look, screen, None)
    outcome, small = look.outcome(), " · ".join(filter(None, (_head(look).text, time_left.left(look))))
    if outcome is not None:
        drawn, unusual = screen.result(view, outcome, around), table_option_words.unusual(info.house)
        small = f"{small} · {unusual}" if unusual else small
        return Page((*screen_layout.public(small, drawn, brief, names=around.short), *_over(info, setting)), GOLD)
    drawn = screen.table(view, around)
    if info.status in CLOSED:
        return Page(
            screen_layout.public(f"{small}\n**{standing(escaped(info))}**", drawn, brief, names=around.short), GREY
        )
    if info.status is Status.PAUSED:
        said = f"Take the empty seat with its hand, or vote to end the match ({_voted(info)} so far)."
        presses = (
            table_press(info.id, "Take the empty seat", "seat", "primary"),
            ending(info, "Vote"),
            table_press(info.id, "⋯", "more"),
        )
        return Page(screen_layout.public(small, _at_rest(look, drawn, said), (said,), presses), GREY)
    if info.votes:
        small = f"{small}\n{_voted(info)} {'has' if len(info.votes) == 1 else 'have'} voted to end the match."
    if away := [seated(seat) for seat in info.seats if seat.away]:
        small = f"{small}\n-# {listed(away)} {'is' if len(away) == 1 else 'are'} away: the computer plays there."
    return Page(screen_layout.public(small, drawn, brief, _table_presses(info), around.short))


def ending(info: Info, vote: str = "Vote to end it") -> Press:
    """The button to end a match without a result: a vote, or where nobody else has one, what leads to a question."""
    if info.voters > 1:
        return table_press(info.id, vote, "stop", "danger")
    return table_press(info.id, "End the match", "stop-ask")


def hand(look: Look, seat: int, setting: Setting, reader: Reader = ANYBODY) -> Page:
    """A seat's own hand, with a control for every legal move."""
    info, screen, small = look.info, setting.screen, _whose(look, setting, reader, seat)
    top = texts((small,))
    if look.state is None:
        return Page((*top, *texts(_waiting(look, seat, setting.screen)), *rows(_offered(look.info, reader))))
    if (outcome := look.outcome()) is not None:
        drawn = screen.result(look.view(seat), outcome, context(look))
        return Page(
            screen_layout.hand(small, drawn, (), reader, screen_layout.NOTHING, _counted_presses(info, _costly(info))),
            GOLD,
        )
    if info.status is Status.PAUSED:
        said = "It goes on as soon as somebody takes the empty seat."
        drawn = _at_rest(look, screen.hand(look.view(seat), None, (), context(look)), said)
        presses = _hand_presses(info, reader)
        return Page(screen_layout.hand(small, drawn, (said,), reader, screen_layout.NOTHING, presses), GREY)
    if info.status is not Status.RUNNING:
        return Page(texts((f"{small}\n**{standing(escaped(info))}**",)), GREY)
    if info.seats[seat].away:
        said = f"{small}\n**The computer plays in your place until you are back.**"
        return Page((Text(said), *rows((_back(info), table_press(info.id, "⋯", "more")))), GREY)
    drawn, number = _drawn(look, setting.screen, seat)
    return _hand(look, seat, setting, reader, drawn, hand_controls.laid(info.id, number, drawn.controls))


def step(look: Look, seat: int, setting: Setting, keys: Sequence[str], reader: Reader = ANYBODY) -> Page | None:
    """The hand with what a step leaves to choose; None where it offers no such step."""
    drawn, number = _drawn(look, setting.screen, seat)
    trail = hand_controls.trail(drawn.controls, keys)
    if trail is None:
        return None
    laid = hand_controls.laid(look.info.id, number, drawn.controls, trail)
    return _hand(look, seat, setting, reader, _further(drawn, trail), laid)


def ordering(look: Look, seat: int, setting: Setting, notation: str, reader: Reader = ANYBODY) -> Page:
    """The hand with several picks in their order, to be changed or confirmed. All of it stands in the custom_ids."""
    drawn, number = _drawn(look, setting.screen, seat)
    found = hand_controls.picks_of(drawn.controls, notation)
    if found is None:
        raise Refused("Pick from what your hand offers.")
    trail, picks = found
    laid = hand_controls.picked(look.info.id, number, drawn.controls, trail, picks, notation)
    return _hand(look, seat, setting, reader, _further(drawn, trail), laid)


def midway(there: Page, hand: Page) -> Page:
    """A hand on the way to a move. It is up to date as long as the hand at its beginning has not changed."""
    return replace(there, stands_for=hand.digest)


def _hand(look: Look, seat: int, setting: Setting, reader: Reader, drawn: Screen, laid: hand_controls.Laid) -> Page:
    small, screen = _whose(look, setting, reader, seat), setting.screen
    brief = look.once((screen, seat, "brief"), lambda: brief_news(look, screen, seat))
    presses = _hand_presses(look.info, replace(reader, new=reader.new and not laid.back))
    return Page(screen_layout.hand(small, drawn, brief, reader, laid, presses, context(look).short))


def _further(drawn: Screen, trail: Sequence[Step]) -> Screen:
    """A hand on the way to a move: with the newest picture that its steps bring."""
    pictures = [step.picture for step in trail if step.picture]
    return replace(drawn, picture=pictures[-1]) if pictures else drawn


def question(look: Look, seat: int, setting: Setting, notation: str) -> Page:
    """What to ask before a move that could be a costly slip: as its button on the hand has it, or whether it is meant.

    The button that makes it is called after the move, so that whoever reads nothing else knows what it does.
    """
    drawn, number = _drawn(look, setting.screen, seat)
    buttons = hand_controls.buttons(drawn.controls)
    asking = next((button for button in buttons if button.move == notation and button.confirm), None)
    if asking is not None and asking.confirm:
        return sure(look, number, notation, asking.confirm, asking.label)
    label = setting.screen.label(look.game.read(notation))
    return sure(look, number, notation, f"**{label}**: are you sure?", cut(label, LABEL))


def noted(page: Page, note: Sequence[Block]) -> Page:
    """A page with something to say on top of everything."""
    return replace(page, blocks=(*note, *page.blocks))


def dated(page: Page, now: int) -> Page:
    """A page that is not kept up to date for ever, saying when it was drawn."""
    return replace(page, blocks=(*page.blocks, Text(f"-# As of <t:{now}:T>. Press “Show my hand” for a new one.")))


def sure(look: Look, decision: int, notation: str, question: str, label: str) -> Page:
    """A question with the button that makes the move, and one that leads back."""
    presses = (
        Press(label, custom_ids.move(look.info.id, decision, notation), "danger"),
        table_press(look.info.id, "Back to the hand", "return"),
    )
    return Page((Text(question), *rows(presses)))


def sheet(look: Look, screen: GameScreen) -> Page:
    """The score sheet, as a picture and in words; at the end, how everything was counted."""
    if look.state is None:
        return Page((Text("The match has not started yet."),))
    return Page(screen_layout.in_words(screen.sheet(look.view(None), context(look))))


def words(look: Look, seat: int | None, setting: Setting) -> Page:
    """All that a hand, or the table, shows, in words alone."""
    if look.state is None:
        return Page((Text("The match has not started yet."),))
    screen, outcome = setting.screen, look.outcome()
    if seat is not None and outcome is None:
        drawn = _drawn(look, screen, seat)[0]
    else:
        view, around = look.view(None), context(look, news(look, screen, None))
        drawn = screen.result(view, outcome, around) if outcome else screen.table(view, around)
    return Page(screen_layout.in_words(replace(drawn, picture=None)))


def status(look: Look, setting: Setting) -> Page:
    """How the match stands, for whoever asks."""
    head = Text(f"**{look.game.title}**, match `{look.info.id}`\n{standing_now(look, setting.screen)}")
    link = (Row((_table_link(setting),)),) if setting.table_url else ()
    if look.state is None or look.info.status is Status.ASIDE:
        return Page((head, *link))
    outcome, screen, around = look.outcome(), setting.screen, context(look)
    drawn = screen.result(look.view(None), outcome, around) if outcome else screen.table(look.view(None), around)
    trouble = texts((f"⚠ {setting.trouble}" if setting.trouble else "",))
    if look.info.status is Status.PAUSED:
        drawn = _at_rest(look, drawn, "")
        head = _head(look)
    return Page(
        (*trouble, *screen_layout.public(head.text, drawn, brief_news(look, screen, None), names=around.short), *link)
    )


def rule(look: Look, seat: int, screen: GameScreen) -> str:
    """The rule that belongs to what a seat has to decide now; empty where that is nothing."""
    return _drawn(look, screen, seat)[0].rule if seat in look.decisions() else ""


def worked_out(look: Look, seat: int, screen: GameScreen) -> bool:
    """Whether a seat's hand was drawn by its game already, with all that its controls lead to."""
    return look.knows((screen, seat))


def _drawn(look: Look, screen: GameScreen, seat: int) -> tuple[Screen, int]:
    """A seat's hand in a running match as its game draws it, and the number of its decision."""
    return look.once((screen, seat), lambda: _draw(look, screen, seat))


def _draw(look: Look, screen: GameScreen, seat: int) -> tuple[Screen, int]:
    decision = look.decisions().get(seat)
    around = context(look, news(look, screen, seat))
    drawn = screen.hand(look.view(seat), decision, look.moves(seat), around)
    return drawn, decision.number if decision else 0


def _hand_presses(info: Info, reader: Reader) -> tuple[Press, ...]:
    """What stands at the end of every hand."""
    return (*_offered(info, reader), table_press(info.id, "⋯", "more"))


def _offered(info: Info, reader: Reader) -> tuple[Press, ...]:
    """The rules, for somebody to whom the game is new."""
    offered = reader.new and info.status in (Status.LOBBY, Status.RUNNING)
    return (table_press(info.id, "Rules", "minute"),) if offered else ()


def _started(look: Look, setting: Setting) -> Page:
    """What the lobby becomes once the match runs."""
    info, paused = look.info, look.info.status is Status.PAUSED
    names = listed([seated(seat) for seat in info.seats if not seat.empty])
    said = (
        f"## {look.game.title} — the match is {'paused' if paused else 'running'}",
        f"{escaped(info).reason} Somebody may take the empty seat with its hand." if paused else "",
        f"At the table: {names}.",
    )
    seat = (table_press(info.id, "Take the empty seat", "seat", "primary"),) if paused else ()
    presses = [*seat, table_press(info.id, "Show my hand", "hand", "secondary" if paused else "primary")]
    if setting.table_url:
        presses.append(_table_link(setting))
    return Page((*texts(said), *rows(presses)))


def _head(look: Look) -> Text:
    """Which match this is, told small."""
    return Text(f"-# {_briefly(look)} · match `{look.info.id}`")


def _briefly(look: Look) -> str:
    """The game, in one word while there is a time to be told beside it."""
    timed = look.info.house.clock is not None and look.info.status is Status.RUNNING
    return look.info.game.capitalize() if timed else look.game.title


def _whose(look: Look, setting: Setting, reader: Reader, seat: int) -> str:
    """Which match, server and table a hand belongs to, told small; how much time is left; and what ails its table."""
    server = f" · {setting.server}" if setting.server else ""
    time = f" · {until}" if (until := time_left.left(look, seat)) else ""
    named = reader.several or look.info.status not in (Status.RUNNING, Status.PAUSED)
    table = f"`{look.info.id}`" if named and time else "table"  # there is no room for both
    link = f" · [{table}]({setting.table_url})" if setting.table_url else ""
    which = f" · match `{look.info.id}`" if named and not (time and link) else ""
    trouble = f"\n-# ⚠ {setting.trouble}" if setting.trouble else ""
    return f"-# {_briefly(look)}{server}{link}{which}{time}{trouble}"


def _waiting(look: Look, seat: int, screen: GameScreen) -> tuple[str, ...]:
    """A hand before the deal."""
    info = look.info
    if info.status is not Status.LOBBY:
        return (f"**{standing(escaped(info))}**",)
    starts = "you start" if info.seats[seat].user == info.host else f"{lobby_pages.host(look)} starts"
    options = lobby_pages.in_words(look, screen)
    return (f"**You are in.** Your hand will appear here when {starts} the match.", options and f"-# {options}.")


def standing_now(look: Look, screen: GameScreen, user: int | None = None) -> str:
    """Where the match stands: whom it waits for, perhaps the reader first, or who has won, in a sentence."""
    if look.outcome() is not None:
        return _winners(look, screen)
    due = [look.info.seats[seat] for seat in look.due()]
    others = [seated(seat) for seat in due if seat.user != user or seat.away]
    named = [*(["you"] if len(others) < len(due) else []), *others]
    return f"Waiting for {listed(named)}." if due else standing(escaped(look.info))


def _voted(info: Info) -> str:
    """How many of those still there want to end the match."""
    return f"{len(info.votes)} of {info.voters}"


def _at_rest(look: Look, drawn: Screen, said: str) -> Screen:
    """The screen of a match that is paused: that stands first, and nobody is waited for who cannot move."""
    why = standing(escaped(look.info))
    lines = ([line for line in part.split("\n") if not line.startswith(WAITING)] for part in drawn.above)
    told = tuple("\n".join(kept) for kept in lines if kept)
    return replace(drawn, above=(f"**{why}**\n{said}", *told), headline=why, worth="", controls=())


def _table_presses(info: Info) -> tuple[Press, ...]:
    """What stands below every table. Where somebody is away, that they are back takes the room of the score sheet."""
    away = any(seat.away for seat in info.seats)
    return (
        table_press(info.id, "Show my hand", "hand", "primary"),
        _back(info) if away else table_press(info.id, "Score sheet", "sheet"),
        table_press(info.id, "⋯", "more"),
    )


def _back(info: Info) -> Press:
    """What whoever is away takes their seat back by."""
    return table_press(info.id, "I am back", "here", "primary")


def _over(info: Info, setting: Setting) -> tuple[Block, ...]:
    """What follows a result: the record as a file, and another match."""
    again = table_press(info.id, "Play again", "again", "primary")
    paper = (Paper(f"{info.game}-{info.id}.txt", setting.record),) if setting.record else ()
    return (*paper, *rows(_counted_presses(info, again, _costly(info))))


def _counted_presses(info: Info, *others: Press) -> tuple[Press, ...]:
    """How everything was counted, one press away."""
    return (table_press(info.id, "Scoring", "sheet"), *others, table_press(info.id, "⋯", "more"))


def _costly(info: Info) -> Press:
    """For everybody who has played: what they could have done better."""
    return table_press(info.id, "My costliest moves", "review")


def _winners(look: Look, screen: GameScreen) -> str:
    """Who has won and with what, as the game's result has it."""
    outcome = look.outcome()
    assert outcome is not None
    return f"{screen.result(look.view(None), outcome, context(look)).headline.rstrip('.')}."


def _table_link(setting: Setting) -> Press:
    return Press("Go to the table", setting.table_url, link=True)


def entry(look: Look, setting: Setting) -> tuple[Block, ...]:
    """A match in a list of one's matches."""
    at = f" on {setting.server}" if setting.server else ""
    link = f" · [table]({setting.table_url})" if setting.table_url else ""
    when = f" · <t:{look.info.changed}:d>" if look.info.status is Status.OVER else ""
    return (
        Text(f"**{look.game.title}**{at} · match `{look.info.id}`{link}{when}\n{standing_now(look, setting.screen)}"),
    )
