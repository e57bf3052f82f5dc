"""Claims of deeds: "Added.", "I've emailed it", "your order is on its way", in whatever form; each is one that this turn made, or a fault.

The tools change the cart and hand over a link to the checkout. Whatever else a reply says was done (paid, sent, reserved,
refunded, applied) nobody did.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.policies import INTERJECTION
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.text import fold

_CLAUSES: Final = re.compile(r"[.,;:!?؟،؛()\n–—]|\s-\s")
# What comes before a deed that is told without a subject.
_OPENER: Final = (
    r"^\W*(?:(?:ok(?:ay)?|sure|great|perfect|alright|right|yes|there|consider it|all|and|now|just|parfait|voila|hop|tres bien|super|entendu|oui|c'est|tout est|et|bien"
    r"|نعم|حسنا|تمام|ايه|واخا|صافي|مزيان|و?ها هي|و?ها هو|هانا|راه|safi|wakha|ok|iyeh|ah|hahowa|hahiya|rah|mzyan)\s+)*"
)
_END: Final = r"(?=\s*$|\s+(?:to|in|into|from|for|it|them|that|both|one|two|x?\d|successfully|already|with success|as you|as asked|au|a|dans|du|de|pour|avec|comme|merci|thanks?|lik|liya|f|mn|daba|kolchi|kamel\w*|ب\w+|ال\w+|هذا|هذه|جميع|كل|الى|الي|من|في|ليك|لك|كما|ف\w+|بنجاح)(?!\w))"
# Without a subject: what was done to the cart.
_BARE: Final = {
    "add": r"added|popped in|it's in|they're in|it is in|ajoutee?s?|mise?s? (?:au|dans)|(?:تمت|تم) (?:ال)?اضاف\w*|اضيف\w*|ادرج\w*|تزاد\w*|تحط\w*|tz(?:a|e)d\w*|t7et\w*|dertha\w* lik|drtha\w* lik|rah dakhel",
    "remove": r"removed|deleted|taken out|gone|retiree?s?|supprimee?s?|enlevee?s?|(?:تم|تمت) (?:ال)?(?:حذف|ازال|سحب)\w*|ازيل\w*|حذف\w*|تحيد\w*|t7[ie]?yy?e?d\w*|m(?:e)?cha(?:t|w)?|مشات|مشا",
    "update": r"updated|changed|adjusted|modifiee?s?|corrigee?s?|(?:تم|تمت) (?:ال)?(?:تعديل|تحديث|تغيير)\w*|تبدل\w*|tbedd?e?l\w*|mis a jour",
    "clear": r"emptied|cleared|videe?s?|(?:تم|تمت) (?:ال)?(?:افراغ|تفريغ)\w*|افرغ\w*|تخوا\w*|tkhwa\w*",
}
_DONE: Final = r"done|all set|sorted|all done|fait|chose faite|c'est fait|c'est tout bon|(?:تم|تمت) (?:ذلك|التنفيذ|الامر|طلبك)|تم|t(?:e)?m|tdar\w*|تدار\w*|tedart"
# What no tool does, told with or without a subject.
_OTHERS: Final = (
    # English: whose it is, or with nothing before it.
    r"\b(?:your|the|this) (?:\w+ )?(?:order|payment|purchase|parcel|package|refund|coupon|code|voucher|receipt|e-?mail|reservation|booking|subscription|return)s?(?: \w+)? (?:is|are|was|were|has been|have been|just|now)(?: \w+){0,2}"
    r" (?:placed|confirmed|complete\w*|sent|paid|received|accepted|approved|processed|prepared|shipped|dispatched|on (?:its|the) way|out for|under way|validated|applied|activated|booked|cancell?ed|refunded|issued|registered|redeemed|live|gone through|through)\b"
    r"|\b(?:order|payment) (?:placed|confirmed|complete|received|accepted|successful|went through)\b"
    r"|\b(?:you are|you're|you have been|you've been) (?:now )?(?:charged|billed|refunded|subscribed|registered|reimbursed)\b"
    # French.
    r"|\b(?:votre|ta|la|le|ton) (?:commande|paiement|achat|colis|remboursement|code|bon|reservation|retour|facture|recu)(?: \w+)? (?:est|a ete|vient d'etre|sont)(?: \w+){0,2} (?:passee?|confirmee?|validee?|partie?|envoyee?|expediee?|payee?|regle\w*|acceptee?|effectuee?|enregistree?|en route|en preparation|en chemin|appliquee?|activee?|annulee?|prete? a partir|preparee?|recue?)\b"
    r"|\b(?:commande|paiement) (?:passee?|confirmee?|validee?|acceptee?|effectuee?|enregistree?|reussi)\b(?! avant| apres| par)"
    r"|\b(?:vous avez ete|tu as ete) (?:debitee?|rembourse\w*|inscrite?)\b|\bc'est (?:bien )?(?:regle|paye|commande|reserve|envoye|parti|rembourse)\b(?! par| avec| au moment| sur| a la)"
    # Arabic and Darija: the passive.
    r"|(?<!\w)(?:تم|تمت|جري|قد تم) (?:ب?نجاح )?(?:ال)?(?:دفع|سداد|طلب|حجز|تاكيد|ارسال|شحن|استرداد|تطبيق|تفعيل|تسجيل|الغاء|خصم|تحويل|اعاده|استلام|معالجه|تجهيز|شراء|اتمام|ابلاغ)\w*"
    r"|(?<!\w)(?:ال)?(?:كوموند|كوموندا|طلب|طلبيه|طلبك|طلبيتك|كولي|طرد|طردك)\w*(?: \w+)? (?:دازت|دايزه|داز|تقيدات|تسجلات|تاكدات|مشات|تصيفطات|خرجات|تدفع|في الطريق|فالطريق|ولات واجده)(?!\w)"
    r"|(?<!\w)(?:تقيد|تسجل|تحجز|تصيفط|تخلص|تخلصات|تاكد|دازت|تطبق)(?:ت|ات|و)?(?: (?:ليك|لك|الكوموند|كلشي|بنجاح|هي|ها))"
    r"|\b(?:l?commande|l?komand\w*|lkhlas|paiement|colis)(?: \w+)? (?:dazt|dazet|daz|t9iyd\w*|t9eyd\w*|tsejl\w*|tekked\w*|mcha|mchat|tsift\w*|tsifet\w*|khrej\w*|f tri9|f tre9|tkhells\w*)\b"
    r"|\b(?:tkhelle?s|tkhells?at|t9iyd\w*|t9eyd\w*|t7ej+e?z\w*|t7jz\w*|tsifet\w*|tsift\w*)(?: (?:lik|kolchi|l?commande|kamel\w*|daba))|^\W*(?:safi )?tkhelle?s\w*\b"
)
_PAID_ALONE: Final = r"paid|ordered|booked|reserved|sent|emailed|refunded|confirmed|purchased|paye|regle|commande|reserve|envoye|valide|confirme"
# Deeds in the first person: a past participle after "I have" that is no looking, choosing or telling.
_ENGLISH: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)?(?: (?:just|already|now|also|gone ahead and|went ahead and|even|then|kindly|happily))* "
    r"(?P<deed>\w+ed|sent|held|paid|told|booked|got|set (?:\w+ ){0,3}aside|put (?:\w+ ){0,5}(?:aside|on hold|under)|kept (?:\w+ ){0,3}(?:aside|for you)|bought|made (?:\w+ ){0,2}(?:order|booking|payment|reservation|refund)|left (?:\w+ ){0,2}(?:note|message))\b"
)
_LOOKING: Final = re.compile(
    r"(?:add|remov|delet|updat|chang|clear|empti|drop|popp|slipp|plac|adjust|reduc|increas|lower|correct|modifi|switch|swapp|replac|restor|undid|revers|check|look|search|compar|pick|select|list|notic|mention|show|recommend|suggest|describ|explain|lov|lik|want|hop|miss|misunder|confus|apologi|bas|filter|sort|rank|gather|stay|limit|ignor|skipp|avoid|exclud|includ|need|tri|narrow|match|consider|us|count|calculat|learn|focus|read|review|verifi|answer|ask|talk|discuss|point|refer|quot|round|total|call it|confirmed (?:that|it|the|with)|notic|found|shortlist|propos|prefer|open|train|creat|start|finish|provid|offer|help|return|remember|not)\w*"
)
_FRENCH: Final = re.compile(
    r"(?:\bj['’]ai|\b(?:je|on|nous)(?: (?:vous|te|lui|le|la|les|en|y)| l['’]| t['’]| m['’])+ ?(?:ai|a|avons)|\bnous avons|\bon a)"
    r"(?: (?:bien|déjà|aussi|également|tout|juste|même|immédiatement))* (?P<deed>\w*[éÉ]e?s?|mise?s? (?:\w+ ){0,2}de côté|mise?s? en attente|transmise?s?|remise?s?|prévenue?s?|inscrite?s?|fait (?:le|la|un|une|votre) (?:paiement|commande|virement|réservation|remboursement|nécessaire))(?!\w)",
    re.IGNORECASE,
)
_CHERCHER: Final = re.compile(
    r"(?:ajout|rajout|retir|supprim|enlev|modifi|chang|vid|remplac|rectifi|corrig|ramen|diminu|augment|cherch|regard|vérifi|compar|sélectionn|pens|not|repér|list|gard|laiss|évit|écart|filtr|tri|parl|expliqu|montr|indiqu|cit|mentionn|conseill|propos|présent|recommand|trouv|class|calcul|compt|cré|commenc|arrêt|oubli|tromp|aim|ét|consult|examin|retrouv|résum|rassembl|point|écout|signal|précis|détaill|annul|touch)(?:é|ée|és|ées)"
)
_FIRST_PERSON: Final = re.compile(
    r"(?<!\w)(?:لقد |راني |راه |صافي |هانا |و)?(?:حجزت|حجزنا|خبيت\w*|خبينا|ارسلت|ارسلنا|بعثت|بعثنا|صيفطت\w*|صيفطنا\w*|سددت|دفعت لك|خلصت ليك|كومانديت\w*|كومندت\w*|قيدت\w*|سجلت\w*|طبقت|طبقنا|فعلت|فعلنا|الغيت|الغينا|رددت|اعدت (?:لك )?(?:ال)?مبلغ|رجعت (?:ليك|لك) (?:ال)?(?:فلوس|مبلغ)\w*|استرجعت|ابلغت|اخبرت|راسلت|عيطت ل\w+|هضرت مع|دوزت\w*|نقصت\w* (?:ليك|لك)|خصمت|رتبت لك)(?!\w)"
    r"|\b(?:7jezt\w*|7ejzt\w*|khebb?i?t\w*|khbit\w*|sift?t\w* lik|seft\w* lik|siftna\w*|khellest lik|commandit\w*|9iyedt\w*|9eyedt\w*|sejjelt\w*|sjjelt\w*|n9est lik|n9est\w* lik|rjje?3t lik|red+it lik l?flous|3eyyett\w* l|3ayett? l|dewwezt\w*)\b"
)
# Of policies and plans, not of a deed.
_NOT_A_DEED: Final = re.compile(
    r"\b(?:as soon as|after|before|by the time|every|each|any|orders|avant|apres|chaque|des|toute|what)\b|(?<!\w)(?:بعد|قبل|كل|اي|ملي|مني|منين|فاش|من بعد|الا|ايلا|حتي)(?!\w)|\b(?:mli|melli|mn b3d|9bel|koll|ila|fach|7ta)\b"
)


@cache
def _bare() -> dict[str, re.Pattern[str]]:
    kinds = {**_BARE, "done": _DONE}
    found = {k: re.compile(rf"{_OPENER}(?:{words})(?!\w){_END}") for k, words in kinds.items()}
    return found | {"other": re.compile(rf"{_OPENER}(?:{_PAID_ALONE})\s*$")}


@cache
def _others() -> re.Pattern[str]:
    return re.compile(_OTHERS)


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence."""
    observed = facts.observed
    for kind in tells_deed(said):
        if kind == "other":
            yield Fault("deed", "nothing was paid, ordered, sent, reserved or refunded here")
        elif kind == "done":
            asked = facts.context.query.action not in ("none", "view")
            if asked and not observed.actions and observed.checkout is None:
                yield Fault("change", "nothing was changed")
        elif not _was_done(kind, facts):
            yield Fault("change", "nothing of the kind was changed")


def tells_deed(said: Said) -> Iterator[str]:
    """The deeds that a sentence tells: a change of the cart without a subject, "done", or another one."""
    if said.asks:
        return
    raw = said.raw.replace("’", "'").lower()
    french = _french_deeds(raw)
    for clause in _CLAUSES.split(INTERJECTION.sub(" ", said.text)):
        if not clause.strip() or _is_open(clause):
            continue
        kind = _told(clause, raw)
        if _is_deed(clause, french):
            yield "other"
        elif kind is not None:
            yield kind


def _told(clause: str, raw: str) -> str | None:
    """The deed that a clause tells without a subject."""
    for kind, pattern in _bare().items():
        match = pattern.match(clause)
        if match and not _is_order_to(match[0], raw):
            return kind
    return None


def _is_order_to(told: str, raw: str) -> bool:
    """Whether a French word is no participle: "ajoute" against "ajouté"."""
    last = re.findall(r"[^\W_]+", told)[-1]
    if not re.fullmatch(
        r"(?:ajout|retir|supprim|enlev|vid|modifi|pay|command|reserv|envoy|valid|confirm|regl)es?",
        last,
    ):
        return False
    return not re.search(rf"{last.rstrip('s')[:-1].replace('e', '[eéè]')}é", raw)


def _is_deed(clause: str, french: Sequence[str]) -> bool:
    if _others().search(clause) or _FIRST_PERSON.search(clause):
        return True
    match = _ENGLISH.search(clause)
    if match and not _LOOKING.match(match["deed"]):
        return True
    return any(deed in clause for deed in french)


def _french_deeds(raw: str) -> list[str]:
    """Deeds told in the first person, folded: an accent tells a participle."""
    found = (m for m in _FRENCH.finditer(raw) if not _CHERCHER.match(m["deed"]))
    return list(dict.fromkeys(fold(m[0]) for m in found))


def _is_open(clause: str) -> bool:
    return says("negation", clause) or says("imagined", clause) or bool(_NOT_A_DEED.search(clause))


def _was_done(kind: str, facts: Facts) -> bool:
    observed = facts.observed
    kinds = {a.type for a in observed.actions}
    if kind == "clear":
        return bool(kinds & {"clear", "remove"})
    if kind == "remove":
        return bool(kinds & {"remove", "clear", "update"})
    return (
        bool(kinds & {"add", "update", "remove"})
        if kind == "update"
        else bool(kinds & {"add", "update"})
    )
