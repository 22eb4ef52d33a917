"""Names of faults: what they are made of, and that they outlive changes of other code."""

from __future__ import annotations

import ast

import pytest

from tests.games import ROOT
from tests.mutants.faults import Fault, FaultName, choose_faults, faults_of, find_again, list_faults

SOURCE = """
LIMIT = 3
ROOM = dict(wide=True)


class Bag:
    size: int = 5

    def take(self, number: int) -> int:
        \"\"\"Take some.\"\"\"
        if number > self.size:
            self.size = number + 1
            self.tell()
        for _ in range(2):
            if not number and self.size > 2 or number > self.size:
                break
        return number - 1
"""


def by_name(source: str, path: str = "bags.py") -> dict[FaultName, Fault]:
    return {fault.name: fault for fault in faults_of(path, source)}


def changed_lines(source: str, function: str, kind: str, text: str, number: int = 1) -> str:
    """The lines that a fault changes."""
    changed = by_name(source)[FaultName("bags.py", function, kind, text, number)].plant(source.encode()).decode()
    (line,) = set(changed.splitlines()) - set(source.splitlines())
    return line.strip()


@pytest.mark.parametrize(
    ("function", "kind", "text", "line"),
    [
        ("", "number", "LIMIT = 3", "LIMIT = (4)"),
        ("", "truth", "ROOM = dict(wide=True)", "ROOM = dict(wide=(False))"),
        ("Bag", "number", "size: int = 5", "size: int = (6)"),
        ("Bag.take", "condition", "number > self.size", "if (not number > self.size):"),
        ("Bag.take", "sum", "number + 1", "self.size = (number - 1)"),
        ("Bag.take", "call", "self.tell()", "pass"),
        ("Bag.take", "number", "range(2)", "for _ in range((3)):"),
        ("Bag.take", "not", "not number", "if (number) and self.size > 2 or number > self.size:"),
        ("Bag.take", "jump", "break", "continue"),
        ("Bag.take", "return", "return number - 1", "return None"),
    ],
)
def test_a_fault_is_named_after_its_place_and_the_code_that_it_changes(
    function: str, kind: str, text: str, line: str
) -> None:
    assert changed_lines(SOURCE, function, kind, text) == line


def test_equal_code_in_one_function_is_numbered() -> None:
    assert changed_lines(SOURCE, "Bag.take", "comparison", "number > self.size", 1) == "if (number >= self.size):"
    assert changed_lines(SOURCE, "Bag.take", "comparison", "number > self.size", 2).endswith(
        "or (number >= self.size):"
    )


def test_names_stay_when_other_code_moves_or_is_laid_out_again() -> None:
    moved = "def first() -> int:\n    return 1\n\n" + SOURCE.replace(
        "number - 1", "(\n            number - 1\n        )"
    )
    assert by_name(SOURCE).keys() <= by_name(moved).keys()


def test_long_code_is_cut_but_still_told_apart() -> None:
    long = f"f({', '.join(f'argument_{number}' for number in range(20))}"
    names = [name for name in by_name(f"{long}, 'a')\n{long}, 'b')\n") if name.kind == "call"]
    assert [name.number for name in names] == [1, 1]
    assert len({name.text for name in names}) == 2
    assert all(len(name.text) < 120 for name in names)


def test_a_fault_is_found_again_after_its_function_was_moved_to_another_module() -> None:
    name = FaultName("bags.py", "Bag.take", "sum", "number - 1", 1)
    moved = by_name(SOURCE, "chests.py")
    assert find_again(name, moved) == moved[name._replace(path="chests.py")]


def test_a_fault_is_found_again_after_its_function_was_renamed_or_got_another_class() -> None:
    name = FaultName("bags.py", "Bag.take", "sum", "number - 1", 1)
    renamed = by_name(SOURCE.replace("def take", "def draw"))
    assert find_again(name, renamed) == renamed[name._replace(function="Bag.draw")]
    new_class = by_name(SOURCE.replace("class Bag", "class Chest"), "chests.py")
    assert find_again(name, new_class) == new_class[name._replace(path="chests.py", function="Chest.take")]


def test_a_fault_in_code_that_changed_is_gone() -> None:
    name = FaultName("bags.py", "Bag.take", "sum", "number - 1", 1)
    assert find_again(name, by_name(SOURCE.replace("number - 1", "number - 2"))) is None


def test_a_fault_that_could_be_one_of_two_is_gone() -> None:
    name = FaultName("bags.py", "Bag.take", "sum", "number - 1", 1)
    assert find_again(name, by_name(SOURCE, "chests.py") | by_name(SOURCE, "boxes.py")) is None


def test_every_fault_of_the_tree_has_a_name_of_its_own_and_can_be_planted() -> None:
    folders = ("engines/jest", "storage/shared", "worker_pool")
    sources = {
        str(path.relative_to(ROOT)): path.read_text("utf-8") for each in folders for path in (ROOT / each).rglob("*.py")
    }
    every = list_faults(ROOT, folders)
    assert len(every) == sum(1 for path, source in sources.items() for _ in faults_of(path, source)) > 500
    for fault in choose_faults(every, 100, seed=1):
        changed = fault.plant(sources[fault.name.path].encode())
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(sources[fault.name.path])), fault.name


def test_a_seed_chooses_the_same_faults_again() -> None:
    every = list_faults(ROOT, ["worker_pool"])
    assert choose_faults(every, 20, seed=1) == choose_faults(every, 20, seed=1) != choose_faults(every, 20, seed=2)
