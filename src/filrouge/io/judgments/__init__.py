"""Readers of people's judgments, one file per format, and the writer of filrouge's own."""

from filrouge.io.judgments.read import JUDGMENT_FORMATS, read_judgments
from filrouge.io.judgments.write import write_judgments

__all__ = ["JUDGMENT_FORMATS", "read_judgments", "write_judgments"]
