"""Words with which errors are put into texts: `a>b` where b is wrong in the place of a, connectives, negations.

Chosen for what people mark as major errors: who did it, whether it happened, when, how much, and why.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """Words of a language with which errors are made."""

    swaps: str  # `a>b`: b is put in the place of a
    links: str  # connectives, which get lost
    nots: str
    verbs: str  # beside which a negation can be put: after them, or before
    negation: str
    after: bool = True


UNSPACED = ("zh", "ja")
MARKS = ("-", "–", "•", "*", "1.", "2)", "a)")  # of lists

WORDS = {
    "en": Words(
        "he>she she>he his>her her>his him>her himself>herself herself>himself it>he they>he their>his them>him "
        "we>they is>was are>were was>is were>are has>had had>has will>would would>will said>says says>said who>which "
        "more>less less>more before>after after>before all>some never>always always>never many>few few>many most>few "
        "because>although although>because but>so however>therefore therefore>however if>unless until>since "
        "increase>decrease increased>decreased rise>fall rose>fell first>last last>first high>low low>high "
        "with>without without>with above>below up>down down>up men>women women>men man>woman woman>man "
        "yesterday>tomorrow today>yesterday north>south south>north east>west west>east good>bad old>new new>old",
        "however therefore but because although though thus moreover meanwhile instead so while since also",
        "not no never n't cannot",
        "is was are were will would can could has had should must may might did does",
        "not",
    ),
    "de": Words(
        "er>sie sie>er es>er sein>ihr seine>ihre seinen>ihren seiner>ihrer ihr>sein ihre>seine ihren>seinen ihn>sie "
        "ihm>ihr wir>sie ein>eine eine>ein ist>war sind>waren war>ist waren>sind hat>hatte hatte>hat haben>hatten "
        "wird>wurde wurde>wird werden>wurden mehr>weniger weniger>mehr vor>nach nach>vor alle>einige nie>immer "
        "immer>nie du>Sie viele>wenige wenige>viele weil>obwohl obwohl>weil aber>also jedoch>deshalb deshalb>jedoch "
        "mit>ohne ohne>mit erste>letzte letzte>erste Männer>Frauen Frauen>Männer Mann>Frau Frau>Mann über>unter "
        "gestern>morgen heute>gestern hoch>niedrig neue>alte alte>neue gute>schlechte stieg>fiel",
        "jedoch aber weil obwohl daher deshalb denn allerdings dennoch sondern inzwischen außerdem doch also auch",
        "nicht kein keine keinen nie niemals",
        "ist war sind waren wird werden kann könnte hat haben hatte wurde soll muss",
        "nicht",
    ),
    "ru": Words(
        "он>она она>он его>её её>его ее>его ему>ей ей>ему они>он их>его мы>они был>была была>был было>был были>был "
        "который>которая которая>который больше>меньше меньше>больше более>менее до>после после>до все>некоторые "
        "никогда>всегда всегда>никогда есть>был может>мог много>мало потому>хотя однако>поэтому поэтому>однако но>и "
        "с>без без>с первый>последний мужчина>женщина женщина>мужчина вчера>завтра сегодня>вчера новый>старый "
        "выше>ниже над>под сказал>сказала сказала>сказал",
        "однако но потому поэтому хотя так если тем также затем поскольку зато",
        "не нет никогда",
        "был была было были может могут будет есть",
        "не",
        after=False,
    ),
    "fr": Words(
        "il>elle elle>il son>leur sa>leur lui>leur ils>il elles>ils un>une une>un est>était sont>étaient était>est "
        "a>avait avait>a ont>avaient plus>moins moins>plus avant>après après>avant tous>certains jamais>toujours "
        "toujours>jamais mais>donc cependant>donc donc>cependant beaucoup>peu peu>beaucoup avec>sans sans>avec "
        "premier>dernier homme>femme femme>homme hommes>femmes hier>demain vous>tu nouveau>ancien sur>sous",
        "cependant mais parce car donc pourtant toutefois ainsi aussi alors",
        "pas jamais",
        "est était sont a ont peut sera",
        "pas",
    ),
    "cs": Words(
        "on>ona ona>on jeho>její její>jeho je>byl byl>byla byla>byl jsou>byli byli>jsou má>měl měl>má více>méně "
        "méně>více před>po po>před všichni>někteří nikdy>vždy vždy>nikdy mnoho>málo málo>mnoho protože>ačkoli "
        "však>proto proto>však ale>tedy s>bez bez>s první>poslední muž>žena žena>muž včera>zítra dnes>včera nový>starý",
        "však ale protože proto ačkoli tedy také proto",
        "není nikdy nemá nebyl nebude",
        "",
        "",
    ),
    "pl": Words(
        "on>ona ona>on jego>jej jej>jego jest>był był>była była>był są>byli byli>są ma>miał miał>ma więcej>mniej "
        "mniej>więcej przed>po po>przed wszyscy>niektórzy nigdy>zawsze zawsze>nigdy wiele>mało ponieważ>chociaż "
        "jednak>dlatego dlatego>jednak ale>więc z>bez bez>z pierwszy>ostatni mężczyzna>kobieta kobieta>mężczyzna "
        "wczoraj>jutro dzisiaj>wczoraj nowy>stary",
        "jednak ale ponieważ dlatego chociaż więc także",
        "nie nigdy",
        "jest był była są może będzie",
        "nie",
        after=False,
    ),
    "zh": Words(
        "他>她 她>他 他们>它 它>他 他的>她的 她的>他的 是>不是 不是>是 更多>更少 之前>之后 之后>之前 所有>一些 "
        "增加>减少 减少>增加 因为>虽然 虽然>因为 但是>所以 所以>但是 男>女 女>男 上>下 前>后 大>小 没有>有",
        "但是 因为 所以 虽然 然而 因此 但 也",
        "不 没有 没",
        "会 能 可以",
        "不",
        after=False,
    ),
    "ja": Words(
        "彼>彼女 彼女>彼 前>後 後>前 多い>少ない 少ない>多い すべて>一部 増加>減少 減少>増加 "
        "男性>女性 女性>男性 ます>ません ません>ます しかし>そのため",
        "しかし が ので また",
        "ない ません",
        "",
        "",
    ),
}
