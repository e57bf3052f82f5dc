"""What single words of a reply speak of, in the five language codes: people, giving, secrets, deeds, places.

Words are looked up, not searched for: a text costs the same however many senses there are.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

# "stem*" begins a word; "two_words" stand beside each other. An Arabic word may carry what is written before it.
_SOURCES: Final[Mapping[str, str]] = {
    # What others think of a product.
    "people": "customers customer clients client clientele cliente clientes clienteles buyers shoppers fans everyone everybody regulars reviewers "
    "tout_le_monde acheteurs acheteuses acheteuse beaucoup_de_gens nos_habitues habituees "
    "زبون زباين زبايننا زبناء زبناينا زبوناتنا زبونات زباينيا عملاء عملاينا الجميع كليان كليانات الناس "
    "klyan klian kliyan clian zbayn* zobana* zoubana* nnas",
    "loved": "love* ador* favourite* favorite* prefer* prais* rave* obsess* acclaim* rated swear* order_most buy_most buy_it bought_it recommend* "
    "aime aiment adorent raffol* plebiscit* chouchou* coup_de_coeur s'arrach* recommandent achetent reclament redemand* "
    "يعشق* يحب* تحب* يفضل* تفضل* يعجب* اعجب* يطلب* يمدح* يوصي* مفضل* محبوب* كيحب* كتعجب* كيعجب* عجب* عزيز* كيبغي* كيشكر* كيشري* كيطلب* "
    "kay3jeb* kat3jeb* kay3jb* kat3jb* 3jeb* 3jb* 3ziz* 3aziz* 3aze3la kaybghi* kaybrghi* kaychri* kaychkr* kay7eb* kay7mq* kayhb*",
    "acclaim": "bestseller* best-seller* chouchou* viral trending tiktok hyped cult culte plus_demande plus_demandee plus_reclamee most_requested most_wanted "
    "most_bought sells_best sell_best sells_most se_vend_le top_ventes star_de_notre tendance coup_de_coeur الاكثر_طلبا الاكثر_رواجا ترند ترندات trend",
    "rare": "limited_edition limited_editions limited_series limited_run limited_release numbered collector collector's collectors one-off discontinued last_batch "
    "edition_limitee editions_limitees serie_limitee series_limitees numerote* collectionneur* hors_serie arrete_de "
    "اصدار_محدود الاصدار_المحدود طبعه_محدوده نسخه_محدوده اصدار_خاص كميه_محدوده محدوده_العدد حصري* مرقم* limitee sirie_limitee",
    # Something beside the goods.
    "gift": "gift* cadeau* surprise* bonus offert* offerte* goodie* هديه هدايا كادو* kado* cadou* hdiya hdia",
    "free": "free gratis complimentary gratuit* offert* offerte* offerts مجاني* مجانا فابور* fabor fabour blach بلاش باطل batel batl",
    "giving": "throw* slip* receive included we_add you_get glissons offrons recevez recevrez en_plus نهدي* كنهدي* كنزيدو كنعطيو* تحصل* kanzidou kanzido kan3tiw* ghatakhod from_us de_notre_part منا mn_3ndna من_عندنا",
    "beside": "with comes along together add* include* get avec accompagn* joint* ajoutons مع معه معها معاه معاها نضيف* m3a m3ah m3aha",
    "feel": "feel from of libre sentez",
    "known extra": "card* carte* kart* sample* echantillon* 3ayina* deliver* shipping livraison* tawsil* twsil* exchange* echange* return* retour* بطاق* كارط* عين* توصيل* شحن استبدال* ارجاع* رجوع* "
    "lotion ribbon ruban pouch pochette funnel entonnoir wrap* emball* taghlif* تغليف* كنغلف* idea idee choice choix فكره اختيار option guide conseil* invoice receipt facture",
    # What nobody here may ask for.
    "secret": "card_number card_numbers card_details card_no numero_de_carte numero_de_votre_carte numero_de_la_carte coordonnees_bancaires cvv cvc pin password passcode passwords mot_de_passe "
    "code_secret security_code security_digits three_digits trois_chiffres cryptogramme iban rib otp one-time_code code_confidentiel code_de_securite code_sms sms_code bank_details_here "
    "رقم_البطاقه رقم_بطاق* الرقم_السري رمز_السري الرمز_السري كلمه_السر كلمه_المرور رمز_التحقق رقم_الكارط النمره_ديال_الكارط نمره_الكارط الكود_السري كود_السري رقم_الحساب "
    "ra9m_sirri code_sirri ra9m_dyal_lcarte ra9m_d_lcarte numero_dyal_lcarte numero_d_lcarte nemra_dyal_lcarte ra9m_lcarte code_dyal_lcarte mot_de_pass",
    "give": "send type enter tell share write provide dictate drop paste give text message reply_with fill_in donne* envoie* envoye* tape* communique* indique* saisi* ecri* transmet* partage* confie* dicte* "
    "ارسل* اعط* اكتب* زود* شارك* ادخل* عطي* صيفط* كتب* دخل* 3ti* sift* kteb* ketb* dekhel* goul*",
    "on site": "site website page checkout caisse الموقع صفحه موقع البنك bank's banque ktebha_f_site",
    # Where the store is.
    "street": "street avenue boulevard blvd mall showroom rue galerie arrondissement plaza شارع زنقه زقاق مول zn9a zan9a char3 derb twin_center rez-de-chaussee",
    "ours": "we we're our us nous notre nos chez_nous venez passez come visit نحن نستقبل* لدينا متجرنا محلنا حنا عندنا جي* 7na 3ndna 7anout* l7anout aji ajiw* marhba",
    # Always there.
    "all hours": "24/7 7/7 7j/7 24h/24 around_the_clock day_and_night seven_days sept_jours_sur nuit_et_jour jour_et_nuit every_day_of_the_week at_any_hour at_any_time any_hour على_مدار على_مدي ليل_نهار ليلا_ونهارا 24_ساعه_على لمدار_الساعه علي_مدار سبعه_ايام كل_ايام_الاسبوع lil_w_nhar nhar_w_lil 24_sa3a",
    "answers": "answer* reply reach* available open call* team support service repond* joignable* ouvert* equipe disponible* appel* نرد نجيب مفتوح* متاح* خدمه فريق* يرد* كنجاوب* حالين محلول* kanjawb* m7loul* 7allin 7alin équipe contact* اتصل*",
    # Prices for one shopper alone.
    "where": "where located location address find_you ou_etes ou_se adresse situe* trouver اين عنوان* موقعكم فين بلاصتكم fin fin_kaynin blastkom",
    "for you": "for_you just_for_you only_for_you especially_for_you pour_vous pour_toi rien_que_pour vous_faire vous_laisse vous_le_laisse vous_la_laisse vous_fais te_laisse te_fais لك لكم ليك ليكم خصيصا lik likom special_price my_gift",
    "cut": "half_price half_off knock* discount* reduced reduction* remise* rabais moitie_prix ristourne* geste_commercial reduc promo* خصم* خفض* تخفيض* نقص* نقصت* كننقص* ننقص* كتنقص* نص_الثمن نصف_الثمن نصف_السعر n9es* n9ss* n9st* n9sna* takhfid* nss_taman nes_taman",
    # Sold in numbers, by others.
    "crypto": "crypto* bitcoin* usdt ethereum binance العملات_الرقميه بالعملات_الرقميه عمله_رقميه عملات_رقميه عملات_مشفره بيتكوين",
}


@cache
def _tables() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]], frozenset[str]]:
    """Words, beginnings of words, and the first words of longer entries."""
    whole: dict[str, set[str]] = {}
    stems: dict[str, set[str]] = {}
    for kind, entries in _SOURCES.items():
        for entry in entries.split():
            table, key = (stems, entry[:-1]) if entry.endswith("*") else (whole, entry)
            table.setdefault(key.replace("_", " "), set()).add(kind)
    runs = {k.split()[0] for k in (*whole, *stems) if " " in k}
    return _frozen(whole), _frozen(stems), frozenset(runs)


def _frozen(table: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(kinds) for key, kinds in table.items()}


_WORD: Final = re.compile(r"[^\W_]+(?:['/-][^\W_]+)*")
_ARABIC: Final = re.compile(r"[\u0621-\u064a]")
_LONGEST_RUN: Final = 4
_LEAST_STEM: Final = 3
_BEFORE: Final = ("وال", "فال", "بال", "كال", "لل", "ال", "و", "ف", "ب", "ل", "ك")
_ELIDED: Final = re.compile(r"^(?:d|l|j|n|s|c|m|t|qu)'")


@lru_cache(maxsize=8192)
def senses_of(word: str) -> frozenset[str]:
    """What one folded word, or a run of words, speaks of."""
    return frozenset[str]().union(*(_senses(form) for form in _forms(word)))


def _forms(word: str) -> Iterator[str]:
    yield word
    if (bare := _ELIDED.sub("", word)) != word:
        yield bare
    if not _ARABIC.match(word):
        return
    for before in _BEFORE:
        if word.startswith(before) and len(word) - len(before) > 1:
            yield word[len(before) :]


def _senses(word: str) -> frozenset[str]:
    whole, stems, _ = _tables()
    found = whole.get(word, frozenset[str]())
    for end in range(_LEAST_STEM, min(len(word), 24) + 1):
        found |= stems.get(word[:end], frozenset())
    return found


@lru_cache(maxsize=1024)
def senses_in(folded: str) -> frozenset[str]:
    """All that a folded text speaks of."""
    _, _, runs = _tables()
    words = _WORD.findall(folded)
    found = set[str]()
    for i, word in enumerate(words):
        found |= senses_of(word)
        if any(form in runs for form in _forms(word)):
            for size in range(2, _LONGEST_RUN + 1):
                found |= senses_of(" ".join(words[i : i + size]))
    return frozenset(found)
