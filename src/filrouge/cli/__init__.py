"""The command line: one file per verb, each with `add_parser(subparsers)` and `run(args) -> int`.

Verbs parse, call the library and print. Nothing heavy is imported before a verb runs, so that `--help` is immediate.
"""
