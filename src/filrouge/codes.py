"""Codes of languages as users and files write them, brought to one form.

Metrics choose tokenizers, word lists and networks by the code of ISO 639-1: a language that is called otherwise would
silently be treated as any other. Codes of three letters are known of the languages that something here depends on, and
of those of WMT.
"""

from __future__ import annotations

import re

from filrouge.errors import InputError

__all__ = ["primary_code", "require_code"]

_CODE = re.compile(r"[a-z]{2,3}([-_]\w+)*", re.IGNORECASE | re.ASCII)
# ISO 639-2 and 639-3 → 639-1.
_OF_THREE_LETTERS = {
    "ara": "ar",
    "ben": "bn",
    "bul": "bg",
    "bur": "my",
    "cat": "ca",
    "ces": "cs",
    "chi": "zh",
    "cmn": "zh",
    "cze": "cs",
    "dan": "da",
    "deu": "de",
    "dut": "nl",
    "ell": "el",
    "eng": "en",
    "est": "et",
    "fas": "fa",
    "fin": "fi",
    "fra": "fr",
    "fre": "fr",
    "ger": "de",
    "gre": "el",
    "heb": "he",
    "hin": "hi",
    "hrv": "hr",
    "hun": "hu",
    "ind": "id",
    "ita": "it",
    "jpn": "ja",
    "khm": "km",
    "kor": "ko",
    "lao": "lo",
    "lav": "lv",
    "lit": "lt",
    "mya": "my",
    "nld": "nl",
    "per": "fa",
    "pol": "pl",
    "por": "pt",
    "ron": "ro",
    "rum": "ro",
    "rus": "ru",
    "slk": "sk",
    "slo": "sk",
    "slv": "sl",
    "spa": "es",
    "srp": "sr",
    "swe": "sv",
    "tam": "ta",
    "tha": "th",
    "tur": "tr",
    "ukr": "uk",
    "urd": "ur",
    "vie": "vi",
    "zho": "zh",
}
# Codes of countries, of which no language has the code.
_COUNTRIES = {"cn": "zh", "cz": "cs", "dk": "da", "jp": "ja", "ua": "uk"}


def primary_code(code: str) -> str:
    """The language of a code such as en-GB, zh_CN or deu: en, zh, de."""
    language = code.strip().replace("_", "-").partition("-")[0].lower()
    return _OF_THREE_LETTERS.get(language, language)


def require_code(language: str) -> None:
    """Complain of what is no code of a language."""
    code = primary_code(language)
    if _CODE.fullmatch(language.strip()) is None or code in _COUNTRIES:
        instead = _COUNTRIES.get(code)
        raise InputError(
            f"the target language is {language!r}, which is no code of a language",
            remedy=f"write {instead}" if instead else "write its code of ISO 639-1, such as en or zh",
        )
