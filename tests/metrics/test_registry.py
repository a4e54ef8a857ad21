"""Names, parameters, mistyped ones, and metrics of other packages."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeWarning, UsageError
from filrouge.metrics import registry
from filrouge.metrics.base import Metric
from filrouge.metrics.blonde import Blonde
from filrouge.metrics.plugins import class_problem
from filrouge.metrics.registry import metric_class, metric_names, parse_metric

PLUGIN = Path(__file__).parent.parent / "example_plugin"


def test_defaults_print_as_the_bare_name() -> None:
    assert str(Blonde()) == "blonde"
    assert parse_metric("blonde") == Blonde()


@pytest.mark.parametrize(
    ("spec", "metric"),
    [
        ("blonde()", Blonde()),
        (" blonde ( lowercase = yes ) ", Blonde(lowercase=True)),
        ("blonde(categories=dm+n-gram)", Blonde(categories=("dm", "n-gram"))),
        ("blonde(smooth-value=0.5)", Blonde(smooth_value=0.5)),
        ("blonde(smooth_value=none)", Blonde()),
        ("blonde(ngram_weights=1+2+3.5+0)", Blonde(ngram_weights=(1.0, 2.0, 3.5, 0.0))),
    ],
)
def test_parsing(spec: str, metric: Blonde) -> None:
    assert parse_metric(spec) == metric


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("blond", "did you mean 'blonde'"),
        ("bluende", "there is no metric 'bluende'"),
        ("", "is not a metric"),
        ("blonde(", "is not a metric"),
        ("blonde)", "is not a metric"),
        ("blonde(lowercase)", "cannot read"),
        ("blonde(lower=true)", "did you mean 'lowercase'"),
        ("blonde(lowercase=maybe)", "write true or false"),
        ("blonde(max_order=four)", "write a whole number"),
        ("blonde(smooth_value=nan)", "write a number"),
        ("blonde(variant=oficial)", "did you mean 'official'"),
        ("blonde(lowercase=true,lowercase=false)", "gives lowercase twice"),
        ("blonde(categories=)", "choose from"),
        ("blonde+(annotation=a(b).txt)", "cannot read"),
    ],
)
def test_mistakes_get_one_sentence(spec: str, told: str) -> None:
    with pytest.raises(UsageError, match=r".") as caught:
        parse_metric(spec)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=30))
def test_any_text_parses_or_is_told(text: str) -> None:
    with contextlib.suppress(UsageError):
        parse_metric(text)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_any_file_name_survives_the_round_trip(path: str) -> None:
    metric = metric_class("blonde+")(annotation=path)  # type: ignore[call-arg]
    if path.lower() != "none":
        assert parse_metric(str(metric)) == metric


@pytest.mark.parametrize("name", registry._BUILT_IN)
def test_own_metrics_keep_to_what_others_must(name: str) -> None:
    metric = metric_class(name)
    assert class_problem(metric, name) is None
    assert all(getattr(metric, told) != getattr(Metric, told) for told in ("summary", "source", "equals"))


# -- metrics of other packages ---------------------------------------------------------------------------------------


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The example package as an installer would leave it: its module, and its entry points as metadata."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text("utf-8"))["project"]
    shutil.copy(PLUGIN / "filrouge_length.py", tmp_path)
    info = tmp_path / f"filrouge_length-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = project["entry-points"][registry.GROUP]
    lines = [f"[{registry.GROUP}]", *(f"{name} = {target}" for name, target in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry._contributed.cache_clear()
    yield info
    registry._contributed.cache_clear()
    sys.modules.pop("filrouge_length", None)


def test_metric_of_another_package(plugin: Path) -> None:
    assert "length" in metric_names()
    test = TestSet((TestDocument("d", {"ref": ("one two three", "four")}),))
    result = score_systems(test, [test.system("s", ["one two", "four"])], ["length", "length(power=2)"])
    assert result["length"]["s"].value == pytest.approx(75)
    assert result["length(power=2)"]["s"].value == pytest.approx(56.25)
    assert "power:2" in result["length(power=2)"]["s"].signature
    assert "|plugin:filrouge-length@1.0|version:" in result["length"]["s"].signature


def test_another_package_cannot_take_over_a_name(plugin: Path) -> None:
    (plugin / "entry_points.txt").write_text(f"[{registry.GROUP}]\nblonde = filrouge_length:LengthAgreement\n")
    registry._contributed.cache_clear()
    registry._warn_once.cache_clear()
    with pytest.warns(FilrougeWarning, match=r"^blonde is filrouge's own; the metric that filrouge-length"):
        assert metric_class("blonde") is Blonde
    assert parse_metric("blonde") == Blonde()  # told once


@pytest.mark.parametrize("target", ["no_such_module:X", "filrouge_length:NoSuchClass", "json:loads"])
def test_broken_entry_point_is_named(plugin: Path, target: str) -> None:
    (plugin / "entry_points.txt").write_text(f"[{registry.GROUP}]\nlength = {target}\n")
    registry._contributed.cache_clear()
    with pytest.raises(UsageError, match="'length'"):
        metric_class("length")
