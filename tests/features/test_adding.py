"""`tests.new_feature` says what a feature lacks, and outside its two packages only the registries name one."""

from __future__ import annotations

import io
import keyword
import re
import shutil
import tokenize
from pathlib import Path

import pytest

from cogs.features.registry import FEATURE_UIS
from engines.features.notes import NotesFeature
from engines.features.registry import FEATURES
from engines.hosting.feature import Feature
from storage.shared.row_sql import create_sql
from tests.games import ROOT
from tests.new_feature import RequiredPart, main, migrations, missing_parts, required_parts, stored_tables

NAMES = [ui.name for ui in FEATURE_UIS]
REGISTRIES = {"engines/features/registry.py", "cogs/features/registry.py"}
COPIED = ("engines/features", "cogs/features", "storage/sqlite/migrations", "storage/postgres/migrations", "tests")
PRODUCT = ("bot.py", "play.py", "cogs", "engines", "live", "motley", "players", "playground", "storage", "worker_pool")
CORE = ("cogs", "engines", "storage", "players", "motley")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_missing_of_a_feature_that_is_registered(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name]) == 0
    assert capsys.readouterr().out == f"{name}: nothing is missing.\n"
    tables = [table.name for feature in FEATURES if feature.name == name for table in feature.tables]
    assert stored_tables(ROOT, name) == tables


def test_everything_but_tables_and_controls_is_missing_of_a_feature_that_nobody_began(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["nothing"]) == 1
    *lines, end = capsys.readouterr().out.splitlines()
    without_tables = [part.path for part in required_parts("nothing") if "table" not in part.purpose]
    assert [line.partition(": ")[0] for line in lines] == without_tables
    assert end == f"nothing: {len(lines)} missing. CONTRIBUTING.md says more."


@pytest.mark.parametrize("words", [(), ("Guesses",), ("../guesses",), ("guesses", "notes")])
def test_a_text_that_is_no_name_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "Name the feature" in capsys.readouterr().out


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("copy")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "golden", "page"))
    return root


@pytest.mark.parametrize("part", list(required_parts("notes")), ids=lambda part: part.path)
def test_the_removed_parts_are_the_missing_ones(copy: Path, part: RequiredPart) -> None:
    assert missing_parts("notes", copy) == []
    paths = sorted(copy.glob(part.path.partition(" ")[0]))
    wanted = re.compile(rf"notes|{'|'.join(stored_tables(ROOT, 'notes'))}", re.IGNORECASE)
    before = {path: path.read_text(encoding="utf-8") for path in paths}
    for path, text in before.items():
        path.write_text(wanted.sub("others", text) if path.name != "feature_ui.py" else "", encoding="utf-8")
    if part.path.endswith("notes/__init__.py"):
        paths[0].write_text("", encoding="utf-8")
    assert part.path in [each.path for each in missing_parts("notes", copy)]
    for path, text in before.items():
        path.write_text(text, encoding="utf-8")


def test_the_migrations_of_a_feature_are_printed() -> None:
    (feature,) = (each for each in FEATURES if each.name == "notes")
    text = migrations("notes")
    for table in feature.tables:
        assert create_sql(table, is_postgres=True) in text
        assert create_sql(table, is_postgres=False) in text


GAME_MODULES = re.compile(r"(engines|cogs)/(court|jest|jesters|jokers|wizard)/\w+\.py")


def modules_with(pattern: str, feature: str, root: Path = ROOT) -> set[str]:
    """The modules outside of a feature, and of games, in which this pattern occurs."""
    rooms, mentioning = (f"engines/features/{feature}/", f"cogs/features/{feature}/"), re.compile(pattern, re.MULTILINE)
    paths = [
        path for each in PRODUCT for path in ([root / each] if each.endswith(".py") else (root / each).glob("**/*.py"))
    ]
    found = {path.relative_to(root).as_posix() for path in paths if mentioning.search(path.read_text(encoding="utf-8"))}
    return {each for each in found if not each.startswith(rooms) and not GAME_MODULES.fullmatch(each)}


def modules_that_name(feature: str, root: Path = ROOT) -> set[str]:
    """The modules outside of a feature that import it."""
    return modules_with(rf"^\s*(from|import) (engines|cogs)\.features\.{feature}\b", feature, root)


def modules_that_know_rows(feature: Feature, root: Path = ROOT) -> set[str]:
    """The modules outside of a feature that name one of its tables, or a class of its rows, by more than one word."""
    names = [name for table in feature.tables for name in (table.name, table.row.__name__)]
    compound = [name for name in names if "_" in name or len(re.findall("[A-Z]", name)) > 1]
    return modules_with(rf"\b({'|'.join(compound)})\b", feature.name, root) if compound else set()


@pytest.mark.parametrize("name", NAMES)
def test_outside_its_packages_only_the_registries_and_games_name_a_feature(name: str) -> None:
    """A game may give a feature what it asks of games: it imports what that is made of."""
    stored = [feature.name for feature in FEATURES]
    assert modules_that_name(name) == {each for each in REGISTRIES if name in stored or each.startswith("cogs")}


WORDS = {"takebacks": r"(?i:take[ _-]?backs?\b|taking[ _-]?back\b|\bTakeBack)"}
"""What a feature is called in code, if that means nothing else."""
STORED_NAMES = {
    "takebacks": {
        "engines/store/match_store.py",  # actions and due times
        *("storage/shared/tables.py", "storage/shared/match_rows.py", "storage/shared/stores/people.py"),  # columns
    }
}
"""Where names stand that older versions have stored."""


@pytest.mark.parametrize("name", WORDS)
def test_outside_its_packages_the_words_of_a_feature_are_stored_names(name: str) -> None:
    assert modules_with(WORDS[name], name) - REGISTRIES == STORED_NAMES[name]


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_outside_its_packages_nobody_knows_what_a_feature_stores(feature: Feature) -> None:
    assert modules_that_know_rows(feature) - {"engines/features/registry.py"} == set()


OWN_WORDS = {"breaks": {"break", "breaks"}}
"""What nothing outside of a feature is named after, because the core has a word that names no feature."""
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
KNOWN_NAMES = {"break_long_words", "break_on_hyphens"}  # of the standard library


def names_of(feature: str, source: str) -> set[str]:
    """The names in a module that contain a word of the feature's own."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    names = {each.string for each in tokens if each.type == tokenize.NAME and not keyword.iskeyword(each.string)}
    return {name for name in names - KNOWN_NAMES if OWN_WORDS[feature] & {each.lower() for each in WORD.findall(name)}}


@pytest.mark.parametrize("feature", OWN_WORDS)
def test_outside_its_packages_only_the_registries_have_names_after_a_feature(feature: str) -> None:
    rooms = (f"engines/features/{feature}/", f"cogs/features/{feature}/")
    modules = {path.relative_to(ROOT).as_posix(): path for each in CORE for path in (ROOT / each).glob("**/*.py")}
    found = {name: names_of(feature, path.read_text(encoding="utf-8")) for name, path in modules.items()}
    assert {name for name, names in found.items() if names and not name.startswith(rooms)} == REGISTRIES


def test_a_name_after_a_feature_is_found() -> None:
    source = "for end_break in breaks: TakeBreak.BREAKS; ValueBreakdown; unbreak; break; onBreak"
    assert names_of("breaks", source) == {"end_break", "breaks", "TakeBreak", "BREAKS", "onBreak"}


def test_a_module_that_names_a_feature_is_found(tmp_path: Path) -> None:
    (tmp_path / "play.py").touch()
    for each in PRODUCT:
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "bot.py").write_text("from cogs.features.notes.note_pages import note_form\n", encoding="utf-8")
    assert modules_that_name("notes", tmp_path) == {"bot.py"}
    assert modules_that_know_rows(NotesFeature(), tmp_path) == set()
    (tmp_path / "bot.py").write_text('delete("player_notes", match)\n', encoding="utf-8")
    assert modules_that_know_rows(NotesFeature(), tmp_path) == {"bot.py"}
