"""Documents, docstrings and texts use the glossary's words. docs/style.md lists the words that are ruled out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.games import ROOT

CHECKED = (
    *("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/pictures/*.md", "tests/README.md", "tests/example/README.md"),
    *("playground/README.md", "bot.py"),
    *(f"{folder}/**/*.py" for folder in ("cogs", "engines", "players", "storage", "motley", "playground", "bench")),
    *(f"{folder}/**/*.py" for folder in ("worker_pool", "live", "release")),
)
"""Globs of the checked files. A Python file counts with its docstrings and its string constants."""
GLOSSARY = ROOT / "docs" / "style.md"
ROW = re.compile(r"^\|(?P<word>[^|]+)\|[^|]+\|(?P<ruled_out>[^|]+)\|$", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK_TARGET = re.compile(r"\]\([^)]*\)")
TABLE_LINE = re.compile(r"^\|.*$", re.MULTILINE)
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n|\n(?=\s*(?:[-|#>]|\d+\.))|\|")
MARKERS = re.compile(r"^[\s#>|*\-\d.(“\"]+")


def ruled_out_terms() -> dict[str, str]:
    glossary = GLOSSARY.read_text(encoding="utf-8").partition("\n## Glossary\n")[2]
    return {term: row["word"].strip() for row in ROW.finditer(glossary) for term in CODE.findall(row["ruled_out"])}


TERMS = ruled_out_terms()


def texts_of(path: Path) -> Iterator[str]:
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from python_texts(source)
    else:
        yield markdown_text(TABLE_LINE.sub("", source) if path == GLOSSARY else source)


def markdown_text(source: str) -> str:
    return LINK_TARGET.sub("]", CODE.sub("", FENCE.sub("", source)))


def python_texts(source: str) -> Iterator[str]:
    """Docstrings and string constants that hold more than one word. An f-string counts as one text."""
    inside_f_strings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            inside_f_strings |= {id(part) for part in node.values}
            yield CODE.sub("", "".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and id(node) not in inside_f_strings and " " in str(node.value).strip():
            yield CODE.sub("", str(node.value))


def violations(text: str) -> list[str]:
    found = [(term, each) for each in SENTENCE_END.split(text) for term in TERMS if uses(each, term)]
    return [f"{term} → {TERMS[term]}: {' '.join(sentence.split())}" for term, sentence in found]


def uses(sentence: str, term: str) -> bool:
    """Whether a sentence uses a term. A capitalised phrase counts at the start of a statement, and nowhere else."""
    if term[0].isupper() and " " in term:
        return bool(pattern(term).match(MARKERS.sub("", sentence))) and not sentence.rstrip().endswith("?")
    return bool(pattern(term).search(sentence))


@cache
def pattern(term: str) -> re.Pattern[str]:
    """A term as whole words, on one line or several. Case matters if the term has a capital letter."""
    words = r"\s+".join(map(re.escape, term.split()))
    return re.compile(rf"\b{words}\b", 0 if term[0].isupper() else re.IGNORECASE)


@pytest.mark.parametrize("glob", CHECKED)
def test_texts_use_no_word_that_the_glossary_rules_out(glob: str) -> None:
    paths = sorted(ROOT.glob(glob))
    assert paths
    found = [f"{path}: {line}" for path in paths for text in texts_of(path) for line in violations(text)]
    assert not found, "\n".join(found)


def test_the_glossary_rules_out_words_and_none_of_its_own() -> None:
    assert len(TERMS) > 40
    own = " ".join(f"{word}." for word in TERMS.values())
    assert not violations(own)


PLANTED = {
    "Ask whoever is free.": "whoever",
    "The match begins\nonce\nmore.": "once more",
    "Where nobody answers, the match ends.": "Where nobody",
    "It ends. Where the store fails, it waits.": "Where the",
    "- Who is playing is not pinged.": "Who is",
    "| row | The Keeper looks at it. |": "keeper",
}


@pytest.mark.parametrize("text", PLANTED)
def test_a_planted_violation_is_found(text: str) -> None:
    (found,) = violations(text)
    assert found.startswith(f"{PLANTED[text]} → ")


def test_ordinary_words_pass() -> None:
    for text in ("Who is to play?", "The place where the cards lie.", "Goalkeepers anewed it.", "See [it](keeper.md)."):
        assert not violations(markdown_text(text))


def test_a_planted_violation_in_a_python_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(
        '"""Kept by a keeper."""\nkeeper = "keeper"\nword = f"Ask {keeper} anew."\n'
        'def look():\n    """Fine, in `keeper`."""\n    return ["The desk is closed.", f"{1} all is well"]\n',
        encoding="utf-8",
    )
    found = [line.partition(" → ")[0] for text in texts_of(path) for line in violations(text)]
    assert sorted(found) == ["anew", "desk", "keeper"]
