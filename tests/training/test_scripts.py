"""The scripts of training and of the pages import what there is: PyTorch is not at hand in tests, so they are read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

FOLDERS = [ROOT / "training" / "judge", ROOT / "training" / "party", ROOT / "docs" / "scripts"]
SCRIPTS = sorted(path for folder in FOLDERS for path in folder.glob("*.py"))
# Scripts of the pages and of party read modules of the others, by a path that they add.
BESIDE = {"docs/scripts": "training/party", "training/party": "training/judge"}


def defined(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_of_neighbours(script: Path) -> None:
    folder = script.parent.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(script.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        places = [script.parent, *([ROOT / BESIDE[folder]] if folder in BESIDE else [])]
        found = next((place / f"{node.module}.py" for place in places if (place / f"{node.module}.py").exists()), None)
        if found is not None:
            missing = {alias.name for alias in node.names} - defined(found)
            assert not missing, f"{script.name} wants {sorted(missing)} of {found.name}"
