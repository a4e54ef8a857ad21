"""Contrastive suites: texts with a correct and an incorrect variant. One file per format."""

from filrouge.io.suites.item import Suite, SuiteItem
from filrouge.io.suites.read import read_suite

__all__ = ["Suite", "SuiteItem", "read_suite"]
