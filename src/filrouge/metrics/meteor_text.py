"""The words of a text as METEOR 1.5 cuts them.

Written here because no library cuts like METEOR: rules after the Moses tokenizer of 2010, with its own for quotes,
dashes and full stops. The rules work on a whole line (`Cutter.words`). Almost all of them look no further than the
space around a token, so that each token needs to be cut but once for all texts (`Cutter.numbers`).

Only English rules for apostrophes are here.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Sequence

__all__ = ["NORMALIZATIONS", "Cutter"]

# METEOR's own names for what it does to a text: cut and lower; that, and drop punctuation; only lower; nothing.
NORMALIZATIONS = ("norm", "norm_nopunct", "lc_only", "no_norm")

# Latin and Cyrillic letters. Everything else, letters of other scripts too, METEOR takes for punctuation.
_LETTERS = (
    "A-Za-z\u0160\u017d\u0161\u017e\u0178\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e"
    "\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
_ALPHA, _NOT_ALPHA = f"[{_LETTERS}]", f"[^{_LETTERS}]"
_ALNUM = f"[0-9{_LETTERS}]"

# White space is Java's: what its StringTokenizer takes for a delimiter, and what its \s and trim() add to that.
_TOKEN = re.compile("[^ \t\n\r\f]+")
_JAVA_SPACE = " \t\n\\x0b\f\r"
_TRIMMED = "".join(map(chr, range(0x21)))
_WIDE_SPACES = "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\xa0"

# Marks stand alone, but those that later rules decide about.
_MARK = re.compile(f"[^0-9{_LETTERS}{_JAVA_SPACE}.'`,\\-\u2018\u2019]")
# Several dots are a word. (METEOR hides them behind letters meanwhile, so that no later rule touches them; between
# spaces none does.)
_DOTS = re.compile(r"\.{2,}")
# Commas stand alone, but within a number.
_COMMAS = [re.compile(rule) for rule in (r"([^0-9]),([^0-9])", r"([0-9]),([^0-9])", r"([^0-9]),([0-9])")]
# One kind of quote, one of double quote, one of dash.
_SAME = str.maketrans("`\u2018\u2019\u201c\u201d\u2013", "'''\"\"-")
# Compounds are cut.
_COMPOUND = re.compile(f"([0-9{_LETTERS}.])-({_ALNUM})")
# Apostrophes stand alone; English contractions are cut in front of them.
_LONE_APOSTROPHES = [
    re.compile(rule)
    for rule in (f"({_NOT_ALPHA})'({_NOT_ALPHA})", f"([^0-9{_LETTERS}])'({_ALPHA})", f"({_ALPHA})'({_NOT_ALPHA})")
]
_CONTRACTIONS = [re.compile(rule) for rule in (f"({_ALPHA})'({_ALPHA})", "([0-9])'(s)")]

# Most tokens: a word with nothing to it but a comma or full stop behind it.
_PLAIN = re.compile(f"({_ALNUM}+)([.,]?)")
_HAS_ALPHA = re.compile(_ALPHA)
_NOT_ALNUM = re.compile(f"[^0-9{_LETTERS}]")
_LOWER = frozenset("abcdefghijklmnopqrstuvwxyz")
_DIGITS = frozenset("0123456789")
_CONTROL = re.compile("[\0-\x08\x0b\x0e-\x1f]")
_MARKS = frozenset(",'`\u2018\u2019")  # that a rule may want a space in front of, and take a space behind
_MAX_TOKENS = 500_000  # kept by a cutter; beyond, it starts anew


class Cutter:
    """Cuts texts into words.

    :param abbreviations: words that keep their full stop.
    :param before_numbers: words that keep it in front of a number.
    :param number: gives the number of a word, for `numbers`.
    """

    def __init__(
        self,
        normalize: str,
        abbreviations: Collection[str],
        before_numbers: Collection[str],
        number: Callable[[str], int],
    ) -> None:
        self._cuts = normalize in ("norm", "norm_nopunct")
        self._keeps_marks = normalize != "norm_nopunct"
        self._lowers = normalize != "no_norm"
        self._abbreviations = frozenset(abbreviations)
        self._before_numbers = frozenset(before_numbers)
        self._number = number
        self._known: dict[str, list[int]] = {}
        self._known_here: dict[tuple[str, str], list[int]] = {}

    def words(self, text: str) -> list[str]:
        """The words of a text, by the rules as METEOR states them."""
        words = _TOKEN.findall(text)
        if self._cuts:
            words = self._finish(_pieces(text))
            # METEOR trims the line as Java does, control characters included.
            while words and not words[0].lstrip(_TRIMMED):
                words.pop(0)
            while words and not words[-1].rstrip(_TRIMMED):
                words.pop()
            if words:
                words[0] = words[0].lstrip(_TRIMMED)
                words[-1] = words[-1].rstrip(_TRIMMED)
        return self._cased(words)

    def numbers(self, text: str) -> array[int]:
        """The numbers of these words, with each token cut once."""
        tokens = _TOKEN.findall(text)
        known = self._known
        found: list[int] = []
        for i, token in enumerate(tokens):
            numbers = known.get(token)
            if numbers is None:
                numbers = self._numbers_of_token(tokens, i)
                if numbers is None:
                    return array("i", map(self._number, self.words(text)))
            found += numbers
        return array("i", found)

    def _numbers_of_token(self, tokens: Sequence[str], i: int) -> list[int] | None:
        """Those of one token, which are kept; None where the line must be cut as a whole."""
        token = tokens[i]
        follows, depends = "", False
        if self._cuts:
            if _CONTROL.search(token):
                return None
            if token[0] in _MARKS:
                # The mark at the end of the token before may take the space that a rule wants in front of this one.
                if i and tokens[i - 1][-1] in _MARKS:
                    return None
                depends = True
            if token[-1] == "." and len(token) > 1:
                depends = True
                following = tokens[i + 1][0] if i + 1 < len(tokens) else ""
                follows = "a" if following in _LOWER else "0" if following in _DIGITS else ""
        if depends:
            numbers = self._known_here.get((token, follows))
            if numbers is not None:
                return numbers
        numbers = list(map(self._number, self._words_of_token(token, follows)))
        if len(self._known) + len(self._known_here) >= _MAX_TOKENS:
            self._known.clear()
            self._known_here.clear()
        if depends:
            self._known_here[token, follows] = numbers
        else:
            self._known[token] = numbers
        return numbers

    def _words_of_token(self, token: str, follows: str) -> list[str]:
        """The words of a token in front of a lower-case word, a number, or something else."""
        if not self._cuts:
            return self._cased([token])
        plain = _PLAIN.fullmatch(token)
        if plain is not None and plain[2] != ".":
            return self._cased([plain[1], ","] if plain[2] and self._keeps_marks else [plain[1]])
        pieces = [token] if plain else _pieces(token)
        if not follows:
            return self._cased(self._finish(pieces))
        return self._cased(self._finish([*pieces, follows])[:-1])

    def _cased(self, words: list[str]) -> list[str]:
        return [word.lower() for word in words] if self._lowers else words

    def _finish(self, cut: Sequence[str]) -> list[str]:
        """With the rules for full stops, for which the next word matters, and without wide spaces."""
        words: list[str] = []
        last = len(cut) - 1
        for i, word in enumerate(cut):
            if word[-1] != "." or len(word) == 1 or word[-2] == ".":
                if word not in _WIDE_SPACES:
                    words.append(word)
                continue
            stem = word[:-1]
            follows = cut[i + 1][0] if i < last else ""
            if "." in stem and _HAS_ALPHA.search(stem):
                words.append(word.replace(".", ""))  # U.S. → US
            elif (
                stem in self._abbreviations
                or follows in _LOWER
                or (follows in _DIGITS and stem in self._before_numbers)
            ):
                words.append(word)
            else:
                words += (stem, ".")
        if not self._keeps_marks:
            return " ".join([_NOT_ALNUM.sub(" ", word) for word in words]).split()
        return words


def _pieces(text: str) -> list[str]:
    """What the rules up to that for full stops make of a text, in METEOR's order."""
    line = _MARK.sub(r" \g<0> ", f" {text} ")
    if ".." in line:
        line = _DOTS.sub(r" \g<0> ", line)
    if "," in line:
        for rule in _COMMAS:
            line = rule.sub(r"\1 , \2", line)
    line = line.translate(_SAME).replace("''", ' " ').replace("--", "-")
    if "-" in line:
        line = _COMPOUND.sub(r"\1 \2", line)
    if "'" in line:
        for rule in _LONE_APOSTROPHES:
            line = rule.sub(r"\1 ' \2", line)
        for rule in _CONTRACTIONS:
            line = rule.sub(r"\1 '\2", line)
    return _TOKEN.findall(line)
