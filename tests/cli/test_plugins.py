"""Metrics of other packages that break the contract: one sentence that names them, and the rest still works."""

from __future__ import annotations

import json
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import filrouge as fr
from filrouge.errors import MetricError, UsageError
from filrouge.metrics import bleu, registry
from tests.cli.conftest import TEXTS, Run

Install = Callable[..., None]

WHO = "metric 'theirs' of their-package 1.2"
MODULE = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from filrouge.metrics.base import Finding, Metric, parameter

@dataclass(frozen=True)
class Theirs(Metric):
    name: ClassVar[str] = "theirs"

    @property
    def needs(self):
        return frozenset()

    @property
    def columns(self):
        return ("same", "all")

    def statistics(self, hypothesis, references):
        return np.array([[len(s.text) % 3, 3.0] for s in hypothesis.segments])

    def score(self, summed):
        return 100 * summed[..., 0] / summed[..., 1]
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package with one metric: a good one, what is to be added to its class, and another entry point."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def package(members: str = "", *, module: str = MODULE, points: str = "theirs = their_module:Theirs") -> None:
        info = tmp_path / "their_package-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-package\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{points}\n")
        (tmp_path / "their_module.py").write_text(module + textwrap.indent(textwrap.dedent(members), "    "))
        registry._contributed.cache_clear()
        registry._warn_once.cache_clear()

    yield package
    registry._contributed.cache_clear()
    sys.modules.pop("their_module", None)


def told(run: Run, *command: str) -> str:
    """The sentence that a command fails with."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy's, too
        outcome = run(*command)
    assert outcome.status == 2
    assert outcome.err.startswith("filrouge: error: ")
    assert outcome.err.count("\n") == 1
    return outcome.err.removeprefix("filrouge: error: ").rstrip()


# -- the class -------------------------------------------------------------------------------------------------------


def test_only_the_name_must_be_told(install: Install, run: Run) -> None:
    install()
    assert "theirs  " in run("metrics").out
    assert run("metrics", "theirs").out.startswith("theirs: no summary\n")
    assert json.loads(run("metrics", "theirs", "--json").out)["metrics"]["theirs"]["source"] == "not told"
    outcome = run("score", *TEXTS, "-m", "theirs")
    assert (outcome.status, outcome.err) == (0, "")
    assert "|plugin:their-package@1.2|version:" in outcome.out.replace("\n", "")


def test_field_that_is_not_declared_with_parameter(install: Install, run: Run) -> None:
    install("power: float = 1.0")
    assert "power" in run("metrics", "theirs").out
    assert run("metrics", "--json").status == 0


@pytest.mark.parametrize(
    ("module", "problem"),
    [
        (MODULE.replace('name: ClassVar[str] = "theirs"', "pass"), "has no name; write name: ClassVar[str] = 'theirs'"),
        (MODULE.replace('= "theirs"', '= "bleu"'), "calls itself 'bleu'"),
        (MODULE.replace("name: ClassVar[str]", "name: str"), "has name as a parameter"),
        (f"{MODULE}    summary: ClassVar[int] = 3\n", "has 3 as summary, which must be a text"),
        (f"{MODULE}    best: ClassVar[str] = 'much'\n", "has 'much' as best"),
        (
            f"{MODULE}    languages: ClassVar[tuple] = (1,)\n",
            "has (1,) as languages, which must be a tuple of",
        ),
        (f"{MODULE}    goodness = None\n", "defines goodness; say with higher_is_better, or target,"),
        (f"{MODULE}    power: float\n", "has a parameter 'power' without default"),
        (MODULE.replace("def score", "def points"), "is abstract; its class must define score"),
        (f"{MODULE}    power: float = parameter(1.0, '')\n".replace("@dataclass(frozen=True)", ""), "is no dataclass"),
        ("raise RuntimeError('no\\nlicence')", "does not load (RuntimeError: no licence)"),
        ("raise SystemExit(3)", "does not load (SystemExit: 3)"),
        ("Theirs = len", "is not a subclass of filrouge.metrics.base.Metric"),
    ],
)
def test_class_that_cannot_be_used(install: Install, run: Run, module: str, problem: str) -> None:
    install(module=module)
    for command in (("metrics", "theirs"), ("score", *TEXTS, "-m", "theirs")):
        assert told(run, *command).startswith(f"{WHO} {problem}")
    listed = run("metrics")
    assert listed.status == 0
    assert listed.err.startswith(f"filrouge: warning: {WHO} {problem}")
    assert "bleu " in listed.out


@pytest.mark.parametrize(
    "module",
    [
        "raise RuntimeError('no licence')",
        MODULE.replace("def score", "def points"),
        f"{MODULE}    def __post_init__(self):\n        raise RuntimeError('no licence')\n",
        f"{MODULE}    def fit(self, test_set):\n        return None\n",
        f"{MODULE}    reads_references = property(lambda self: 1 / 0)\n",
    ],
)
def test_left_out_of_all(install: Install, run: Run, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    install(module=module)
    monkeypatch.setattr(registry, "_BUILT_IN", {"bleu": registry._BUILT_IN["bleu"]})  # the others take their time
    outcome = run("score", *TEXTS, "-m", "all", "--json")
    assert outcome.status == 0
    assert outcome.err.startswith(f"filrouge: warning: left out of all: theirs ({WHO}")
    assert list(json.loads(outcome.out)["metrics"]) == ["bleu"]
    assert told(run, "score", *TEXTS, "-m", "theirs").startswith(WHO)


def test_name_of_another_metric(install: Install, run: Run) -> None:
    install(points="bleu = their_module:Theirs")
    outcome = run("score", *TEXTS, "-m", "bleu", "bleu(lowercase=true)")
    assert outcome.status == 0
    told = "bleu is filrouge's own; the metric that their-package 1.2 calls so is not used"
    assert outcome.err == f"filrouge: warning: {told}\n"


def test_what_is_said_in_other_types(install: Install, run: Run) -> None:
    """NumPy's truth values and integers, lists, and codes of three letters mean the same."""
    install(
        method("reads_references", "np.True_")
        + method("learned_from", "['en']")
        + method("findings", f"[{FINDING.format('np.int64(0)')}] if hypothesis.id == 'pier' else []")
        + "languages: ClassVar[tuple] = ('eng', 'zho')"
    )
    outcome = run("score", *TEXTS, "-m", "theirs", "--show", "findings", "--json")
    assert outcome.status == 0, outcome.err
    assert "'pier'" in str(json.loads(outcome.out))


# -- what it gives ---------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_nothing_to_measure_is_no_warning(install: Install, run: Run) -> None:
    """An author may divide by 0."""
    install(method("score", "0 * given[..., 0] / (0 * given[..., 1])"))
    outcome = run("score", *TEXTS, "-m", "theirs", "--json")
    assert (outcome.status, outcome.err) == (0, "")


def method(name: str, value: str) -> str:
    """A method or property that gives this, or raises."""
    arguments = {"statistics": "self, hypothesis, references", "findings": "self, hypothesis, references"}
    decorator = "@property\n" if name in ("needs", "columns", "learned_from", "reads_references") else ""
    body = value if value.startswith("raise") else f"return {value}"
    return f"{decorator}def {name}({arguments.get(name, 'self, given=None')}):\n    {body}\n"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        (
            "statistics",
            "np.ones((1, 2))",
            "statistics gave float64 of shape (1, 2) for a document of 12 segments; needed",
        ),
        ("statistics", "np.ones((12, 3))", "statistics gave float64 of shape (12, 3)"),
        ("statistics", "[[1, 2]] * 12", "statistics gave a value of type list"),
        ("statistics", "np.ones((12, 2), dtype=object)", "statistics gave object of shape (12, 2)"),
        ("statistics", "None", "statistics gave None"),
        ("score", "given[..., 0] + 1j", "score gave complex128 of shape ()"),
        ("score", "given", "score gave float64 of shape (2,) for statistics of shape (2,); needed are real numbers"),
        ("score", "given[..., 0].tolist() and [1]", "score gave a value of type list"),
        ("score", "given[..., 0] + np.inf", "score gave infinity; needed are numbers up to 1e+60, and NaN where"),
        ("score", "given[..., 0] * 0 - 1e300", "score gave -1e+300; needed are numbers up to 1e+60"),
        ("learned_from", "5", "learned_from is not a tuple of languages or None"),
        ("reads_references", "'yes'", "reads_references is 'yes'; needed is True or False"),
        ("needs", "('tokens',)", "needs is not a set of layers"),
        ("columns", "'same'", "columns is not a tuple of names"),
        ("fit", "None", "fit gave None"),
        ("view", "None", "view gave None"),
    ],
)
@pytest.mark.parametrize("command", [("score",), ("score", "--level", "segment"), ("compare",)])
def test_contract(install: Install, run: Run, command: tuple[str, ...], name: str, value: str, problem: str) -> None:
    install(method(name, value))
    sentence = told(run, *command, *TEXTS, "-m", "bleu", "theirs")
    assert sentence.startswith(f"{WHO}: ")
    if name != "score" or command == ("score",):  # which is called with other shapes by other commands
        assert sentence.startswith(f"{WHO}: {problem}")


@pytest.mark.parametrize(
    "value",
    [
        "[1]",
        "{'part': 1.0}",
        "{3: {'f1': given[..., 0]}}",
        "{'part': {3: given[..., 0]}}",
        "{'part': {'f1': given}}",
        "{'part': {'f1': given[..., 0] * 1j}}",
    ],
)
def test_contract_of_breakdowns(install: Install, run: Run, value: str) -> None:
    install(method("breakdown", value))
    assert told(run, "score", *TEXTS, "-m", "theirs", "--breakdown").startswith(f"{WHO}: breakdown ")


FINDING = "Finding('pier', {}, 'missed', 'x', 'y', 'is', 0, 2, 'is', 'a')"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("[1]", "findings gave a value of type int; needed are values of type Finding"),
        (f"[{FINDING.format(99)}]", "findings gave segment 99 of document 'pier' for document 'pier' of 12 segments"),
        (f"[{FINDING.format(-1)}]", "findings gave segment -1 of document 'pier'"),
        ("[" + FINDING.format("'1'") + "]", "findings gave '1' as segment; needed is a value of type int"),
        (
            "[" + FINDING.format(0).replace("'x'", "3") + "]",
            "findings gave 3 as category; needed is a value of",
        ),
    ],
)
def test_contract_of_findings(install: Install, run: Run, value: str, problem: str) -> None:
    install(method("findings", value))
    assert told(run, "score", *TEXTS, "-m", "theirs", "--show", "findings").startswith(f"{WHO}: {problem}")


@pytest.mark.parametrize(
    ("name", "options"),
    [("score", ()), ("score", ("--level", "segment")), ("breakdown", ("--breakdown",))],
)
def test_what_a_metric_is_given_cannot_be_changed(
    install: Install, run: Run, name: str, options: tuple[str, ...]
) -> None:
    """It is read again: by other commands, in draws, by metrics that are made of this one."""
    install(f"def {name}(self, given):\n    given[..., 0] /= given[..., 1]\n    return given[..., 0]\n")
    sentence = told(run, "score", *TEXTS, "-m", "theirs", *options)
    assert sentence.startswith(f"{WHO} failed in {name} (ValueError: output array is read-only)")


@pytest.mark.parametrize(
    "name", ["statistics", "score", "breakdown", "view", "fit", "prepare", "needs", "columns", "findings"]
)
def test_failure_names_the_metric(install: Install, run: Run, name: str) -> None:
    install(method(name, "raise ValueError('not\\n today')"))
    command = ("score", *TEXTS, "-m", "theirs", "--breakdown", "--show", "findings")
    assert told(run, *command) == f"{WHO} failed in {name} (ValueError: not today); --debug shows where"
    with pytest.raises(MetricError) as caught:
        run(*command, "--debug")
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("name", ["statistics", "view"])
def test_a_metric_that_leaves_the_program(install: Install, run: Run, name: str) -> None:
    install(method(name, "raise SystemExit(3)"))
    outcome = run("score", *TEXTS, "-m", "theirs")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert f"{WHO} failed in {name} (SystemExit: 3)" in outcome.err


def test_sentence_of_its_own(install: Install, run: Run) -> None:
    install(
        "def fit(self, test_set):\n    from filrouge.errors import UsageError\n    raise UsageError('no, thanks')\n"
    )
    assert told(run, "score", *TEXTS, "-m", "theirs") == "no, thanks"


def test_own_metrics_fail_as_bugs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bleu.Bleu, "score", lambda self, summed: summed)
    with pytest.raises(TypeError, match="bleu: score gave"):
        run("score", *TEXTS, "-m", "bleu")
    monkeypatch.setattr(bleu.Bleu, "statistics", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run("score", *TEXTS, "-m", "bleu")


def test_class_made_in_python(install: Install) -> None:
    """Its author sees what it raises; what it gives is checked all the same."""
    from tests.report.toy import Mean

    test = fr.TestSet((fr.TestDocument("d", {"ref": ("one", "two")}),))
    with pytest.raises(NotImplementedError):
        fr.score(test, {"a": ["one", "two"]}, Mean())

    class Short(Mean):
        def statistics(self, hypothesis: object, references: object) -> object:  # type: ignore[override]
            return [1, 2]

    with pytest.raises(MetricError, match=r"metric 'mean' of .*Short: statistics gave a value of type list"):
        fr.score(test, {"a": ["one", "two"]}, Short())


def test_part_of_a_combination(install: Install, run: Run, tmp_path: Path) -> None:
    install(method("statistics", "[1]"))
    weights = {"metric": "theirs", "weight": 1, "low": 0, "high": 100}
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({"format": "filrouge-combination/1", "name": "w", "components": [weights]}))
    spec = f"combined(weights={file})"
    assert told(run, "score", *TEXTS, "-m", spec).startswith(f"{WHO}: statistics gave a value of type list")
    assert "plugin:their-package@1.2" in "|".join(
        f"{name}:{value}" for name, value in fr.parse_metric(spec).signature_fields().items()
    )


def test_two_packages_with_one_name(install: Install, tmp_path: Path) -> None:
    install()
    info = tmp_path / "another-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: another\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\ntheirs = no_such_module:Theirs\n")
    registry._contributed.cache_clear()
    with (
        pytest.warns(fr.FilrougeWarning, match=r"theirs is that of another 1\.0; the metric that their-package 1\.2"),
        pytest.raises(UsageError, match=r"of another 1\.0 does not load"),
    ):
        fr.parse_metric("theirs")
