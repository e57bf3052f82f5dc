"""What the shoppers of a load run say, in the languages of the store; numbers and wishes vary, so that no cache has it all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

FAMILIES: Final = ("fresh", "woody", "floral")
SEASONS: Final = ("summer", "winter", "spring", "autumn")
WISHES: Final = (
    ("fresh", "summer"),
    ("fresh", "spring"),
    ("woody", "winter"),
    ("woody", "autumn"),
    ("floral", "spring"),
    ("floral", "summer"),
)
"""Those that a shop has plenty of. Where hardly anything is both, which of two wishes weighs more is a matter of ranking."""


@dataclass(frozen=True)
class Words:
    """One language.

    Attributes:
        flagship: asks for the best of a wish, into the cart: `{family}`, `{season}`, `{budget}`.
        search: the same wish, to look at.
        refine: what goes on from it; `{budget}` is a lower one.
        quantities: how many of the one product in the cart.
        remove: takes that product out.
        questions: what the guides answer.
    """

    locale: str
    flagship: str
    search: str
    refine: Sequence[str]
    quantities: Mapping[int, str]
    remove: str
    questions: Sequence[str]
    families: Mapping[str, str]
    seasons: Mapping[str, str]

    def wish(self, template: str, family: str, season: str, budget: int) -> str:
        return template.format(
            family=self.families[family], season=self.seasons[season], budget=budget
        )


def _named(names: Sequence[str], words: str) -> dict[str, str]:
    return dict(zip(names, words.split("|"), strict=True))


LANGUAGES: Final[Mapping[str, Words]] = {
    "en": Words(
        locale="en",
        flagship="Something {family} for {season}, under {budget} MAD, and add the best one to my cart.",
        search="Show me something {family} for {season} under {budget} MAD",
        refine=("and without rose", "under {budget}"),
        quantities={2: "make it two", 3: "make it three"},
        remove="remove it",
        questions=(
            "How long does delivery to Agadir take?",
            "Can I return an opened bottle?",
            "Can I pay cash on delivery?",
            "How much does delivery to Casablanca cost?",
        ),
        families=_named(FAMILIES, "fresh|woody|floral"),
        seasons=_named(SEASONS, "summer|winter|spring|autumn"),
    ),
    "fr": Words(
        locale="fr-MA",
        flagship="Quelque chose de {family} pour {season}, à moins de {budget} MAD, et ajoute le meilleur à mon panier.",
        search="Montre-moi un parfum {family} pour {season} à moins de {budget} MAD",
        refine=("et sans rose", "à moins de {budget} MAD"),
        quantities={2: "mets-en deux", 3: "mets-en trois"},
        remove="retire-le",
        questions=(
            "Combien de temps prend la livraison à Agadir ?",
            "Est-ce que je peux retourner un flacon ouvert ?",
            "Est-ce que je peux payer à la livraison ?",
            "Combien coûte la livraison à Casablanca ?",
        ),
        families=_named(FAMILIES, "frais|boisé|floral"),
        seasons=_named(SEASONS, "l'été|l'hiver|le printemps|l'automne"),
    ),
    "ar": Words(
        locale="ar",
        flagship="أريد عطرا {family} {season} بأقل من {budget} درهم، وأضف الأفضل إلى سلتي.",
        search="أريد عطرا {family} {season} بأقل من {budget} درهم",
        refine=("وبدون ورد", "بأقل من {budget} درهم"),
        quantities={2: "اجعلها اثنين", 3: "اجعلها ثلاثة"},
        remove="احذفه من السلة",
        questions=(
            "كم يستغرق التوصيل إلى أكادير؟",
            "هل يمكنني إرجاع زجاجة مفتوحة؟",
            "هل يمكنني الدفع عند الاستلام؟",
            "كم تكلفة التوصيل إلى الدار البيضاء؟",
        ),
        families=_named(FAMILIES, "منعشا|خشبيا|زهريا"),
        seasons=_named(SEASONS, "للصيف|للشتاء|للربيع|للخريف"),
    ),
    "ary": Words(
        locale="ary",
        flagship="بغيت شي عطر {family} {season} بأقل من {budget} درهم وزيد أحسن واحد للسلة",
        search="بغيت شي عطر {family} {season} بأقل من {budget} درهم",
        refine=("وبلا ورد", "بأقل من {budget} درهم"),
        quantities={2: "ديرها جوج", 3: "ديرها تلاتة"},
        remove="حيدو من السلة",
        questions=(
            "شحال كيدير التوصيل لأكادير؟",
            "واش نقدر نرجع قرعة محلولة؟",
            "واش نقدر نخلص ملي توصلني؟",
        ),
        families=_named(FAMILIES, "فريش|خشبي|زهري"),
        seasons=_named(SEASONS, "للصيف|للشتا|للربيع|للخريف"),
    ),
    "ary-latn": Words(
        locale="ary-latn",
        flagship="bghit chi haja {family} {season}, 9al mn {budget} dh, w zidha f panier",
        search="bghit chi haja {family} {season}, 9al mn {budget} dh",
        refine=("w bla ward", "9al mn {budget} dh"),
        quantities={2: "dirha jouj", 3: "dirha tlata"},
        remove="7iydha mn panier",
        questions=("ch7al kaydir l livraison l Agadir?", "wach n9der n2eddi f livraison?"),
        families=_named(FAMILIES, "fresh|boisé|floral"),
        seasons=_named(SEASONS, "l sif|l chtwa|l rbi3|l khrif"),
    ),
}
"""Darija in both of its scripts."""
