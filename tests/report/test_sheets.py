from __future__ import annotations

import io

from rich.console import Console

from filrouge.report.sheets import Sheet, print_sheet, sheet_to_latex

SHEET = Sheet(
    "Numbers",
    ("pair", "verdict", *(f"column {i}" for i in range(8))),
    tuple((f"one – other {n}", "same", *(f"{n}{i}.12345" for i in range(8))) for n in range(2)),
    text=2,
    note="a note",
)


def printed(width: int) -> list[str]:
    page = io.StringIO()
    print_sheet(SHEET, Console(file=page, width=width, highlight=False))
    return page.getvalue().splitlines()


def test_narrow_terminals_get_parts() -> None:
    """No number is cut or folded, and each part names its rows."""
    wide, narrow = printed(200), printed(60)
    assert sum("one – other 0" in line for line in wide) == 1
    assert sum("one – other 0" in line for line in narrow) == 3
    for lines in (wide, narrow):
        assert all(any(f"{n}{i}.12345" in line for line in lines) for n in range(2) for i in range(8))
    assert max(map(len, narrow)) <= 60
    assert narrow[-1] == "a note"


def test_nothing_to_show() -> None:
    page = io.StringIO()
    print_sheet(Sheet("Empty", ("a", "b"), ()), Console(file=page, width=60))
    assert page.getvalue() == "Empty\nnothing\n"


def test_latex_has_only_ascii_signs() -> None:
    """pdfLaTeX stops at a Greek letter, and a hyphen is no minus."""
    cells = ("a-b – c", "-1.5*", "–", "[-0.5, 0.5]", "1.0 ± 0.2")
    sheet = Sheet("Title", ("pair", "d", "none", "interval", "mean ± CI"), (cells,), note="Krippendorff's α 0.5")
    lines = sheet_to_latex(sheet)
    assert lines[3] == r"pair & d & none & interval & mean $\pm$ CI \\"
    assert lines[5] == r"a-b -- c & $-$1.5$^{*}$ & -- & {[}$-$0.5, 0.5{]} & 1.0 $\pm$ 0.2 \\"
    assert lines[-2] == r"\par{\footnotesize Krippendorff's $\alpha$ 0.5\par}"


def test_a_value_and_its_interval_stay_together() -> None:
    header = ("metric", *(f"{what} {i}" for i in range(4) for what in ("value", "interval")))
    sheet = Sheet("Agreement", header, (("bleu", *("0.12", "[0.01, 0.23]") * 4),), together=2)
    for width in range(22, 100):
        page = io.StringIO()
        print_sheet(sheet, Console(file=page, width=width, highlight=False))
        assert page.getvalue().count("[0.01, 0.23]") == 4, "no number is cut or folded"
        headings = [line for line in page.getvalue().splitlines() if line.startswith("metric")]
        for i in range(4 if width >= 40 else 0):  # room for one value with its interval
            assert any(f"value {i}" in line and f"interval {i}" in line for line in headings), (width, headings)
