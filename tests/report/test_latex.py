from __future__ import annotations

import pytest

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
        ("a\nb", "a␊b"),
    ],
)
def test_special_characters(text: str, escaped: str) -> None:
    assert escape(text) == escaped


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
