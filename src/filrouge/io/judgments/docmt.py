"""docmt-human/1: scores and rankings beside the texts (the texts are read by filrouge.io.human)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping

from filrouge.errors import InputError
from filrouge.io.human import FORMAT, is_header
from filrouge.io.jsonl import parse_object, require_version
from filrouge.io.judgments.fields import (
    LEAVE_OUT,
    names,
    number,
    objects,
    official,
    placed,
    rank,
    text,
    text_or_none,
    without_nul,
)
from filrouge.io.text import AnyPath, brief, shown, stem
from filrouge.meta.judgments import Item, Judgments, Level, Ranking, Rating

__all__ = ["RANKING_SCALE", "read"]

RANKING_SCALE = "rr"
_LEVELS: dict[str, Level] = {"sys": "system", "doc": "document", "seg": "segment"}


def read(lines: Iterable[tuple[int, str]], path: AnyPath) -> Judgments:
    """The judgments of numbered lines, the first of which is the header."""
    numbered = iter(lines)
    first, line = next(numbered)
    header = parse_object(line, path, first)
    if not is_header(header):
        raise InputError("the first line is not a docmt-human/1 header", path=shown(path), line=first)
    require_version(header, FORMAT, path, first)
    places = _Places(header, path, first)
    ratings: list[Rating] = []
    rankings: list[Ranking] = []
    n_segments = 0
    for at, line in numbered:
        value = parse_object(line, path, at)
        item = places.item(value.get("i"), at)
        if value.get("type") == "rank":
            ranks = objects(value.get("ranks"), "'ranks'", path, at)
            judge = text_or_none(value.get("judge"), "'judge'", path, at)
            found = {name: rank(place, f"the rank of {name!r}", path, at) for name, place in ranks.items()}
            with placed(path, at):
                rankings.append(Ranking(RANKING_SCALE, item, found, judge))
            continue
        if value["i"] != n_segments:
            raise InputError(
                f"this is segment {value['i']}, and {n_segments} is next",
                path=shown(path),
                line=at,
                remedy="give each segment one line, in order",
            )
        n_segments += 1
        for gold, scores in objects(value.get("human"), "'human'", path, at).items():
            for system, score in objects(scores, f"the gold {gold!r}", path, at).items():
                if score is not None:  # null is what nobody judged
                    known = number(score, f"{gold} of {system!r}", path, at, remedy=LEAVE_OUT)
                    ratings.append(Rating(gold, system, item, known))
    if n_segments < places.ends[-1]:
        raise InputError(
            f"the file ends after {n_segments} of {places.ends[-1]} segments",
            path=shown(path),
            remedy="it was cut off: copy it again",
        )
    published = official(header.get("human_sys"), header.get("human_doc"), path, first, null=True)
    standard = {
        _LEVELS[level]: text(name, "a gold", path, first)
        for level, name in objects(header.get("std_gold"), "'std_gold'", path, first).items()
        if level in _LEVELS and name is not None
    }
    return Judgments(
        ratings=tuple(ratings),
        rankings=tuple(rankings),
        official=published,
        standard=standard,
        human_systems=names(header.get("human_outputs"), "'human_outputs'", path, first),
        outliers=names(header.get("outlier_systems"), "'outlier_systems'", path, first),
        name=stem(path),
    )


class _Places:
    """Which segment of the file is which segment of which document."""

    def __init__(self, header: Mapping[str, object], path: AnyPath, line: int) -> None:
        self.path = path
        self.ids: list[str] = []
        self.ends = [0]
        documents = header.get("docs")
        for document in documents if isinstance(documents, list) else ():
            match document:
                case {"id": str(name), "start": int(start), "end": int(end)} if start == self.ends[-1] < end:
                    self.ids.append(without_nul(name.strip(), "the id of a document", path, line))
                    self.ends.append(end)
                case _:
                    raise InputError(
                        f"document {len(self.ids) + 1} of the header needs an id, and to begin at {self.ends[-1]}",
                        path=shown(path),
                        line=line,
                    )
        if not self.ids:
            raise InputError("the header has no documents", path=shown(path), line=line)

    def item(self, i: object, line: int) -> Item:
        if not isinstance(i, int) or isinstance(i, bool) or not 0 <= i < self.ends[-1]:
            raise InputError(f"there is no segment {brief(i)}", path=shown(self.path), line=line)
        document = bisect_right(self.ends, i) - 1
        return Item(self.ids[document], i - self.ends[document])
