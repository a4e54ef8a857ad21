"""sacreBLEU's tokenizers.

The tokenizers are sacreBLEU's own, so that a token is the same thing here and there (one has a fast twin, which tests
compare with it); where one is missing, the user is told what to install. Nothing is scored in this module.
"""

from __future__ import annotations

import importlib.util
import re
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from filrouge.codes import primary_code
from filrouge.errors import UsageError

__all__ = [
    "AUTO",
    "TOKENIZERS",
    "Tokenizer",
    "default_tokenizer",
    "load_tokenizer",
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
