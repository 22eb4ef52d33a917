"""What is said of a deal: in the lobby, in the reply to Join, at the start, and when it is checked."""

from __future__ import annotations

from collections import Counter

import pytest

from cogs.table.deals.deal_pages import counts_text, cut_form
from cogs.table.pages import custom_ids
from cogs.table.transport.discord_views import form_modal
from cogs.table.wording import deal_words
from engines.hosting.deals import PublicDeal
from engines.store.match_store import MatchInfo, Place, Seat, Status

SEAL, SECRET = "ab" * 32, "cd" * 32


def lobby(*seats: Seat, seal: str = SEAL) -> MatchInfo:
    return MatchInfo("abcd2345", "wizard", 1, "{}", Status.LOBBY, 1, Place(1, 2), seats, seal=seal)


@pytest.mark.parametrize(
    ("seat", "said"),
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
def test_a_lobby_says_how_everyone_cuts(seat: Seat, said: str) -> None:
    assert deal_words.cut_note(seat) == said


def test_the_reply_to_join_has_the_seal_and_ones_own_cut() -> None:
    info = lobby(Seat(1, "Ada", cut="7"), Seat(2, "Bela", cut="1402687345029120001"))
    assert f"`{SEAL}`" in deal_words.joined_text(info, 2)
    assert "`1402687345029120001`" in deal_words.joined_text(info, 2)
    assert "You have cut with `7`" in deal_words.joined_text(info, 1)
    assert deal_words.joined_text(info, 3) == ""
    assert deal_words.joined_text(lobby(Seat(1, "Ada"), seal=""), 1) == "", "an older version opened it"


def test_the_start_shows_the_cuts_by_seat() -> None:
    said = deal_words.start_text(PublicDeal(SEAL, "7 1402687345029120001 computer"))
    assert "A `7` · B `1402687345029120001` · C `computer`" in said
    assert f"`{SEAL}`" in said


def test_a_closed_table_opens_the_secret_and_a_sealed_one_does_not() -> None:
    assert deal_words.opened_text(None) == deal_words.opened_text(PublicDeal(SEAL, "1 2")) == ""
    assert SECRET in deal_words.opened_text(PublicDeal(SEAL, "", SECRET))
    assert "Cuts" not in deal_words.opened_text(PublicDeal(SEAL, "", SECRET))
    assert "`1 2`" in deal_words.opened_text(PublicDeal(SEAL, "1 2", SECRET))
    assert SECRET not in repr(PublicDeal(SEAL, "1 2", SECRET)), "it could be logged"


def test_every_table_is_counted_once() -> None:
    counts = Counter({Status.OVER: 9, Status.RESET: 1, Status.EXPIRED: 1, Status.ENDED: 1})
    assert "12 tables opened, 9 played to the end, 3 given up. " in counts_text(counts)
    counts[Status.LOBBY] = counts[Status.RUNNING] = 1
    assert "14 tables opened, 9 played to the end, 3 given up, 2 not over yet." in counts_text(counts)
    assert "The last given up: `aaaaaaaa`, `bbbbbbbb`." in counts_text(counts, ["aaaaaaaa", "bbbbbbbb"])


def test_the_form_takes_one_line_of_eight_characters() -> None:
    modal = form_modal(cut_form("abcd2345")).to_dict()
    (label,) = modal["components"]
    field = label["component"]
    assert (field["style"], field["max_length"], field["required"]) == (1, 8, True)
    control = custom_ids.parse_control(modal["custom_id"])
    assert control is not None
    assert (control.kind, control.match, control.rest) == ("k", "abcd2345", "")


@pytest.mark.parametrize("what", ["cut", "last", "free", "check"])
def test_buttons_about_the_deal_lead_to_their_match(what: str) -> None:
    control = custom_ids.parse_control(custom_ids.deal_id("abcd2345", what))
    assert control is not None
    assert (control.kind, control.match, control.rest) == ("k", "abcd2345", what)
    assert custom_ids.parse_control("k:abcd2345:") is None
