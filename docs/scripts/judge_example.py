"""What judge says of the bundled example, and what a text of many parts costs: for docs/metrics/judge.md.

usage: python docs/scripts/judge_example.py
"""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Iterable, Sequence
from importlib.resources import files

from filrouge.corpus import TestDocument, TestSet
from filrouge.engine.run import score_systems
from filrouge.errors import FilrougeWarning
from filrouge.metrics.base import Metric
from filrouge.metrics.judge import IN_BOTH, TARGETS, Judge
from filrouge.metrics.party import Party


def read(name: str) -> list[str]:
    return (files("filrouge") / "example" / name).read_text("utf-8").splitlines()


def main() -> None:
    warnings.simplefilter("ignore", FilrougeWarning)  # of languages that it did not learn from
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
    errors(french_errors(), "fr")
    disorder(SENTENCES)
    disorder(IN_BOTH, "both")
    sisters()
    negation()
    cost()


Case = tuple[str, str, str]  # what is wrong, reference, output


def changed(right: str, *changes: tuple[str, str, str]) -> list[Case]:
    """A sentence as it is, and with one word for another."""
    return [("nothing", right, right), *((what, right, right.replace(old, new)) for what, old, new in changes)]


def english_errors() -> list[Case]:
    """Sentences of our own."""
    right = "The mayor said that she would not close the bridge before the winter, because many people needed it."
    free = "Because so many people needed it, the mayor promised that she wouldn't shut the bridge until winter."
    return [
        *changed(
            right,
            ("*he* for *she*", "she", "he"),
            ("*Mr Smith* for *the mayor*", "The mayor", "Mr Smith"),
            ("*not* left out", " not", ""),
            ("*after* for *before*", "before", "after"),
            ("*few* for *many*", "many", "few"),
            ("*although* for *because*", "because", "although"),
            ("*says*, *will* for *said*, *would*", "said that she would", "says that she will"),
        ),
        ("nothing, but other words", right, free),
        ("said twice", right, f"{right} {right}"),
        ("nothing, but an emoji at the end", right, f"{right} 🙂"),
        ("*No.* for *Yes.*", "Yes.", "No."),
    ]


def german_errors() -> list[Case]:
    """The same in German."""
    right = (
        "Die Bürgermeisterin sagte, dass sie die Brücke vor dem Winter nicht sperren werde, weil viele sie brauchten."
    )
    free = "Weil viele auf sie angewiesen seien, bleibe die Brücke bis zum Winter offen, so die Bürgermeisterin."
    other = "Am Sonntag backt meine Schwester Brot, und die Nachbarn riechen es bis auf die Straße."
    french = "La maire a dit qu'elle ne fermerait pas le pont avant l'hiver, car beaucoup de gens en avaient besoin."
    russian = "Мэр сказала, что не закроет мост до зимы, потому что он нужен многим людям."
    dated = "Im Jahr 2019 kaufte die Stadt die alte Fabrik für drei Millionen Euro."
    sharp = "Er weiß, dass die Straße groß und heiß ist."
    mixed = right.split()
    random.Random(1).shuffle(mixed)
    return [
        *changed(
            right,
            ("*dass er* for *dass sie*", "dass sie", "dass er"),
            ("*Frau Schmidt* for *die Bürgermeisterin*", "Die Bürgermeisterin", "Frau Schmidt"),
            ("*nicht* left out", " nicht", ""),
            ("*nach* for *vor*", "vor dem", "nach dem"),
            ("*wenige* for *viele*", "viele", "wenige"),
            ("*obwohl* for *weil*", "weil", "obwohl"),
            ("*sagt* for *sagte*", "sagte", "sagt"),
        ),
        ("nothing, but other words", right, free),
        ("words in random order", right, " ".join(mixed)),
        ("another sentence", right, other),
        ("left in English", right, english_errors()[0][1]),
        ("left in French", right, french),
        ("left in Russian", right, russian),
        ("said twice, the second time with another end", right, f"{right} {right.replace('brauchten', 'mochten')}"),
        ("nothing, but an emoji at the end", right, f"{right} 🙂"),
        ("nothing, in a sentence with a year", dated, dated),
        ("another year in it", dated, dated.replace("2019", "2016")),
        ("*Nein.* for *Ja.*", "Ja.", "Nein."),
        ("nothing, in a single word", "DANKE", "DANKE"),
        ("small letters for capitals in it", "DANKE", "Danke"),
        ("nothing, in a sentence with *ß*", sharp, sharp),
        ("*ss* for *ß* in it, as the Swiss write", sharp, sharp.replace("ß", "ss")),
    ]


def french_errors() -> list[Case]:
    """A sentence full of names, and one without, left in English."""
    names = "Le président Emmanuel Macron a rencontré Angela Merkel à Paris, selon l'agence Reuters."
    plain = "La maire a dit qu'elle ne fermerait pas le pont avant l'hiver, car beaucoup de gens en avaient besoin."
    return [
        ("nothing, in a sentence full of names", names, names),
        (
            "left in English",
            names,
            "President Emmanuel Macron met Angela Merkel in Paris, according to the agency Reuters.",
        ),
        ("nothing, in a sentence without names", plain, plain),
        ("left in English", plain, english_errors()[0][1]),
    ]


# A sentence, with a negation put in, and in other words; from es on in languages that it did not learn from.
NEGATED = {
    "de": (
        "Der Zug fährt um sieben Uhr ab.",
        "Der Zug fährt nicht um sieben Uhr ab.",
        "Abfahrt ist um sieben.",
    ),
    "cs": ("Vlak odjíždí v sedm hodin.", "Vlak v sedm hodin neodjíždí.", "Odjezd vlaku je v sedm."),
    "ru": ("Поезд отправляется в семь часов.", "Поезд не отправляется в семь часов.", "Отход поезда — в семь."),
    "pl": ("Pociąg odjeżdża o siódmej.", "Pociąg nie odjeżdża o siódmej.", "Odjazd pociągu jest o godzinie siódmej."),
    "fr": (
        "Le train part à sept heures.",
        "Le train ne part pas à sept heures.",
        "Le départ est à sept heures.",
    ),
    "es": ("El tren sale a las siete.", "El tren no sale a las siete.", "La salida del tren es a las siete."),
    "sv": ("Tåget avgår klockan sju.", "Tåget avgår inte klockan sju.", "Klockan sju går tåget."),
    "ro": ("Trenul pleacă la ora șapte.", "Trenul nu pleacă la ora șapte.", "Plecarea trenului este la șapte."),
    "uk": ("Поїзд вирушає о сьомій.", "Поїзд не вирушає о сьомій.", "Відправлення поїзда о сьомій годині."),
}


def negation() -> None:
    """What a negation costs, beside other words."""
    print("\n| language | metric | as it is | a negation put in | in other words |\n|---|---|---|---|---|")
    for language, texts in NEGATED.items():
        metrics = (Judge(), Judge(network="both"), Party()) if language in IN_BOTH else (Judge(), Party())
        for metric in metrics:
            values = against_first(texts, language, metric)
            print(f"| {language} | `{metric}` | {' | '.join(f'{value:.1f}' for value in values)} |")


def against_first(outputs: Sequence[str], language: str, metric: Metric = Judge()) -> list[float]:  # noqa: B008 - frozen
    """Scores of several outputs, of which the first is the reference."""
    test = TestSet((TestDocument("d", {"a": (outputs[0],) * len(outputs)}),), language=language)
    (scores,) = score_systems(test, [test.system("x", outputs)], [metric], segments=True).values()
    return [float(value) for value in scores["x"].segments["d"]]


# In each language the same sentence, and another one.
SENTENCES = {
    "de": "Die Stadt will das alte Rathaus im kommenden Jahr sanieren, obwohl das Geld dafür noch nicht bewilligt ist.",
    "cs": "Město chce příští rok opravit starou radnici, ačkoli na to ještě nebyly schváleny peníze.",
    "ru": "Город хочет отремонтировать старую ратушу в следующем году, хотя деньги на это ещё не выделены.",
    "pl": "Miasto chce w przyszłym roku wyremontować stary ratusz, chociaż pieniądze nie zostały jeszcze przyznane.",
    "fr": "La ville veut rénover l'ancienne mairie l'année prochaine, bien que l'argent n'ait pas encore été accordé.",
    "zh": "市政府计划明年修缮旧市政厅，尽管资金尚未获批，许多市民更希望建一所新学校。",
    "ja": "市は来年、旧市庁舎を改修する予定だが、資金はまだ承認されておらず、多くの市民は新しい学校を望んでいる。",
    "es": "La ciudad quiere renovar el antiguo ayuntamiento el próximo año, aunque el dinero aún no se ha aprobado.",
    "it": "La città vuole rinnovare il vecchio municipio l'anno prossimo, anche se i fondi non sono ancora approvati.",
    "nl": "De stad wil het oude stadhuis volgend jaar opknappen, hoewel het geld daarvoor nog niet is toegekend.",
    "pt": "A cidade quer renovar a velha câmara municipal no próximo ano, embora o dinheiro ainda não esteja aprovado.",
    "tr": "Şehir, para henüz onaylanmamış olsa da eski belediye binasını gelecek yıl yenilemek istiyor.",
    "uk": "Місто хоче наступного року відремонтувати стару ратушу, хоча гроші на це ще не виділені.",
    "hr": "Grad želi sljedeće godine obnoviti staru vijećnicu, iako novac za to još nije odobren.",
    "sv": "Staden vill renovera det gamla rådhuset nästa år, trots att pengarna ännu inte har beviljats.",
    "ro": "Orașul vrea să renoveze vechea primărie anul viitor, deși banii nu au fost încă aprobați.",
}
OTHERS = {
    "de": "Der Zug am Morgen hatte zwei Stunden Verspätung, und viele Reisende kamen zu spät zur Arbeit.",
    "cs": "Ranní vlak měl dvě hodiny zpoždění a mnoho cestujících přišlo pozdě do práce.",
    "ru": "Утренний поезд опоздал на два часа, и многие пассажиры не успели вовремя на работу.",
    "pl": "Poranny pociąg spóźnił się o dwie godziny i wielu podróżnych nie zdążyło do pracy.",
    "fr": "Le train du matin avait deux heures de retard, et beaucoup de voyageurs sont arrivés en retard au travail.",
    "zh": "早上的火车晚点了两个小时，许多乘客上班迟到了。",
    "ja": "朝の電車は二時間遅れ、多くの乗客が仕事に間に合わなかった。",
    "es": "El tren de la mañana llegó con dos horas de retraso y muchos viajeros llegaron tarde al trabajo.",
    "it": "Il treno del mattino aveva due ore di ritardo e molti viaggiatori sono arrivati tardi al lavoro.",
    "nl": "De ochtendtrein had twee uur vertraging en veel reizigers kwamen te laat op hun werk.",
    "pt": "O comboio da manhã chegou com duas horas de atraso e muitos passageiros chegaram tarde ao trabalho.",
    "tr": "Sabah treni iki saat gecikti ve birçok yolcu işe geç kaldı.",
    "uk": "Ранковий поїзд запізнився на дві години, і багато пасажирів не встигли вчасно на роботу.",
    "hr": "Jutarnji vlak kasnio je dva sata i mnogi su putnici zakasnili na posao.",
    "sv": "Morgontåget var två timmar försenat och många resenärer kom för sent till jobbet.",
    "ro": "Trenul de dimineață a întârziat două ore și mulți călători au ajuns târziu la serviciu.",
}
ENGLISH = "The city wants to renovate the old town hall next year, although the money has not been approved yet."


def disorder(languages: Iterable[str], network: str = "auto") -> None:
    """A sentence, its words in random order (in Chinese and Japanese characters), its halves exchanged, and others."""
    kinds = (
        "as it is",
        "in 40 random orders: mean",
        "highest",
        "halves exchanged",
        "another sentence",
        "left in English",
    )
    print(f"\n| language | {' | '.join(kinds)} |\n" + "|---" * (1 + len(kinds)) + "|")
    for language in languages:
        text = SENTENCES[language]
        space = " " if " " in text else ""
        words = text.split() if space else list(text)
        rng = random.Random(1)
        half = len(words) // 2
        orders = [words, words[half:] + words[:half], *(rng.sample(words, len(words)) for _ in range(40))]
        outputs = [*(space.join(order) for order in orders[:2]), OTHERS[language], ENGLISH]
        outputs += [space.join(order) for order in orders[2:]]
        right, exchanged, other, english, *mixed = against_first(outputs, language, Judge(network=network))
        found = (right, sum(mixed) / len(mixed), max(mixed), exchanged, other, english)
        print(f"| {language} | {' | '.join(f'{value:.1f}' for value in found)} |")


SISTERS = {"es": "pt it fr", "pt": "es it fr", "it": "es pt fr", "ro": "it es fr", "nl": "de sv", "sv": "nl de"}
SISTERS |= {"uk": "ru pl cs", "hr": "cs pl"}


def sisters() -> None:
    """The same sentence, left in a language that is related to that of the reference."""
    print("\n| language | as it is | left in a related language |\n|---|---|---|")
    for language, others in SISTERS.items():
        right, *left = against_first([SENTENCES[other] for other in (language, *others.split())], language)
        told = ", ".join(f"{other} {value:.1f}" for other, value in zip(others.split(), left, strict=True))
        print(f"| {language} | {right:.1f} | {told} |")


def errors(rows: list[Case], language: str) -> None:
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
    print("\n| language | one network, ms | both, ms |\n|---|---|---|")
    for language in IN_BOTH:
        spent = []
        test = TestSet((TestDocument("d", {"a": (SENTENCES[language],)}),), language=language)
        for network in ("auto", "both"):
            metric = Judge(network=network).fit(test)
            start = time.process_time()
            for encoder in metric.encoders:
                for _ in range(20):
                    encoder.answers([(SENTENCES[language], OTHERS[language])], -4)
            spent.append((time.process_time() - start) / 20 * 1000)
        print(f"| {language} | {' | '.join(f'{value:.0f}' for value in spent)} |")


if __name__ == "__main__":
    main()
