"""What judge says of the bundled example, and what a text of many parts costs: for docs/metrics/judge.md.

usage: python docs/scripts/judge_example.py
"""

from __future__ import annotations

import random
import time
from importlib.resources import files

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.metrics.judge import TARGETS, Judge


def read(name: str) -> list[str]:
    return (files("filrouge") / "example" / name).read_text("utf-8").splitlines()


def main() -> None:
    reference = read("reference.en.txt")
    rng = random.Random(1)
    words = [text.split() for text in reference]
    outputs = {
        "the reference itself": reference,
        "another reference": read("reference-b.en.txt"),
        "document-mt": read("document-mt.en.txt"),
        "sentence-mt": read("sentence-mt.en.txt"),
        "first half of each segment": [" ".join(text[: len(text) // 2]) for text in words],
        "words in random order": [" ".join(rng.sample(text, len(text))) for text in words],
        "segments of other places": [*reference[5:], *reference[:5]],
        "the source": read("source.zh.txt"),
        "nothing": [""] * len(reference),
    }
    test = TestSet((TestDocument("example", {"a": tuple(reference)}),))
    systems = [test.system(name, texts) for name, texts in outputs.items()]
    (scores,) = score_systems(test, systems, [Judge()]).values()
    print(f"| output | `judge` | {' | '.join(f'`{target}`' for target in TARGETS)} |")
    print("|---" * (2 + len(TARGETS)) + "|")
    for name, score in scores.items():
        parts = [score.breakdown[target]["value"] for target in TARGETS]
        print(f"| {name} | " + " | ".join(f"{value:.1f}" for value in (score.value, *parts)) + " |")
    errors(english_errors(), "en")
    errors(german_errors(), "de")
    cost()


def english_errors() -> list[tuple[str, str, str]]:
    """What is wrong, reference, output: sentences of our own."""
    right = "The mayor said that she would not close the bridge before the winter, because many people needed it."
    free = "Because so many people needed it, the mayor promised that she wouldn't shut the bridge until winter."
    return [
        ("nothing", right, right),
        ("*he* for *she*", right, right.replace("she", "he")),
        ("*Mr Smith* for *the mayor*", right, right.replace("The mayor", "Mr Smith")),
        ("*not* left out", right, right.replace(" not", "")),
        ("*after* for *before*", right, right.replace("before", "after")),
        ("*few* for *many*", right, right.replace("many", "few")),
        ("*although* for *because*", right, right.replace("because", "although")),
        ("*says*, *will* for *said*, *would*", right, right.replace("said", "says").replace("would", "will")),
        ("nothing, but other words", right, free),
        ("*No.* for *Yes.*", "Yes.", "No."),
    ]


def german_errors() -> list[tuple[str, str, str]]:
    """The same in German."""
    right = (
        "Die Bürgermeisterin sagte, dass sie die Brücke vor dem Winter nicht sperren werde, weil viele sie brauchten."
    )
    free = "Weil viele auf sie angewiesen seien, bleibe die Brücke bis zum Winter offen, so die Bürgermeisterin."
    french = "La maire a dit qu'elle ne fermerait pas le pont avant l'hiver, car beaucoup de gens en avaient besoin."
    russian = "Мэр сказала, что не закроет мост до зимы, потому что он нужен многим людям."
    mixed = right.split()
    random.Random(1).shuffle(mixed)
    return [
        ("nothing", right, right),
        ("*dass er* for *dass sie*", right, right.replace("dass sie", "dass er")),
        ("*Frau Schmidt* for *die Bürgermeisterin*", right, right.replace("Die Bürgermeisterin", "Frau Schmidt")),
        ("*nicht* left out", right, right.replace(" nicht", "")),
        ("*nach* for *vor*", right, right.replace("vor dem", "nach dem")),
        ("*wenige* for *viele*", right, right.replace("viele", "wenige")),
        ("*obwohl* for *weil*", right, right.replace("weil", "obwohl")),
        ("*sagt*, *wird* for *sagte*, *werde*", right, right.replace("sagte", "sagt").replace("werde", "wird")),
        ("nothing, but other words", right, free),
        ("words in random order", right, " ".join(mixed)),
        (
            "another sentence",
            right,
            "Am Sonntag backt meine Schwester Brot, und die Nachbarn riechen es bis auf die Straße.",
        ),
        ("left in English", right, english_errors()[0][1]),
        ("left in French", right, french),
        ("left in Russian", right, russian),
        ("*Nein.* for *Ja.*", "Ja.", "Nein."),
    ]


def errors(rows: list[tuple[str, str, str]], language: str) -> None:
    """What single errors cost."""
    names, references, outputs = zip(*rows, strict=True)
    test = TestSet((TestDocument("errors", {"a": references}),), language=language)
    (scores,) = score_systems(test, [test.system("x", outputs)], [Judge()], segments=True).values()
    print("\n| what is wrong | `judge` |\n|---|---|")
    for name, value in zip(names, scores["x"].segments["errors"], strict=True):
        print(f"| {name} | {value:.1f} |")


def cost() -> None:
    """CPU seconds of one part as long as parts can be."""
    encoder = Judge().encoder
    half = " ".join(["door"] * 254)  # one piece each, and three special ones
    encoder.answers([(half, half)], -4)
    start = time.process_time()
    for _ in range(5):
        encoder.answers([(half, half)], -4)
    print(f"\n511 pieces: {(time.process_time() - start) / 5:.2f} s")


if __name__ == "__main__":
    main()
