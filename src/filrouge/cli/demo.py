"""`filrouge demo`: the bundled example, scored by the command that it prints."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from filrouge.cli import score
from filrouge.cli.parser import Subparsers
from filrouge.errors import InputError, UsageError
from filrouge.report.text import visible

_FOLDER = Path(__file__).parent.parent / "example"
_REFERENCES = {"a": "reference.en.txt", "b": "reference-b.en.txt"}
_SYSTEMS = {"sentence-mt": "sentence-mt.en.txt", "document-mt": "document-mt.en.txt"}

# Which of these metrics agrees with the marks of a person?
_JUDGED = ["meta", "--test", "judged.tsv", "--judgments", "judged.mqm.tsv", "-m", "bleu", "chrf", "meteor", "blonde"]

_DESCRIPTION = """\
Score the bundled example: three short documents, two references, one system
that is blind to context and one that is not. The command that does it is
printed first."""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser("demo", help="score the bundled example", description=_DESCRIPTION)
    parser.add_argument("--copy", metavar="DIR", help="copy the example's files to this folder, to try commands on")
    parser.add_argument("--force", action="store_true", help="with --copy, replace files that exist")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.main import build_parser  # which itself imports every verb
    from filrouge.cli.output import print_text

    if args.copy == "":
        raise UsageError("--copy needs the name of a folder")
    if args.copy is not None:
        _copy(Path(args.copy), force=args.force)
        shown = f"{_shown_command(args.copy)}\nfilrouge {shlex.join(_JUDGED)}"
        print_text(f"The example is in {visible(args.copy)}. Now try:\n\n{shown}\n")
        return 0
    print_text(f"{_shown_command(str(_FOLDER))}\n\n")
    return score.run(build_parser().parse_args(_command(_FOLDER)))


def _command(folder: Path | None) -> list[str]:
    """The arguments that score the example in this folder, or in the one where the user is."""

    def place(name: str) -> str:
        return name if folder is None else str(folder / name)

    references, systems = (
        [f"{name}={place(file)}" for name, file in files.items()] for files in (_REFERENCES, _SYSTEMS)
    )
    texts = ["-r", *references, "-s", *systems, "--docids", place("docids.txt")]
    return ["score", *texts, "--breakdown", "--show", "findings", "--limit", "8"]


def _shown_command(folder: str) -> str:
    """The command on lines of its own, ready to be copied to a shell."""
    lines = shlex.join(_command(None)).replace(" -s ", " \\\n    -s ").replace(" --docids ", " \\\n    --docids ")
    return f"cd {visible(shlex.quote(folder))}\nfilrouge {lines}"


def _copy(target: Path, *, force: bool) -> None:
    from filrouge.io import atomic_write

    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder cannot be made ({error.strerror})", path=target) from error
    files = sorted(path for path in _FOLDER.iterdir() if path.suffix in (".md", ".txt", ".tsv", ".jsonl"))
    for path in files:  # all or none
        if (target / path.name).exists() and not force:
            remedy = "name another folder, or add --force"
            raise InputError("the file exists already", path=target / path.name, remedy=remedy)
    for path in files:
        with atomic_write(target / path.name, overwrite=force) as file:
            file.write(path.read_bytes())
