"""Deals on pages: cuts in words, the form in which a player cuts, and the page that checks a deal. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.screens.words import pluralize
from cogs.table.channels.deal_message import PostedDeal
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import Form, Page, Paper, Text
from cogs.table.wording.match_words import short_seal
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.records import PublicDeal
from engines.hosting.records import deal, record
from engines.hosting.records.deal import is_chosen
from engines.kit.contract import AnyGame
from engines.store.match_store import CLOSED, LIVE, MatchInfo, Seat, Status

WITHOUT_ME = "-# To check it without me, see docs/deals.md in my source code. It takes a dozen lines of Python."
NO_SEAL = "**No seal**"  # how the verdict begins if there is nothing to check


def cut_note(seat: Seat) -> str:
    """Return what the menu of a lobby says of a player's cut: ` · cut 1907`; empty if there is nothing to say."""
    last = " last" if seat.last_cut else ""
    return f" · cut{last} {seat.cut}" if is_chosen(seat.cut) and seat.last_cut != 1 else " · cuts last" if last else ""


def joined_text(info: MatchInfo, user: int) -> str:
    """Return the reply to a player who joined: what their cut is unless they choose another, and that all is sealed."""
    seat = info.seat_of(user)
    if seat is None or not info.seal:
        return ""
    return (
        f"You are in match `{info.id}`. {cut_text(info, info.seats[seat])}\n"
        f"-# The deal is sealed ({short_seal(info.seal)}): I cannot change it now, and nobody can tell how a "
        "cut will change it."
    )


def cut_text(info: MatchInfo, seat: Seat) -> str:
    """Return a player's cut for that player."""
    if is_chosen(seat.cut):
        return f"You have cut with `{seat.cut}`."
    if deal.cuts_at_start(info.seats, seat, info.host):
        number = "the ID that Discord will give to your click on **Start**"
    else:
        number = "the ID that Discord gave to your click on **Join**" if seat.cut else "the word `none`"
    return f"Your cut is {number}. To choose digits of your own, press **More**, then **Cut**."


def cut_form(match: str) -> Form:
    """Return the form in which a player cuts."""
    return Form(
        feature_id("deals", match, "write"),
        "Cut the cards",
        "Your digits",
        "One to eight digits. They change the deal in a way that nobody can predict. You can cut only once.",
        "",
        deal.MAX_CUT_LENGTH,
        is_line=True,
    )


def check_page(
    snapshot: MatchSnapshot,
    public: PublicDeal | None,
    record_text: str,
    counts: Mapping[Status, int],
    given_up: Sequence[str],
    posted: Sequence[PostedDeal] = (),
) -> Page:
    """Return what holds of a deal in one line, the tables of its server, and the record as a file.

    `given_up` are the newest matches of the server that were closed without a result, and `posted` the messages about
    the deal, compared with it.
    """
    verdict = _verdict(snapshot, public, record_text)
    outside = () if verdict.startswith(NO_SEAL) else (WITHOUT_ME,)
    lines = (verdict, *map(posted_text, posted), *outside, counts_text(counts, given_up))
    paper = (Paper(f"{snapshot.info.game}-{snapshot.info.id}.txt", record_text),) if record_text else ()
    return Page((Text("\n".join(lines)), *paper))


def posted_text(posted: PostedDeal) -> str:
    """Return whether a message about a deal shows the same and came in time, with a link to it."""
    late = f"⚠ {posted.fault}" if posted.fault else ""
    if not posted.url:
        return late
    name = f"[{posted.name}]({posted.url})"
    match posted.holds:
        case True:
            return f"{late or '✓'} It matches {name}, which has not been edited."
        case False:
            return f"{late or '⚠'} It does not match {name}: that was edited or deleted, or shows something else."
        case None:
            return f"{late} I cannot read {name} now. Please compare it yourself.".strip()


def counts_text(counts: Mapping[Status, int], given_up: Sequence[str] = ()) -> str:
    """Return how many tables of a server were opened, and what became of them, in small print."""
    finished, live = counts.get(Status.OVER, 0), sum(counts.get(status, 0) for status in LIVE)
    closed = sum(counts.get(status, 0) for status in CLOSED) - finished
    opened = pluralize(sum(counts.values()), "table")
    going = f", {live} not over yet" if live else ""
    names = f" Most recently abandoned: {', '.join(f'`{match}`' for match in given_up)}." if given_up else ""
    return (
        f"-# On this server: {opened} opened, {finished} played to the end, {closed} abandoned{going}. "
        f"The secrets of all closed tables are public.{names}"
    )


def _verdict(snapshot: MatchSnapshot, public: PublicDeal | None, record_text: str) -> str:
    info, name = snapshot.info, f"match `{snapshot.info.id}`"
    if info.practice and (public is None or not public.cuts):
        return (
            f"{NO_SEAL}: {name} is a practice match. It plays on from one point of a finished match, with the same "
            "cards, and it does not count."
        )
    if public is None:
        return f"{NO_SEAL}: an older version of me opened {name}, so nothing proves how its seed was chosen."
    if info.status not in CLOSED:
        cuts = f" Its cuts are `{public.cuts}`." if public.cuts else ""
        return (
            f"The deal of {name} is sealed, and will be revealed when the match is over. Its seal is "
            f"`{public.seal}`.{cuts}"
        )
    if deal.seal_of(public.secret, info.id, info.game) != public.seal:
        return f"⚠ **The deal of {name} fails the check**: the secret does not fit the seal."
    opened = f"The seal is `{public.seal}`, the secret `{public.secret}`."
    if snapshot.state is None and not public.cuts:
        return f"✓ {name.capitalize()} was cancelled before the deal, and the secret fits the seal. {opened}"
    if not public.cuts:
        return f"{NO_SEAL}: an older version of me started {name}, so its seed does not come from the secret. {opened}"
    if not record_text:
        return (
            f"The secret of {name} fits its seal. It has no record, because its rules changed during the "
            f"match. {opened}"
        )
    return _record_verdict(name, record_text, snapshot.game)


def _record_verdict(name: str, record_text: str, game: AnyGame) -> str:
    try:
        parsed = record.parse_record(record_text)
        record.replay(parsed, {game.key: game})
    except record.BadRecord as error:
        return f"⚠ **The deal of {name} fails the check**: {error}."
    return (
        f"✓ **The deal of {name} passes the check**: the secret fits the seal, the seed follows from the "
        "secret and the "
        f"{len(parsed.players)} cuts, and all cards and dice follow from the seed."
    )
