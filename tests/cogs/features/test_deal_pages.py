"""What is said of a deal: in the lobby, in the reply to Join, at the start, and when it is checked."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from cogs.features.deals.deal_pages import (
    check_page,
    counts_text,
    cut_form,
    cut_note,
    joined_text,
    posted_text,
)
from cogs.table.channels.deal_message import AFTER_A_CUT, NOT_POSTED, PostedDeal
from cogs.table.pages.custom_ids import Control
from cogs.table.transport.discord_views import form_modal
from cogs.table.wording import match_words
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.records import PublicDeal
from engines.store.match_store import MatchInfo, Place, Seat, Status
from tests.features.parsing import parse
from tests.games import GAMES

SEAL, SECRET = "ab" * 32, "cd" * 32


def lobby(*seats: Seat, seal: str = SEAL) -> MatchInfo:
    return MatchInfo("abcd2345", "wizard", 1, "{}", Status.LOBBY, 1, Place(1, 2), seats, seal=seal)


@pytest.mark.parametrize(
    ("seat", "note"),
    [
        (Seat(1, "Ada", cut="1402687345029120001"), ""),
        (Seat(1, "Ada", cut="0042"), " · cut 0042"),
        (Seat(1, "Ada", cut="0042", last_cut=1), " · cuts last"),
        (Seat(1, "Ada", cut="0042", last_cut=2), " · cut last 0042"),
        (Seat(1, "Ada", cut="1402687345029120001", last_cut=1), " · cuts last"),
        (Seat(0, "Feste", level="easy"), ""),
        (Seat(1, "Ada"), ""),
    ],
)
def test_a_lobby_says_how_everyone_cuts(seat: Seat, note: str) -> None:
    assert cut_note(seat) == note


def test_the_reply_to_join_says_ones_own_cut_and_has_eight_digits_of_the_seal() -> None:
    info = lobby(Seat(1, "Ada", cut="7"), Seat(2, "Bela", cut="1402687345029120001"))
    assert f"`{SEAL[:8]}…`" in joined_text(info, 2)
    assert SEAL not in joined_text(info, 2)
    assert "the ID that Discord gave to your click on **Join**" in joined_text(info, 2)
    assert "You have cut with `7`" in joined_text(info, 1)
    assert joined_text(info, 3) == ""
    assert joined_text(lobby(Seat(1, "Ada"), seal=""), 1) == "", "an older version opened it"


@pytest.mark.parametrize(
    ("holds", "text"),
    [(True, "✓ It matches [it](url),"), (False, "⚠ It does not match [it](url):"), (None, "I cannot")],
)
def test_a_check_says_whether_a_message_shows_the_same(holds: bool | None, text: str) -> None:
    assert posted_text(PostedDeal("it", "url", holds)).startswith(text)


@pytest.mark.parametrize("holds", [True, False, None])
def test_a_seal_that_came_late_gets_no_tick(holds: bool | None) -> None:
    text = posted_text(PostedDeal("it", "url", holds, AFTER_A_CUT))
    assert text.startswith(f"⚠ {AFTER_A_CUT} ")
    assert "[it](url)" in text
    assert "✓" not in text
    assert posted_text(PostedDeal("it", "", False, NOT_POSTED)) == f"⚠ {NOT_POSTED}"


def test_the_start_says_that_the_seal_came_late() -> None:
    deal = PublicDeal(SEAL, "7 1402687345029120001 computer")
    assert f"\n-# ⚠ {AFTER_A_CUT}\n" in match_words.start_text(deal, fault=AFTER_A_CUT)
    assert "⚠" not in match_words.start_text(deal)


def test_the_start_shows_the_cuts_by_seat() -> None:
    text = match_words.start_text(PublicDeal(SEAL, "7 1402687345029120001 computer"))
    assert "A `7` · B `1402687345029120001` · C `computer`" in text
    assert f"`{SEAL}`" in text


def test_a_closed_table_opens_the_secret_and_a_sealed_one_does_not() -> None:
    assert match_words.opened_text(None) == match_words.opened_text(PublicDeal(SEAL, "1 2")) == ""
    assert SECRET in match_words.opened_text(PublicDeal(SEAL, "", SECRET))
    assert "Cuts" not in match_words.opened_text(PublicDeal(SEAL, "", SECRET))
    assert "`1 2`" in match_words.opened_text(PublicDeal(SEAL, "1 2", SECRET))
    assert SECRET not in repr(PublicDeal(SEAL, "1 2", SECRET)), "it could be logged"


@pytest.mark.parametrize("status", [Status.RUNNING, Status.ENDED])
@pytest.mark.parametrize("is_older", [True, False])
def test_a_check_says_what_a_practice_match_is(status: Status, is_older: bool) -> None:
    """Version 1.0.0 opened it with a seal from which its cards do not come."""
    info = replace(lobby(Seat(1, "Ada"), seal=SEAL if is_older else ""), status=status, practice=True)
    public = PublicDeal(SEAL, "", SECRET if status is Status.ENDED else "") if is_older else None
    (first_block, *_) = check_page(MatchSnapshot(info, GAMES["wizard"], None, None), public, "", {}, ()).blocks
    assert "is a practice match" in repr(first_block)
    assert "older version" not in repr(first_block)


def test_every_table_is_counted_once() -> None:
    counts = Counter({Status.OVER: 9, Status.RESET: 1, Status.EXPIRED: 1, Status.ENDED: 1})
    assert "12 tables opened, 9 played to the end, 3 abandoned. " in counts_text(counts)
    counts[Status.LOBBY] = counts[Status.RUNNING] = 1
    assert "14 tables opened, 9 played to the end, 3 abandoned, 2 not over yet." in counts_text(counts)
    assert "Most recently abandoned: `aaaaaaaa`, `bbbbbbbb`." in counts_text(counts, ["aaaaaaaa", "bbbbbbbb"])


def test_the_form_takes_one_line_of_eight_characters() -> None:
    modal = form_modal(cut_form("abcd2345")).to_dict()
    (label,) = modal["components"]
    field = label["component"]
    assert (field["style"], field["max_length"], field["required"]) == (1, 8, True)
    assert parse(modal["custom_id"]) == Control("deals", "abcd2345", -1, "write")


@pytest.mark.parametrize("word", ["cut", "last", "free", "check"])
def test_buttons_about_the_deal_lead_to_their_match_also_those_of_older_messages(word: str) -> None:
    for custom_id in (f"k:abcd2345:{word}", f"deals:abcd2345:{word}"):
        assert parse(custom_id) == Control("deals", "abcd2345", -1, word)
    assert parse("k:abcd2345") == Control("deals", "abcd2345", -1, "write")
    assert parse("k:abcd2345:") is None
