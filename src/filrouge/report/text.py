"""Make a user's text safe to show on one line of a terminal."""

from __future__ import annotations

import re

__all__ = ["visible"]

# Control characters (an escape sequence could rewrite the screen or the window title), characters that break or
# reorder a line, and lone surrogates, which no encoding can print.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PICTURES = 0x2400  # U+2400 to U+241F picture the control characters 0 to 31


def visible(text: str) -> str:
    """The text on one line, with control characters as pictures (␛) or escapes (\\u202e)."""
    return _UNSAFE.sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] == "\t":
        return " "
    if code < 0x20:
        return chr(_PICTURES + code)
    return "␡" if code == 0x7F else f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
