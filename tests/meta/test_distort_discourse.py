"""Pronouns, connectives and names, on sentences that the analysis is sure of."""

from __future__ import annotations

import pytest

from filrouge.corpus import Document
from filrouge.meta.distort_discourse import discourse_distortions, unsupported

TEXTS = (
    "She gave him her keys.",
    "HE saw her yesterday; the blame is his.",
    "His sister hurt herself, and Her Majesty saw it.",
    "However, the boat was late, but it came.",
    "In addition, we waited.",
    "Angela Merkel spoke to Barack Obama in Berlin.",
    "Barack Obama thanked Angela Merkel.",
    "Barack Obama left Berlin.",
    "",
)


@pytest.fixture(scope="module")
def found() -> dict[str, tuple[str, ...]]:
    spoilt = discourse_distortions((Document("d", TEXTS),), "en", cache=False)
    return {name: documents[0].segments for name, documents in spoilt.items()}


def test_pronouns_change_their_gender(found: dict[str, tuple[str, ...]]) -> None:
    assert found["pronouns"][:3] == (
        "He gave her his keys.",
        "SHE saw him yesterday; the blame is hers.",
        "Her sister hurt himself, and His Majesty saw it.",
    )
    assert found["pronouns"][3:] == TEXTS[3:]


def test_connectives_go_with_their_comma(found: dict[str, tuple[str, ...]]) -> None:
    assert found["connectives"][3:5] == ("The boat was late, it came.", "We waited.")
    assert found["connectives"][:3] == TEXTS[:3]


def test_names_are_spelt_differently_each_time(found: dict[str, tuple[str, ...]]) -> None:
    assert found["names"][5:8] == (
        "Angela Merkel spoke to Barack Obama in Berlin.",
        "Bereck Ubeme thanked Engile Mirkil.",
        "Birick Abimi left Birlon.",
    )
    assert found["names"][:5] == TEXTS[:5]


def test_nothing_stays_nothing(found: dict[str, tuple[str, ...]]) -> None:
    assert {texts[-1] for texts in found.values()} == {""}


def test_a_marker_before_a_mark() -> None:
    ((document,),) = (discourse_distortions((Document("d", ("Yet.", "It rained, too, but.")),), "en")["connectives"],)
    assert document.segments == (".", "It rained, too,.")


def test_languages() -> None:
    assert unsupported("en-GB") is None
    assert unsupported("xx") == "filrouge has no language 'xx' to analyse"
