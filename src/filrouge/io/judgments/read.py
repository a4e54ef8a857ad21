"""Reading judgments from whatever file a campaign left."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path

from filrouge.errors import InputError, UsageError
from filrouge.io import human
from filrouge.io.jsonl import parse_object
from filrouge.io.judgments import appraise, docmt, jsonl, mqm_tsv, paragraphs, ranking_csv, scores, wmt25
from filrouge.io.text import AnyPath, held, read_lines, shown
from filrouge.meta.judgments import Judgments

__all__ = ["JUDGMENT_FORMATS", "guess_format", "read_judgments", "said_of"]

JUDGMENT_FORMATS = ("judgments", "human", "appraise", "ranking", "mqm", "scores", "wmt25", "parity", "literary")
_JSON: dict[str, Callable[[Iterable[tuple[int, str]], AnyPath], Judgments]] = {
    "judgments": jsonl.read,
    "human": docmt.read,
    "wmt25": wmt25.read,
    "parity": paragraphs.read_parity,
    "literary": paragraphs.read_literary,
}
# What can be said of which formats.
_SAID = {"languages": ("ranking", "appraise"), "items": ("appraise",), "scale": ("appraise", "scores")}
_BEGINNINGS: dict[str, Callable[[Mapping[str, object]], bool]] = {
    "judgments": jsonl.is_header,
    "human": human.is_header,
    "wmt25": wmt25.is_wmt25,
    "parity": paragraphs.is_parity,
    "literary": paragraphs.is_literary,
}


def read_judgments(
    path: AnyPath,
    *,
    format: str | None = None,
    languages: tuple[str, str] | None = None,
    scale: str | None = None,
    items: str | None = None,
) -> Judgments:
    """Read the judgments in a file.

    :param format: judgments (filrouge's own), human (docmt-human/1), appraise (CSV), ranking (WMT's CSV), mqm (Google's
        TSV), scores (WMT's .seg.score and .sys.score), wmt25 (ESA with its texts), parity or literary (pairwise
        choices); guessed from the first line and the name.
    :param languages: source and target as a ranking CSV or an Appraise CSV writes them, where it has several pairs.
    :param scale: what the numbers are to be called, of an Appraise file ("da" by default) or of scores (by default what
        the name of the file says).
    :param items: how an Appraise file counts segments, "document" (the default), "order" or "test"; see appraise.py.
    """
    path = held(path)  # the first line is read before all others
    if format is None:
        format = guess_format(path)
    _require_format(format)
    if languages is not None and format not in ("ranking", "appraise"):
        raise UsageError("languages are chosen in a ranking CSV or an Appraise CSV, not in other judgments")
    if format == "appraise":
        said = {key: value for key, value in {"scale": scale, "items": items}.items() if value is not None}
        return appraise.read(path, languages=languages, **said)
    if items is not None:
        raise UsageError(f"what items count is said of an Appraise CSV, and this is {format}")
    if format == "scores":
        return scores.read(path, scale=scale)
    if scale is not None:
        raise UsageError(f"the scale's name is said of an Appraise CSV or of scores, and this is {format}")
    if format == "ranking":
        return ranking_csv.read(path, languages=languages)
    if format == "mqm":
        return mqm_tsv.read(path)
    return _JSON[format](_numbered(path), path)


def said_of(path: AnyPath, said: Mapping[str, object]) -> dict[str, object]:
    """Of what is said of several files (format, languages, items, scale) what this one can be read by."""
    format = str(said.get("format") or guess_format(path))
    _require_format(format)
    return {
        key: value for key, value in said.items() if value is not None and format in _SAID.get(key, JUDGMENT_FORMATS)
    }


def _require_format(format: str) -> None:
    if format not in JUDGMENT_FORMATS:
        raise UsageError(f"there is no format {format!r} of judgments; choose one of: {', '.join(JUDGMENT_FORMATS)}")


def _numbered(path: AnyPath) -> Iterable[tuple[int, str]]:
    lines = ((number, line) for number, line in enumerate(read_lines(path), start=1) if line.strip())
    first = next(lines, None)
    if first is None:
        raise InputError("there are only blank lines in this file", path=shown(path))
    return chain([first], lines)


def guess_format(path: AnyPath) -> str:
    """The format that the first line tells of; a damaged one is told of as what the name or the line is nearest to."""
    if scores.is_named(path):
        return "scores"
    number, line = next(iter(_numbered(path)))
    suffix = Path(os.fspath(path).removesuffix(".gz")).suffix.removeprefix(".").lower()
    if suffix == "jsonl" or line.lstrip().startswith("{"):
        value = parse_object(line, path, number)
        for name, fits in _BEGINNINGS.items():
            if fits(value):
                return name
    elif mqm_tsv.is_header(line) or mqm_tsv.resembles(line):
        return "mqm"
    elif ranking_csv.is_header(line) or ranking_csv.resembles(line):
        return "ranking"
    elif mqm_tsv.resembles(line.replace(",", "\t")):
        remedy = "separate them by tabs"
        raise InputError(
            "the columns of MQM are separated by commas here", path=shown(path), line=number, remedy=remedy
        )
    elif suffix == "csv" or appraise.is_row(line):
        return "appraise"
    elif scores.is_row(line):
        return "scores"
    raise InputError(
        "this is not how people's judgments begin",
        path=shown(path),
        line=number,
        remedy="are these texts? name those with --test, or say which judgments they are with --judgments-format "
        f"(in filrouge judgments --from): {', '.join(JUDGMENT_FORMATS)}",
    )
