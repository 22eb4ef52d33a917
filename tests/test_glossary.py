"""Documents, docstrings, texts and names use the glossary's words. docs/style.md lists the words that are ruled out."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.games import ROOT

CHECKED = (
    *("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/pictures/*.md", "tests/README.md", "tests/example/README.md"),
    *("playground/*.md", "bot.py", "play.py"),
    *(f"{folder}/**/*.py" for folder in ("cogs", "engines", "players", "storage", "motley", "playground", "bench")),
    *(f"{folder}/**/*.py" for folder in ("worker_pool", "live", "release", "tests")),
)
"""Globs of the checked files. A Python file counts with its docstrings and its string constants."""
OWN_FILE = Path(__file__)  # it plants words that are ruled out
NAMED = ("bot.py", *(f"{each}/**/*.py" for each in ("cogs", "engines", "storage", "motley", "players", "worker_pool")))
"""Globs of the files in which all names are checked."""
VARIABLES_CHECKED = (
    *NAMED,
    "play.py",
    *(f"{each}/**/*.py" for each in ("playground", "bench", "live", "release", "tests")),
)
"""Globs of the files in which variables and parameters are checked."""
TESTS = tuple(sorted(path for path in (ROOT / "tests").rglob("*.py") if path != OWN_FILE))
LAWS = "tests/contract/laws/"  # functions there are named by sentences, as tests are
EXCEPTIONS = {
    "house_rules": ("cogs/wizard/", "engines/wizard/", "players/wizard/"),  # the rulebook's word (W12–W25)
    "GiftKept": ("cogs/jesters/", "engines/jesters/"),  # S10: draw two Gifts, keep one
    "SafetyKept": ("cogs/jokers/", "engines/jokers/"),
    "kept": (
        *("players/jokers/", "engines/jesters/requirements/"),  # cards that are not traded; dice that are not rerolled
        *("engines/store/undoing.py", "engines/hosting/undoing.py", "engines/hosting/timing/due_times.py"),
    ),  # the last three: `Undoing.kept` is stored
    "ways": (
        "engines/wizard/deals.py",
        "engines/jest/sample.py",
        "engines/kit/sampling.py",
    ),  # that combinatorics count
}
"""Ends of names in which a word is allowed, by the beginnings of the paths where they may stand."""
GLOSSARY = ROOT / "docs" / "style.md"
ROW = re.compile(r"^\|(?P<word>[^|]+)\|[^|]+\|(?P<ruled_out>[^|]+)\|$", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")
NAMES_RULE = re.compile(r"^- No part of a name is (?P<words>[^,]+(?:, `[^,]+)*),", re.MULTILINE)
VARIABLES_RULE = re.compile(r"A bare participle or adverb is no name: (?P<words>[^.]+)\.")
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK_TARGET = re.compile(r"\]\([^)]*\)")
TABLE_LINE = re.compile(r"^\|.*$", re.MULTILINE)
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n|\n(?=\s*(?:[-|#>]|\d+\.))|\|")
MARKERS = re.compile(r"^[\s#>|*\-\d.(“\"]+")


def ruled_out_terms() -> dict[str, str]:
    glossary = GLOSSARY.read_text(encoding="utf-8").partition("\n## Glossary\n")[2]
    return {term: row["word"].strip() for row in ROW.finditer(glossary) for term in CODE.findall(row["ruled_out"])}


def ruled_out_parts() -> frozenset[str]:
    rule = NAMES_RULE.search(GLOSSARY.read_text(encoding="utf-8"))
    assert rule
    return frozenset(CODE.findall(rule["words"])) | TERM_PARTS


def ruled_out_variables() -> frozenset[str]:
    rule = VARIABLES_RULE.search(GLOSSARY.read_text(encoding="utf-8"))
    assert rule
    return frozenset(CODE.findall(rule["words"]))


TERMS = ruled_out_terms()
TERM_PARTS = frozenset(term.lower() for term in TERMS if term.isalpha())
PARTS = ruled_out_parts()
BARE_WORDS = ruled_out_variables()


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


@cache
def names_in(source: str) -> frozenset[str]:
    """Every name in Python code: of variables, attributes, parameters, functions, classes and modules."""
    fields = ("id", "attr", "arg", "name", "asname", "module", "rest")
    found = (getattr(node, field, None) for node in ast.walk(ast.parse(source)) for field in fields)
    return frozenset(name for name in found if isinstance(name, str))


def variables_in(source: str) -> Iterator[str]:
    """Variables and parameters in Python code, but not the fields of classes: those follow what is stored."""
    nodes = [*ast.walk(ast.parse(source))]
    statements = [each for node in nodes if isinstance(node, ast.ClassDef) for each in node.body]
    targets = [getattr(each, "targets", [getattr(each, "target", None)]) for each in statements]
    fields = {id(target) for each in targets for target in each}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.ExceptHandler) and node.name:
            yield node.name


def bad_variables(source: str, path: str = "") -> list[str]:
    """The variables and parameters that are a bare word, unless they are exceptions in that file."""
    found = {name for name in variables_in(source) if name in BARE_WORDS}
    return sorted(name for name in found if not path.startswith(EXCEPTIONS.get(name, ())))


def bad_names(source: str, path: str = "") -> list[str]:
    """The names of which a part is ruled out, unless they are exceptions in that file."""
    found = (name for name in names_in(source) if has_part(name, PARTS))
    return sorted(name for name in found if not any(path.startswith(EXCEPTIONS[end]) for end in exceptions_for(name)))


def bad_test_names(source: str, path: str) -> list[str]:
    """The names in a file of tests that are ruled out.

    Any name must avoid the words of the glossary. Modules, helpers and fixtures are named as in the product. Tests and
    laws are named by sentences, and so are checked as texts.
    """
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    defined = {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)}
    sentences = {name for name in defined if name.startswith("test_") or (path.startswith(LAWS) and name[0] != "_")}
    named = {path.rpartition("/")[2].removesuffix(".py"), *(defined - sentences)}
    found = {name for name in names_in(source) if has_part(name, TERM_PARTS)}
    named -= {"test_house_rules"}  # the rulebook's word, as above
    found |= {name for name in named if has_part(name, PARTS)}
    return sorted(found | {name for name in sentences if violations(name.replace("_", " "))})


def has_part(name: str, parts: Collection[str]) -> bool:
    return not set(parts).isdisjoint(map(str.lower, NAME_PART.findall(name)))


def exceptions_for(name: str) -> list[str]:
    return [end for end in EXCEPTIONS if re.search(rf"(^|[._]|[a-z](?=[A-Z])){end}\d?$", name, re.IGNORECASE)]


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
    paths = sorted(path for path in ROOT.glob(glob) if path != OWN_FILE)
    assert paths
    found = [f"{path}: {line}" for path in paths for text in texts_of(path) for line in violations(text)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("glob", NAMED)
def test_names_have_no_part_that_the_style_guide_rules_out(glob: str) -> None:
    paths = sorted(ROOT.glob(glob))
    assert paths
    found = {path: path.relative_to(ROOT).as_posix() for path in paths}
    bad = {name: bad_names(path.read_text(encoding="utf-8"), name) for path, name in found.items()}
    assert not {name: names for name, names in bad.items() if names}


def test_names_in_tests_have_no_word_that_is_ruled_out() -> None:
    found = {path: path.relative_to(ROOT).as_posix() for path in TESTS}
    bad = {name: bad_test_names(path.read_text(encoding="utf-8"), name) for path, name in found.items()}
    assert not {name: names for name, names in bad.items() if names}


@pytest.mark.parametrize("glob", VARIABLES_CHECKED)
def test_no_variable_is_a_bare_word(glob: str) -> None:
    found = {path: path.relative_to(ROOT).as_posix() for path in ROOT.glob(glob) if path != OWN_FILE}
    assert found
    bad = {name: bad_variables(path.read_text(encoding="utf-8"), name) for path, name in found.items()}
    assert not {name: names for name, names in bad.items() if names}


def test_every_exception_is_needed() -> None:
    for end, beginnings in EXCEPTIONS.items():
        for beginning in beginnings:
            paths = [path for glob in NAMED for path in ROOT.glob(glob)]
            near = [path for path in paths if path.relative_to(ROOT).as_posix().startswith(beginning)]
            names = frozenset[str]().union(*(names_in(path.read_text(encoding="utf-8")) for path in near))
            assert any(end in exceptions_for(name) for name in names), f"{end} in {beginning}"


PLANTED_NAMES = {
    "kept = 1": "kept",
    "def f(*, told_before): ...": "told_before",
    "f(held=1)": "held",
    "self.front.open()": "front",
    "class NewsReader: ...": "NewsReader",
    "LONGEST_NEWS: int": "LONGEST_NEWS",
    "import cogs.house.door": "cogs.house.door",
    "from cogs.keeper import door": "cogs.keeper",
    "from cogs import door as _showing": "_showing",
    "match x:\n    case [*ways]: ...": "ways",
    "match x:\n    case {'a': 1, **kept2}: ...": "kept2",
    "try: ...\nexcept OSError as told: ...": "told",
    "async def ask_desk(): ...": "ask_desk",
    "f'{kept}'": "kept",
    "[old for old in houses if (house := old)]": "house",
    "house_rules = 1": "house_rules",
}


@pytest.mark.parametrize("source", PLANTED_NAMES)
def test_a_planted_name_is_found(source: str) -> None:
    assert bad_names(source, "cogs/table/door.py") == [PLANTED_NAMES[source]]


PLANTED_VARIABLES = {
    "said = 1": "said",
    "def f(*, asked): ...": "asked",
    "lambda told: 1": "told",
    "[seen for seen in x]": "seen",
    "with x as shown: ...": "shown",
    "if made := f(): ...": "made",
    "match x:\n    case [*kept]: ...": "kept",
    "try: ...\nexcept OSError as heard: ...": "heard",
    "class A:\n    def f(self):\n        gone = 1": "gone",
}


@pytest.mark.parametrize("source", PLANTED_VARIABLES)
def test_a_planted_variable_is_found(source: str) -> None:
    assert bad_variables(source, "tests/cogs/hands.py") == [PLANTED_VARIABLES[source]]


def test_fields_functions_and_longer_names_may_have_such_words() -> None:
    assert not bad_variables(
        "class A:\n    asked: int = 0\n    made = 1\n\n    def said(self): self.told = was_seen = 1"
    )
    assert not bad_variables("kept = 1", "players/jokers/plans.py")


PLANTED_TEST_NAMES = {
    ("tests/kept.py", "told = 1"): "kept",
    ("tests/cogs/hands.py", "def held_cards(): ..."): "held_cards",
    ("tests/cogs/test_hands.py", "class ToldWords: ..."): "ToldWords",
    ("tests/cogs/test_hands.py", "def test_whoever_joins_is_told(): ..."): "test_whoever_joins_is_told",
    ("tests/cogs/test_hands.py", "def test_it_goes_on_trying(): ..."): "test_it_goes_on_trying",
    ("tests/cogs/test_hands.py", "def test_it_is_told(desk): ..."): "desk",
    ("tests/contract/laws/hints.py", "def hints_are_told_once_more(): ..."): "hints_are_told_once_more",
}


@pytest.mark.parametrize(("path", "source"), PLANTED_TEST_NAMES)
def test_a_planted_name_in_tests_is_found(path: str, source: str) -> None:
    assert bad_test_names(source, path) == [PLANTED_TEST_NAMES[path, source]]


def test_sentences_in_tests_may_say_what_is_told_and_kept() -> None:
    assert not bad_test_names("def test_a_move_is_told_and_kept(): ...", "tests/cogs/test_house_rules.py")
    assert not bad_test_names("def every_event_is_told(): ...", "tests/contract/laws/hints.py")


def test_an_exception_holds_in_its_files_alone() -> None:
    source = "class GiftKept: ...\n_with_house_rules = kept2 = 1\nclass WeightedWays: ..."
    assert bad_names(source, "engines/wizard/game.py") == ["GiftKept", "WeightedWays", "kept2"]
    assert bad_names(source, "engines/wizard/deals.py") == ["GiftKept", "kept2"]
    assert bad_names(source, "players/jokers/plans.py") == ["WeightedWays", "_with_house_rules"]


def test_ordinary_names_pass() -> None:
    assert not bad_names("always = upheld = renewed = warehouse = keep_days = way = newest = show = 1")


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
