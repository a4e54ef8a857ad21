"""COMET: what filrouge adds around the model, with a stand-in for the package; and the real package where it is.

The stand-in has the part of unbabel-comet 2.2's interface that filrouge calls. It scores by simple rules, so that what
reached the model can be read off the score.
"""

from __future__ import annotations

import json
import math
import pickle
import sys
import warnings
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.result import SystemScore
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeWarning, MissingExtraError, UsageError
from filrouge.metrics import comet as module
from filrouge.metrics.comet import Comet

LIMIT = 12  # tokens that the stand-in reads


class Tokenizer:
    sep_token = "</s>"

    def __call__(self, texts: list[str], *, truncation: bool, verbose: bool) -> dict[str, list[list[int]]]:
        assert truncation is verbose is False
        return {"input_ids": [[0, *map(len, text.split()), 2] for text in texts]}


class Model:
    """Scores .1 for each word of the last sentence of the output that the last sentence of the reference has."""

    def __init__(self, kind: str, pool: str) -> None:
        self.kind, self.pool, self.use_context = kind, pool, False
        self.encoder = SimpleNamespace(tokenizer=Tokenizer(), max_positions=LIMIT + 2, size_separator=2)
        self.seen: list[dict[str, str]] = []
        self.calls: list[dict[str, Any]] = []

    def enable_context(self) -> None:
        self.use_context = self.pool == "avg"

    def predict(self, samples: list[dict[str, str]], **options: Any) -> SimpleNamespace:
        self.seen += samples
        self.calls.append({**options, "use_context": self.use_context})
        scores = []
        for sample in samples:
            words = {side: set(text.split("</s>")[-1].split()) for side, text in sample.items()}
            scores.append(0.1 * len(words["mt"] & words.get("ref", words.get("src", set()))))
        return SimpleNamespace(scores=scores, system_score=sum(scores) / len(scores))


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Model]]:
    """A package called comet whose models are the above; those that were loaded."""
    loaded: list[Model] = []
    package = ModuleType("comet")

    def load_from_checkpoint(path: str, *, local_files_only: bool) -> Model:
        assert local_files_only  # nothing is asked of the network while the files are there
        settings = json.loads((Path(path).parents[1] / "hparams.yaml").read_text())
        loaded.append(Model(settings["class_identifier"], settings.get("pool", "avg")))
        return loaded[-1]

    def download_model(name: str) -> str:
        raise KeyError(f"Model '{name}' not supported by COMET.")

    hub = ModuleType("huggingface_hub")

    def snapshot_download(name: str, *, local_files_only: bool) -> str:
        raise OSError(f"{name} is not in the cache")

    package.load_from_checkpoint = load_from_checkpoint  # type: ignore[attr-defined]
    package.download_model = download_model  # type: ignore[attr-defined]
    hub.snapshot_download = snapshot_download  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "comet", package)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    real = metadata.version
    versions = {"unbabel-comet": "2.2.7"}
    monkeypatch.setattr(metadata, "version", lambda name: versions.get(name) or real(name))
    for cached in (module._load, module._find_checkpoint, module._settings, module._kind, module._sha256):
        cached.cache_clear()
    yield loaded
    for cached in (module._load, module._find_checkpoint, module._settings, module._kind, module._sha256):
        cached.cache_clear()


def checkpoint(folder: Path, kind: str = "regression_metric", **settings: Any) -> str:
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "checkpoints" / "model.ckpt").write_bytes(b"weights")
    (folder / "hparams.yaml").write_text(json.dumps({"class_identifier": kind, **settings}))  # JSON is YAML
    return str(folder)


SOURCE = ["eins zwei", "drei", "vier fünf"]
OUTPUT = ["one two", "three x", "four"]
REFERENCE = ["one two", "three", "four five"]


def scored(
    metric: Comet,
    output: list[str] = OUTPUT,
    *references: Sequence[str | None],
    source: Sequence[str] | None = SOURCE,
) -> SystemScore:
    texts = {f"r{i}": tuple(texts) for i, texts in enumerate(references)}
    test = TestSet((TestDocument("d", texts, source=None if source is None else tuple(source)),))
    return score_systems(test, [test.system("x", output)], [metric], segments=True)[str(metric)]["x"]


def test_mean_of_the_models_scores(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m"), batch_size=7)
    score = scored(metric, OUTPUT, REFERENCE)
    assert score.segments["d"] == pytest.approx([20, 10, 10])
    assert score.value == pytest.approx(40 / 3)
    (model,) = models
    assert model.seen[0] == {"src": "eins zwei", "mt": "one two", "ref": "one two"}
    wanted = {"batch_size": 7, "gpus": 0, "progress_bar": False, "num_workers": 0, "use_context": False}
    assert model.calls == [wanted]


def test_signature_names_the_checkpoint_by_content(models: list[Model], tmp_path: Path) -> None:
    one = scored(Comet(model=checkpoint(tmp_path / "a" / "m")), OUTPUT, REFERENCE).signature
    assert one.startswith("comet|refs:1|model:m@")
    assert "|context:0|empty:zero|references:read|unbabel-comet:2.2.7|" in one
    assert str(tmp_path) not in one
    folder = checkpoint(tmp_path / "b" / "m")
    (Path(folder) / "checkpoints" / "model.ckpt").write_bytes(b"other weights")
    assert scored(Comet(model=folder), OUTPUT, REFERENCE).signature != one
    # The file may be given in place of its folder.
    file = Comet(model=str(tmp_path / "a" / "m" / "checkpoints" / "model.ckpt"))
    assert scored(file, OUTPUT, REFERENCE).signature == one


def test_best_reference(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m"))
    score = scored(metric, OUTPUT, ["one", "three x", None], ["one two", None, "four"])
    assert score.segments["d"] == pytest.approx([20, 20, 10])


def test_context_is_that_of_the_reference(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m"), context=1)
    scored(metric, OUTPUT, REFERENCE)
    assert models[0].seen == [
        {"src": "eins zwei", "mt": "one two", "ref": "one two"},
        {"src": "eins zwei </s> drei", "mt": "one two </s> three x", "ref": "one two </s> three"},
        {"src": "drei </s> vier fünf", "mt": "three </s> four", "ref": "three </s> four five"},
    ]
    assert models[0].calls[0]["use_context"] is True
    # The same model without context, after that.
    scored(Comet(model=metric.model), OUTPUT, REFERENCE)
    assert models[0].calls[1]["use_context"] is False
    assert len(models) == 1


def test_context_stays_within_the_document(models: list[Model], tmp_path: Path) -> None:
    documents = (
        TestDocument("a", {"r": ("one",)}, source=("eins",)),
        TestDocument("b", {"r": ("two",)}, source=("zwei",)),
    )
    test = TestSet(documents)
    metric = Comet(model=checkpoint(tmp_path / "m"), context=2)
    score_systems(test, [test.system("x", ["one", "two"])], [metric])
    assert [sample["src"] for sample in models[0].seen] == ["eins", "zwei"]


def test_oldest_context_goes_first(models: list[Model], tmp_path: Path) -> None:
    source = ["a b c d", "e f g", "h i j", "k"]  # with all of it: 11 words, 3 separators, 2 special tokens
    metric = Comet(model=checkpoint(tmp_path / "m"), context=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scored(metric, ["w", "x", "y", "z"], ["w", "x", "y", "z"], source=source)
    assert models[0].seen[3] == {"src": "e f g </s> h i j </s> k", "mt": "x </s> y </s> z", "ref": "x </s> y </s> z"}


def test_long_segments_are_named(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m"), context=1)
    long = " ".join("w" * 11)
    with pytest.warns(FilrougeWarning, match=r"12 tokens .* x, document 'd', segment 2 \(its output\); cut"):
        scored(metric, ["one", long, "two"], ["one", "x", "two"])
    with pytest.warns(FilrougeWarning, match=r"segment 1 \(its source\), segment 3 \(its reference\)"):
        scored(Comet(model=metric.model), ["one", "x", "two"], ["one", "x", long], source=[long, "b", "c"])


def test_texts_that_a_model_joins_are_measured_together(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m", "unified_metric", input_segments=["mt", "src", "ref"]))
    # 14 positions: one at the start, two after each of three texts, so seven words.
    scored(metric, ["a b c"], ["a b"], source=["x y"])
    with pytest.warns(FilrougeWarning, match="its texts together"):
        scored(metric, ["a b c"], ["a b c"], source=["x y"])


def test_model_without_references(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m", "referenceless_regression_metric"), context=1)
    assert not metric.reads_references
    score = scored(metric, ["eins", "drei x", "y"])
    assert score.segments["d"] == pytest.approx([10, 10, 0])
    assert "ref" not in models[0].seen[0]
    assert models[0].seen[1] == {"src": "eins zwei </s> drei", "mt": "eins </s> drei x"}
    assert "|references:none|" in score.signature
    assert scored(metric, ["eins", "drei x", "y"], REFERENCE).value == score.value


def test_model_with_or_without_references(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m", "unified_metric", input_segments=["mt", "src", "ref"]))
    assert not metric.reads_references
    assert "|references:none|" in scored(metric, ["a", "b", "c"]).signature
    assert "|references:read|" in scored(metric, ["a", "b", "c"], REFERENCE).signature
    with pytest.raises(UsageError, match="different grounds"):
        scored(metric, ["a", "b", "c"], ["a", None, "c"])


def test_unified_model_without_references(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m", "unified_metric", input_segments=["mt", "src"]))
    assert not metric.reads_references
    assert "|references:none|" in scored(metric, ["a", "b", "c"], ["a", None, "c"]).signature
    assert set(models[0].seen[0]) == {"mt", "src"}


def test_model_without_source(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m", "unified_metric", input_segments=["mt", "ref"]))
    assert metric.reads_references
    scored(metric, OUTPUT, REFERENCE, source=None)
    assert set(models[0].seen[0]) == {"mt", "ref"}


def test_no_source(models: list[Model], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--source"):
        scored(Comet(model=checkpoint(tmp_path / "m")), OUTPUT, REFERENCE, source=None)


def test_no_reference(models: list[Model], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="references"):
        scored(Comet(model=checkpoint(tmp_path / "m")), OUTPUT)


def test_empty_output(models: list[Model], tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "m")
    score = scored(Comet(model=folder), ["", " ", "four"], REFERENCE)
    assert score.segments["d"] == pytest.approx([0, 0, 10])
    assert [sample["mt"] for sample in models[0].seen] == ["four"]
    scored(Comet(model=folder, empty="model"), ["", " ", "four"], REFERENCE)
    assert [sample["mt"] for sample in models[0].seen[1:]] == ["", " ", "four"]
    nothing = scored(Comet(model=folder, empty="model"), ["", "a"], ["", "a"], source=["", "b"])
    assert nothing.value == pytest.approx(10)
    assert math.isnan(nothing.segments["d"][0])


def test_context_that_a_model_cannot_use(models: list[Model], tmp_path: Path) -> None:
    metric = Comet(model=checkpoint(tmp_path / "m", pool="cls"), context=2)
    with pytest.raises(UsageError, match="cannot use context"):
        scored(metric, OUTPUT, REFERENCE)


def test_impossible_parameters() -> None:
    for wrong in ({"context": -1}, {"batch_size": 0}, {"gpus": 2}, {"empty": "one"}):
        with pytest.raises(UsageError, match="is not possible"):
            Comet(**wrong)


def test_models_that_are_not_there(models: list[Model], tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"huggingface-cli download Some/model .*checkpoints/model\.ckpt.* model=FOLDER"
    ):
        scored(Comet(model="Some/model"), OUTPUT, REFERENCE)
    with pytest.raises(UsageError, match="no file or folder"):
        scored(Comet(model="/no/such/folder"), OUTPUT, REFERENCE)
    with pytest.raises(UsageError, match=r"has no checkpoints/model\.ckpt"):
        scored(Comet(model=str(tmp_path)), OUTPUT, REFERENCE)
    folder = checkpoint(tmp_path / "m")
    (Path(folder) / "hparams.yaml").write_text("[]")
    with pytest.raises(UsageError, match="class_identifier is missing"):
        scored(Comet(model=folder), OUTPUT, REFERENCE)
    folder = checkpoint(tmp_path / "n")
    (Path(folder) / "hparams.yaml").unlink()
    with pytest.raises(UsageError, match=r"hparams\.yaml is not there"):
        scored(Comet(model=folder), OUTPUT, REFERENCE)


def test_model_from_the_hub(models: list[Model], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(checkpoint(tmp_path / "snapshot"))
    asked = []

    def download_model(name: str) -> str:
        asked.append(name)
        return str(folder / "checkpoints" / "model.ckpt")

    monkeypatch.setattr(sys.modules["comet"], "download_model", download_model)
    with pytest.raises(UsageError, match="--source"):
        scored(Comet(download=True), OUTPUT, REFERENCE, source=None)
    assert asked == []  # nothing is downloaded that could not be used
    with pytest.raises(UsageError, match="not in the hub's cache; add download=true"):
        scored(Comet(), OUTPUT, REFERENCE)
    assert asked == []  # nor without being asked to
    with pytest.raises(UsageError, match="compares with references"):
        scored(Comet(download=True), OUTPUT)
    assert "|model:Unbabel/wmt22-comet-da@" in scored(Comet(download=True), OUTPUT, REFERENCE).signature
    assert asked == ["Unbabel/wmt22-comet-da"]
    # Once it is in the cache, the network is not asked.
    hub = sys.modules["huggingface_hub"]
    monkeypatch.setattr(hub, "snapshot_download", lambda name, *, local_files_only: str(folder))
    module._find_checkpoint.cache_clear()
    assert Comet(download=True).reads_references
    scored(Comet(download=True), OUTPUT, REFERENCE)
    assert asked == ["Unbabel/wmt22-comet-da"]


def test_encoder_that_is_not_there(models: list[Model], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def offline(path: str, *, local_files_only: bool) -> None:
        asked.append(local_files_only)
        raise OSError("We couldn't connect to the hub")

    monkeypatch.setattr(sys.modules["comet"], "load_from_checkpoint", offline)
    metric = Comet(model=checkpoint(tmp_path / "m", pretrained_model="some-encoder"), download=True)
    with pytest.raises(UsageError, match=r"couldn't connect .*huggingface-cli download some-encoder config\.json"):
        scored(metric, OUTPUT, REFERENCE)
    assert asked == [True, False]
    with pytest.raises(UsageError, match="download=true"):
        scored(Comet(model=metric.model), OUTPUT, REFERENCE)
    assert asked == [True, False, True]


def test_hash_that_the_hub_has_for_a_name(tmp_path: Path) -> None:
    blob = tmp_path / "blobs" / ("ab" * 32)
    blob.parent.mkdir()
    blob.write_bytes(b"not read")
    link = tmp_path / "model.ckpt"
    link.symlink_to(blob)
    assert module._sha256(link) == "ab" * 32


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    module._find_checkpoint.cache_clear()
    monkeypatch.setitem(sys.modules, "comet", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'filrouge\[comet\]'"):
        scored(Comet(), OUTPUT, REFERENCE)


def test_travels_between_processes(models: list[Model], tmp_path: Path) -> None:
    test = TestSet((TestDocument("d", {"r": ("a",)}, source=("b",)),))
    fitted = Comet(model=checkpoint(tmp_path / "m")).fit(test)
    again = pickle.loads(pickle.dumps(fitted))
    assert again == fitted
    assert again._sources == {"d": ("b",)}


def test_score_is_vectorised() -> None:
    assert Comet().score(np.array([[1.5, 2.0], [0.0, 0.0]])) == pytest.approx(np.array([75, np.nan]), nan_ok=True)


# --- the package itself, with a model of a few thousand random weights

WORDS = [*"abcdefghijklmnopqrstuvwxyz", *(word for text in (*SOURCE, *OUTPUT, *REFERENCE) for word in text.split())]


def real_checkpoint(folder: Path, kind: str) -> str:
    """A checkpoint as unbabel-comet writes them, of a tiny XLM-R with random weights."""
    import torch
    import yaml
    from comet.models import str2model
    from tokenizers import Tokenizer as Pieces
    from tokenizers import models as piece_models
    from tokenizers import pre_tokenizers, processors
    from transformers import XLMRobertaConfig

    encoder = folder / "encoder"
    encoder.mkdir(parents=True)
    words = dict.fromkeys(["<s>", "<pad>", "</s>", "<unk>", "<mask>", *WORDS])
    pieces = Pieces(piece_models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
    pieces.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    pieces.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    pieces.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    pieces.save(str(encoder / "tokenizer.json"))
    (encoder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "XLMRobertaTokenizer"}))
    XLMRobertaConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
        max_position_embeddings=LIMIT + 4,
    ).save_pretrained(encoder)  # fmt: skip
    torch.manual_seed(1)
    settings: dict[str, Any] = {"pretrained_model": str(encoder), "hidden_sizes": [8], "layer": "mix"}
    if kind == "unified_metric":
        settings = {**settings, "sent_layer": "mix", "word_layer": 2}
        del settings["layer"]
    model = str2model[kind](load_pretrained_weights=False, **settings)
    (folder / "checkpoints").mkdir()
    hparams = dict(model.hparams)
    state = {"state_dict": model.state_dict(), "hyper_parameters": hparams, "pytorch-lightning_version": "2.0.0"}
    torch.save(state, folder / "checkpoints" / "model.ckpt")
    (folder / "hparams.yaml").write_text(yaml.safe_dump({**hparams, "class_identifier": kind}))
    return str(folder)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["regression_metric", "referenceless_regression_metric", "unified_metric"])
@pytest.mark.parametrize("context", [0, 2])
def test_real_package(kind: str, context: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = pytest.importorskip("comet", reason="unbabel-comet is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    folder = real_checkpoint(tmp_path / "tiny", kind)
    metric = Comet(model=folder, context=context)
    if kind == "unified_metric" and context:
        with pytest.raises(UsageError, match="cannot use context"):
            scored(metric, OUTPUT, REFERENCE)
        return
    found = scored(metric, OUTPUT, REFERENCE)
    model = package.load_from_checkpoint(str(Path(folder) / "checkpoints" / "model.ckpt"), local_files_only=True)
    sides = {"src": (SOURCE, SOURCE), "mt": (OUTPUT, REFERENCE), "ref": (REFERENCE, REFERENCE)}
    if kind == "referenceless_regression_metric":
        sides = {"src": (SOURCE, SOURCE), "mt": (OUTPUT, OUTPUT)}
    samples = [
        {
            side: " </s> ".join([*context_texts[max(0, i - context) : i], texts[i]])
            for side, (texts, context_texts) in sides.items()
        }
        for i in range(3)
    ]
    if context:
        model.enable_context()
    wanted = model.predict(samples, batch_size=1, gpus=0, progress_bar=False, num_workers=0).scores
    assert found.segments["d"] == pytest.approx(100 * np.array(wanted), abs=1e-3)
    assert len({round(value, 4) for value in found.segments["d"]}) == 3  # the model does tell texts apart
    if context:
        assert found.segments["d"] != pytest.approx(
            scored(Comet(model=folder), OUTPUT, REFERENCE).segments["d"], abs=1e-3
        )


@pytest.mark.slow
def test_real_package_cuts_where_the_warning_says(tmp_path: Path) -> None:
    pytest.importorskip("comet", reason="unbabel-comet is not installed")
    metric = Comet(model=real_checkpoint(tmp_path / "tiny", "regression_metric"))
    fits, too_long = " ".join("abcdefghij"), " ".join("abcdefghijk")
    assert len(fits.split()) + 2 == LIMIT
    whole = scored(metric, [fits], ["a b"], source=["c"]).value
    with pytest.warns(FilrougeWarning, match=r"12 tokens .*segment 1 \(its output\)"):
        cut = scored(metric, [too_long], ["a b"], source=["c"]).value
    assert cut == pytest.approx(whole, abs=1e-3)
