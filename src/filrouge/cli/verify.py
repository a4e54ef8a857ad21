"""`filrouge verify`: compute a result file again, and say whether it is equal, or what differs and why."""

from __future__ import annotations

import argparse
import io
import json
import math
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from typing import Any, NamedTuple

from filrouge.cli.parser import Subparsers, whole_number
from filrouge.errors import InputError, UsageError

_DESCRIPTION = """\
Compute a result again that `filrouge score`, `filrouge compare` or `filrouge
meta` wrote with --json, and say whether it is equal, or what differs and why."""

_EPILOG = """\
The files that the result was made from must lie where they lay then, seen
from the folder in which you run this.

exit status: 0 if all is equal, 1 if something differs, 2 for a mistake"""

_VERBS = ("score", "compare", "meta")
_NOT_NUMBERS = ("provenance", "version")
_TOLERANCE = 1e-9
DIFFERS = 1


class Difference(NamedTuple):
    """A place in the file, and what stands there then and now."""

    path: tuple[str, ...]
    then: Any
    now: Any


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "verify", help="compute a result file again and compare", description=_DESCRIPTION, epilog=_EPILOG
    )
    parser.add_argument("result", metavar="FILE", help="a result as JSON")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.add_argument(
        "--limit",
        type=whole_number("a number of differences", 0),
        default=20,
        metavar="N",
        help="differences of numbers to print, 0 for all (default: 20)",
    )
    parser.add_argument("--no-cache", dest="cache", action="store_false", help="neither read nor write the cache")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no warnings")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out."""
    from filrouge.cli.process import settle_for_one_run

    settle_for_one_run()
    from filrouge.cli.output import print_json, print_text

    then = _read(args.result)
    command = _command(then, args.result)
    now = _again(command, args)
    differences = list(_differences(then, now))
    numbers = [d for d in differences if d.path[0] not in _NOT_NUMBERS and d.path[-1] != "signature"]
    causes = list(_causes(differences, numbers=bool(numbers)))
    if args.json:
        print_json(
            {
                "equal": not numbers and not causes,
                "causes": causes,
                "differences": [{"path": list(d.path), "then": d.then, "now": d.now} for d in numbers],
            }
        )
    else:
        print_text("".join(f"{line}\n" for line in _told(args, then, numbers, causes)))
    return DIFFERS if numbers or causes else 0


def _read(path: str) -> dict[str, Any]:
    from filrouge.io.text import read_lines

    try:
        data = json.loads("\n".join(read_lines(path)))
    except (ValueError, RecursionError) as error:
        remedy = "give what filrouge score, compare or meta wrote with --json"
        raise InputError(f"this is not JSON ({error})", path=path, remedy=remedy) from error
    if not (isinstance(data, dict) and isinstance(_metrics(data), dict)):
        verbs = f"{', '.join(_VERBS[:-1])} or {_VERBS[-1]}"
        raise InputError(f"this is not a result of filrouge {verbs}", path=path, remedy="write one with --json")
    return data


def _metrics(data: dict[str, Any]) -> Any:
    """What the file says of metrics; `meta` has the mean over several test sets."""
    mean = data.get("mean")
    return mean.get("metrics") if isinstance(mean, dict) else data.get("metrics")


def _command(data: dict[str, Any], path: str) -> list[str]:
    provenance = data.get("provenance")
    provenance = provenance if isinstance(provenance, dict) else {}
    command = provenance.get("command")
    if command is None:
        raise InputError(
            "the file does not say how it was made",
            path=path,
            remedy=f"only what {', '.join(_VERBS)} write can be computed again: filrouge score --json",
        )
    if not (isinstance(command, list) and all(isinstance(word, str) for word in command) and command):
        raise InputError("the command in this file is not a list of words", path=path, remedy="write the result again")
    if any("\0" in word for word in command):
        raise InputError("the command in this file holds a NUL character", path=path, remedy="write the result again")
    if command[0] not in _VERBS:
        raise InputError(f"the file was made by {command[0]!r}, not by {' or '.join(_VERBS)}", path=path)
    if not all(isinstance(part, dict) for part in _parts(provenance)):
        raise InputError("the provenance in this file is damaged", path=path, remedy="write the result again")
    return command


def _parts(provenance: dict[str, Any]) -> Iterator[Any]:
    """What must be an object in what a file tells of its making."""
    yield provenance.get("versions")
    sets = provenance.get("test_sets", [provenance])
    for one in sets if isinstance(sets, list) else [None]:
        yield one
        texts = one.get("texts") if isinstance(one, dict) else None
        yield texts
        yield from texts.values() if isinstance(texts, dict) else ()


def _again(command: Sequence[str], args: argparse.Namespace) -> dict[str, Any]:
    """The same command once more, as data."""
    from filrouge.cli import compare, meta, score
    from filrouge.cli.main import build_parser
    from filrouge.io.text import STDIN

    try:
        with redirect_stdout(io.StringIO()):  # --help prints
            parsed = build_parser().parse_args(list(command))
    except (UsageError, SystemExit) as error:  # argparse leaves after --help
        told = f" ({error})" if isinstance(error, UsageError) else ""
        raise InputError(f"the command in this file cannot be run{told}", path=args.result) from None
    if any(path == STDIN or path.endswith(f"={STDIN}") for path in _inputs(parsed)):
        raise UsageError("the result was made from standard input, which cannot be read again")
    parsed.cache, parsed.quiet = args.cache, args.quiet
    try:
        data: dict[str, Any] = {"score": score, "compare": compare, "meta": meta}[command[0]].data(parsed)
    except InputError as error:
        if error.path is None:
            raise
        raise InputError(
            f"the result cannot be computed again: {error}",
            path=args.result,
            remedy="run this in the folder in which it was made, with the files of then",
        ) from error
    # As it would stand in a file.
    restored: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
    return restored


def _inputs(parsed: argparse.Namespace) -> Iterator[str]:
    """The files, and other names, that a command reads."""
    for option in ("references", "systems", "test", "source", "docids", "judgments"):
        value = getattr(parsed, option, None)
        if value is not None:
            yield from value if isinstance(value, list) else [value]


def _differences(then: Any, now: Any, path: tuple[str, ...] = ()) -> Iterator[Difference]:
    """Places where two trees of data differ; numbers may differ by rounding."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*then, *now)):
            yield from _differences(then.get(key), now.get(key), (*path, str(key)))
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for i, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from _differences(one, other, (*path, str(i)))
    elif _is_number(then) and _is_number(now):
        if not _close(then, now):
            yield Difference(path, then, now)
    elif then != now:
        yield Difference(path, then, now)


def _close(then: float, now: float) -> bool:
    try:
        return math.isclose(then, now, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    except OverflowError:  # a whole number too large for a float
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _causes(differences: Sequence[Difference], *, numbers: bool) -> Iterator[str]:
    """Why numbers may differ, in words, each cause once.

    :param numbers: whether some do; versions of packages, which are no cause by themselves, are told then.
    """
    found = []
    for path, then, now in differences:
        if path[:2] == ("provenance", "texts"):
            found.append(f"{_side(*path[2:])} not the same text")
        elif path[:2] == ("provenance", "test_sets"):
            found.append(f"test set {int(path[2]) + 1 if len(path) > 2 else 1}: {_of_set(path[3:])}")
        elif path[-1] == "signature":
            found += [f"{path[path.index('metrics') + 1]}: {change}" for change in _changed_fields(str(then), str(now))]
        elif path[:2] == ("provenance", "versions") and numbers:
            found.append(f"{path[2]} was {then}, is {now}")
    yield from dict.fromkeys(found)


def _of_set(path: tuple[str, ...]) -> str:
    """What differs in a judged test set."""
    if path[:1] == ("judgments",):
        return "people's judgments are not the same"
    return f"{_side(*path[1:])} not the same text" if path[:1] == ("texts",) else "it is another one"


def _side(side: str, name: str = "") -> str:
    if side in ("documents", "source"):
        return "document ids are" if side == "documents" else "the source is"
    return f"{side.removesuffix('s')} {name!r} is"


def _changed_fields(then: str, now: str) -> Iterator[str]:
    one, other = (dict(field.partition(":")[::2] for field in text.split("|")) for text in (then, now))
    for field in dict.fromkeys((*one, *other)):
        if one.get(field) != other.get(field):
            yield f"{field} was {one.get(field, 'absent')}, is {other.get(field, 'absent')}"


def _told(
    args: argparse.Namespace, then: dict[str, Any], numbers: Sequence[Difference], causes: Sequence[str]
) -> Iterator[str]:
    from filrouge.report.text import visible

    metrics = len(_metrics(then))
    if not numbers and not causes:
        yield visible(f"{args.result}: equal ({metrics} metric{'' if metrics == 1 else 's'})")
        return
    yield visible(
        f"{args.result}: {'differs' if numbers else 'the numbers are equal, but not what they were made from'}"
    )
    for cause in causes:
        yield visible(f"  {cause}")
    if not causes:
        yield "  the texts, options and versions are the same: was the file changed, or this installation?"
    shown = numbers[: args.limit] if args.limit else numbers
    for path, one, other in shown:
        yield visible(f"  {'.'.join(path)}: was {_in_brief(one)}, is {_in_brief(other)}")
    if len(shown) < len(numbers):
        yield f"  … and {len(numbers) - len(shown)} more (--limit 0 shows all)"


def _in_brief(value: object) -> str:
    """A number or text of a result, or that there is more than one."""
    if isinstance(value, dict | list) and value:
        return "there"
    return json.dumps(value)
