"""What a statement of the store's policy is about, in folded text of the five language codes: acts, what they are done to, sides."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

_SOURCES: Final[Mapping[str, str]] = {
    # Acts.
    "return": r"\b(?:kan9e?b[e]?l\w*|return\w*|(?:sen[dt]|giv\w+|bring|tak\w+|com\w+|go(?:es)?|gave|brought) (?:\w+ ){0,3}back|final|rendre|rendue?s?|renvoy\w+|retour\w*|repris\w*|reprenons|echang\w+|exchang\w+)\b"
    r"|(?<!\w)[ولبف]{0,2}(?:ال)?(?:ارجاع\w*|ارجع\w*|[تينك]*رجع\w*|كيترجع\w*|كترجع\w*|نرجع\w*|مرتجع\w*|[مي]ا? ?كي?ترجع\w*)(?!\w)|(?<!\w)ما ?ك\w*رجع\w*|\b(?:ma)?(?:ka|kay|kat|n|t|y|yt|tt|ta|kayt)?e?r+e?j+e?[3e]\w*",
    "refund": r"\b(?:refund\w*|money back|rembours\w+)\b|استرداد|(?<!\w)(?:نعيد|نرد|كنرد\w*|كنرجعو|كيرجع\w*|يعاد|يرجع\w*|تسترد\w*|ترجع) (?:\S+ ){0,3}(?:ال|لك )?(?:مبلغ|فلوس|ثمن|مال)\w*|(?:مبلغ|فلوس)\w* (?:\S+ ){0,2}(?:يرجع\w*|كترجع\w*|كيرجع\w*|ترجع)|\b(?:red\w*|kanredd?\w*|kanrej3\w*|trej3\w*|katrje3|ytrej3\w*) (?:\w+ ){0,2}l?e?flous|\bl?flous\w* (?:\w+ ){0,2}\w*r[ej]+3\w*",
    "waits": r"\b(?:waits?|waiting|pick-?up point|point relais|attend|patiente)\b|(?:ينتظر|نقطه (?:ال)?استلام|كيتسنى|كيتسني|نقطه ديال)|\b(?:point relais|kaytsenna|kaytsna)\b",
    "collect": r"\b(?:collect\w*|picks? (?:\w+ ){0,3}up|pick-up at|chercher|recuper\w+|enlevement)\b|(?:لاخذ|ياخذ|ياتي الموزع|كيجي|يجي)|\b(?:ywsel 3ndek yakhed|kayji|yji|yakhed|yakhod)\b",
    "faulty": r"\b(?:fault\w*|broken|damaged?|defect\w*|wrong product|casse\w*|abime\w*|signale\w*|preven\w+|tell us|let us know|report)\b|(?<!\w)[وبل]?(?:ال)?(?:معيب\w*|مكسور\w*|مهرس\w*|خاطي|اخبرنا|علمنا|خبرنا)|\b(?:mherres\w*|mhers\w*|mkesser\w*|khsser\w*|khbrna|3lemna|goulina)\b",
    "reserve": r"\b(?:bank (?:transfer|details)|keep the products|with a transfer|by transfer|virement\w*|set (?:\w+ ){0,2}aside|reserv\w+)\b|(?:نحجز|حجز|تحويل)|\bvirement\w*\b|\bt7wil\b",
    "gift card": r"\b(?:gift cards?|cartes? cadeaux?|cartes?-cadeaux?)\b|بطاق\w* (?:ال)?(?:هدايا|هديه)|كارط كادو",
    "deliver": r"\b(?:we deliver|at your door|reach(?:es)? (?:you|it)|arrives?|chez vous|nous livrons|recevrez|livraison (?:est|prend|en)|same-day|kanwes?l\w*|ka?tous?l\w*|katwsl\w*)\b|(?<!\w)[وف]?(?:نوصل|كنوصلو|كتوصل\w*|يصل\w*|كيوصل\w*|يوصل\w*)(?!\w)|\bka?y?wsel\w*\b|\by?wsl\w* l",
    "cash": r"\b(?:cash|especes|paiement a la livraison|payees? a la livraison|kach)\b|(?:نقدا|الدفع عند الاستلام|كاش)",
    "card written": r"\b(?:handwritten|hand-written|manuscrite)\b|بخط اليد",
    "keeps": r"\b(?:unopened|shelf life|after opening|se conserve|apres ouverture|made more than|fabrique)\b|(?:بعد الفتح|تحفظ القاروره|صنعه)",
    "lasting": r"\b(?:longevity|on the skin|tenue|sur la peau)\b|ثبات",
    # What is done to what.
    "send": r"\b(?:ship\w*|dispatch\w*|expedi\w+|deliver(?:s|ed|y|ies)?|livr\w+|leaves?|part(?:ent)?|send|envoy\w+|parcels?|(?:ma)?(?:kan|kat|n|t)?sift\w*|(?:ma)?(?:kan|kat)w[es]+l\w*|twsil)\b|(?<!\w)(?:ما ?)?(?:نرسل|ارسال|كنصيفط\w*|كتصيفط\w*|نصيفط\w*|كنوصل\w*|كتوصل\w*|نوصل|توصيل|نشحن|يخرج|تغادر|تخرج)",
    "sunday": r"\b(?:sundays?|dimanches?|l7ed|el7ed|l7edd|lhed)\b|(?<!\w)(?:ال)احد(?!\w)",
    "abroad": r"\b(?:abroad|outside (?:of )?morocco|other countries|internationally|worldwide|a l'etranger|hors (?:du )?maroc|l?berra (?:d ?)?(?:l?maghrib|lmghrib))\b|(?:خارج|برا|بره) (?:ال)?مغرب|الخارج",
    "only here": r"\b(?:in|within) \w+ only\b|\bonly (?:in|within)\b|\buniquement\b|\bseulement (?:au|en)\b|(?:داخل|في) \w+ فقط",
    "gift": r"\b(?:gifts?|cadeaux?)\b|هدي",
    "accept": r"\b(?:accept\w*|take|prenons|work)\b|(?<!\w)(?:نقبل|كنقبل\w*|يقبل|تقبل)(?!\w)|\bkan9bl\w*|\bn9bl\w*",
    "foreign": r"\b(?:foreign|etrangere?s?|international)\b|(?<!\w)[وب]?(?:ال)?اجنبي\w*|\bajnabi\w*",
    "check": r"\b(?:check|inspect|verif\w+|controler|look at)\b|(?:التحقق|تتحقق|تشوف|نشوف|فحص|تفحص)|\b(?:tchouf|nchouf|tverifi\w*)\b",
    "box": r"\b(?:box|seal|parcel|etui|boite|scelle|colis|l?bo[iw]ta?)\b|(?<!\w)[و]?(?:ال)?(?:علبه|ختم\w*|طرد)",
    "paying": r"\b(?:pay\w*|paie\w*|regl\w+|tkhell?es|khlas)\b|(?:دفع|تخلص|نخلص|تدفع)",
    "opened": r"\b(?:opened|ouverte?s?|entame\w*|used|lit|burned|open|t7ell?\w*|m7loul\w*)\b|(?<!\w)(?:ال)?(?:مفتوح\w*|محلول\w*|فتح\w*|تحل\w*|بعد فتحها)",
    "candle": r"\b(?:candles?|mists?|bougies?|brumes?|cham3\w*|chem3\w*)\b|(?<!\w)[وب]?(?:ال)?(?:شمع\w*|شموع|بخاخ\w*)",
    "perfume": r"\b(?:perfumes?|bottles?|parfums?|flacons?|9er3a|l9er3a|9r3a)\b|(?<!\w)(?:ال)?(?:عطر|قاروره|قرعه|ريحه)(?!\w)",
    "reduced": r"\b(?:on sale|(?:in|during) (?:a|the) (?:sale|promo\w*)|sale (?:items?|products?|goods)|promo\w*|l?promo|soldee?s?|soldes?|discounted)\b|(?<!\w)[وبف]?(?:ال)?(?:تخفيض\w*|صولد|مخفض\w*|برومو\w*)",
    "engraved": r"\b(?:engraved|gravee?s?)\b|منقوش",
    # Products beside each other.
    "twice": r"\b(?:twice (?:the price|the cost|as (?:expensive|dear|much))|double (?:the|its) (?:price|cost)|double of|half (?:the|its) price|half (?:of )?what|deux fois (?:plus cher\w*|le prix)|(?:le|du) double\b|moitie (?:du )?prix|deux fois moins cher\w*|doubl\w* (?:dyal|d|taman)|nes?s taman)\b|(?:ضعف|نصف|نص) (?:ال)?(?:ثمن|سعر)|الضعف|(?:ال)?دوبل|جوج مرات غلي|مرتين اغلي",
    "thrice": r"\b(?:three times (?:the price|as (?:expensive|much))|triple (?:the|its) price|trois fois (?:plus cher\w*|le prix)|le triple)\b|ثلاثه اضعاف|ثلاث اضعاف",
    "roughly": r"\b(?:almost|nearly|about|roughly|around|more than|less than|over|under|not quite|presque|environ|pres d|plus que|moins que|a peu pres|quasi\w*|t9riban|9rib|kter mn|9el mn)\b|(?:تقريبا|حوالي|قرابه|قريب|اكثر من|اقل من|كثر من|قل من)",
    "theirs": r"\b(?:also theirs|theirs too|from them (?:as well|too)|(?:also|too) from (?:them|that house)|by them (?:as well|too)|also by them|en vient (?:aussi|egalement)|vient (?:aussi|egalement) de chez eux|aussi de chez eux|de chez eux (?:aussi|egalement)|7ta (?:howa|hiya|houwa) (?:dyalhom|mn 3ndhom)|dyalhom 7ta)\b|(?:ايضا (?:منهم|لهم|من عندهم))|حتي (?:هو|هي) (?:ديالهم|من عندهم)",
    "set": r"\b(?:coffrets?|trio|duo|gift (?:box|set)|sets?|discovery kit|kit)\b|علبه هدايا|كوفري|طقم",
    # Sides.
    "damp place": r"\b(?:bathroom|salle de bains?|7[ae]?mmam|hammam)\b|(?<!\w)[وفبل]?(?:ال)?حمام(?!\w)",
    "denies": r"\b(?:worst|avoid|away from|out of|far from|evit\w+|pires?|loin d\w*|b3id|khayb\w*|bad|mauvais\w*|final|impossible|refus\w+|stopp\w+|suspend\w+|exclu\w*|ends? there)\b|(?:ابتعد|تبتعد|ابعد|تفاد|اسوا|اخيب|خايب\w*|بعيد|تجنب|حبسنا|وقفنا|مستحيل|ممنوع)|(?<!\w)(?:ما)ك\w+ش(?!\w)|\bmam\w*nou3\b|\b7be?sna",
    "delivery": r"(?<!a la )\blivraison|(?<!on )\bdelivery|\bshipping\b|توصيل|\bt[ae]?w[ae]?sil",
    "missing": r"(?:\b(?:il (?:vous|te) (?:manque|reste)|manquent?|short|short by|left|remain\w*|na9s\w*|khas?sk|khasek|y[ie]?b9a\w*(?: lik| liya)?)|(?<!\w)(?:ينقص\w*|يبقي\w*|خاصك|باقي\w*|كيبقا\w*))[^\d]{0,12}$",
    "apart": r"(?:\b(?:difference|ecart|lfer9|fer9)|(?<!\w)[وف]?(?:ال)?فرق)[^\d]{0,16}$",
    "apart after": r"^\s*(?:mad|dhs?|dirhams?|درهم\w*)?\s*(?:more\b|less\b|cheaper|dearer|apart|d'ecart|de (?:plus|moins|difference)\b|kter\b|ktar\b|(?:اكثر|كثر|اقل)(?!\w))",
    "ours": r"\b(?:we pay|at our (?:cost|expense)|a nos frais|a notre charge|(?:is|are) on us)\b|(?<!\w)علينا(?!\w)|\b3lina\b",
    "yours": r"\b(?:you(?:'ll)? (?:have to )?pay|at your (?:own )?(?:cost|expense)|a vos frais|a votre charge|(?:is|are) on you)\b|(?<!\w)(?:عليك|علي حسابك|تتحملها?)(?!\w)|\b3lik\b",
    "fee": r"\b(?:return|retour)\b|(?<!\w)(?:ال)?(?:تكاليف|تكلفه|مصاريف|صاير\w*) (?:ديال |د )?(?:ال)?(?:ارجاع|رجوع|روتور)|\b(?:retour|rojo3)\b",
}


@cache
def pattern(kind: str) -> re.Pattern[str]:
    return re.compile(_SOURCES[kind])


@lru_cache(maxsize=4096)
def tells(kind: str, folded: str) -> bool:
    """Whether a folded text speaks of a kind."""
    return pattern(kind).search(folded) is not None
