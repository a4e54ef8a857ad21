"""Keep what networks said of test sets that they never saw: as much of it as the weights and the pages may read.

usage: python training/party/keep.py FOLDER [KEPT]

FOLDER is OUT of training/judge/networks.mk; KEPT is training/party/predictions where nothing else is said, which
`make party` reads.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from data import WITHOUT, check_predictions

READ = ("without*.predictions.npz", "glosses*.predictions.npz", "like*.predictions.npz", "encoder.npz")
KEPT = Path(__file__).parent / "predictions"


def is_read(test_set: str, file: str) -> bool:
    """Networks answered for all languages of their training, and for 2012; not all of that is asked."""
    language = test_set.rpartition("-")[2]
    if file.startswith(("glosses", "like")):
        return language != "en"
    if file.startswith("without."):  # a pair, into English
        return language == "en" and not test_set.startswith("wmt12")
    return not test_set.startswith("wmt12") or file in (f"without{WITHOUT['wmt12']}.predictions.npz", "encoder.npz")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("kept", type=Path, nargs="?", default=KEPT)
    given = parser.parse_args()
    check_predictions(given.folder)  # of some networks only, new answers would stand beside old ones
    given.kept.mkdir(parents=True, exist_ok=True)
    for path in sorted(path for pattern in READ for path in given.folder.glob(pattern)):
        with np.load(path, allow_pickle=False) as archive:
            said = {name: archive[name] for name in archive.files if is_read(name, path.name)}
        np.savez_compressed(given.kept / path.name, **said)
        print(f"{path.name}: {len(said)} test sets")


if __name__ == "__main__":
    main()
