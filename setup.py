"""METEOR's alignment in C, which pyproject.toml has no settled way to declare; everything else is there.

Without a compiler the package installs all the same, and a slower twin in Python does the work.
"""

from setuptools import Extension, setup

setup(
    ext_modules=[Extension("filrouge._meteor", ["src/filrouge/_meteor.c"], py_limited_api=True, optional=True)],
)
