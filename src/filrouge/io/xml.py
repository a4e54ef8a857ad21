"""WMT XML: documents with <src>, <ref translator="…"> and <hyp system="…">, whose segments are matched by their id.

The older <refset>/<tstset> files are not read. Entity declarations and external references are refused: no such file
needs them, and they can make a small file eat all memory or read other files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, BinaryIO, cast
from xml.sax.saxutils import escape, quoteattr

from filrouge.codes import primary_code
from filrouge.errors import InputError
from filrouge.io.rows import Corpus, Row
from filrouge.io.text import AnyPath, open_bytes, shown

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element  # only the type: parsing is defusedxml's

__all__ = ["language_code", "read", "write"]

_REMEDIES = {  # by expat's message
    "no element found": "the file was cut off: copy it again",
    "unclosed token": "the file was cut off: copy it again",
    "not well-formed (invalid token)": "mend the markup (write &amp; for & and &lt; for <), or save the file as UTF-8",
}
_OLDER = ("refset", "tstset", "srcset")
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def language_code(tag: str | None) -> str | None:
    """The language of a tag such as en, en-GB or zh_CN, as an ISO 639-1 code."""
    return primary_code(tag or "") or None


def read(path: AnyPath) -> Iterator[Row]:
    """The rows of a WMT XML file, document by document."""
    seen: set[str] = set()
    language = None
    for event, element in _events(path):
        if event == "start":
            if element.tag in _OLDER:
                raise InputError(
                    f"this is the older format with <{element.tag}>, which is not read",
                    path=shown(path),
                    remedy="give WMT's XML, or plain text with a docids file",
                )
            if element.tag == "dataset":
                language = language_code(element.get("language"))
            continue
        if element.tag != "doc":
            continue
        document = _Document(element, path)
        if document.id in seen:
            raise document.error("comes twice", "give each document its own id")
        seen.add(document.id)
        yield from document.rows(language)
        element.clear()  # a document that was read need not stay in memory
    if not seen:
        raise InputError("there is no <doc> element", path=shown(path), remedy="give a file in WMT's XML format")


def _events(path: AnyPath) -> Iterator[tuple[str, Element]]:
    from xml.parsers.expat import ErrorString

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError, iterparse

    with open_bytes(path) as file:
        try:
            yield from cast("Iterator[tuple[str, Element]]", iterparse(file, events=("start", "end")))
        except ParseError as error:
            raise InputError(
                f"the XML is broken: {ErrorString(error.code)}",
                path=shown(path),
                line=error.position[0],
                remedy=_REMEDIES.get(ErrorString(error.code), "mend the markup"),
            ) from error
        except DefusedXmlException as error:
            raise InputError(
                "entity declarations and external references are refused, because they can do harm",
                path=shown(path),
                remedy="remove the <!DOCTYPE ...> with its entities",
            ) from error
        except (LookupError, ValueError) as error:
            raise InputError(
                f"the XML cannot be decoded ({error})", path=shown(path), remedy="save it as UTF-8"
            ) from error


class _Document:
    """One <doc>: its parts as {segment id: text}."""

    def __init__(self, element: Element, path: AnyPath) -> None:
        self.path = path
        self.id = (element.get("id") or "").strip()
        if not self.id:
            raise InputError("a <doc> has no id", path=shown(path), remedy='write <doc id="...">')
        self.domain = element.get("domain")
        self.source = self._parts(element, "src", "", "source").get("source")
        self.references = self._parts(element, "ref", "translator", "ref")
        self.systems = self._parts(element, "hyp", "system", "hyp")
        self.languages = [part.get("lang") for part in element.iter("ref")]
        self.languages += [part.get("language") or part.get("lang") for part in element.iter("hyp")]

    def error(self, problem: str, remedy: str | None = None) -> InputError:
        return InputError(f"document {self.id!r} {problem}", path=shown(self.path), remedy=remedy)

    def _parts(self, document: Element, tag: str, attribute: str, unnamed: str) -> dict[str, dict[str, str]]:
        parts: dict[str, dict[str, str]] = {}
        for element in document.iter(tag):
            name = (element.get(attribute) or "").strip() or unnamed
            if name in parts:
                remedy = f'write <{tag} {attribute}="NAME">, each with its own name' if attribute else None
                raise self.error(f"has two <{tag}> called {name!r}", remedy)
            parts[name] = self._segments(element, f"<{tag}> {name!r}")
        return parts

    def _segments(self, part: Element, what: str) -> dict[str, str]:
        segments: dict[str, str] = {}
        for element in part.iter("seg"):
            segment = (element.get("id") or "").strip()
            if not segment:
                raise self.error(f"has a <seg> without id in {what}", 'write <seg id="1">')
            if segment in segments:
                raise self.error(f"has two segments {segment!r} in {what}", "give each segment its own id")
            segments[segment] = "".join(element.itertext())
        return segments

    def rows(self, language: str | None) -> Iterator[Row]:
        found = {code for code in map(language_code, self.languages) if code is not None}
        if len(found) > 1:
            raise self.error(f"has several target languages ({', '.join(sorted(found))})", "make one file per language")
        target = next(iter(found), language)
        ids = self._segment_ids()
        for name, part in (*self.references.items(), *self.systems.items()):
            for segment in part.keys() - set(ids):
                raise self.error(f"has no segment {segment!r}, but {name!r} has")
        for segment in ids:
            yield Row(
                self.id,
                None if self.source is None else self.source.get(segment),
                {name: part.get(segment) for name, part in self.references.items()},
                {name: part.get(segment) for name, part in self.systems.items()},
                self.domain,
                target,
                label=segment,
            )

    def _segment_ids(self) -> list[str]:
        """Those of the source, else all that any reference has: in order of their numbers, or of appearance."""
        if self.source is None and not self.references:
            raise self.error(
                "has neither <src> nor <ref>", "add one; a file of only outputs has nothing to compare with"
            )
        if self.source is not None:
            ids = list(self.source)
        else:
            ids = list(dict.fromkeys(segment for part in self.references.values() for segment in part))
            if all(segment.isdecimal() for segment in ids):
                ids.sort(key=int)
        if not ids:
            raise self.error("has no segment")
        return ids


def write(corpus: Corpus, file: BinaryIO) -> None:
    """Write a corpus as WMT XML."""
    file.write(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    for line in _lines(corpus, corpus.test_set.language):
        file.write(line.encode() + b"\n")


def _lines(corpus: Corpus, language: str) -> Iterator[str]:
    yield _tag("dataset", {"id": corpus.test_set.name, "language": language})
    for number, document in enumerate(corpus.test_set.documents):
        for i in range(len(document)):
            if document.source is None and all(texts[i] is None for texts in document.references.values()):
                raise InputError(
                    f"segment {i + 1} of document {document.id!r} has neither source nor reference, "
                    "which XML cannot hold",
                    remedy="write jsonl or parquet",
                )
        yield _tag("doc", {"id": document.id, **({} if document.domain is None else {"domain": document.domain})})
        if document.source is not None:
            yield from _part("src", {}, document.source, document.id)
        for name, texts in document.references.items():
            yield from _part("ref", {"lang": language, "translator": name}, texts, document.id)
        for name, system in corpus.systems.items():
            segments = system.documents[number].segments
            yield from _part("hyp", {"system": name, "language": language}, segments, document.id)
        yield "</doc>"
    yield "</dataset>"


def _part(tag: str, attributes: Mapping[str, str], texts: Sequence[str | None], document: str) -> Iterator[str]:
    yield _tag(tag, attributes)
    for number, text in enumerate(texts, start=1):
        if text is not None:
            _require_legal(text, f"segment {number} of document {document!r}")
            # A bare carriage return would be read back as a line feed.
            yield f'<seg id="{number}">{escape(text, {chr(13): "&#13;"})}</seg>'
    yield f"</{tag}>"


def _tag(tag: str, attributes: Mapping[str, str]) -> str:
    for value in attributes.values():
        _require_legal(value, f"the name {value!r}")
    return f"<{tag}{''.join(f' {name}={quoteattr(value)}' for name, value in attributes.items())}>"


def _require_legal(text: str, place: str) -> None:
    if illegal := _ILLEGAL.search(text):
        raise InputError(
            f"{place} holds the character U+{ord(illegal[0]):04X}, which XML cannot hold",
            remedy="remove it, or write jsonl or parquet",
        )
