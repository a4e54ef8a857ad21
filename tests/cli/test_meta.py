from __future__ import annotations

import json
import random
import re
import warnings
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.io.judgments.test_ranking_csv import HEADER as CSV_HEADER

MQM_COLUMNS = ("system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity")

WORDS = ["the", "ship", "left", "its", "harbour", "at", "night", "while", "nobody", "on", "a", "pier", "was", "up"]
NOISE = {"good": 0.05, "fair": 0.2, "poor": 0.35, "bad": 0.6}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    rng = random.Random(7)
    folder = tmp_path_factory.mktemp("meta")
    rows = ["doc\tref:A\t" + "\t".join(f"sys:{name}" for name in NOISE)]
    header = {"type": "header", "format": "filrouge-judgments/1", "name": "harbour"}
    judgments = [json.dumps(header)]
    for d in range(12):
        for i in range(2):
            text = [rng.choice(WORDS) for _ in range(12)]
            outputs = [[rng.choice(WORDS) if rng.random() < n else w for w in text] for n in NOISE.values()]
            rows.append("\t".join([f"d{d}", " ".join(text), *(" ".join(words) for words in outputs)]))
            for name, words in zip(NOISE, outputs, strict=True):
                right = sum(a == b for a, b in zip(words, text, strict=True))
                place = {"scale": "da", "system": name, "doc": f"d{d}", "seg": i + 1, "rater": "ann"}
                judgments.append(json.dumps({"type": "rating", **place, "value": 8 * right + rng.uniform(0, 9)}))
    (folder / "harbour.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / "harbour.jsonl").write_text("\n".join(judgments) + "\n", "utf-8")
    return ["--test", str(folder / "harbour.tsv"), "--judgments", str(folder / "harbour.jsonl"), "--replicates", "50"]


def test_table(run: Run, files: list[str]) -> None:
    outcome = run("meta", *files, "-m", "bleu", "wer", "length-ratio")
    assert outcome.status == 0
    assert outcome.err == ""
    assert "agreement with people, 4 systems" in outcome.out
    assert re.search(r"^wer +[01]\.\d{3} \(1\) +\[", outcome.out, re.MULTILINE)


def test_other_formats(run: Run, files: list[str], tmp_path: Path) -> None:
    data = json.loads(
        run("meta", *files, "-m", "bleu", "--json", "--measures", "system accuracy", "--gold", "da:z").out
    )
    assert data["golds"] == {"system": "da:z"}
    assert data["metrics"]["bleu"]["agreement"]["system accuracy"]["value"] == 1
    assert "| bleu |" in run("meta", *files, "-m", "bleu", "--markdown", "--no-intervals").out
    assert run("meta", *files, "-m", "bleu", "-o", tmp_path / "x.tex").status == 0
    assert r"\begin{tabular}{l" in (tmp_path / "x.tex").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--gold", "mqm"], "has no gold 'mqm'"),
        (["--gold", "da:zz", "-m", "comet"], "has no gold 'da:zz' for level document; did you mean 'da:z'?"),
        (["--measures", "system"], "is not a measure"),
        (["-s", "good"], "two systems or more"),
        (["-s", "good", "nobody"], "nobody"),
        (["--judgments", "gone.jsonl"], "2 files of judgments for 1 of texts"),
        (["--gold", ""], "the name after --gold is empty"),
        (["-r", "B"], "no reference 'B'"),
    ],
)
def test_mistakes(run: Run, files: list[str], options: list[str], told: str) -> None:
    outcome = run("meta", *files, "-m", "bleu", *options)
    assert outcome.status == 2
    assert told in outcome.err
    assert outcome.out == ""


def test_extreme_numbers_give_no_warnings(run: Run, files: list[str], tmp_path: Path) -> None:
    """The largest and smallest scores that are taken are computed with like any other: a factor changes nothing."""
    rng = random.Random(3)
    values = {(name, i): rng.uniform(-1, 1) for name in NOISE for i in range(24)}
    judged = [json.loads(line) for line in Path(files[3]).read_text("utf-8").splitlines()]
    found = {}
    for factor in (1.0, 2.0**199, 2.0**-199):
        path = tmp_path / "mine.tsv"
        path.write_text("".join(f"{name}\t{value * factor!r}\n" for (name, _), value in values.items()), "utf-8")
        rows = [row | ({"value": row["value"] / 100 * factor} if "value" in row else {}) for row in judged]
        judgments = tmp_path / "judged.jsonl"
        judgments.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        metric = f"scores(file={path},label=mine)"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            outcome = run("meta", *files[:2], "--judgments", judgments, *files[4:], "-m", metric, "bleu", "--json")
        assert (outcome.status, outcome.err) == (0, "")
        data = json.loads(outcome.out)
        found[factor] = [data["metrics"][metric]["agreement"], data["differences"]]
    assert found[1.0] == found[2.0**199]
    assert found[1.0] == found[2.0**-199]


@pytest.mark.parametrize("verb", ["meta", "tune", "score"])
def test_judgments_in_place_of_texts(run: Run, files: list[str], tmp_path: Path, verb: str) -> None:
    more = {"meta": ("-m", "bleu"), "tune": ("-m", "chrf", "-o", tmp_path / "x.json"), "score": ("-m", "bleu")}[verb]
    mqm = tmp_path / "mqm.tsv"
    mqm.write_text("\t".join(MQM_COLUMNS) + "\nx\td\t1\t1\tann\tEin Boot\tA boat\tNo-error\tNo-error\n", "utf-8")
    for path in (files[3], mqm):
        outcome = run(verb, "--test", path, *more)
        assert (outcome.status, outcome.out) == (2, "")
        remedy = "name the texts here, and judgments with --judgments of filrouge meta or tune"
        assert (
            outcome.err == f"filrouge: error: {path}, line 1: this file holds people's judgments, not texts; {remedy}\n"
        )


def test_texts_in_place_of_judgments(run: Run, files: list[str], tmp_path: Path) -> None:
    texts = Path(files[1]).read_text("utf-8")
    (tmp_path / "plain.txt").write_text("\n\nA boat left.\n", "utf-8")
    (tmp_path / "texts.jsonl").write_text('{"doc": "d", "ref": "x", "systems": {"a": "y"}}\n', "utf-8")
    (tmp_path / "texts.csv").write_text(texts.replace("\t", ","), "utf-8")
    told = "this is not how people's judgments begin; are these texts? name those with --test, or say which judgments"
    for path, line in ((Path(files[1]), 1), (tmp_path / "plain.txt", 3), (tmp_path / "texts.jsonl", 1)):
        outcome = run("meta", *files[:2], "--judgments", path, "-m", "bleu")
        assert (outcome.status, outcome.out) == (2, "")
        assert outcome.err.startswith(
            f"filrouge: error: {path}, line {line}: {told} they are with --judgments-format (in "
        )
        assert outcome.err.count("\n") == 1
    outcome = run("meta", *files[:2], "--judgments", tmp_path / "texts.csv", "-m", "bleu")
    assert outcome.status == 2
    assert "texts.csv, line 1: 6 fields, where Appraise's CSV of scores has 9, 11 or 12 (2 more with" in outcome.err
    for format, column in (("mqm", "system"), ("ranking", "srclang")):
        outcome = run("meta", *files[:2], "--judgments", files[1], "--judgments-format", format, "-m", "bleu")
        assert f"line 1: there is no column '{column}'; give a file of " in outcome.err


def test_an_order_of_two_systems_is_not_measured(run: Run, files: list[str]) -> None:
    """Their correlation is 1 or -1 whatever the metric."""
    data = json.loads(run("meta", *files, "-m", "bleu", "-s", "good", "bad", "--json").out)
    found = data["metrics"]["bleu"]["agreement"]
    assert "segment pearson" in found
    assert not [column for column in found if column.startswith("system")]
    asked = run("meta", *files, "-m", "bleu", "-s", "good", "bad", "--measures", "system accuracy", "--json")
    assert json.loads(asked.out)["metrics"]["bleu"]["agreement"]["system accuracy"]["value"] == 1


def test_few_replicates_are_told(run: Run, files: list[str]) -> None:
    options = ("-m", "bleu", "chrf", "ttr", "--replicates", "10")
    outcome = run("meta", *files, *options, "--measures", "segment pearson")
    assert outcome.status == 0
    told = (
        "10 replicates are too few for a level of 0.05: no p-value can be below 0.091; draw 19 or more (--replicates)"
    )
    assert outcome.err == f"filrouge: warning: {told}\n"
    assert run("meta", *files, *options, "--measures", "segment pearson", "-q").err == ""
    # Williams' test draws nothing, and one metric is not compared.
    assert run("meta", *files, *options, "--measures", "system pearson").err == ""
    assert run("meta", *files, "-m", "bleu", "--replicates", "10").err == ""
    assert run("meta", *files, "-m", "bleu", "bleu()", "--replicates", "10").err == ""
    assert run("meta", *files, *options[:4], "--replicates", "19").err == ""


def test_few_replicates_of_several_test_sets_are_told_once(run: Run, tmp_path: Path) -> None:
    a, b = docmt(tmp_path, "a"), docmt(tmp_path, "b", documents=8)
    outcome = run(
        "meta", "-t", a, b, "-m", "wer", "ttr", "--replicates", "10", "--measures", "system pearson", "--json"
    )
    assert outcome.err.count("\n") == 1
    assert "10 replicates are too few" in outcome.err
    mean = json.loads(outcome.out)["mean"]
    assert min(p for row in mean["differences"]["system pearson"]["p_better"] for p in row if p is not None) >= 1 / 11
    assert {found["agreement"]["system pearson"]["cluster"] for found in mean["metrics"].values()} == {1}


def docmt(folder: Path, name: str, langpair: str = "de-en", *, ranked: bool = False, documents: int = 12) -> Path:
    """A test set with two references and a standard one, judged by scores or by rankings."""
    rng = random.Random(name)
    header = {
        "type": "header", "format": "docmt-human/1", "testset": name, "langpair": langpair, "n_segments": documents * 2,
        "docs": [{"id": f"d{d}", "start": 2 * d, "end": 2 * d + 2} for d in range(documents)], "refs": ["refA", "refB"],
        "std_ref": "refB", "outputs": [*NOISE, "refA"], "human_outputs": ["refA"], "outlier_systems": [],
        "std_gold": {"seg": "rr"} if ranked else {"sys": "mqm", "seg": "mqm"},
    }  # fmt: skip
    segments, ranks = [], []
    for i in range(documents * 2):
        text = [rng.choice(WORDS) for _ in range(12)]
        outputs = {name: [rng.choice(WORDS) if rng.random() < n else w for w in text] for name, n in NOISE.items()}
        wrong = {name: sum(a != b for a, b in zip(words, text, strict=True)) for name, words in outputs.items()}
        hyps = {name: " ".join(words) for name, words in outputs.items()}
        refs = {"refA": " ".join(reversed(text)), "refB": " ".join(text)}
        human = {} if ranked else {"mqm": {name: -float(n) for name, n in wrong.items()}}
        segments.append({"type": "seg", "i": i, "doc": i // 2, "src": "x", "refs": refs, "hyps": hyps, "human": human})
        for judge in ("ann", "bob", "cem") if ranked else ():
            places = {name: 1 + max(0, n // 3 + rng.choice((-1, 0, 1))) for name, n in wrong.items()}
            ranks.append({"type": "rank", "i": i, "judge": judge, "ranks": places})
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *segments, *ranks)), "utf-8")
    return path


def test_standard_reference_is_the_default(run: Run, tmp_path: Path) -> None:
    path = docmt(tmp_path, "harbour")
    measure = ("--measures", "segment pearson", "--replicates", "20", "-m", "wer", "--json")
    data = json.loads(run("meta", "-t", path, *measure).out)
    assert data["references"] == ["refB"]
    assert data["metrics"]["wer"]["agreement"]["segment pearson"]["value"] > 0.9
    other = json.loads(run("meta", "-t", path, "-r", "refA", *measure).out)
    assert other["references"] == ["refA"]
    assert other["metrics"]["wer"]["agreement"]["segment pearson"]["value"] < 0.9
    assert "reference refB (segments: mqm)" in run("meta", "-t", path, *measure[:-1]).out


def test_rankings(run: Run, tmp_path: Path) -> None:
    path = docmt(tmp_path, "ranked", ranked=True)
    outcome = run("meta", "-t", path, "-m", "wer", "ttr", "--replicates", "50", "--differences")
    assert outcome.status == 0
    assert "(systems: rr, pairs of segments: rr)" in outcome.out
    assert "segment agreement by pair" in outcome.out
    assert "a person agrees with the majority in about" in outcome.out
    assert "is the metric of the row better" in outcome.out
    latex = run("meta", "-t", path, "-m", "wer", "ttr", "--replicates", "50", "--latex").out
    assert r"(Krippendorff's $\alpha$ 0." in latex
    assert latex.isascii()
    skills = json.loads(
        run("meta", "-t", path, "-m", "wer", "--replicates", "20", "--gold", "rr:trueskill", "--json").out
    )
    assert skills["golds"] == {"system": "rr:trueskill"}
    assert skills["rankings"] == {"segment": "rr"}
    assert skills["metrics"]["wer"]["agreement"]["segment wmt12 by pair"]["pairs"] > 100
    assert skills["raters"]["segment"]["raters"] == 3


def test_several_test_sets(run: Run, tmp_path: Path) -> None:
    a, b = docmt(tmp_path, "a"), docmt(tmp_path, "b", documents=8)
    common = ("-m", "wer", "chrf", "--replicates", "50")
    data = json.loads(run("meta", "-t", a, b, *common, "--json").out)
    values = [one["metrics"]["wer"]["agreement"]["segment pearson"]["value"] for one in data["test_sets"]]
    mean = data["mean"]["metrics"]["wer"]["agreement"]["segment pearson"]["value"]
    assert mean == pytest.approx(sum(values) / 2)
    assert [one["test_set"] for one in data["test_sets"]] == ["a", "b"]
    alone = json.loads(run("meta", "-t", a, *common, "--json").out)
    assert alone["metrics"] == data["test_sets"][0]["metrics"]
    out = run("meta", "-t", a, b, *common).out
    assert "mean of 2 test sets: agreement with people on a, b; en, reference refB" in out
    assert "a: agreement with people" not in out
    out = run("meta", "-t", a, b, *common, "--by-set", "--differences").out
    assert "a: agreement with people, 4 systems, en, reference refB" in out
    assert "system pearson: is the metric of the row better" in out
    for way in ("--markdown", "--latex"):
        assert run("meta", "-t", a, b, *common, "--by-set", way).out.count("wer") == 3


def test_different_judgments_share_what_they_can(run: Run, tmp_path: Path) -> None:
    a, b = docmt(tmp_path, "a"), docmt(tmp_path, "b", ranked=True)
    data = json.loads(run("meta", "-t", a, b, "-m", "wer", "--replicates", "20", "--json").out)
    assert list(data["mean"]["metrics"]["wer"]["agreement"]) == ["system pearson", "system accuracy"]
    assert "segment wmt12 by pair" in data["test_sets"][1]["metrics"]["wer"]["agreement"]


def test_metric_that_cannot_run_on_one_test_set(run: Run, tmp_path: Path) -> None:
    a, b = docmt(tmp_path, "a"), docmt(tmp_path, "b", "en-de")
    outcome = run("meta", "-t", a, b, "-m", "wer", "meteor", "--replicates", "20")
    assert outcome.status == 0
    assert outcome.out.count("meteor: not run on b (meteor is defined for en only, not for de)") == 1
    assert re.search(r"^meteor +– +–", outcome.out, re.MULTILINE)
    alone = run("meta", "-t", b, "-m", "wer", "meteor", "--replicates", "20")
    assert (alone.status, "meteor is defined for en only" in alone.err) == (2, True)
    none = run("meta", "-t", b, docmt(tmp_path, "c", "en-de"), "-m", "wer", "meteor", "--replicates", "20")
    assert (none.status, "meteor is defined for en only" in none.err) == (2, True)
    unknown = run("meta", "-t", a, b, "-m", "wer", "metoer")
    assert (unknown.status, "metoer" in unknown.err) == (2, True)


def test_references_where_they_exist(run: Run, tmp_path: Path) -> None:
    a = docmt(tmp_path, "a")
    tsv = tmp_path / "t.tsv"
    rows = ["doc\tref:own\tsys:x\tsys:y", *(f"d{d}\tfog on the pier {d}\tfog on pier {d}\tmist {d}" for d in range(6))]
    tsv.write_text("\n".join(rows) + "\n", "utf-8")
    said = tmp_path / "said.jsonl"
    lines = [{"type": "header", "format": "filrouge-judgments/1", "name": "t"}]
    lines += [
        {"type": "rating", "scale": "da", "system": s, "doc": f"d{d}", "seg": 1, "value": v + d}  # type: ignore[dict-item]
        for d in range(6)
        for s, v in (("x", 60), ("y", 20))
    ]
    said.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    texts = ("-t", a, tsv, "--judgments", a, said, "-m", "wer", "--measures", "segment pearson", "--replicates", "20")
    data = json.loads(run("meta", *texts, "-r", "own", "--json").out)
    assert [one["references"] for one in data["test_sets"]] == [["refB"], ["own"]]
    outcome = run("meta", *texts, "-r", "nobody")
    assert (outcome.status, "has no reference 'nobody'" in outcome.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--gold", "mqm", "da", "mqm"], "--gold is given 3 times for 1 test files"),
        (["--measures", "segment wmt12 by pair"], "has no rankings"),
        (["--langpairs", "fr-en"], "there is no test set of 'fr-en'"),
    ],
)
def test_more_mistakes(run: Run, tmp_path: Path, options: list[str], told: str) -> None:
    outcome = run("meta", "-t", docmt(tmp_path, "a"), "-m", "wer", *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert told in outcome.err


def test_study_of_choices(run: Run, tmp_path: Path) -> None:
    from tests.io.judgments.test_paragraphs import PAIR

    lines = []
    for language in ("de", "fr"):
        for i in range(6):
            good, bad = (
                ("text2", "text1") if i else ("text1", "text2")
            )  # people prefer what is like the reference, but once
            lines.append(
                PAIR | {"source_lang": language, "source": f"Nebel {i}", "target": f"The fog {i}", "choice": good}
                | {"text1": f"A mist {i}", "text2": f"The fog {i}", "annotations": {}}
            )  # fmt: skip
            assert bad != good
    path = tmp_path / "study.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    data = json.loads(run("meta", "-t", path, "-m", "chrf", "--replicates", "20", "--json").out)
    assert [one["test_set"] for one in data["test_sets"]] == ["study.de-en", "study.fr-en"]
    found = data["mean"]["metrics"]["chrf"]["agreement"]["document agreement by pair"]
    assert (found["value"], found["pairs"]) == (pytest.approx(5 / 6), 12)
    one = json.loads(run("meta", "-t", path, "-m", "chrf", "--langpairs", "fr-*", "--replicates", "20", "--json").out)
    assert one["test_set"] == "study.fr-en"


def test_judged_system_with_gaps_is_told_of(run: Run, tmp_path: Path) -> None:
    path = docmt(tmp_path, "a")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    del lines[5]["hyps"]["bad"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    outcome = run("meta", "-t", path, "-m", "wer", "--replicates", "20")
    assert outcome.status == 0
    assert "a: left out, as segments are missing: bad" in outcome.err
    assert "3 systems" in outcome.out


def test_several_rankings_are_told_of(run: Run, tmp_path: Path) -> None:
    from tests.io.judgments.test_paragraphs import choice, item

    lines = [item("E-1"), item("E-2"), choice("E-1", "A", "human"), choice("E-2", "A", "mt")]
    lines.append(lines[2] | {"condition": "adequacy"})
    path = tmp_path / "parity.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    outcome = run("meta", "-t", path, "-m", "ttr", "--replicates", "20")
    assert outcome.status == 0
    assert "has the rankings document-fluency, document-adequacy; document-fluency is used" in outcome.err
    outcome = run("meta", "-t", path, "-m", "ttr", "--replicates", "20", "--gold", "document-adequacy")
    assert (outcome.status, outcome.err) == (0, "")
    assert "2 systems, en, no reference (pairs of documents: document-adequacy)" in outcome.out
    outcome = run("meta", "-t", path, "-m", "bleu", "--replicates", "20")
    assert (outcome.status, "bleu compares with references" in outcome.err) == (2, True)


def test_format_that_the_name_does_not_tell(run: Run, tmp_path: Path) -> None:
    path = docmt(tmp_path, "a").rename(tmp_path / "a.data")
    for files in (("-t", path), ("-t", path, "--judgments", path), ("-t", path, "--input-format", "human")):
        assert "reference refB" in run("meta", *files, "-m", "wer", "--replicates", "20").out


def test_systems_where_they_exist(run: Run, tmp_path: Path) -> None:
    a, b = docmt(tmp_path, "a"), docmt(tmp_path, "b")
    b.write_text(b.read_text("utf-8").replace('"bad"', '"worst"'), "utf-8")
    common = ("-m", "wer", "--measures", "system accuracy", "--replicates", "20")
    data = json.loads(run("meta", "-t", a, b, *common, "-s", "good", "poor", "bad", "--json").out)
    assert [one["systems"] for one in data["test_sets"]] == [["good", "poor", "bad"], ["good", "poor"]]
    assert data["mean"]["metrics"]["wer"]["agreement"]["system accuracy"]["pairs"] == 3 + 1
    outcome = run("meta", "-t", a, b, *common, "-s", "good", "nobody")
    assert (outcome.status, "a has no system 'nobody'" in outcome.err) == (2, True)
    outcome = run("meta", "-t", a, b, *common, "-s", "good", "worst")
    assert (outcome.status, "a: agreement needs two systems or more" in outcome.err) == (2, True)


def test_warnings_of_several_test_sets_are_told_once() -> None:
    import warnings

    from filrouge.cli.judged import _each_warning_once

    with pytest.warns(UserWarning) as told, _each_warning_once():
        for text in ("the same", "the same", "other"):
            warnings.warn(text, UserWarning, stacklevel=1)
    assert [str(warning.message) for warning in told] == ["the same", "other"]


def test_texts_alone(run: Run, files: list[str], tmp_path: Path) -> None:
    outcome = run("meta", "-t", files[1], "-m", "bleu")
    assert (outcome.status, outcome.out) == (2, "")
    assert "harbour.tsv: there are texts in this file, and no judgments; name a file of people's judg" in outcome.err
    assert "there is no such file" in run("meta", "-t", tmp_path / "gone.tsv", "-m", "bleu").err


def test_judgments_of_other_systems(run: Run, files: list[str], tmp_path: Path) -> None:
    said = tmp_path / "said.jsonl"
    said.write_text(Path(files[3]).read_text("utf-8").replace('"system": "', '"system": "their-'), "utf-8")
    outcome = run("meta", "-t", files[1], "--judgments", said, "-m", "bleu")
    assert (outcome.status, outcome.out) == (2, "")
    assert "judges: their-bad, their-fair" in outcome.err
    assert "the texts have: good, fair" in outcome.err


def test_plots(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    a, folder = docmt(tmp_path, "a"), tmp_path / "figures"
    common = ("-m", "wer", "chrf", "dbleu", "--replicates", "20", "--plots", folder)
    outcome = run("meta", "-t", a, *common)
    assert (outcome.status, outcome.err) == (0, "")
    assert "agreement with people" in outcome.out
    there = {path.name for path in folder.iterdir()}
    assert {"leaderboard-segment-pearson.svg", "between-segment-pearson.svg", "system-wer.svg"} <= there
    again = run("meta", "-t", a, *common)
    assert (again.status, again.out) == (2, "")
    assert "figures" in again.err
    assert run("meta", "-t", a, *common, "--force").out == outcome.out
    assert {path.name for path in folder.iterdir()} == there
    (folder / "mine.txt").write_text("keep me", "utf-8")
    assert run("meta", "-t", a, *common, "--force").status == 2
    assert (folder / "mine.txt").read_text("utf-8") == "keep me"


def test_plots_of_several_test_sets(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    a, b = docmt(tmp_path, "a"), docmt(tmp_path, "b", ranked=True)
    folder = tmp_path / "figures"
    outcome = run("meta", "-t", a, b, "-m", "wer", "chrf", "--replicates", "20", "--plots", folder)
    assert (outcome.status, outcome.err) == (0, "")
    there = {path.name for path in folder.iterdir()}
    assert {"leaderboard-a-segment-pearson.svg", "leaderboard-b-segment-wmt14-by-pair.svg"} <= there
    assert {"between-a-system-pearson.svg", "between-b-system-pearson.svg", "system-b-wer.svg"} <= there


def test_a_mistake_leaves_no_plots(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    outcome = run("meta", "-t", docmt(tmp_path, "a"), "-m", "wer", "-s", "good", "--plots", tmp_path / "figures")
    assert (outcome.status, outcome.out) == (2, "")
    assert not (tmp_path / "figures").exists()


def test_metrics_of_documents(run: Run, tmp_path: Path) -> None:
    path = docmt(tmp_path, "a")
    data = json.loads(run("meta", "-t", path, "-m", "wer", "dbleu", "ttr", "--replicates", "20", "--json").out)
    for spec in ("dbleu", "ttr"):
        for column, found in data["metrics"][spec]["agreement"].items():
            assert (found["value"] is None) == column.startswith("segment"), column
            assert found["cluster"] is None or not column.startswith("segment")


def test_a_test_set_given_twice_is_no_more_evidence(run: Run, tmp_path: Path) -> None:
    a, b = docmt(tmp_path, "a"), docmt(tmp_path, "b")
    outcome = run("meta", "-t", a, b, "-t", tmp_path / "." / a.name, "-m", "wer")
    assert (outcome.status, outcome.out) == (2, "")
    assert "is given twice with the same judgments" in outcome.err
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(a.read_bytes())
    outcome = run("meta", "-t", a, copy, "-m", "wer")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "copy.jsonl has the same texts and judgments as" in outcome.err


def test_file_of_judgments_that_is_not_there(run: Run, files: list[str]) -> None:
    outcome = run("meta", *files[:2], "--judgments", "gone.jsonl", "-m", "bleu")
    assert (outcome.status, "no such file" in outcome.err) == (2, True)


def test_measures_named_one_by_one(run: Run, files: list[str]) -> None:
    measures = ["--measures", "system pearson", "--measures", "segment pearson"]
    data = json.loads(run("meta", *files, "-m", "wer", *measures, "--json").out)
    assert list(data["metrics"]["wer"]["agreement"]) == ["system pearson", "segment pearson"]


def test_file_that_language_pairs_leave_out_is_told(run: Run, tmp_path: Path) -> None:
    a, b = docmt(tmp_path, "a.de-en"), docmt(tmp_path, "b")
    outcome = run("meta", "-t", a, b, "-m", "wer", "--replicates", "20", "--langpairs", "de-en")
    assert outcome.status == 0
    assert f"left out, as they have nothing of --langpairs de-en: {b}" in outcome.err


def test_table_and_plots_of_one_name(run: Run, files: list[str], tmp_path: Path) -> None:
    outcome = run("meta", *files, "-m", "wer", "--plots", tmp_path / "x", "-o", tmp_path / "." / "x")
    assert (outcome.status, "give each a name of its own" in outcome.err) == (2, True)
    assert not list(tmp_path.iterdir())


def test_rankings_of_one_language_pair_of_several(run: Run, tmp_path: Path) -> None:
    tsv = tmp_path / "harbour.tsv"
    rows = ["doc\tref:A\tsys:alpha\tsys:beta\tsys:gamma"]
    rows += [f"d{i // 2}\tthe ship came in {i}\tthe ship came in {i}\tship came {i}\tno" for i in range(6)]
    tsv.write_text("\n".join(rows) + "\n", "utf-8")
    csv = tmp_path / "ranks.txt"
    lines = [CSV_HEADER]
    for source, ranks in (("Czech", "1,2,3"), ("German", "3,2,1")):
        lines += [f"{source},English,{i},-1,{i},j1,1,alpha,2,beta,3,gamma,{ranks}" for i in range(1, 7)]
    csv.write_text("\n".join(lines) + "\n", "utf-8")
    command = ("meta", "-t", str(tsv), "--judgments", str(csv), "-m", "chrf", "--replicates", "20", "--json")
    measures = ("--measures", "segment wmt12 by pair")
    found = run(*command, *measures)
    assert found.status == 2
    assert "choose one (--judgments-languages SOURCE TARGET" in found.err
    for source, tau in (("Czech", 1.0), ("German", -1.0)):
        chosen = ("--judgments-format", "ranking", "--judgments-languages", source, "English")
        board = json.loads(run(*command, *measures, *chosen).out)
        assert board["metrics"]["chrf"]["agreement"]["segment wmt12 by pair"]["value"] == tau
    alone = run("meta", "-t", str(tsv), "-m", "chrf", "--judgments-format", "ranking")
    assert alone.status == 2
    assert "--judgments-format belongs to --judgments, and none is named" in alone.err


def test_scores_of_several_test_sets(run: Run, tmp_path: Path) -> None:
    """Each has a file of its own, which the name of the test set tells."""
    tests, judgments = [], []
    for name in ("east", "west"):
        texts = ["doc\tref\tsys:x\tsys:y\tsys:z"]
        scores = ["system\tdocument\tsegment\tscore"]
        lines: list[dict[str, object]] = [{"type": "header", "format": "filrouge-judgments/1", "name": name}]
        for i in range(6):
            texts.append(f"{name}{i}\tfog and rain\tfog and rain\tfog and sun\tdog and sun")
            for s, system in enumerate("xyz"):
                scores.append(f"{system}\t{name}{i}\t1\t{i - s}")
                place = {"doc": f"{name}{i}", "seg": 1}
                lines.append({"type": "rating", "scale": "da", "system": system, **place, "value": 50 + i - s})
        (tmp_path / f"{name}.tsv").write_text("\n".join(texts) + "\n", "utf-8")
        (tmp_path / f"mine.{name}.tsv").write_text("\n".join(scores) + "\n", "utf-8")
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        tests.append(tmp_path / f"{name}.tsv")
        judgments.append(tmp_path / f"{name}.jsonl")
    arguments = ("meta", "-t", *tests, "--judgments", *judgments, "--measures", "segment pearson", "--replicates", "20")
    found = run(*arguments, "-m", f"scores(file={tmp_path}/mine.{{test}}.tsv)", "chrf", "--json")
    assert found.status == 0, found.err
    values = json.loads(found.out)["mean"]["metrics"]
    (mine,) = [value for spec, value in values.items() if spec.startswith("scores")]
    assert mine["agreement"]["segment pearson"]["value"] == pytest.approx(1)
    found = run(*arguments, "-m", f"scores(file={tmp_path}/mine.east.tsv)")
    assert found.status == 2
    assert "each has a file of its own, with {test} in its name" in found.err


def test_judgments_that_find_no_place_are_told(run: Run, files: list[str], tmp_path: Path) -> None:
    """A name that is misspelt loses judgments; nobody should have to guess."""
    text = Path(files[3]).read_text("utf-8")
    document = re.search(r'"doc": "(\w+)"', text)
    assert document is not None
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(text.replace(f'"{document[1]}"', '"Elsewhere"'), "utf-8")
    found = run("meta", *files[:3], wrong, *files[4:], "-m", "chrf", "--replicates", "20")
    assert found.status == 0, found.err
    assert re.search(r"warning: harbour: \d+ judgments are of documents that the texts lack: 'Elsewhere'", found.err)
    assert "that the texts lack" not in run("meta", *files, "-m", "chrf", "--replicates", "20").err


def test_tables_call_a_file_of_scores_by_its_label(run: Run, files: list[str], tmp_path: Path) -> None:
    """A path is of no use in a paper; two metrics with one label are told apart by their specs."""
    lines = Path(files[1]).read_text("utf-8").splitlines()[1:]
    rows = [f"{name}\t{len(line) % 7}" for name in NOISE for line in lines]
    (tmp_path / "a.tsv").write_text("\n".join(["system\tscore", *rows]) + "\n", "utf-8")
    spec = f"scores(file={tmp_path / 'a.tsv'},label=COMET)"
    found = run("meta", *files, "-m", spec, "chrf", "--latex", "--differences")
    assert found.status == 0, found.err
    assert "a.tsv" not in found.out
    assert found.out.count("COMET") == 3
    assert spec in json.loads(run("meta", *files, "-m", spec, "--json").out)["metrics"]
    both = run("meta", *files, "-m", spec, spec.replace("label", "scale=2,label"), "--markdown").out
    assert both.count("a.tsv") == 2
