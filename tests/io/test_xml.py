"""WMT XML: references, systems and segments by id, and the XML that must be refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from filrouge.errors import InputError
from filrouge.io import Corpus, read_corpus

HARBOUR = """<?xml version="1.0" encoding="UTF-8"?>
<dataset id="harbour">
  <collection id="general">
    <doc id="gulls" origlang="de" domain="nature">
      <src lang="de"><p><seg id="1">Möwen &amp; Kräne</seg></p><p><seg id="2">Sie <b>schlafen</b> nie.</seg></p></src>
      <ref lang="en-GB" translator="A"><seg id="1"> Gulls &amp; cranes </seg><seg id="2">They never sleep.</seg></ref>
      <ref lang="en" translator="B"><seg id="2">They do not sleep.</seg></ref>
      <hyp system="alpha" language="en"><seg id="2">They sleep never.</seg><seg id="1">Gulls and cranes</seg></hyp>
      <hyp system="beta" language="en"><seg id="1">Seagulls</seg><seg id="2"></seg></hyp>
    </doc>
    <doc id="boats" origlang="de">
      <src lang="de"><seg id="s7">Boote</seg></src>
      <ref lang="en" translator="A"><seg id="s7">Boats</seg></ref>
      <hyp system="alpha" language="en"><seg id="s7">Ships</seg></hyp>
    </doc>
  </collection>
</dataset>
"""


def read(tmp_path: Path, text: str | bytes) -> Corpus:
    path = tmp_path / "harbour.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_corpus(path)


def test_everything_in_its_place(tmp_path: Path) -> None:
    corpus = read(tmp_path, HARBOUR)
    gulls, boats = corpus.test_set.documents
    assert (gulls.id, gulls.domain, gulls.source) == ("gulls", "nature", ("Möwen & Kräne", "Sie schlafen nie."))
    assert gulls.references == {"A": ("Gulls & cranes", "They never sleep."), "B": (None, "They do not sleep.")}
    assert (boats.domain, boats.references) == (None, {"A": ("Boats",)})
    assert corpus.test_set.language == "en"
    alpha = corpus.system("alpha")  # segments are matched by id, whatever their order
    assert [d.segments for d in alpha.documents] == [("Gulls and cranes", "They sleep never."), ("Ships",)]


def test_gzip_and_other_encodings(tmp_path: Path) -> None:
    corpus = read(tmp_path, HARBOUR)
    assert read(tmp_path, gzip.compress(HARBOUR.encode())) == corpus
    assert read(tmp_path, HARBOUR.replace("UTF-8", "ISO-8859-1").encode("latin-1")) == corpus
    assert read(tmp_path, HARBOUR.replace("UTF-8", "UTF-16").encode("utf-16")) == corpus


def test_system_that_lacks_a_document(tmp_path: Path) -> None:
    corpus = read(tmp_path, HARBOUR)
    assert corpus.system_names == ("alpha", "beta")
    assert list(corpus.systems) == ["alpha"]
    with pytest.raises(InputError, match=r"harbour\.xml: system 'beta' has no translation of document 'boats'"):
        corpus.system("beta")


def test_system_that_lacks_a_segment(tmp_path: Path) -> None:
    corpus = read(tmp_path, HARBOUR.replace('<seg id="2">They sleep never.</seg>', ""))
    with pytest.raises(InputError, match=r"system 'alpha' has no translation of segment 2 of document 'gulls'"):
        corpus.system("alpha")


def test_without_source_segments_come_from_all_references(tmp_path: Path) -> None:
    corpus = read(
        tmp_path,
        '<dataset><doc id="d"><ref translator="A"><seg id="1">a</seg><seg id="10">c</seg></ref>'
        '<ref translator="B"><seg id="2">b</seg></ref></doc></dataset>',
    )
    assert corpus.test_set.documents[0].references == {"A": ("a", None, "c"), "B": (None, "b", None)}


def test_unnamed_reference_and_system(tmp_path: Path) -> None:
    corpus = read(
        tmp_path, '<dataset><doc id="d"><ref><seg id="1">a</seg></ref><hyp><seg id="1">b</seg></hyp></doc></dataset>'
    )
    assert (corpus.test_set.reference_names, corpus.system_names) == (("ref",), ("hyp",))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HARBOUR.replace(' translator="A"', "").replace(' translator="B"', ""), "'gulls' has two <ref> called 'ref'"),
        (HARBOUR.replace('"beta"', '"alpha"'), "'gulls' has two <hyp> called 'alpha'"),
        (HARBOUR.replace('id="boats"', 'id="gulls"'), "'gulls' comes twice"),
        (HARBOUR.replace('id="boats" ', ""), "a <doc> has no id"),
        (HARBOUR.replace('<seg id="2">They never', '<seg id="1">They never'), "two segments '1' in <ref> 'A'"),
        (HARBOUR.replace('<seg id="2">They never', "<seg>They never"), "a <seg> without id in <ref> 'A'"),
        (HARBOUR.replace('<seg id="2">They never', '<seg id="3">They never'), "no segment '3', but 'A' has"),
        (HARBOUR.replace('lang="en" translator="A"', 'lang="fr" translator="A"'), "several target languages"),
        (
            HARBOUR.replace('lang="en', 'lang="fr').replace('language="en"', 'language="fr"', 2),
            "several target languages",
        ),
        ('<dataset><doc id="d"><hyp><seg id="1">b</seg></hyp></doc></dataset>', "neither <src> nor <ref>"),
        ('<refset><doc docid="d" id="d"><seg id="1">b</seg></doc></refset>', "the older format with <refset>"),
        ('<dataset><doc id="d"><src></src></doc></dataset>', "'d' has no segment"),
        ("<dataset></dataset>", "there is no <doc> element"),
        ('<?xml version="1.0" encoding="klingon"?><dataset></dataset>', "encod"),
    ],
)
def test_structure_that_makes_no_sense(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=r"harbour\.xml") as caught:
        read(tmp_path, text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (HARBOUR.replace("</hyp>", ""), 10),
        (HARBOUR.replace("&amp;", "&"), 5),
        (HARBOUR[:700], 11),
        (HARBOUR.replace("Boote", "Bo\x01te"), 12),
        (HARBOUR.replace("Boote", "Bo\0te"), 12),
        ("no xml at all", 1),
    ],
)
def test_malformed_xml_names_the_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(InputError, match=rf"harbour\.xml, line {line}: the XML is broken"):
        read(tmp_path, text)


def test_xml_that_was_cut_off(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file was cut off: copy it again"):
        read(tmp_path, HARBOUR[: HARBOUR.index("</doc>")])


def test_bytes_that_are_not_the_declared_encoding(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"harbour\.xml, line 5: .*save the file as UTF-8"):
        read(tmp_path, HARBOUR.encode("latin-1"))


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE d [<!ENTITY a "boo"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE d [<!ENTITY % p SYSTEM "http://localhost/x.dtd"> %p;]>',
    ],
)
def test_entities_are_refused(tmp_path: Path, declaration: str) -> None:
    text = f'{declaration}<dataset><doc id="d"><src><seg id="1">x</seg></src></doc></dataset>'
    with pytest.raises(InputError, match=r"harbour\.xml: entity declarations and external references are refused"):
        read(tmp_path, text)


def test_very_deep_nesting_is_no_crash(tmp_path: Path) -> None:
    deep = "<b>" * 50_000 + "x" + "</b>" * 50_000
    corpus = read(tmp_path, f'<dataset><doc id="d"><src><seg id="1">{deep}</seg></src></doc></dataset>')
    assert corpus.test_set.documents[0].source == ("x",)


def test_empty_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"harbour\.xml: the file is empty"):
        read(tmp_path, "")
