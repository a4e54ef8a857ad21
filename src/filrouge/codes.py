"""Codes of languages as users and files write them, brought to one form.

Metrics choose tokenizers, word lists and networks by the code of ISO 639-1: a language that is called otherwise would
silently be treated as any other. Codes of three letters are known of the languages that something here depends on.
"""

from __future__ import annotations

import re

from filrouge.errors import InputError

__all__ = ["primary_code", "require_code"]

_CODE = re.compile(r"[a-z]{2,3}([-_]\w+)*", re.IGNORECASE | re.ASCII)
# ISO 639-2 and 639-3 → 639-1.
_OF_THREE_LETTERS = {
    "bul": "bg",
    "ces": "cs",
    "cze": "cs",
    "chi": "zh",
    "cmn": "zh",
    "deu": "de",
    "dut": "nl",
    "eng": "en",
    "fra": "fr",
    "fre": "fr",
    "ger": "de",
    "hrv": "hr",
    "ita": "it",
    "jpn": "ja",
    "kor": "ko",
    "nld": "nl",
    "pol": "pl",
    "por": "pt",
    "ron": "ro",
    "rum": "ro",
    "rus": "ru",
    "spa": "es",
    "swe": "sv",
    "tur": "tr",
    "ukr": "uk",
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
