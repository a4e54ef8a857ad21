"""Every mistake of a user gets one line that says what is wrong, exit status 2 and no traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import TEXTS, Outcome, Run

Write = Callable[..., Path]


@pytest.fixture
def folder(write: Write, tmp_path: Path) -> Path:
    """Files with everything that can be wrong with a file."""
    write("ref.txt", ["She left.", "He stayed."])
    write("good.txt", ["He left.", "She stayed."])
    write("short.txt", ["He left."])
    write("empty.txt", "")
    write("blank.txt", "\n\n")
    write("latin1.txt", "Caf\xe9.\nEt alors?\n".encode("latin-1"))
    write("utf16.txt", "She left.\nHe stayed.\n".encode("utf-16"))
    write("nul.txt", b"She \0left.\nHe stayed.\n")
    write("cut.txt.gz", b"\x1f\x8b\x08\x00broken")
    write("docids-short.txt", ["a"])
    write("docids-split.txt", ["a", ""])
    write("broken.xml", "<dataset><collection>")
    write("bomb.xml", '<!DOCTYPE x [<!ENTITY a "b">]><dataset>&a;</dataset>')
    write("broken.jsonl", '{"doc": "d", "ref": ')
    write("gap.jsonl", '{"doc": "d", "ref": "x", "mt": "y"}\n{"doc": "d", "ref": "x"}\n')
    write("no-systems.jsonl", '{"doc": "d", "ref": "x"}\n')
    write("table.csv", ["doc,ref,mt", "d,x,y"])
    write("suite.jsonl", ['{"type": "header", "format": "filrouge-suite/1", "name": "x", "language": "en"}'])
    write("exists.txt", "precious")
    (tmp_path / "folder").mkdir()
    return tmp_path


def check(outcome: Outcome, words: str) -> None:
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith("filrouge: error: ")
    assert outcome.err.count("\n") == 1
    assert outcome.err.endswith("\n")
    assert "Traceback" not in outcome.err
    assert words in outcome.err


GOOD = "-r ref.txt -s good.txt "


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("score", "--references is missing"),
        ("score -r ref.txt", "--systems is missing"),
        ("score -r missing.txt -s good.txt", "missing.txt: there is no such file"),
        ("score -r ref.txt -s missing.txt", "missing.txt: there is no such file"),
        ("score -r ref.txt -s me=missing.txt", "missing.txt: there is no such file"),
        ("score -r ref.txt -s empty.txt", "empty.txt: the file is empty"),
        ("score -r empty.txt -s good.txt", "empty.txt: the file is empty"),
        ("score -r ref.txt -s folder", "folder"),
        ("score -r folder -s good.txt", "folder"),
        ("score -t folder", "folder"),
        ("score -r ref.txt --docids folder -s good.txt", "folder: this is a folder"),
        ("score -r ref.txt -s short.txt", "short.txt: 1 segment where the test set has 2"),
        ("score -r ref.txt short.txt -s good.txt", "short.txt"),
        ("score -r ref.txt -s good.txt --source short.txt", "short.txt"),
        ("score -r ref.txt -s latin1.txt", "latin1.txt, line 1: the text is not UTF-8"),
        ("score -r ref.txt -s utf16.txt", "utf16.txt, line 1: the text is UTF-16"),
        ("score -r ref.txt -s nul.txt", "nul.txt, line 1: there is a NUL byte"),
        ("score -r ref.txt -s cut.txt.gz", "cut.txt.gz"),
        ("score -r ref.txt -s blank.txt --blank-lines", "blank.txt"),
        (f"score {GOOD} --docids docids-short.txt", "docids-short.txt"),
        (f"score {GOOD} --docids docids-split.txt", "docids-split.txt, line 2"),
        (f"score {GOOD} --docids missing.txt", "missing.txt"),
        (f"score {GOOD} --docids docids-short.txt --blank-lines", "blank lines"),
        ("score -r ref.txt -s good.txt good.txt", "good"),
        ("score -r ref.txt -s x=good.txt x=ref.txt", "'x'"),
        (f"score {GOOD} -m bleeu", "there is no metric 'bleeu'"),
        (f"score {GOOD} -m blond", "did you mean 'blonde'?"),
        (f"score {GOOD} -m blonde(lowrcase=true)", "did you mean 'lowercase'?"),
        (f"score {GOOD} -m blonde(lowercase=perhaps)", "write true or false"),
        (f"score {GOOD} -m blonde(", "is not a metric"),
        (f"score {GOOD} -m blonde+", "blonde+ needs annotation"),
        (f"score {GOOD} -m blonde+(annotation=missing.txt)", "missing.txt"),
        (f"score {GOOD} -m chrf(beta=1e200)", "beta=1e+200 is not possible; write a number above 0, at most 1000000"),
        (f"score {GOOD} -m rouge-w(weight=1e200)", "weight=1e+200 is not possible; write a number from 1 to 20"),
        (f"score {GOOD} -m blond2021-d(alpha=1e200)", "alpha=1e+200 is not possible; write a number from 0.1 to 20"),
        (f"score {GOOD} -m blond2021-d(alpha=1e-200)", "alpha=1e-200 is not possible; write a number from 0.1 to 20"),
        (f"score {GOOD} -m blonde(entity_weights=1e308+1e308)", "weights are from 0 to 1000000 and not all zero"),
        (f"score {GOOD} -m blond2021(entity_weights=1e308+1e308)", "weights are from 0 to 1000000 and not all zero"),
        (f"score {GOOD} -l xx", "no language 'xx'"),
        (f"score {GOOD} -l ../en", "the target language is '../en', which is no code of a language; write its code"),
        (f"score {GOOD} -l jp -m bleu", "the target language is 'jp', which is no code of a language; write ja"),
        (f"score {GOOD} -p missing_pipeline", "no spaCy pipeline 'missing_pipeline'"),
        (f"score {GOOD} -j none", "'none' is not auto or a number of processes"),
        (f"score {GOOD} -j -1", "-j"),
        (f"score {GOOD} --digits 99", "'99' is not a number of digits"),
        (f"score {GOOD} --limit many", "'many' is not a number of findings"),
        (f"score {GOOD} --level paragraph", "paragraph"),
        (f"score {GOOD} --format yaml", "yaml"),
        (f"score {GOOD} --columns doc=id", "belong to --test"),
        (f"score {GOOD} --input-format tsv", "belong to --test"),
        (f"score {GOOD} -o exists.txt", "exists.txt: the output exists already"),
        (f"score {GOOD} -o folder", "folder: this is a folder"),
        (f"score {GOOD} -o folder/missing/x.txt", "folder does not exist"),
        (f"score {GOOD} --force surplus", "unrecognized arguments: surplus"),
        (f"score {GOOD} --sys x", "unrecognized arguments: --sys x"),
        (f"score {GOOD} --system x", "did you mean --systems?; see filrouge score --help"),
        ("score -r ref.txt -s -good.txt", "write ./-name for a file whose name begins with -"),
        (f"score {GOOD} -o new/", "new/: there is no such folder"),
        ("score -t missing.xml", "missing.xml: there is no such file"),
        ("score -t broken.xml", "broken.xml"),
        ("score -t bomb.xml", "bomb.xml"),
        ("score -t broken.jsonl", "broken.jsonl, line 1"),
        ("score -t ref.txt", "ref.txt"),
        ("score -t table.csv", "table.csv: texts are not read from CSV, which every program writes differently; write"),
        ("score -t ref.txt --input-format yaml", "yaml"),
        ("score -t no-systems.jsonl", "no system in no-systems.jsonl"),
        ("score -t gap.jsonl", "gap.jsonl, line 2: system 'mt' has no translation of segment 2"),
        ("score -t mistyped", "mistyped: there is no such file"),
        (
            "score -t suite.jsonl",
            "suite.jsonl, line 1: this file is a contrastive suite, not a test set; give it to filrouge",
        ),
        ("meta -t - --judgments - -m bleu", "standard input (-) can be only one of the files"),
        ("tune -t - - -m chrf -o new.json", "standard input (-) can be only one of the files"),
        ("compare -r ref.txt -s good.txt -m comet", "a comparison needs two systems or more"),
        (f"compare {GOOD} x=good.txt -m comet -b y", "no system 'y' was scored"),
        (f"compare {GOOD} x=good.txt -m comet --sacrebleu bs -b y", "no system 'y' was scored"),
        (f"compare {GOOD} x=good.txt -m comet --runs", "'good' does not say which run of which system it is"),
        (
            f"compare {GOOD} x=good.txt -m bleu --alpha 1e-20",
            "alpha 1e-20 is not possible; write a number from 1e-09 to",
        ),
        ("score -t no-systems.jsonl -s other", "other"),
        ("score -t no-systems.jsonl -r other -s good.txt", "other"),
        ("score -t no-systems.jsonl --docids docids-short.txt", "belong to plain text"),
        ("score -t no-systems.jsonl --columns doc", "OURS=THEIRS"),
        ("score -t no-systems.jsonl --columns doc=a doc=b", "twice"),
        ("metrics bolnde", "did you mean 'blonde'?"),
        ("cache explode", "explode"),
        ("demo --copy exists.txt", "exists.txt"),
        ("scroe", "did you mean 'score'?"),
        ("--debugg", "--debugg"),
    ],
)
def test_one_line_and_status_2(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, words: str
) -> None:
    monkeypatch.chdir(folder)
    check(run(*command.split()), words)
    assert (folder / "exists.txt").read_text("utf-8") == "precious"


def test_message_is_one_line_whatever_the_name(run: Run) -> None:
    check(run("score", "-r", "a\nb\x1b[2J", "-s", "c"), "a␊b␛[2J: there is no such file")


@pytest.mark.parametrize(
    "command",
    [
        ("score", "-r", "ref.txt", "-s", ""),
        ("score", "-r", "", "-s", "good.txt"),
        ("score", "-r", "ref.txt", "-s", "good.txt", "-o", ""),
        ("score", "-r", "ref.txt", "-s", "good.txt", "-m", "blonde+(annotation=)"),
        ("score", "-t", "", "--input-format", "tsv"),
        ("convert", "no-systems.jsonl", "", "--to", "text"),
        ("demo", "--copy", ""),
    ],
)
def test_empty_name(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    check(run(*command), "empty" if command[0] != "demo" else "needs the name")
    assert sorted(folder.iterdir()) == before


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that not even root may write to")
def test_unwritable_folder(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    check(run("score", *GOOD.split(), "-o", "/proc/scores.txt"), "/proc/scores.txt: the output")
    check(run("demo", "--copy", "/proc/example"), "/proc/example: the folder cannot be made")


def test_no_verb_shows_the_help(run: Run) -> None:
    outcome = run()
    assert outcome.status == 2
    assert outcome.err.startswith("usage: filrouge")


def test_an_ending_of_a_format_that_a_verb_does_not_write(run: Run, tmp_path: Path) -> None:
    made = tmp_path / "scores.md"
    found = run("score", *TEXTS, "-m", "bleu", "-o", made)
    assert found.status == 2
    assert "scores.md looks like markdown, which is not written here; say which of table, json, csv, latex" in found.err
    assert not made.exists()
    assert run("score", *TEXTS, "-m", "bleu", "-o", made, "--format", "table").status == 0


@pytest.mark.parametrize("lost", ["ref.txt", "a.txt", "docs.txt", "link.txt", "mine.tsv"])
@pytest.mark.parametrize("verb", ["score", "compare"])
def test_an_input_is_not_replaced_by_the_output(run: Run, tmp_path: Path, verb: str, lost: str) -> None:
    """Whatever --force says, and under whatever name."""
    texts = {"ref.txt": "Fog.\nRain.\n", "a.txt": "Fog.\nSun.\n", "b.txt": "Dog.\nSun.\n", "docs.txt": "d\ne\n"}
    texts["mine.tsv"] = "system\tdocument\tsegment\tscore\n" + "".join(
        f"{name}\t{doc}\t1\t{n}\n" for name in "ab" for n, doc in enumerate("de")
    )
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "link.txt").symlink_to(tmp_path / "ref.txt")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    inputs = (
        "-r",
        tmp_path / "ref.txt",
        "-s",
        tmp_path / "a.txt",
        tmp_path / "b.txt",
        "--docids",
        tmp_path / "docs.txt",
    )
    metrics = ("-m", "chrf", f"scores(file={tmp_path / 'mine.tsv'})")
    outcome = run(verb, *inputs, *metrics, "-o", tmp_path / lost, "--force", "--format", "table", "-q")
    assert outcome.status == 2
    assert outcome.err.endswith(
        f"{tmp_path / lost} is one of the inputs, and would be lost; name another file to write to\n"
    )
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert run(verb, *inputs, *metrics, "-o", tmp_path / "out.txt", "-q").status == 0
    assert run(verb, *inputs, *metrics, "-o", tmp_path / "out.txt", "--force", "-q").status == 0
    made = tmp_path / "scores.PDF"
    found = run("score", *TEXTS, "-m", "bleu", "-o", made)
    assert (found.status, found.err.count("\n"), made.exists()) == (2, 1, False)
    assert "filrouge does not write .pdf; say which of table, json, csv, latex" in found.err
    assert run("score", *TEXTS, "-m", "bleu", "-o", made, "--format", "table").status == 0
