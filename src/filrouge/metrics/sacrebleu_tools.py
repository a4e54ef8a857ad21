"""What bleu and chrf share: sacreBLEU's tokenizers, and n-grams.

The tokenizers are sacreBLEU's own, so that a token is the same thing here and there (one has a fast twin, which tests
compare with it); where one is missing, the user is told what to install. Nothing is scored in this module.
"""

from __future__ import annotations

import importlib.util
import operator
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from filrouge.errors import UsageError
from filrouge.language.pack import primary_code

__all__ = [
    "AUTO",
    "TOKENIZERS",
    "NGrams",
    "Tokenizer",
    "character_ngrams",
    "default_tokenizer",
    "load_tokenizer",
    "matches",
    "union",
    "word_ngrams",
]

AUTO = "auto"  # not None: `tokenize=none` is a tokenizer
_SENTENCEPIECE = ("spm", "flores101", "flores200", "spBLEU-1K")
TOKENIZERS = ("none", "13a", "intl", "char", "zh", "ja-mecab", "ko-mecab", *_SENTENCEPIECE)
_OF_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_PACKAGES = {"ja-mecab": "sacrebleu[ja]", "ko-mecab": "sacrebleu[ko]"} | dict.fromkeys(_SENTENCEPIECE, "sentencepiece")


class Tokenizer(Protocol):
    """From a text to its tokens, joined with spaces."""

    def __call__(self, line: str) -> str:
        """The line with spaces between its tokens."""
        ...

    def signature(self) -> str:
        """How sacreBLEU's signature calls it."""
        ...


def default_tokenizer(language: str) -> str:
    """What sacreBLEU takes for a target language when none is asked for."""
    return _OF_LANGUAGE.get(primary_code(language), "13a")


class Fast13a:
    """sacreBLEU's 13a in two thirds of its time, which else is most of the time that BLEU takes."""

    # Its rules, in its order. Joining what a pattern splits, and keeps, is the replacement r" \\1 ".
    _marks = re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])")
    _rules = (
        (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
        (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
        (re.compile(r"([0-9])(-)"), r"\1 \2 "),
    )

    def __call__(self, line: str) -> str:
        """The line with spaces between its tokens."""
        line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
        if "&" in line:
            for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
                line = line.replace(entity, character)
        line = " ".join(self._marks.split(f" {line} "))
        for pattern, replacement in self._rules:
            line = pattern.sub(replacement, line)
        return " ".join(line.split())

    def signature(self) -> str:
        """How sacreBLEU's signature calls it."""
        return "13a"


@lru_cache
def load_tokenizer(name: str) -> Tokenizer:
    """sacreBLEU's tokenizer of this name; a UsageError that tells what to install where it does not load."""
    if name not in TOKENIZERS:
        raise UsageError(f"there is no tokenizer {name!r}; choose from: {', '.join((AUTO, *TOKENIZERS))}")
    if name == "13a":
        return Fast13a()
    try:
        from sacrebleu.metrics.bleu import BLEU

        tokenizer: Tokenizer = BLEU(tokenize=name).tokenizer
    # Other packages' code: ImportError, RuntimeError, AssertionError, URLError, and an exit on SSL errors.
    except (Exception, SystemExit) as error:
        raise UsageError(f"tokenize={name} does not load: {_remedy(name, error)}") from error
    return tokenizer


def _remedy(name: str, error: BaseException) -> str:
    if importlib.util.find_spec("sacrebleu") is None:
        return "sacreBLEU is not installed; install it with: pip install sacrebleu"
    if name in _SENTENCEPIECE and not isinstance(error, ImportError):
        from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS
        from sacrebleu.utils import SACREBLEU_DIR

        url = SPM_MODELS[name]["url"]
        place = Path(SACREBLEU_DIR) / "models" / url.rpartition("/")[2]
        return f"its model cannot be downloaded or read ({error}); download {url} and save it as {place}"
    if name in _PACKAGES:
        return f"it needs packages that are not here; install them with: pip install '{_PACKAGES[name]}'"
    return str(error)


class NGrams(NamedTuple):
    """The n-grams of a text.

    :param length: units (words or characters) in the text.
    :param counts: for each order from 1, how often each n-gram stands in the text; n-grams of words joined with spaces.
    """

    length: int
    counts: tuple[Mapping[str, int], ...]

    @property
    def sizes(self) -> list[int]:
        """Number of n-grams of each order."""
        return [max(self.length - i, 0) for i in range(len(self.counts))]


def word_ngrams(words: Sequence[str], max_order: int) -> NGrams:
    """N-grams of orders 1 to max_order. Words have no space in them, so a joined n-gram is one sequence only."""
    # Strings, not tuples: they remember their hash, and the garbage collector does not visit them.
    return _ngrams(words, [" " + word for word in words], max_order)


def character_ngrams(text: str, max_order: int) -> NGrams:
    """N-grams of orders 1 to max_order."""
    return _ngrams(text, text, max_order)


def _ngrams(first: Sequence[str], further: Sequence[str], max_order: int) -> NGrams:
    """N-grams, each made of the one before it in order and the unit that follows, which is faster than slicing."""
    counts = []
    grams = first
    for n in range(max_order):
        if n > 0:
            grams = list(map(operator.add, grams, further[n:]))
        counts.append(Counter(grams))
    return NGrams(len(first), tuple(counts))


def matches(system: NGrams, reference: NGrams) -> list[int]:
    """N-grams in common by order; each counts as often as it stands in both."""
    found = []
    for i, (ours, theirs) in enumerate(zip(system.counts, reference.counts, strict=True)):
        common = ours.keys() & theirs.keys()
        if len(ours) == system.length - i or len(theirs) == reference.length - i:  # one side repeats nothing
            found.append(len(common))
        else:
            found.append(sum(map(min, map(ours.__getitem__, common), map(theirs.__getitem__, common))))
    return found


def union(texts: Sequence[NGrams]) -> NGrams:
    """For each n-gram the highest count in any of the texts; as a text it does not exist, so it has no length."""
    merged = []
    for first, *others in zip(*(text.counts for text in texts), strict=True):
        counts = dict(first)
        for other in others:
            for gram, n in other.items():
                if n > counts.get(gram, 0):
                    counts[gram] = n
        merged.append(counts)
    return NGrams(-1, tuple(merged))
