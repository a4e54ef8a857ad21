from __future__ import annotations

import pytest

from filrouge.report.text import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, 中文, naïve, 👍", "plain, 中文, naïve, 👍"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x9b31m", "\\x9b31m"),
        ("a\tb\nc\rd\0", "a b␊c␍d␀"),
        ("\x7f", "␡"),
        ("right\u202eleft", "right\\u202eleft"),
        ("a\u2028b", "a\\u2028b"),
        ("bad\udcff", "bad\\udcff"),
    ],
)
def test_control_characters_become_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
