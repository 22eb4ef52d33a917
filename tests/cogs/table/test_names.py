"""Names of people and servers are safe wherever they stand."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from cogs.table.names import LONGEST, clean, listed, shown

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@given(st.text(max_size=200))
def test_a_cleaned_name_is_there_short_and_of_one_line(name: str) -> None:
    cleaned = clean(name)
    assert 0 < len(cleaned) <= LONGEST
    assert not {unicodedata.category(letter) for letter in cleaned} & HIDDEN
    assert clean(cleaned) == cleaned


def test_a_name_of_nothing_visible_gets_another() -> None:
    assert clean("\u200b\u2060 ") == "Somebody"
    assert clean("", instead="a server") == "a server"


def test_markdown_and_mentions_are_made_harmless() -> None:
    assert shown("**a**_b_`c`") == "\\*\\*a\\*\\*\\_b\\_\\`c\\`"
    for text in ("@everyone", "@here", "<@123456789012345678>", "<@&123456789012345678>"):
        assert text not in shown(text)
    assert not shown("# head").startswith("# ")
    assert not shown("> quote").startswith("> ")
    assert not shown("- item").startswith("- ")
    assert shown("[a](https://example.org)").startswith("\\[")


@given(st.text(max_size=60))
def test_a_shown_name_mentions_nobody(name: str) -> None:
    assert not re.search(r"<@[!&]?\d{15,20}>|@everyone|@here", shown(name))


def test_right_to_left_names_are_kept_apart() -> None:
    assert shown("שלום") == "\u2068שלום\u2069"
    assert shown("Ada") == "Ada"


def test_names_in_a_list() -> None:
    assert listed([]) == ""
    assert listed(["Ada"]) == "Ada"
    assert listed(["Ada", "Bela"]) == "Ada and Bela"
    assert listed(["Ada", "Bela", "Chidi"]) == "Ada, Bela and Chidi"
