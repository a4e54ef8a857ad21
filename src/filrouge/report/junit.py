"""Conditions as a JUnit report, which build servers show. Written by the standard library, which escapes all text."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from filrouge.engine.comparison import Comparison
from filrouge.engine.conditions import Outcome
from filrouge.report.comparison import summary
from filrouge.report.text import visible

__all__ = ["to_junit"]


def to_junit(comparison: Comparison, outcomes: Sequence[Outcome]) -> str:
    """One test case per condition and system; without conditions, one per pair that says what was found."""
    cases = [(o.condition.text, o.system, o.told, o.fails) for o in outcomes]
    if not outcomes:
        for spec, metric in comparison.items():
            for pair in metric.pairs.values():
                told = f"{pair.verdict}: {pair.difference:+.4g}, corrected p = {pair.corrected:.3f}"
                cases.append((spec, " - ".join(pair.systems), told, False))
    failures = sum(fails for *_, fails in cases)
    suite = ET.Element("testsuite", name="filrouge compare", tests=str(len(cases)), failures=str(failures), errors="0")
    properties = ET.SubElement(suite, "properties")
    ET.SubElement(properties, "property", name="plan", value=visible(summary(comparison)))
    for condition, system, told, fails in cases:
        case = ET.SubElement(suite, "testcase", classname=visible(condition), name=visible(system))
        if fails:
            ET.SubElement(case, "failure", message=visible(told))
        else:
            ET.SubElement(case, "system-out").text = visible(told)
    ET.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suite, encoding="unicode") + "\n"
