"""METEOR beside meteor-1.5.jar: CPU per segment, start-up excluded, and whether the scores are the same.

Both score the same two files of plain text, in a process of their own, once with few segments and once with many; the
difference is what a segment costs. CPU of all threads counts, Java's collector included. Scores of all segments and of
the whole are compared, to 1e-9.

The jar is that of pycocoevalcap, where it is installed, or is given; the paraphrase table lies in data/ beside it.

usage: python bench/meteor.py [--jar FILE] [--markdown FILE]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import settled  # noqa: F401 - before NumPy
from corpus import SHARED, made_up
from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.metrics.meteor import Meteor
from filrouge.metrics.meteor_align import COMPILED
from measure import cost

FEW, MANY = 2_000, 20_000
MODULES = {"ex": "exact", "st": "exact stem", "sy": "exact stem synonym", "pa": "exact stem synonym paraphrase"}


@dataclass(frozen=True)
class Row:
    stages: str
    theirs: float  # CPU per segment, in microseconds
    ours: float

    def __str__(self) -> str:
        return f"| `{self.stages}` | {self.theirs:.0f} | {self.ours:.0f} | {self.theirs / self.ours:.1f} |"


def texts() -> tuple[str, list[tuple[str, str]]]:
    """Outputs and references: three systems of each WMT test set into English that is at hand, else made up."""
    pairs = [pair for path in sorted(SHARED.glob("data/wmt/*-en.jsonl.gz")) for pair in wmt(path)]
    if len(pairs) >= MANY:
        step = len(pairs) // MANY
        return "WMT19 to WMT21 into English", pairs[::step][:MANY]
    work = made_up(MANY // 10, 10)
    return work.origin, [pair for system in work.systems for pair in zip(system, work.reference, strict=True)]


def wmt(path: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header = json.loads(next(file))
        systems = [name for name in header["outputs"] if name not in header["human_outputs"]][:3]
        for record in map(json.loads, file):
            if record["type"] == "seg":
                reference = " ".join(record["refs"][header["std_ref"]].split())
                yield from ((" ".join(record["hyps"][name].split()), reference) for name in systems)


def jar_command(jar: Path, stages: str, system: Path, reference: Path) -> list[str]:
    java = ["java", "-Xmx2G", "-jar", str(jar), str(system), str(reference)]
    return [*java, "-l", "en", "-norm", "-m", MODULES[stages]]


def child(stages: str, jar: Path, system: Path, reference: Path, output: str) -> None:
    """What is measured of ours: files in, scores out."""
    lines = [path.read_text("utf-8").removesuffix("\n").split("\n") for path in (system, reference)]
    test = TestSet((TestDocument("all", {"reference": tuple(lines[1])}),))
    table = str(jar.parent / "data" / "paraphrase-en.gz") if stages == "pa" else None
    metric = Meteor(stages=stages, paraphrases=table)
    score = score_systems(test, [test.system("x", lines[0])], [metric], segments=True, cache=False)[str(metric)]["x"]
    if output:
        values = {"segments": list(score.segments["all"]), "value": score.value}
        Path(output).write_text(json.dumps(values), "utf-8")


def compare(jar: Path, folder: Path, env: Mapping[str, str], stages: str, files: Sequence[Path]) -> None:
    """Whether all scores are the same; the end of the program if not."""
    run = subprocess.run(jar_command(jar, stages, *files), capture_output=True, text=True, check=True)
    theirs = [float(x) for x in re.findall(r"(?m)^Segment \d+ score:\t(\S+)$", run.stdout)]
    final = re.search(r"(?m)^Final score: +(\S+)$", run.stdout)
    output = folder / "ours.json"
    subprocess.run([*ours_command(stages, jar, *files), "--output", str(output)], check=True, env={**os.environ, **env})
    ours = json.loads(output.read_text("utf-8"))
    assert final is not None
    pairs = [*zip(ours["segments"], theirs, strict=True), (ours["value"], float(final[1]))]
    different = sum(abs(a / 100 - b) > 1e-9 for a, b in pairs if a == a)  # NaN: no word on either side
    if different:
        sys.exit(f"stages={stages}: {different} scores of {len(pairs)} differ")


def ours_command(stages: str, jar: Path, system: Path, reference: Path) -> list[str]:
    return [sys.executable, __file__, "--jar", str(jar), "--child", stages, str(system), str(reference)]


def find_jar(given: str | None) -> Path:
    spec = find_spec("pycocoevalcap")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    found = [Path(given)] if given else [Path(folder) / "meteor" / "meteor-1.5.jar" for folder in folders]
    if not found or not found[0].is_file():
        sys.exit("meteor-1.5.jar is not here: pip install --no-deps pycocoevalcap, or name it with --jar")
    if shutil.which("java") is None:
        sys.exit("meteor-1.5.jar needs java, which is not on the PATH")
    return found[0]


def measure(jar: Path, folder: Path) -> Iterator[str]:
    origin, pairs = texts()
    files: dict[int, list[Path]] = {}
    for n in (FEW, MANY):
        files[n] = [folder / f"system{n}.txt", folder / f"reference{n}.txt"]
        for path, lines in zip(files[n], zip(*pairs[:n], strict=True), strict=True):
            path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    how = "compiled" if COMPILED else "Python: there is no filrouge._meteor"
    yield f"{origin}, {MANY} segments; aligner: {how}; Python {platform.python_version()}, {platform.machine()}\n"
    yield "| `stages` | METEOR 1.5, µs | filrouge, µs | ratio |\n|---|---|---|---|"
    env = {"FILROUGE_CACHE": str(folder / "cache")}
    for stages in MODULES:
        compare(jar, folder, env, stages, files[FEW])  # makes the index of the paraphrase table, too

        def per_segment(few: list[str], many: list[str]) -> float:
            spent = [cost(command, cwd=folder, env=env).cpu for command in (few, many)]
            return 1e6 * (spent[1] - spent[0]) / (MANY - FEW)

        theirs = per_segment(*(jar_command(jar, stages, *files[n]) for n in (FEW, MANY)))
        ours = per_segment(*(ours_command(stages, jar, *files[n]) for n in (FEW, MANY)))
        yield str(Row(stages, theirs, ours))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", help="meteor-1.5.jar")
    parser.add_argument("--markdown", help="write the table to this file, too")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--output", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        stages, system, reference = arguments.child
        child(stages, Path(arguments.jar), Path(system), Path(reference), arguments.output)
        return
    jar = find_jar(arguments.jar)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for line in measure(jar, Path(folder)):
            print(line, flush=True)
            lines.append(line)
    if arguments.markdown:
        head = """# Benchmarks: METEOR

Made by `python bench/meteor.py --markdown docs/benchmarks-meteor.md`. CPU of all threads per segment, start-up
excluded: both programs score the same files with few and with many segments, and the difference is what a segment
costs. The scores of all segments are compared, too, to 1e-9.

"""
        Path(arguments.markdown).write_text(head + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
