"""The form in which a player cuts, and the page that checks a deal. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.screens.words import pluralize
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Form, Page, Paper, Text
from engines.hosting.deals import CLOSED, PublicDeal
from engines.hosting.match import MatchSnapshot
from engines.hosting.records import deal, record
from engines.kit.contract import AnyGame
from engines.store.match_store import LIVE, Status

WITHOUT_ME = "-# To check it without me, see docs/deals.md of my source: a dozen lines of Python."


def cut_form(match: str) -> Form:
    """Return the form in which a player cuts."""
    return Form(
        custom_ids.cut_form_id(match),
        "Cut the deal",
        "Your digits",
        "One to eight digits. They change the deal, and nobody can know how. You cut once.",
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
) -> Page:
    """Return what holds of a deal in one line, the tables of its server, and the record as a file.

    `given_up` are the newest matches of the server that were closed without a result.
    """
    said = f"{_verdict(snapshot, public, record_text)}\n{WITHOUT_ME}\n{counts_text(counts, given_up)}"
    paper = (Paper(f"{snapshot.info.game}-{snapshot.info.id}.txt", record_text),) if record_text else ()
    return Page((Text(said), *paper))


def counts_text(counts: Mapping[Status, int], given_up: Sequence[str] = ()) -> str:
    """Return how many tables of a server were opened, and what became of them, in small print."""
    over, live = counts.get(Status.OVER, 0), sum(counts.get(status, 0) for status in LIVE)
    closed = sum(counts.get(status, 0) for status in CLOSED) - over
    opened = pluralize(sum(counts.values()), "table")
    going = f", {live} not over yet" if live else ""
    names = f" The last given up: {', '.join(f'`{match}`' for match in given_up)}." if given_up else ""
    return (
        f"-# On this server: {opened} opened, {over} played to the end, {closed} given up{going}. "
        f"The seals of all that are closed are open.{names}"
    )


def _verdict(snapshot: MatchSnapshot, public: PublicDeal | None, record_text: str) -> str:
    """Return in one line what holds of a deal."""
    info, name = snapshot.info, f"match `{snapshot.info.id}`"
    if public is None:
        return f"**No seal**: an older version of me opened {name}, so nothing proves how its seed was chosen."
    if info.status not in CLOSED:
        cuts = f" Its cuts are `{public.cuts}`." if public.cuts else ""
        return f"The deal of {name} is sealed, and opens when the match is over. Its seal is `{public.seal}`.{cuts}"
    if deal.seal_of(public.secret, info.id, info.game) != public.seal:
        return f"⚠ **The deal of {name} does not hold**: the secret does not fit the seal."
    opened = f"The seal is `{public.seal}`, the secret `{public.secret}`."
    if snapshot.state is None and not public.cuts:
        return f"✓ {name.capitalize()} closed before its deal, and the secret fits the seal. {opened}"
    if not public.cuts:
        return (
            f"**No seal**: an older version of me started {name}, so its seed does not come from the secret. {opened}"
        )
    if not record_text:
        return f"The secret of {name} fits its seal. It has no record, because its rules changed midway. {opened}"
    return _record_verdict(name, record_text, snapshot.game)


def _record_verdict(name: str, record_text: str, game: AnyGame) -> str:
    try:
        kept = record.parse_record(record_text)
        record.replay(kept, {game.key: game})
    except record.BadRecord as error:
        return f"⚠ **The deal of {name} does not hold**: {error}."
    return (
        f"✓ **The deal of {name} holds**: the secret fits the seal, the seed follows from the secret and the "
        f"{len(kept.players)} cuts, and all cards and dice follow from the seed."
    )
