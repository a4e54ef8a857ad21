"""`filrouge convert`: the same test set and systems in another format."""

from __future__ import annotations

import argparse

from filrouge.cli.parser import Subparsers, add_columns, columns

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Write a test set and its systems in another format. The formats are told from
the names; output whose name ends in .gz is compressed."""

_EPILOG = """\
examples:
  filrouge convert newstest.xml newstest.jsonl.gz
  filrouge convert data.tsv data.xml --columns doc=id ref:A=gold sys:mine=output
  filrouge convert newstest.xml folder --to text
"""


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    """Add the verb."""
    parser = subparsers.add_parser(
        "convert", help="write a test set in another format", description=_DESCRIPTION, epilog=_EPILOG
    )
    parser.add_argument("input", metavar="INPUT", help="a file, - for standard input, or a folder that --to text made")
    parser.add_argument("output", metavar="OUTPUT", help="the file to write; for text, the folder")
    parser.add_argument("--from", dest="input_format", metavar="FORMAT", help="xml, tsv, jsonl, parquet, human or text")
    parser.add_argument("--to", dest="output_format", metavar="FORMAT", help="xml, tsv, jsonl, parquet or text")
    add_columns(parser)
    parser.add_argument("-l", "--language", metavar="CODE", help="target language (default: what INPUT says, or en)")
    parser.add_argument("--force", action="store_true", help="replace OUTPUT if it exists")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Carry the verb out, and tell what was written."""
    from filrouge.cli.output import print_text, refuse_input
    from filrouge.io import read_corpus, write_corpus
    from filrouge.io.text import counted, noting_reads
    from filrouge.report.text import visible

    with noting_reads():
        reading = {"format": args.input_format, "columns": columns(args.columns), "language": args.language}
        corpus = read_corpus(args.input, **reading)
        refuse_input(args.output)
    write_corpus(corpus, None, args.output, format=args.output_format, overwrite=args.force)
    test_set = corpus.test_set
    counts = {
        "document": len(test_set.documents),
        "segment": test_set.n_segments,
        "reference": len(test_set.reference_names),
        "system": len(corpus.systems),
    }
    told = ", ".join(counted(n, noun) for noun, n in counts.items())
    print_text(f"{visible(args.output)}: {told}\n")
    return 0
