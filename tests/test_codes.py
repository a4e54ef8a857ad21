from __future__ import annotations

import pytest

from filrouge.codes import primary_code, require_code
from filrouge.corpus import TestDocument, TestSet
from filrouge.errors import InputError
from filrouge.metrics.sacrebleu_tools import default_tokenizer


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("en", "en"),
        ("en-GB", "en"),
        ("zh_Hant_TW", "zh"),
        ("zho", "zh"),
        ("CHI", "zh"),
        ("ger-AT", "de"),
        ("gsw", "gsw"),
    ],
)
def test_one_form(written: str, code: str) -> None:
    require_code(written)
    assert primary_code(written) == code


@pytest.mark.parametrize("written", ["chinese", "", "e", "../en", "中文", "en GB", "jp", "CN"])
def test_no_codes(written: str) -> None:
    with pytest.raises(InputError, match="no code of a language"):
        TestSet((TestDocument("d", {"a": ("x",)}),), language=written)


def test_three_letters_choose_the_same_tokenizer() -> None:
    assert [default_tokenizer(code) for code in ("zho", "jpn", "kor")] == ["zh", "ja-mecab", "ko-mecab"]
