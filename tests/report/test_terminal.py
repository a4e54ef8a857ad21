from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import pytest
from rich.console import Console

from filrouge.engine.result import Result
from filrouge.metrics.base import Metric
from filrouge.report.terminal import make_console, print_scores
from tests.report.toy import Errors, Mean, finding, toy_result

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def piped(result: Result, **options: Any) -> str:
    page = io.StringIO()
    print_scores(result, console=make_console(page), **options)
    return page.getvalue()


def on_terminal(result: Result, width: int = 80, **options: Any) -> str:
    page = io.StringIO()
    console = Console(file=page, force_terminal=True, width=width, color_system="standard", highlight=False)
    print_scores(result, console=console, **options)
    return page.getvalue()


def test_table_in_a_pipe() -> None:
    assert piped(toy_result()).splitlines() == [
        "toy: 2 documents, 3 segments, 1 reference, en",
        "",
        "system   mean ↑   errors ↓",
        "──────────────────────────",
        "a          0.75      *0.75",
        "b         *1.75       1.75",
        "",
        "mean|refs:1",
        "errors|refs:1",
    ]


def test_best_is_bold_on_a_terminal() -> None:
    text = on_terminal(toy_result(metrics=[Mean()]), signature=False)
    assert "*" not in text
    assert re.search(r"\x1b\[1;32m *1\.75", text)


def test_one_system_is_not_called_the_best() -> None:
    assert "*" not in piped(toy_result(["a"]))


def test_what_does_not_exist_is_a_dash() -> None:
    text = piped(toy_result(), breakdown=True, documents=True, segments=True, digits=3)
    assert re.search(r"^half +a +0\.375 +–$", text, re.MULTILINE)
    assert re.search(r"^two +a +– +–$", text, re.MULTILINE)
    assert re.search(r"^two:1 +a +– +–$", text, re.MULTILINE)
    assert re.search(r"^one:2 +a +1\.000 +\*1\.000$", text, re.MULTILINE)
    assert "errors, by category" not in text, "a metric without breakdown has no table"


@pytest.mark.parametrize("width", [40, 80])
def test_numbers_are_never_cut_off(width: int) -> None:
    metrics: Sequence[Metric] = [Mean(scale=10**k) for k in range(8)]
    text = ANSI.sub("", on_terminal(toy_result(["a-rather-long-name" * 3, "b"], metrics), width, signature=False))
    for k in range(8):
        assert f"{0.75 * 10**k:.2f}" in text
        assert f"{1.75 * 10**k:.2f}" in text
    assert max(map(len, text.splitlines())) <= width


def test_a_terminal_that_says_it_has_no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "0")
    page = io.StringIO()
    console = make_console(page)
    assert console.is_terminal
    print_scores(toy_result(), console=console)
    assert "mean ↑" in page.getvalue()


def test_a_pipe_has_no_width() -> None:
    name = "a-rather-long-name" * 20
    metrics: Sequence[Metric] = [Mean(scale=10**k) for k in range(8)]
    text = piped(toy_result([name, "b"], metrics))
    assert sum(name in line for line in text.splitlines()) == 1


def test_markup_and_escape_sequences_in_names_do_nothing() -> None:
    text = on_terminal(toy_result(["[bold red]x[/]", "\x1b]0;title\x07"]))
    assert "[bold red]x[/]" in text
    assert "␛]0;title␇" in text
    assert "\x1b]" not in text


def test_findings_in_a_pipe_have_brackets() -> None:
    found = [finding(), finding(kind="added", text="It", start=0, end=2, sentence="It left.", side="b", segment=0)]
    assert piped(toy_result(["b"], [Mean()], findings=found), findings=20, signature=False).splitlines()[-3:] == [
        "mean, b: 2 findings",
        'missed  pronoun/feminine  "She"  ref  one:2  But [She] left.',
        'added   pronoun/feminine  "It"   b    one:1  [It] left.',
    ]


def test_findings_on_a_terminal_have_colour_and_fit() -> None:
    text = on_terminal(toy_result(["b"], [Mean()], findings=[finding()]), findings=20)
    assert "But \x1b[1;31mShe\x1b[0m left." in text
    long = finding(sentence="But She left. " * 10)
    lines = ANSI.sub("", on_terminal(toy_result(["b"], [Mean()], findings=[long]), findings=20)).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("missed"))
    assert lines[first].endswith("one:2")
    assert lines[first + 1].startswith("        But She left.")
    assert max(map(len, lines)) <= 80


def test_a_long_segment_is_shown_around_the_span() -> None:
    paragraph = finding(sentence="x" * 1000 + "She" + "y" * 1000, start=1000, end=1003)
    text = piped(toy_result(["b"], [Mean()], findings=[paragraph]), findings=20)
    assert text.splitlines()[-3].endswith("  …" + "x" * 100 + "[She]" + "y" * 100 + "…")


def test_no_findings() -> None:
    assert "mean, b: 0 findings" in piped(toy_result(["b"], [Mean()]), findings=20)


def test_no_colour_means_brackets() -> None:
    page = io.StringIO()
    console = Console(file=page, force_terminal=True, width=200, no_color=True)
    print_scores(toy_result(["b"], [Mean()], findings=[finding()]), findings=20, console=console)
    assert "But [She] left." in page.getvalue()


def test_limit_says_how_many_more() -> None:
    result = toy_result(["b"], [Mean()], findings=[finding()] * 5)
    assert "… and 3 more (--limit 0 shows all)" in piped(result, findings=2)
    assert piped(result, findings=0).count("But [She] left.") == 5
    assert "more" not in piped(result, findings=5)


def test_hostile_text_in_findings() -> None:
    hostile = finding(sentence="x[/bold]\x1b[2J y\nz She", start=17, end=20, document="[red]")
    text = on_terminal(toy_result(["b"], [Mean()], findings=[hostile]), findings=20)
    assert "x[/bold]␛[2J y␊z \x1b[1;31mShe" in text
    assert "[red]:2" in text


def test_metric_without_findings_says_so() -> None:
    assert "no findings: nothing is known of the spans behind errors" in piped(
        toy_result(metrics=[Errors()]), findings=20
    )


def test_wide_characters_keep_columns_aligned() -> None:
    lines = piped(toy_result(["系统", "b"], [Mean()]), signature=False).splitlines()
    assert lines[-2:] == ["系统       0.75", "b         *1.75"]


def test_result_prints_itself(capsys: pytest.CaptureFixture[str]) -> None:
    toy_result().table(documents=True)
    assert "by document" in capsys.readouterr().out
