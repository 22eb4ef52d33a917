"""Names of people and servers are safe in every text."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.table.wording.narration import escape_info
from cogs.table.wording.player_names import MAX_NAME_LENGTH, clean_name, markdown_name
from engines.store.match_store import MatchInfo, Place, Seat, Status

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
JOINERS = "\u200c\u200d"
FAMILY = "👩\u200d👩\u200d👧\u200d👦"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@given(st.text(st.characters() | st.sampled_from(JOINERS + "👩🏽👧🏴🇩🇪\u0301\ufe0f ab"), max_size=200))
def test_a_cleaned_name_is_there_short_and_of_one_line(name: str) -> None:
    cleaned = clean_name(name)
    assert 0 < len(cleaned) <= MAX_NAME_LENGTH
    hidden = {letter for letter in cleaned if unicodedata.category(letter) in HIDDEN and letter not in JOINERS}
    assert not hidden or "🏴" in cleaned
    assert clean_name(cleaned) == cleaned


@pytest.mark.parametrize(
    "name",
    [
        *("\u200b\u2060 ", "\u3164", "\u3164\u115f \u1160", "\u2800\u2800"),
        *("\uffa0", "\u034f\u034f", "\ufe0f", "\u0301"),
        *("\U000e0067\U000e0062", "\u00ad", "\u180e", "\u200d\u200c", "\u3000\u00a0", "\U000e0100", "\u2065", ""),
    ],
)
def test_an_invisible_name_becomes_a_word(name: str) -> None:
    assert clean_name(name) == "Somebody"
    assert clean_name(name, fallback="a server") == "a server"


@pytest.mark.parametrize(
    "name",
    [
        *(FAMILY, f"Ada {FAMILY}", "🧙🏽\u200d♂️", "❤️\u200d🔥", "🏳️\u200d🌈 Ben", SCOTLAND, "🇩🇪🇫🇷", "\U0001fae8", "✨"),
        *("می\u200cخواهم", "علی\u200cرضا", "क्\u200dष", "Ó Súilleabháin", "e\u0301", "李雷", "1. FC", "O'Neil"),
    ],
)
def test_names_of_all_the_world_stay_whole(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("A\u200cda", "Ada"),  # otherwise it would look like another player's name
        ("\u200dAda\u200d", "Ada"),
        ("👩\u200d 👧", "👩 👧"),
        ("ن\u200c\u200c\u200cم", "نم"),
        ("🃏\U000e0041\U000e0042", "🃏"),  # tag characters without a flag
        ("Ada\u3164", "Ada"),
        ("x" * 29 + FAMILY, "x" * 29),
        ("x" * 25 + FAMILY, "x" * 25 + FAMILY),
        ("🇩🇪" * 17, "🇩🇪" * 16),
        ("x" + "🇩🇪" * 17, "x" + "🇩🇪" * 15),
    ],
)
def test_joiners_that_join_nothing_are_removed_and_no_character_is_cut_in_two(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


def test_markdown_and_mentions_are_made_harmless() -> None:
    assert markdown_name("**a**_b_`c`") == "\\*\\*a\\*\\*\\_b\\_\\`c\\`"
    for text in ("@everyone", "@here", "<@123456789012345678>", "<@&123456789012345678>"):
        assert text not in markdown_name(text)
    assert not markdown_name("# head").startswith("# ")
    assert not markdown_name("> quote").startswith("> ")
    assert not markdown_name("- item").startswith("- ")
    assert markdown_name("[a](https://example.org)").startswith("\\[")
    assert not markdown_name("1. FC").startswith("1. ")
    assert [markdown_name(name) for name in ("שלום", "Ada")] == ["\u2068שלום\u2069", "Ada"]  # kept apart


LIVELY = re.compile(
    r"(?<!\\)(?:(?:https?|steam|mailto|tel):|<[@#/:ait]|\[[^\]]*\]\(|:\w+:|@(?:everyone|here)|discord\.gg/)",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    "name",
    [
        *("https://example.org", "xhttps://example.org/a_b", "HTTP://EXAMPLE.ORG", "<https://example.org>"),
        *("discord.gg/abc", ":joy:", "<@&123456789012345678>", "<id:customize>", "<a:joker:123456789012345678>"),
        *("<:joker:123456789012345678>", "[free](https://example.org)", "www.example.org"),
        *("steam://run/1", "mailto:a@example.org", "<a@example.org>"),
        *("<t:1700000000:R>", "<#123456789012345678>", "</wizard new:123456789012345678>", "<@123456789012345678>"),
    ],
)
def test_no_address_can_be_clicked_and_nothing_else_comes_to_life(name: str) -> None:
    assert LIVELY.search(name) or "www" in name or "<a@" in name or "discord" in name
    assert not LIVELY.search(markdown_name(name))
    assert not re.search(r"\w\.\w", markdown_name(name)), "a phone turns this address into a link"
    assert re.sub(r"\\(.)", r"\1", markdown_name(name)).replace("\u200b", "") == name  # it reads as it was written


def test_a_reason_is_made_harmless_with_every_name_in_it() -> None:
    seats = tuple(Seat(user, name) for user, name in enumerate(("_", "a_", "b.c/d")))
    reason = "a_ left. _ was removed by an admin. See https://b.c/d now."
    info = MatchInfo("m", "wizard", 1, "{}", Status.PAUSED, 1, Place(1, 2), seats, reason=reason)
    assert escape_info(info).reason == "a\\_ left. \\_ was removed by an admin. See https\\:\\/\\/b\\.c\\/d now."


@given(st.text(max_size=60))
def test_a_shown_name_mentions_nobody(name: str) -> None:
    assert not re.search(r"<@[!&]?\d{15,20}>|@everyone|@here", markdown_name(name))
