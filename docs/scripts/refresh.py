"""Run the commands that the documentation shows and put their output below them.

A fenced block marked `console` holds commands after `$ ` and what they print. Commands run in a copy of the bundled
example; `python` runs a script of docs/scripts. A block of raw Markdown between `<!-- run: … -->` and `<!-- end -->` is
replaced by a command's output. `--check` changes nothing and fails if any page is out of date.

usage: python docs/scripts/refresh.py [--check] [FILE...]
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
RAW = re.compile(r"^<!-- run: (.*?) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)$", re.MULTILINE)


def output(command: str, folder: Path) -> str:
    """What a command prints, standard output and errors together, as in a terminal of 100 columns."""
    words = shlex.split(command.replace("\\\n", " "))
    if words[0] == "filrouge":
        words = [sys.executable, "-m", "filrouge", *words[1:]]
    elif words[0] == "python":
        words = [sys.executable, str(ROOT / words[1]), *words[2:]]
    else:
        raise SystemExit(f"only filrouge and python commands can be shown, not {command!r}")
    env = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1", "FILROUGE_CACHE": str(folder / ".cache")}
    done = subprocess.run(words, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.decode("utf-8").rstrip().split("\n"))


def layout_free(text: str) -> str:
    """The text without the width of columns and rules, which may differ between versions of the table library."""
    return re.sub(r"[ \t─-]+", " ", text)


def refreshed(text: str, folder: Path) -> str:
    def console(block: re.Match[str]) -> str:
        parts = [f"$ {m[1]}\n{output(m[1], folder)}" for m in COMMAND.finditer(block[1])]
        return "```console\n" + "".join(parts) + "```"

    def raw(block: re.Match[str]) -> str:
        return f"<!-- run: {block[1]} -->\n{output(block[1], folder)}<!-- end -->"

    return RAW.sub(raw, CONSOLE.sub(console, text))


def main() -> None:
    check = "--check" in sys.argv
    pages = [Path(name).resolve() for name in sys.argv[1:] if name != "--check"] or PAGES
    stale = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "src" / "filrouge" / "example", folder, dirs_exist_ok=True)
        for page in pages:
            old = page.read_text("utf-8")
            new = refreshed(old, folder)
            if layout_free(new) != layout_free(old) or (new != old and not check):
                stale.append(str(page.relative_to(ROOT)))
                if not check:
                    page.write_text(new, "utf-8")
    if stale:
        print(("out of date: " if check else "refreshed: ") + ", ".join(stale))
        sys.exit(1 if check else 0)


if __name__ == "__main__":
    main()
