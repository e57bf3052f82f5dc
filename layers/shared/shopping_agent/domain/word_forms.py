"""Words that carry meaning, and when two of them are the same word: light stemming, typos, Arabic against Latin script."""

from functools import lru_cache
from typing import Final

from shopping_agent.domain.morphology import is_arabic, skeleton
from shopping_agent.domain.text import fold, words


def _listed(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


# Function words, politeness and filler of the five languages, folded: they never decide what a text is about.
_FILLER: Final = _listed(
    """
    a about after all also am an and any anyone anything are as at be been before being but by can could did do does doing
    done else even ever for from get getting give go going got had has have having he hello hey hi him his how i if in into
    is it its just kind know let like lol long many may me mean means might mine more most much must my need of off oh ok
    okay on one only or our out own please pls plz quick question really same say see she should show shows so some
    something sort sure take takes tell than thank thanks that the their them then there these they thing this those to too
    u ur us very want was way we were what whats when where which while who whose why will with would yes you your yours
    able possible usually exactly still yet already again every each always never ever hmm nd im ill ive dont doesnt cant
    isnt arent whether between since until put puts putting confirm confirmed name

    afin ai alors apres as assez au aucun aussi autre aux avant avec avez avoir avons beaucoup bien bonjour bonsoir bsr
    c'est ca car ce cela ces cest cet cette chez ci combien comme comment compte cordialement d dans de dedans des deja dire
    dis dit dois donc du elle elles en encore entre es est et etc etes etre eu eux exactement exacte excusez existe faire
    fais fait faites faut font grace ici il ils j je jusqu kel kelle koi l la le les leur leurs lui m ma mais me meme merci
    mes mettre moi moins mon n ne ni non nos notre nous on ont ou oui par parce pas passe peu peut peuvent peux plait plus
    possible pour pourquoi pouvez prendre pris puis qu quand que quel quelle quelles quels qui quoi rien s sa sais sans
    savoir se sera ses si sinon soit son sont sous stp sur svp t ta te tes toi ton toujours tous tout toute toutes tres
    trop trouve tu un une va vais vas vers veut veux voila vos votre voudrais vous vouloir vraiment vs y salut jai seulement juste valide valider confirme partie nom

    ما ماذا من في على عن الى إلى هل كم متى اين كيف لماذا اي ايهما هو هي هم هذا هذه ذلك تلك التي الذي الذين ان إن انا انت
    نحن كان كانت يكون تكون قد لقد لا لم لن ليس ليست بل ثم او ام و ف ب ل ك مع بعد قبل عند عندكم عندي لدي لديكم لكم لي لنا
    له لها كل بعض غير نفس نفسه نفسها لو اذا حتى منذ بين كما جدا فقط ايضا ارجو رجاء فضلك سمحت سمحتم سمحتوا شكرا مرحبا
    السلام عليكم يا يمكن يمكنني ممكن استطيع اريد بالضبط عاده تماما منه منها فيه فيها به بها عليه عليها معنى سؤال بينهما يستغرق هؤلاء مناسب مناسبه احسن فقط اوكد تاكيد جزء والباقي الباقي

    واش شنو شنوا اشنو اش شحال فين فوقاش امتى علاش كيفاش شكون منين ديال ديالي ديالك ديالكم ديالو ديالها د لي اللي هاد هادا
    هادي هادشي هدشي داك ديك هداك راه راها كاين كاينه كاينين بغيت بغينا خاصني خاص نقدر يقدر تقدر غادي باش حيت ولا الا الى
    شي شويه بزاف غير عافاك عفاك لله يرحم الوالدين خويا ختي صافي مزيان واخا دابا عندك ليا ليك ليه لينا كتر ماشي مكاين
    كاع ديريكت تعني كتعني كيدير كندير ندير دير كاتديرو كديرو

    wach wash chno chnou chnowa achno ach chhal ch7al ch7l bch7al b7al bhal fin imta 3lach 3la kifach kifash chkon mnin dyal
    dyali dyalek dyalkom dial diali dialkom li lli had hada hadi hadchi hadshi dak dik hadak rah raha kayn kayna kaynin kain
    bghit bghina khasni khass n9der n9dr i9der t9der ghadi bach 7it hit wla wlla oula ola ila chi chwiya bezaf bzaf bzzaf
    ghir 3afak 3afakom afak lah yr7em lwalidin khoya khti safi mzyan wakha daba 3ndkom 3ndek 3andkom 3andek lia liya lik
    lih lina kter ktr mashi makaynch homa howa hiya ana nta nti 7na w o f b l d mn men chnahiya katdiro kadiro ndir dir
    hadak hna f7al fih fiha bih biha salam chokran slm
    """
)
# Words every text of a shop has: they say little about which text answers.
_COMMON: Final = _listed(
    """
    perfume perfumes parfum parfums fragrance fragrances scent scents product products produit produits article articles item
    items bottle bottles flacon flacons order orders commande commandes shop store boutique magasin buy bought acheter
    achete achat work works marche use using utiliser time temps day days jour jours person people smell smells odeur
    full whole cart basket bag panier site page button bouton affiche affichee displayed include includes included inclut
    pay paid paying payer regler paye payez نخلص نخلصو ادفع ندفع nkhelles nkhles nkhelso nkhllas
    difference make makes come comes contain contains contient contenu good best better mieux bon bonne new
    سله السله زر الزر ظاهر الظاهر شامل
    يحتوي تحتوي يحوي فيه contain containing contenant contenir
    عطر عطور العطر العطور منتج منتجات قاروره زجاجه الطلب طلب متجر محل شراء اشتريت رائحه الرائحه يوم ايام وقت مده الفرق
    ريحه الريحه برفان البرفان قرعه القرعه حانوت الحانوت سلعه السلعه نهار الوقت الوقيته
    ri7a riha lparfum bervan 9er3a l9er3a l7anout 7anout sel3a sl3a nhar lwe9t lwa9t we9t
    """
)
_LATIN_ENDINGS: Final = sorted(
    _listed(
        "issements issement ements ement ations ation ments ment ness ings ing ities ity ables able"
        " ers ees es ed er ez ent s e x y"
    ),
    key=lambda ending: (-len(ending), ending),
)
_ARABIC_PREFIXES: Final = ("وال", "بال", "فال", "كال", "لل", "ال", "و", "ف", "ب", "ل", "ك")
_ARABIC_ENDINGS: Final = ("ها", "هم", "كم", "نا", "ات", "ون", "ين", "ان", "ه", "ي", "ا")
# Gaf has no letter of its own in Arabic: `agadir` is written with kaf, or with qaf.
_GAF: Final = str.maketrans("gGq", "kkk")


def content_words(text: str) -> list[str]:
    """The folded words of a text that carry meaning: no filler, no bare elision, no single letters."""
    return [
        word
        for word in (w.rstrip("'") for w in words(text))
        if len(word) > 1 and not _is_filler(word)
    ]


def _is_filler(word: str) -> bool:
    """A filler word, also behind the Arabic "and" ("وكم")."""
    return word in _FILLER or (word[0] == "و" and word[1:] in _FILLER)


def is_common(word: str) -> bool:
    """Whether every text of a shop has this word, perhaps misspelt, so that finding it proves nothing."""
    return any(form in _COMMON for form in forms(word)) or _near(word, _COMMON)


def is_misspelt_filler(word: str) -> bool:
    """Whether a word is a slip away from a filler word ("alredy")."""
    return _near(word, _FILLER)


@lru_cache(maxsize=4096)
def _near(word: str, listed: frozenset[str]) -> bool:
    near = (w for w in listed if len(w) >= 5 and abs(len(w) - len(word)) <= 1)
    return len(word) >= 5 and any(_one_slip(*sorted((word, w), key=len)) for w in near)


@lru_cache(maxsize=8192)
def forms(word: str) -> frozenset[str]:
    """A folded word and its stems: without Latin endings, or without Arabic prefixes and suffixes."""
    found = {word}
    if is_arabic(word):
        for prefix in _ARABIC_PREFIXES:
            # A single letter is a prefix only of a long word: "وجدة" is a town, not "and Jeddah".
            if word.startswith(prefix) and len(word) - len(prefix) >= (
                4 if len(prefix) == 1 else 3
            ):
                found.add(word[len(prefix) :])
                break
        found |= {
            form[: -len(end)]
            for form in tuple(found)
            for end in _ARABIC_ENDINGS
            if form.endswith(end) and len(form) - len(end) >= 3
        }
        return frozenset(found)
    if len(word) >= 5 and word.startswith("l") and word[1] not in "aeiouy":
        found.add(word[1:])  # the Darija article: "l9er3a"
    for form in tuple(found):
        ending = next(
            (e for e in _LATIN_ENDINGS if form.endswith(e) and len(form) - len(e) >= 4), None
        )
        if ending:
            found.add(form[: -len(ending)])
    return frozenset(found)


@lru_cache(maxsize=32768)
def same_word(one: str, other: str) -> bool:
    """Whether two folded words are forms of one word, a typo apart, or one name in two scripts."""
    if one == other or forms(one) & forms(other):
        return True
    if is_arabic(one) != is_arabic(other):
        sounds = _sounds(one)
        return len(sounds) >= 3 and sounds == _sounds(other)
    if one.isdigit() or other.isdigit():
        return False
    shorter, longer = sorted((one, other), key=len)
    prefix = _common_prefix(shorter, longer)
    if prefix >= 5 and prefix / len(longer) >= 0.7:
        return True
    return len(shorter) >= 5 and len(longer) - len(shorter) <= 1 and _one_slip(shorter, longer)


def same_place(one: str, other: str) -> bool:
    """Whether two folded words are the same word or one place in two spellings: `wejda` is `oujda`."""
    if same_word(one, other):
        return True
    sounds = _sounds(one)
    return len(sounds) >= 2 and one[:1] not in "0123456789" and sounds == _sounds(other)


def _common_prefix(one: str, other: str) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _one_slip(shorter: str, longer: str) -> bool:
    """One letter added, changed or swapped with its neighbour, but not the first one."""
    i = _common_prefix(shorter, longer)
    if i == 0:
        return False
    if len(shorter) != len(longer):
        return shorter[i:] == longer[i + 1 :]
    swapped = longer[:i] + longer[i + 1 : i + 2] + longer[i] + longer[i + 2 :]
    return shorter[i + 1 :] == longer[i + 1 :] or shorter == swapped


def _sounds(word: str) -> str:
    """The consonants of a word in one alphabet: `أكادير` and `agadir` are both `kdr`."""
    bare = word[2:] if word.startswith("ال") and len(word) > 4 else word
    return skeleton(bare).translate(_GAF)
