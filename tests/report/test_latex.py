from __future__ import annotations

import ast
from pathlib import Path

import pytest

import filrouge.report
from filrouge.report.latex import escape, to_latex
from tests.report.toy import Mean, toy_result


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("my_system", r"my\_system"),
        ("100% & $5 #1", r"100\% \& \$5 \#1"),
        ("{x}", r"\{x\}"),
        ("\\input{secrets}", r"\textbackslash{}input\{secrets\}"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("<a|b>", r"\textless{}a\textbar{}b\textgreater{}"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("[1]", "{[}1{]}"),
        ('"', r"{\char34}"),
        ("a\nb\x1b\x7f", r"a\textbackslash{}x0ab\textbackslash{}x1b\textbackslash{}x7f"),
        ("α κ ρ τ", r"$\alpha$ $\kappa$ $\rho$ $\tau$"),
        ("a – b", "a -- b"),
        ("–-–", "--{}-{}--"),
        ("−5 ± 1…", r"$-$5 $\pm$ 1\dots{}"),
    ],
)
def test_special_characters(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_whatever_reports_write_is_ascii() -> None:
    """pdfLaTeX stops at most other characters; what users call their systems is their own affair."""
    folder = Path(filrouge.report.__file__).parent
    pictures = ("figures.py", "plots.py")  # which LaTeX includes, and does not set
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.glob("*.py") if path.name not in pictures]
    texts = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    found = {letter for text in texts if isinstance(text, str) for letter in text if not letter.isascii()}
    assert {"α", "–", "↑", "±"} <= found
    assert not [letter for letter in sorted(found) if letter.isprintable() and not escape(letter).isascii()]


def test_systems_by_metrics_with_the_best_in_bold() -> None:
    assert to_latex(toy_result()) == "\n".join(
        (
            r"% \usepackage{booktabs}",
            r"\begin{tabular}{lrr}",
            r"\toprule",
            r"System & mean $\uparrow$ & errors $\downarrow$ \\",
            r"\midrule",
            r"a & 0.75 & \textbf{0.75} \\",
            r"b & \textbf{1.75} & 1.75 \\",
            r"\bottomrule",
            r"\end{tabular}",
            "",
            "% mean|refs:1",
            "% errors|refs:1",
            "",
        )
    )


def test_breakdown_and_documents_follow() -> None:
    text = to_latex(toy_result(), breakdown=True, documents=True, digits=1, signature=False)
    assert "% mean, by category" in text
    assert r"half & a & 0.4 & -- \\" in text
    assert r"two & a & -- & -- \\" in text
    assert r" & b & -- & -- \\" in text
    assert "refs:1" not in text


def test_minus_and_nothing_to_compare_with() -> None:
    text = to_latex(toy_result(["a"], [Mean(scale=-1)]))
    assert r"a & $-$0.75 \\" in text
    assert "textbf" not in text
