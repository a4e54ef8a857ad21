"""Imported first: settles the process as the command line does, before NumPy is imported. It serves both sides."""

from filrouge.cli.process import settle_for_one_run

settle_for_one_run()
