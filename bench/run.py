"""`make bench`: filrouge and its peers on the same work in the same run, as ratios.

Absolute seconds depend on the machine and its load; ratios of CPU time within one run hardly do. The official BlonDe
package cannot be installed from PyPI, so its share stands in as spaCy run the way it runs it (everything but the
parser), to which its own counting comes on top.

usage: python bench/run.py [--repeat N] [--large] [--markdown FILE]
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from corpus import Work, made_up, real
from measure import Cost, cost

FILROUGE = [sys.executable, "-m", "filrouge"]
FLOOR = [sys.executable, str(Path(__file__).parent / "floor.py")]
NEEDED, OFFICIAL = "tok2vec,tagger,ner", "tok2vec,tagger,attribute_ruler,lemmatizer,ner"
N_SYSTEMS = 10


@dataclass(frozen=True)
class Line:
    work: str
    measured: str
    asked: str
    met: bool | None

    def row(self) -> str:
        mark = {True: "yes", False: "**no**", None: ""}[self.met]
        return f"| {self.work} | {self.measured} | {self.asked} | {mark} |"


class Bench:
    def __init__(self, folder: Path, repeat: int) -> None:
        self.folder, self.repeat, self.lines = folder, repeat, list[Line]()

    def tell(self, work: str, measured: str, asked: str = "", met: bool | None = None) -> None:
        self.lines.append(Line(work, measured, asked, met))
        print(self.lines[-1].row(), flush=True)

    def score(self, systems: Sequence[str], *options: str, cache: str = "cache") -> Cost:
        command = [*FILROUGE, "score", "-r", "ref.txt", "-s", *systems, "--docids", "docids.txt", *options]
        return cost(command, cwd=self.folder, env={"FILROUGE_CACHE": str(self.folder / cache)})

    def floor(self, components: str, *files: str) -> Cost:
        return cost([*FLOOR, components, *files], cwd=self.folder, env={})

    def best(self, run: Callable[[int], Cost]) -> Cost:
        """The cheapest of several runs: noise only ever adds."""
        return min((run(i) for i in range(self.repeat)), key=lambda c: c.cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=2, help="runs per measurement, of which the cheapest counts")
    parser.add_argument("--large", action="store_true", help="also 200,000 segments with all components (slow)")
    parser.add_argument("--markdown", type=Path, help="write the table to this file as well")
    arguments = parser.parse_args()
    print("| work | measured | asked | met |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), arguments.repeat)
        work = real(N_SYSTEMS) or made_up(2000, N_SYSTEMS)
        work.write(bench.folder)
        small(bench)
        memory(bench, made_up(200_000, 1, clauses=1), "tokens only", "-m", "blonde(categories=pronoun+dm+n-gram)")
        if arguments.large:
            memory(bench, made_up(200_000, 1, clauses=1), "tagger and ner, --jobs 2", "--jobs", "2")
    if arguments.markdown:
        flags = " --large" if arguments.large else ""
        arguments.markdown.write_text(page(bench.lines, work, flags), "utf-8")


def small(bench: Bench) -> None:
    """A real test set: one system, a warm cache, ten systems, two processes."""
    floor = bench.best(lambda _: bench.floor(NEEDED, "ref.txt", "sys0.txt"))
    bench.tell("bare spaCy, needed components, distinct segments (the floor)", f"{floor.cpu:.1f} CPU s")
    official = bench.best(lambda _: bench.floor(OFFICIAL, "ref.txt", "sys0.txt"))
    bench.tell("spaCy as the official package runs it", f"{official.cpu / floor.cpu:.2f} x floor")
    cold = bench.best(lambda i: bench.score(["sys0.txt"], cache=f"cold{i}"))
    ratio = cold.cpu / floor.cpu
    bench.tell("blonde, one system, cold cache, one process", f"{ratio:.2f} x floor", "at most 1.15", ratio <= 1.15)
    warm = bench.best(lambda _: bench.score(["sys0.txt"], cache="cold0"))
    ratio = cold.cpu / warm.cpu
    bench.tell("the same, warm cache", f"{ratio:.0f} x less CPU than cold", "at least 20", ratio >= 20)
    systems = [f"sys{i}.txt" for i in range(N_SYSTEMS)]
    many_floor = bench.floor(NEEDED, "ref.txt", *systems)
    many = bench.score(systems, "--no-cache")
    ratio = many.cpu / many_floor.cpu
    bench.tell(f"{N_SYSTEMS} systems, one pass: each distinct segment once", f"{ratio:.2f} x floor", "", None)
    one = bench.score(systems[:3], "--no-cache")
    two = bench.score(systems[:3], "--no-cache", "--jobs", "2")
    ratio = one.wall / two.wall
    bench.tell(
        "3 systems, --jobs 2 against --jobs 1", f"{ratio:.2f} x faster (wall)", "at least 1.6 if idle", ratio >= 1.6
    )


def memory(bench: Bench, work: Work, what: str, *options: str) -> None:
    work.write(bench.folder)
    spent = bench.score(["sys0.txt"], "--no-cache", *options)
    bench.tell(
        f"{len(work.reference):,} segments, {what}", f"{spent.memory:.0f} MB at peak", "under 1500", spent.memory < 1500
    )


def page(lines: Sequence[Line], work: Work, flags: str) -> str:
    head = f"""# Benchmarks

Made by `python bench/run.py{flags} --markdown docs/benchmarks.md` on {platform.machine()}, Python
{platform.python_version()}, with the texts of {work.origin}. CPU time of the whole process, start-up included; the
cheapest of several runs. Read the ratios: seconds depend on the machine.

| work | measured | asked | met |
|---|---|---|---|
"""
    return head + "\n".join(line.row() for line in lines) + "\n"


if __name__ == "__main__":
    main()
