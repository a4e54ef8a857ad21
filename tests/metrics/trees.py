"""Trees of random words for the tests of metrics that read dependencies, without a parser."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from filrouge.language.annotation import AnnotatedDocument, AnnotatedSegment

WORDS = ["a", "b", "A", "c"]
RELATIONS = ["ROOT", "nsubj", "obj", "mod"]
TAGS = ["NOUN", "VERB", "ADJ"]


def tree(
    words: Sequence[str],
    heads: Sequence[int],
    deps: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
    entities: Sequence[tuple[int, int, str]] = (),
) -> AnnotatedSegment:
    """A segment with these columns; a root is its own head."""
    deps = deps or [f"d{i}" for i in range(len(words))]
    tags = tags or ["X"] * len(words)
    columns = {"heads": heads, "deps": deps, "tags": tags, "pos": tags, "entities": entities}
    return AnnotatedSegment(" ".join(words), list(words), [True] * len(words), columns)


def document(*segments: AnnotatedSegment | None) -> AnnotatedDocument:
    return AnnotatedDocument("d", "x", segments)


def children(segment: AnnotatedSegment, node: int) -> list[int]:
    return [i for i, head in enumerate(segment.heads) if head == node and i != node]


def roots(segment: AnnotatedSegment) -> list[int]:
    return [i for i, head in enumerate(segment.heads) if head == i]


@st.composite
def trees(draw: st.DrawFn) -> AnnotatedSegment:
    """One tree or several, in any order of heads and dependents."""
    size = draw(st.integers(0, 9))
    order = draw(st.permutations(range(size)))
    heads = [0] * size
    for place, node in enumerate(order):
        heads[node] = order[draw(st.integers(0, place))]  # one that came before, or itself: a root
    columns = [draw(st.lists(st.sampled_from(s), min_size=size, max_size=size)) for s in (WORDS, RELATIONS, TAGS)]
    cuts = sorted(draw(st.sets(st.integers(0, size), max_size=4)))
    entities = [
        (start, end, draw(st.sampled_from(["PERSON", "GPE"])))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    return tree(columns[0], heads, columns[1], columns[2], entities)
