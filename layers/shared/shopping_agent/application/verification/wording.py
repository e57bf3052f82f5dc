"""What claims look like, by kind, in folded text of the five language codes. Each pattern is compiled when first needed."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

_SOURCES: Final[Mapping[str, str]] = {
    # The clause denies; what cannot be known is not claimed; what is imagined or asked is not either.
    "negation": r"\b(?:not|no|never|without|nothing|none|cannot|neither|nor|nowhere|isn't|aren't|doesn't|don't|can't|won't|haven't|hasn't|didn't|wasn't|free of)\b"
    r"|n't\b|\b(?:ne|n'\w+|pas|sans|aucune?|rien|ni|jamais|non)\b|\bn'"
    r"|(?<!\w)(?:ف?لا|ولا(?= [يتنا])|[وف]?(?:لم|لن|ليس|ليست|بدون|دون|بلا|ماشي|والو))(?!\w)|(?<!كل )(?<!بعد )(?<!قبل )(?<!\w)[وف]?ما (?=\w)|(?<!\w)(?:خال|خاليه?)(?!\w)|(?<!\w)م(?:ا)?\w+ش(?!\w)"
    r"|\b(?:bla|machi|walo|walou|ma\w+ch)\b|\bma (?=\w*ch\b|\w+ch\b|kayn|kan|b9a|zal|z[a-z]|fih)|^la\b(?=,| ma\b)",
    "unknown": r"\b(?:don't|do not|doesn't|does not|can't|cannot|couldn't|can not) (?:\w+ ){0,2}(?:know|see|say|tell|confirm|find|have|promise|specify|mention|state|guarantee)"
    r"|\b(?:no|any) (?:\w+ )?(?:information|info|details?|date|mention|data|indication|word)\b|\bnot (?:sure|certain|stated|specified|mentioned|listed|aware)\b|\bunknown\b|\bnothing (?:in|says|tells|about|on)\b"
    r"|\b(?:sais|vois|trouve|dispose|connais|precise|mentionne|indique|dit|peux|puis|saurais|garantis|promets|connaissance) (?:\w+ ){0,3}(?:pas|rien|aucune?)\b|\b(?:pas|aucune?|rien) (?:\w+ ){0,2}(?:informations?|infos?|precision|precise|indication|indique|date|mention|mentionne|garantir|promettre|confirmer|sur)\b|\bn'ai (?:pas|aucune?)\b|\bignore\b"
    r"|(?<!\w)[فو]?(?:لا|لم|ليس|ليست|ما|ماعند\w*|ما عند\w*) ?(?:\w+ ){0,2}(?:اعرف|اعلم|ادري|اجد|ارى|اري|يذكر|تذكر|مذكور\w*|معلوم\w*|تاريخ|استطيع|يمكنني|عندي|لدي|متاكد\w*|اؤكد|اوكد|عرفت\w*|عارف\w*|مكتوب\w*|نقدر\w*|كاين\w*(?! مشكل))"
    r"|(?<!\w)(?:معرفتش|ماعرفتش|ما عرفتش|معنديش|ماعنديش|مالقيت\w*|ما لقيت\w*)"
    r"|\bm(?:a)? ?(?:3|e3)r[e]?f\w*|\bma ?(?:3ndi|3endi|kayn|l9it|mktoub|mekto\w+)\w*\b|\bmakayn\w*|\bma ?(?:n|t)?9d\w*ch\b",
    "imagined": r"\b(?:if|whether|would|should|could|once|when|until|before|unless|in case|let me know|may|might|want me|shall)\b|\b(?:si|s'il|quand|lorsque|des que|souhaitez|voulez|voudriez|avant que|serait|pourrait|pourrais|tant que|sinon)\b"
    r"|(?<!\w)(?:اذا|لو|ان كنت|عندما|حين|متى|قبل ان|هل|الا|ملي|واش|ايلا)(?!\w)|\b(?:ila|mli|melli|wach|law|bghiti|9bel ma|7ta (?=[tny]\w|ma\b))\b",
    "cart": r"\b(?:carts?|baskets?|bags?|paniers?|sella|sla|lpanier|lcart)\b|(?<!\w)[وفبل]?(?:ال)?(?:سله|سلت\w*|باني\w*)",
    # Stock.
    "out": r"(?<!\w)(?:لم (?:يبق|تبق|يتبق|تتبق)\w*|ما ?بقا?ت?ش?|مابقا\w*) (?:\w+ ){0,2}(?:اي|حتي|شي) (?:\w+)|\b(?:sold out|out of stock|unavailable|not (?:\w+ )?(?:available|in stock)|isn't (?:\w+ )?(?:available|in stock)|no longer available|can't be ordered|cannot be ordered|none left|(?:run|ran|sold) out(?: of)?|no more (?:of|left))\b"
    r"|\b(?:epuisee?s?|rupture|indisponibles?)\b|\bplus (?:disponible|en stock)\b|\bn'en avons plus\b|\bplus de stock\b|\bpas (?:\w+ )?(?:disponible|en stock)"
    r"|(?:غير|ليس\w*|لم يعد|ما ?بقا\w*ش) (?:متوفر\w*|متاح\w*|موجود\w*)|(?<!\w)(?:نفد\w*|نفذ\w*|سالا\w*|سالي[نو]\w*|تسالا\w*|تقادا\w*|تقاضا\w*)"
    r"|\b(?:sala|salat|salaw|tsala\w*|t9ada\w*|salina)\b|\bma ?(?:ba9i)?ch? ?kayn\w*\b|\bmakayn\w*ch\b",
    "in": r"\bnous en avons(?! plus)\b|\b(?:il en reste|(?:we|nous) (?:still )?have (?:a few|some|plenty)|in stock|available|ready to ship|ready for you|still have it|can (?:still )?(?:be ordered|order it)|(?:you|we) can (?:still )?(?:buy|get|have|order|take) (?:it|one|this))\b|\b(?:vous pouvez|tu peux) (?:l'acheter|le (?:prendre|commander|commander)|la (?:prendre|commander))\b|(?<!\w)(?:يمكنك|تستطيع|بامكانك) (?:شراو\w*|اقتناو\w*|طلب[هها]+|شراء[هها]+)|(?<!\w)تقدر ت(?:شري|كوموندي)\w*|\bt9der t(?:chri|khod|commandi)\w*|\b(?:en stock|disponibles?|dispos?)\b"
    r"|(?<!\w)[وف]?(?:ال)?(?:متوفر\w*|متاح\w*|موجود\w*)|(?<!\w)(?:ايه|اه|نعم) (?:كاين\w*|موجود\w*)|كاين\w* (?:ف|في )(?:ال)?ستوك"
    r"|\b(?:kayna?|kaynin|mawjouda?) (?:f|fi) (?:l ?)?stock\b|\b(?:ah|iyeh|iyyeh|naam) kayn\w*|\bf stock\b",
    "left": r"\b(?:left|remain\w*|reste(?:nt)?)\b|(?<!\w)(?:بقي\w*|بقا\w*|باقي\w*|تبق\w*|متبق\w*|المتوفر)|\b(?:b9a\w*|ba9[iy]\w*|baqi\w*|b9at|bqa\w*)\b",
    "last one": r"\b(?:(?:very )?last|final|only one|one single|single) (?:\w+ )?(?:bottle|piece|unit|flacon|copy)s?\b|\blast one (?:left|in stock|we have)\b|\bderni\w+ (?:\w+ )?(?:flacon|exemplaire|piece|bouteille|unite)s?\b|(?<!\w)(?:اخر|هادي اخر) (?:قاروره|قطعه|حبه|وحده|واحده|زجاجه|قرعه|علبه|نسخه)(?!\w)|\b(?:wa7da|we7da|9er3a|7bba) (?:l)?(?:akhira|lakhra|lekhra|lkhra)\b|\bakhir (?:9er3a|wa7da|7bba|flacon)\b",
    "few": r"\b(?:a (?:couple|handful|few)|just a few|only a few|very few|hardly any|quelques|une poignee|deux ou trois|two or three)\b(?=.{0,24}\b(?:left|remain\w*|in stock|on the shelf|bottles?|flacons?|exemplaires?)\b)|\b(?:left|reste\w*|remain\w*)\b.{0,16}\b(?:a (?:couple|handful|few)|quelques|une poignee)\b"
    r"|\b(?:nearly|almost|about to be) (?:gone|sold out|out of stock|finished)\b|\b(?:running|stock is|stocks are) (?:very )?low\b|\blow stock\b|\bselling (?:out )?fast\b|\b(?:presque|quasi\w*|bientot) (?:epuisee?s?|en rupture|fini\w*)\b|\bstock (?:tres )?(?:limite|faible|bas)\b"
    r"|(?<!\w)(?:كميه|كميات|عدد) (?:قليل\w*|محدود\w*)|(?<!\w)(?:بقي\w*|بقا\w*|باقي\w*|باقين) (?:غير |فقط |سوي )?(?:قليل\w*|شويه|شوي|القليل)|(?:على وشك|قرب|قريب|قربات) (?:ان )?(?:النفاد|ينفد|تنفد|يسالي|تسالي|تسالا|يتسالا)|\bb9a\w* ghir chwiya\b|\b9rib\w* (?:ysali|tsali|ysala|tsala|yt9ada)\b",
    "plenty": r"\b(?:plenty|lots|loads|large stock|well stocked|abundan\w*|en grande quantite|beaucoup en stock|largement|bzaf (?:f|fi) (?:l ?)?stock)\b|(?<!\w)(?:بكثره|بوفره|بكميات كبيره|بزاف (?:ديال\w* )?(?:ف|في )(?:ال)?ستوك)(?!\w)",
    "will have": r"\b(?:(?:we|you)(?:'ll| will| should)(?: \w+)? (?:have|get|receive|see)|will be (?:here|there|available|in)|nous (?:l'|les |en )?aurons|on (?:l'|les |en )?aura|sera (?:la|disponible|en stock)|seront (?:la|disponibles))\b|(?<!\w)(?:غادي يكون\w*|غادي نجيب\w*|سيكون\w*|ستكون|سنوفر\w*|سيتوفر|ستتوفر|غيكون\w*|يكون عندنا)|\bgha(?:di)? ?[yt]koun\w*\b",
    "again": r"\b(?:restock\w*|back (?:in|on)|be back|is back|comes? back|returns? to|shipment|new batch|arriving|replenish\w*|will arrive|expect(?:ed|ing)? (?:it|more|an?|another|fresh|the next)|(?:fresh|new) (?:delivery|stock|batch|arrivals?))\b"
    r"|\b(?:reapprovision\w*|de retour|reviendr\w*|revient|reassort\w*|recevr\w+|arrivage|a nouveau disponible|stock jdid)\b"
    r"|(?<!\w)(?:س|كا?|غا?)?(?:ي|ت|ن)(?:عود|رجع|توفر)\w*(?!\w)|(?<!\w)(?:يدخلو|ندخلو|كيدخلو|دفعه جديده|ستصل|سيصل|[ت]?توصلنا|تجينا|غادي (?:تجي|يجيو|يوصلو))"
    r"|\b(?:trje3|yrje3|katrje3|rj3|nrje3o|ndakhl\w*|ydekhl\w*|ghadi (?:tji|yji|yo?u?[sw]\w*l\w*|two?sl\w*|tdkhel|ydkhlo))\b",
    "day_named": r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|weekend|next (?:week|month|year)|this (?:week|month)|in a few days|soon|shortly|black friday"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|ce soir|semaine prochaine|mois prochain|cette semaine|bientot|week-end|within \w+ \w+|(?:a|one|few) (?:days?|weeks?)|d'ici \w+|sous (?:peu|huitaine|quinzaine)|(?:had |f had |mn hna l ?|f )simana|mn hna l \w+)\b|(?<!\w)(?:من هنا ل\w+|خلال \w+|في غضون \w+|بعد (?:ايام|اسبوع|شهر|يومين|سيمانه))"
    r"|(?<!\w)[وبفل]?(?:ال)?(?:اثنين|ثلاثاء|اربعاء|خميس|جمعه|سبت|احد|تنين|تلات|اربع|لاربع|حد|غدا|غدوه|غد|قريبا|الاسبوع المقبل|الاسبوع القادم|الشهر القادم|الجايه?|الاسبوع الجاي|الشهر الجاي|راس الشهر|فراس الشهر|نهايه (?:الاسبوع|الشهر)|مطلع \w+)(?!\w)"
    r"|\b(?:ltnin|tnin|tlata|larb3|lkhmis|khmis|jem3a|jm3a|ljem3a|sebt|ssebt|l7ed|7ed|ghedda|ghda|ghedwa|had l\w+ jay\w*|9rib|simana jay\w*)\b",
    "returned": r"\b(?:refund\w*|money|returns?|parcel|rembours\w*|retour(?:s|ner)?|colis|echange)\b|(?:استرداد|المبلغ|ارجاع|الطرد|فلوس|الكولي)|\b(?:flous\w*|remboursement|colis)\b",
    "dated": r"\b\d{1,2}(?:st|nd|rd|th|er)?(?: of)? (?:jan|feb|fev|mar|apr|avr|may|mai|jun|jui|jul|aug|aou|sep|oct|nov|dec)\w*|\b(?:january|february|march|april|june|july|august|september|october|november|december|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre)\b"
    r"|(?<!\w)(?:يناير|فبراير|مارس|ابريل|مايو|ماي|يونيو|يوليوز|يوليو|غشت|اغسطس|شتنبر|سبتمبر|اكتوبر|نونبر|نوفمبر|دجنبر|ديسمبر)(?!\w)|\b(?:yanayer|dujanbir|dejanbir|nowanbir)\b",
    "count_after": r"[\s*_]{0,6}(?:\([^)]{0,60}\))?[\s*_,:–—-]{0,6}(?:[x×] ?(\d{1,2})(?!\d| ?[=x×])|(\d{1,2}) (?:bottles?|pieces?|flacons?|قوارير|قطع|قراعي|حبات|9ra3i))",
    "past": r"\b(?:had|were|was|avai(?:t|s|ent)|aviez|etai(?:t|ent)|before|avant|instead of)\b|(?<!\w)(?:كان\w*|كنت\w*|بدل)|\b(?:kan|kant|kanet|kano|kanou|kanu)\b",
    "budget": r"\b(?:budget|leaves?|il (?:vous|te) reste|ykfi\w*|yb9aw lik|bqaw lik)\b|(?:ميزاني\w*|يبقي لك|بقاو ليك|يكفي)",
    "differs": r"\b(?:differen\w*|more|less|cheaper|dearer|saves?|saving|extra|leaves?|leaving|left|missing|short|over|under|above|below|away|needs?|add|another|apart|separat\w*|within|further|rest|remain\w*|knock\w*|fits?|comes? down|higher|lower"
    r"|plus|moins|ecart|reste\w*|manque\w*|encore|separ\w*|depasse\w*|garder|sous|economi\w*|supplement\w*|ajout\w+|contre|vs|versus|against)\b"
    r"|(?<!\w)[وفب]?(?:(?:ال)?فرق|كتر|كثر|يبقي\w*|تبقي\w*|باقي\w*|بقا\w*|بقي\w*|ينقص\w*|ناقص\w*|خاص\w*|اكثر|اقل|ارخص|اغلي|رخص|زياده|فوق|تحت|زيد\w*|مقابل|يكفي\w*|توفر|بينهما|بيناتهم)(?!\w)"
    r"|\b(?:b9a\w*|yb9a\w*|tb9a\w*|lfer9|fer9|zid|kter|ktar|rkhes|khas\w*|n9es|n9as|9el|9all|ykfi\w*|zyada)\b",
    "compares": r"\b(?:than|against|versus|vs|cheaper|dearer|difference|contre|moins cher\w*|plus cher\w*|ecart)\b|(?<!\w)(?:مقابل|فرق|الفرق|ارخص|اغلي|رخص|نصف|ضعف)(?!\w)|\b(?:lfer9|fer9|9bel|rkhes)\b",
    "spoken_hour": r"(?:الساعه|قبل|حتي|من) (?:ال)(?P<arabic>واحده|ثانيه|ثالثه|رابعه|خامسه|سادسه|سابعه|ثامنه|تاسعه|عاشره)(?!\w)|(?<![\d:.,])(?P<pm>\d{1,2}) ?(?:p\.?m\b|(?:ال)?مساء\b|(?:ب?ال)?ليلا?\b|(?:du|de l') ?(?:soir|apres-midi)\b|d ?(?:l3chiya|lil|l3achiya)\b)|(?<![\d:.,])(?P<am>\d{1,2}) ?(?:a\.?m\b|o'clock|(?:ال)?صباحا?\b|du matin\b|d ?sbah\b)",
    "in_cart": r"\b(?:cart|basket|bag) (?:now |currently )?(?:contains?|holds|has)\b|\bpanier (?:\w+ ){0,2}contient\b|(?:سله|سلتك|السله)(?: \w+)? (?:فيها|تحتوي|تضم)|\bpanier (?:dyal\w* )?fih\b|\b(?:in|into) (?:your|the) (?:cart|basket|bag)\b|\bdans (?:votre|ton|le) panier\b|(?:في|ف|فال|داخل) ?(?:ال)?(?:سله|سلت\w+)|ضمن (?:مشترياتك|سلتك|السله)|\bf ?(?:l ?)?(?:panier|sella|sla)\b",
    "taken_out": r"\b(?:remov\w*|taken|took|out|gone|no longer|retire\w*|enleve\w*|supprim\w*|plus)\b|(?:حذف|ازل|حيد)|\b7[ie]?y",
    "offered": r"\b(?:can|could|add|put|ajouter|mettre|mets|nzid|n7et)\b|(?:نزيد|اضيف|نحط|اضافه)",
    "today": r"\b(?:today|tonight|aujourd'hui|ce soir|lyouma?|had lil)\b|(?<!\w)(?:اليوم|الليله|هاد الليله)(?!\w)",
    "ordered": r"\b(?:order|commande) (?:\w+ ){0,2}(?:placed|confirmed|complete|sent|passee|confirmee|validee|envoyee)\b|\bplaced your order\b|\bj'ai (?:passe|valide|confirme) (?:votre|la|ta) commande\b|(?:تم|تمت) (?:تاكيد|ارسال|تسجيل) (?:ال)?طلب\w*|\b(?:commande|lcommande) (?:dyalek |dyalk )?(?:dazt|tdart|tsiftat|mchat)\b",
    "regular": r"\b(?:was|regular\w*|instead of|normal\w*|usual\w*|before|full price|au lieu de|habituel\w*|avant|barre|reduced from|down from|saves?|save|discount\w*|off|economi\w*|remise|reduction)\b|(?<!\w)(?:بدل\w*|عادي|العادي|كان|اصلي|عوض|توفر|خصم|تخفيض)|\b(?:f blast|blast|3adi|l3adi|kan|kant|9bel)\b",
    "sells": r"\b(?:we (?:also )?(?:have|carry|sell|offer|stock)|there'?s|there is|il y a|nous avons|propose\w*|avons|kayna?|kaynin|3ndna|recommend|suggest|try|made|signe\w*|sawb\w*|house|maison|marque|brand|conseill\w*)\b|[\u0621-\u064a]",
    "abroad": r"\b(?:ship|deliver|send|livr\w+|expedi\w+|envoy\w+|katwsl\w*|twsl\w*|nsifto)\b(?: \S+){0,3} (?:france|spain|espagne|belg\w+|canada|usa|germany|allemagne|italy|italie|uk|england|europe|paris|dubai|algeri\w*|tunisi\w*|senegal|worldwide|fransa|sbanya)\b|(?:نوصل|توصيل|نرسل|كنوصلو|نشحن)(?: \S+){0,3} [وبفل]?(?:ال)?(?:فرنسا|اسبانيا|بلجيكا|كندا|اوروبا|المانيا|ايطاليا|الجزاير|تونس|دبي)",
    "empty": r"\b(?:cart|basket|bag) is (?:\w+ )?empty\b|\bempty (?:cart|basket|bag)\b|\bpanier (?:\w+ ){0,2}est (?:\w+ )?vide\b|(?:سله|سلت\w*|السله) (?:\w+ )?(?:فارغه|خاويه)|\bpanier (?:\w+ )?khaw[iy]a?\b",
    "changed": r"\b(?:added|put|placed|now have|in all|j'ai (?:ajoute|mis|pris)|ajoutee?s?|zedt\w*|zdt\w*|7ett?it\w*|7tit\w*|zedna)\b|(?<!\w)(?:اضفت|اضفنا|وضعت|زدت\w*|حطيت\w*|تمت? اضاف\w*)",
    "already": r"\balready\b|\bdeja\b|بالفعل|مسبقا|من قبل|ديجا",
    "total": r"\b(?:totale?|kolchi b|all in|in all|altogether|comes to|en tout|adds up to|sum)\b|(?<!\w)(?:ال|بال)?(?:مجموع|اجمالي|طوطال|حساب)(?!\w)",
    "each of them": r"\b(?:differs?|compared|respectively|respectivement|each|chacun\w*|first|second|former|latter|premiere?|seconde?|deuxieme|celui-ci|celle-ci|both|tous deux|les deux|bjouj|l?ewl[ae]|lewla|lewel|l?tan[iy]a?|tanya)\b|(?<!\w)[وف]?(?:ال)?(?:اول|اولي|لول\w*|تاني\w*|ثاني\w*|كلاهما|كلتاهما|بجوج)(?!\w)",
    "month_after": r"(?:st|nd|rd|th|er)?\s*(?:of |de |d'|ديال |d )?\s*(?:jan|feb|fev|mar(?:ch|s)\b|apr|avr|ma[yi]\b|jun|juin|jul|juil|aug|aout|sep|oct|nov|dec|yanay|febray|abril|youn|youl|ghocht|chtanb|oktob|nowan|dujan|dejan|يناير|فبراير|مارس|ابريل|مايو|ماي|يونيو|يوليو|غشت|اغسطس|شتنبر|سبتمبر|اكتوبر|نونبر|نوفمبر|دجنبر|ديسمبر)",
    "pieces_after": r"\s*(?:en stock|in stock|left\b|available|disponibles?|restants?|f stock|فالستوك|في المخزون|متوفر)",
    "count_ends": r"(?:[\s*_(]*\d{1,4} ?(?:ml|مل)\)?)?[\s*_]*[:=][\s*_]*(\d{1,2})[\s*_.]*$",
    "points": r"^\W*(?:\w+ ){0,1}(?:this|it|it's|that|ce|cet|cette|c'est|il|elle|had|hada|howa|huwa|hia|hiya|هذا|هذه|هو|هي|هاد|هادا|هادي)(?!\w)",
    "all_day": r"\b(?:(?:through|all|the whole|a full|an entire|a whole) (?:\w+ ){0,2}?(?:day|night)|from morning (?:to|till|until) (?:night|evening|dusk)|toute (?:la|une) (?:journee|nuit)|du matin au soir|n?nhar kamel|nhar kaml\w*|mn sba7 l lil)\b|(?:طول|طوال) (?:ال)?(?:يوم|نهار)|(?:ال)?نهار كامل|من الصباح (?:حتي|الي|ل)",
    "unlimited": r"\b(?:n'y a|n'existe|sans) (?:pas |aucune? |de |la moindre )*(?:plafond|limite)|\b(?:there(?:'s| is) |with )?no (?:upper |maximum )?(?:limit|cap|ceiling)\b|\bwithout (?:a |any )?(?:limit|cap)\b|\bunlimited\b|(?:بلا|بدون|دون) (?:اي )?(?:حد اقصي|حدود|سقف)|ماكاينش (?:شي )?حد|\bbla (?:7ed|limite|plafond)\b",
    "testers": r"\b(?:testers?|dupes?|knock-?offs?|replicas?|contrefacons?|imitations?)\b|(?<!\w)(?:ال)?(?:تستر\w*|عينات بيع|مقلد\w*|تقليد)(?!\w)",
    "of_price": r"\b(?:price|cost\w*|cher\w*|prix|coute\w*|expensive|dear\w*|taman|ghl[ae]\w*)\b|(?:ثمن|سعر|غلي|اغلي)",
    "this_period": r"\b(?:this|cette|ce|had) (?:week(?:end)?|month|semaine|mois|simana|chher|chhar)\b|(?<!\w)(?:هاد|هذا|هذه) (?:ال)?(?:اسبوع|شهر|سيمانه)",
    # Attributes.
    "long_word": r"\b(?:longevity|carr(?:y|ies) (?:you|one)|sees? you through|accompagne\w*|lasts?|lasting|wear time|stays?|hold|holds|tenue|tient|tiennent|dure|durent|tenace\w*|persistan\w*|marathon)\b|(?<!\w)(?:ال)?ثبات\w*|(?<!\w)(?:ي|ت|كي|كت|كا?ي)(?:دوم|بقي|بقا|ثبت|شد)\w*|\b(?:katb9a|kayb9a|katched|kaychedd?|katdoum|kaydoum|tenue)\b",
    "trail_word": r"\b(?:sillage|trail|projection|projects?)\b|(?<!\w)(?:ال)?فوحان\w*",
    "moderate": r"\b(?:moderate|medium|average|moderee?|moyenn?e?)\b|(?<!\w)[وف]?(?:معتدل\w*|متوسط\w*)",
    "very long": r"\bvery long\b|\bextremely long\b|\btres (?:long\w*|tenace\w*)|\btres longtemps|(?<!\w)[وف]?طويل\w* جدا|\bbzaf bzaf\b|\btres longue",
    "long": r"\blong(?:-lasting|ue)?\b|(?<!\w)[وف]?طويل\w*",
    "intimate": r"\b(?:intimate|intime|close to (?:the )?skin|skin scent)\b|(?<!\w)[وف]?قريب\w*",
    "heavy": r"\b(?:heavy|strong|powerful|puissante?|forte?|marque)\b|(?<!\w)[وف]?قوي\w*|\b(?:9wi\w*|qwi\w*)\b",
    "enormous": r"\b(?:enormous|huge|enormes?|massive)\b|(?<!\w)[وف]?(?:هايل\w*|ضخم\w*)",
    "holds": r"\b(?:contains?|has|holds|notes?|contient|fiha?|fihom)\b|(?<!\w)(?:فيه|فيها|يحتوي|تحتوي)(?!\w)",
    "women": r"\b(?:for|a) women\b|\b(?:women's|feminine|ladies'?)\b|\bfeminine?s?\b|\bpour (?:les )?femmes?\b|(?<!\w)(?:نسايي\w*|للنساء|للعيالات|ديال العيالات|انثوي\w*)|\b(?:dyal|l) ?(?:l?3yalat|nsa|nssa|bnat)\b",
    "men": r"\bfor men\b|\b(?:men's|masculine|gentlemen'?s?)\b|\bmasculine?s?\b|\bpour (?:les )?hommes?\b|(?<!\w)(?:رجالي\w*|للرجال|ديال الرجال)|\b(?:dyal|l) ?(?:r?rjal)\b|\brjali\b",
    "only women": r"\b(?:women's|ladies'?|feminine|female) (?:\w+ )?(?:perfume|fragrance|scent|cologne|eau)\b|\b(?:parfum|eau|fragrance|senteur) (?:\w+ )?(?:pour (?:les )?femmes?|feminine?)\b|\b(?:aux|pour les) femmes\b|\breserve\w* aux femmes\b|(?<!\w)(?:عطر|ريحه) (?:نساي\w*|نسايي\w*|ديال العيالات|للنساء|للعيالات|انثوي\w*)|\bri7a (?:dyal|l) ?(?:l?3yalat|nsa|bnat)\b|\b(?:made|meant|only|just) for (?:women|ladies|her)\b",
    "only men": r"\b(?:men's|gentlemen'?s?|masculine|male) (?:\w+ )?(?:perfume|fragrance|scent|cologne|eau)\b|\b(?:parfum|eau|fragrance|senteur) (?:\w+ )?(?:pour (?:les )?hommes?|masculine?)\b|\b(?:aux|pour les) hommes\b|\breserve\w* aux hommes\b|(?<!\w)(?:عطر|ريحه) (?:رجالي\w*|ديال الرجال|للرجال|ذكوري\w*)|\bri7a (?:dyal|l) ?(?:r?rjal)\b|\b(?:made|meant|only|just) for (?:men|gentlemen|him)\b",
    "unisex": r"\b(?:unisexe?|mixte|for everyone|both men and women|men and women alike|hommes et femmes|femmes et hommes|l joj|rjal w 3yalat)\b|(?<!\w)(?:للجنسين|يونيسكس|مشترك|للرجال والنساء|للنساء والرجال)(?!\w)",
    "extrait": r"\b(?:extrait(?! (?:naturel|de (?!parfum)|d'|dyal))|parfum extract|perfume extract)\b|(?<!\w)(?:ال)?مستخلص(?! (?:ديال|من|طبيعي|الفستق))",
    "edp": r"\b(?:eau de parfum|edp)\b|(?<!\w)(?:ماء العطر|او دو ب\w+)",
    "edt": r"\b(?:eau de toilette|edt)\b|(?<!\w)(?:ماء التواليت|او دو تواليت)",
    "cologne": r"\b(?:cologne)\b|(?<!\w)(?:ال)?كولونيا",
    "house": r"\b(?:(?:cree\w*|compose\w*|fabrique\w*|concu\w*|imagine\w*) par|made by|by|house|brand|from the house|maison|marque|chez|mn 3nd|dyal|signe|marka)\b|(?<!\w)(?:(?:ال)?دار|دار|ماركه|من عند|ديال)(?!\w)",
    "capitalised": r"(?<![^\W\u0621-\u064a])[A-ZÀ-Ý][\w'’]+(?: (?:d[’'e]u? ?|des |al |el |& )?[A-ZÀ-Ý][\w'’]+)+",
    "other_house": r"\b(?:chanel|dior|guerlain|creed|tom ford|lancome|gucci|versace|armani|hermes|amouage|lattafa|yves saint laurent|ysl|givenchy|prada|burberry|paco rabanne|jean paul gaultier|dolce(?: &| and)? gabbana|montale|mancera|kilian|byredo|diptyque|jo malone|le labo|kenzo|cartier|bvlgari|bulgari|calvin klein|hugo boss|maison margiela|francis kurkdjian|serge lutens|penhaligon'?s|zara|yves rocher|sephora|nina ricci|azzaro|mugler|rasasi|ajmal|armaf|afnan)\b|(?<!\w)(?:شانيل|ديور|غيرلان|كيرلان|كريد|توم فورد|لانكوم|غوتشي|كوتشي|فيرزاتشي|ارماني|هيرميس|امواج|لطافه|ايف سان لوران|جيفنشي|برادا|كارتييه|مونتال|مانسيرا)(?!\w)",
    "capital_word": r"(?<![^\W\u0621-\u064a])[A-ZÀ-Ý][\w'’]+(?: (?:d[’'e]u? ?|des |al |el |& )?[A-ZÀ-Ý][\w'’]+)*",
    "no_scent": r"\b(?:fruits? a coque|limonenes?|linalool|geraniol|citronellol|citral|coumarine?|eugenol|farnesol)\b|(?<!\w)و?(?:ال)?(?:ليمونين|لينالول|جيرانيول|سيترونيلول|سيترال|كومارين)(?!\w)|\b(?:a|ai|as|ont|avons|avez|avait|aient|ayant|bien|deja|n'a pas|pas) ete\b|(?:علي|قريب\w*|للبشره|من) (?:لل|ال|ل)?جلد\w*|(?<!\w)لل?جلد\w*|\b(?:3la|l) ?l?jeld\b|\bfleurs? de peau\b|\b(?:plus|tres|assez|bien) sage\b|\bmoroccan\b|\bbase\b",
    "house_before": r"(?:\bby|(?:cree\w*|signe\w*|fait|faite|compose\w*|fabrique\w*|concu\w*) par|\bsigne\w*|\bhouse(?: of)?|\bbrand|\bmaison|\bmarque|\bchez|\bmn 3nd|\bdyal|\bdar|(?<!\w)(?:ال)?دار|ماركه|من عند|ديال|\bfrom|\bvient de|\bde)[ :]*(?:the |la |le |chez |maison |ال)*$",
    "same_house": r"\bsame (?:house|brand|maker)\b|\bmeme (?:maison|marque)\b|(?<!\w)(?:نفس (?:ال)?(?:دار|ماركه)|(?:ال)?(?:دار|ماركه) (?:نفسها|واحده)|دار واحده)|\b(?:nfs|nefs) (?:l ?)?(?:marque|marka|dar)\b",
    # Comparisons: what is least or most.
    "cheapest": r"\b(?:cheapest|least expensive|lowest[- ]priced?|cheaper|less expensive|most affordable|lowest price)\b|\b(?:le|la|les) (?:moins (?:chere?s?|onereu\w+)|plus (?:abordables?|economiques?))\b|\bmoins chere?s?\b"
    r"|(?<!\w)(?:ال)?(?:ارخص|اقل سعرا|الاقل سعرا|اقل ثمنا|رخص)(?!\w)|\b(?:arkhas|rkhes|rkhas|arkhes)\b",
    "dearest": r"\b(?:most expensive|dearest|priciest|highest[- ]priced?|more expensive)\b|\bplus chere?s?\b|(?<!\w)(?:ال)?(?:اغلي|غلي)(?!\w)|\b(?:aghla|ghla)\b",
    "lasts_more": r"\b(?:longest[- ]lasting|lasts? (?:the )?long(?:er|est)|stays? (?:\w+ )?long(?:er|est)|outlasts?|most long-lasting|longer[- ]lasting|holds? (?:\w+ )?longer)\b|\b(?:tient|dure|tiennent) (?:\w+ )?(?:le |bien )?plus longtemps\b|\bplus (?:tenace|longue tenue|durable|persistant\w*)\b|\bmeilleure tenue\b"
    r"|(?<!\w)(?:ال)?(?:اثبت|اطول ثباتا|اكثر ثباتا|ادوم)(?!\w)|(?:يبقي|يدوم|كيبقي|كيبقا|كتبقي|كتبقا|كيشد|كتشد|يثبت) (?:\w+ )?(?:اكثر|اطول|كثر|كتر)|مده اطول|\b(?:katb9a|kayb9a|katched|kaychedd?|katchedd?) (?:\w+ )?(?:kter|ktar|aktar)\b",
    "trails_more": r"\b(?:strongest|biggest|largest|most powerful|heaviest|stronger) (?:\w+ )?(?:sillage|trail|projection)\b|\bsillage (?:\w+ )?(?:le )?plus (?:fort|puissant|marque|grand|ample)\b|\bplus (?:gros|fort|puissant|grand) sillage\b|(?<!\w)(?:ال)?(?:اقوي|اكثر) فوحان\w*|فوحان\w* (?:ديالو |ديالها )?(?:اقوي|قوي كثر)",
    "biggest": r"\b(?:biggest|largest) (?:bottle|size|format|flacon|container)s?\b|\bplus (?:grande?s?|grosse?s?) (?:flacons?|formats?|bouteilles?|tailles?|contenances?)\b|\b(?:flacon|format|bouteille|contenance) (?:le|la) plus grande?\b"
    r"|(?<!\w)(?:ال)?(?:اكبر|كبر) (?:قاروره|زجاجه|عبوه|حجم|قرعه|قنينه|طاي)(?!\w)|\b(?:akbar|kbar) (?:9er3a|9ra3a|qer3a|9r3a|flacon|format|7ajm|taille|size)\b",
    "smallest": r"\bsmallest (?:bottle|size|format|flacon|container)s?\b|\bplus petite?s? (?:flacons?|formats?|bouteilles?|tailles?|contenances?)\b|\b(?:flacon|format|bouteille|contenance) (?:le|la) plus petite?\b"
    r"|(?<!\w)(?:ال)?(?:اصغر|صغر) (?:قاروره|زجاجه|عبوه|حجم|قرعه|قنينه|طاي)(?!\w)|\b(?:asghar|sghar) (?:9er3a|9ra3a|qer3a|9r3a|flacon|format|7ajm|taille|size)\b",
    "unmeasured": r"\b(?:best[- ]?sell\w*|most popular|top[- ]sell\w*|bestsellers?|most sold|number one|customers?'? favou?rite|most loved|newest|latest arrival|award\w*|(?:best|top|highest)[- ]rated|\d(?:\.\d)? stars?|(?:customer )?reviews|just (?:arrived|launched)|new arrival|exclusive to us)\b"
    r"|\b(?:plus vendue?s?|meilleures? ventes?|plus populaires?|best[- ]?seller|numero un|plus aimee?s?|prefere\w* de nos|dernier\w* nouveaute|primee?|mieux notee?|numero 1|meilleures? notes? de|avis clients?|\d etoiles)\b"
    r"|(?<!\w)(?:الاكثر (?:مبيعا|شعبيه|طلبا|رواجا)|اكثر \w+ (?:مبيعا|طلبا)|(?:اكثر|كثر) حاجه كتباع|كيتباع (?:كثر|اكثر)|كتباع (?:كثر|اكثر|بزاف)|احدث عطر|جديدنا|(?:ال)?اعلي تقييم\w*|تقييمات|نجوم|رقم (?:1|واحد) )"
    r"|\b(?:li )?(?:kaytba3|katba3|kaytbaa3|mbyou3|katbbaa|katetba3) (?:kter|bzaf|aktar)\b|\bdyal les ventes\b|\baktar 7aja katba3\b|\bkter 7aja katba3\b",
    "whole_shop": r"\b(?:whole|entire) (?:shop|store|catalog\w*|range|collection)\b|\b(?:we (?:have|sell|carry|offer)|in (?:the|our) (?:shop|store|catalog\w*|range)|of all|anywhere in)\b|\b(?:boutique|catalogue|magasin|que nous (?:vendons|ayons|avons|proposons)|chez nous|de tous?(?:tes)?)\b"
    r"|(?:متجرنا|المتجر|عندنا|لدينا|الكتالوج|كاملين)|\b(?:3ndna|3endna|l7anout|kamlin)\b",
    # Discounts.
    "code": r"\b(?:codes?|coupons?|vouchers?|kod)\b|(?<!\w)(?:ال)?(?:كود|رمز|كوبون)(?!\w)",
    "reduced": r"\b(?:discount\w*|on sale|sale price|reduced|reductions?|promos?|promotions?|soldee?s?|remises?|rabais|offer (?:ends|runs)|percent off|% off|knock off|markdown)\b|(?<!\w)[وبفل]?(?:ال)?(?:خصم\w*|تخفيض\w*|مخفض\w*|عرض|برومو\w*|[صس]ولد\w*|كننقصو|ننقص\w*)(?!\w)|\b(?:n9isa|kan9so|takhfid\w*|lpromo|soldes?)\b",
    "sale_ends": r"\b(?:ends?|ending|until|till|runs|through|lasts|expires?|over on)\b|\b(?:se termine|fini\w*|jusqu\w*|s'acheve|prend fin|dure)\b|(?<!\w)(?:ينتهي|تنتهي|حتي|كيسالي|كتسالي|تسالي|يسالي|يستمر|الي غايه)|\b(?:katsali|kaysali|7ta|7tal|hta|tsali)\b",
    # Health and safety of a product.
    "harm": r"\b(?:vegans?|vegetarian|allerg\w*|hypoallergenic|pregnan\w*|breastfeed\w*|alcohol|alcohol-free|parabens?|phthalates?|cruelty|animals?|halal|organic|dermatolog\w*|irritat\w*|sensitive skin|toxic|medical|doctors?|asthma\w*|eczema|babies|baby|natural ingredients|gluten|sulfates?|silicones?|nuts?|fruits? a coque|(?:mums?|moms?|mothers?|mamas?)-to-be|unborn|f(?:o|oe)tus|futures? (?:mamans?|meres?)|l?bebe|7bla)\b"
    r"|\b(?:veganes?|allergi\w*|allergenes?|hypoallergenique|enceintes?|grossesse|allait\w*|alcool|parabenes?|phtalates?|animaux|bio|dermatolog\w*|irrit\w*|peaux? sensibles?|toxiques?|medec\w*|asthm\w*|bebes?)\b"
    r"|(?<!\w)[وبفل]?(?:ال|لل)?(?:نباتي\w*|حساسيه|حامل|حوامل|حمل|رضاعه|مرضع\w*|كحول\w*|لكول|الالكول|بارابين|حيوان\w*|حلال|عضوي\w*|طبيب|اطباء|طبي\w*|جنين|حبل[هي]|مكسرات|بشره الحساسه|ربو|رضيع|فيغان)(?!\w)"
    r"|\b(?:nabati|7assasiya|7asasiya|hassasiya|l?7amlat?|alcool|alkool|kohol|7alal|7ayawan\w*|tbib|hypoallerg\w*)\b",
    "nuts": r"\b(?:nuts?|fruits? a coque|mkess?a?rat)\b|(?<!\w)[وبفل]?(?:ال)?مكسرات",
    "vegan": r"\b(?:vegan\w*|vegetar\w*|vegetal\w*|plant-based)\b|(?<!\w)(?:ال)?(?:نباتي\w*|فيغان)|\bnabati\b",
    "allergy": r"\b(?:allerg\w*|hypoallerg\w*)\b|(?<!\w)[وبفل]?(?:ال|لل)?(?:حساسيه|تحسس)|\b(?:7assas\w*|7asas\w*|hassas\w*)\b",
    "pregnancy": r"\b(?:pregnan\w*|breastfeed\w*|enceintes?|grossesse|allait\w*|(?:mums?|moms?|mothers?|mamas?)-to-be|unborn|f(?:o|oe)tus|futures? (?:mamans?|meres?)|l?7amlat?|7bla|l?bebe f l?kerch)\b|(?<!\w)[وبفل]?(?:ال|لل)?(?:حامل\w*|حوامل|حمل|رضاعه|مرضع\w*|جنين|حبل[هي])(?!\w)",
    "alcohol": r"\b(?:alcohol\w*|alcool\w*|alkool|l?kohol)\b|(?<!\w)[وبفل]?(?:ال|لل)?(?:كحول\w*|لكول)",
    "animals": r"\b(?:animals?|animaux|cruelty|7ayawan\w*|l7ayawan\w*)\b|(?<!\w)[وبفل]?(?:ال)?حيوان\w*",
    "halal": r"\b(?:halal|7alal)\b|(?<!\w)(?:ال)?حلال(?!\w)",
    "chemistry": r"\b(?:parabens?|parabenes?|phthalates?|phtalates?|sulfates?|silicones?|toxi\w*|gluten)\b|بارابين",
    "nature": r"\b(?:organic|bio|natural ingredients|100% natural)\b|(?<!\w)(?:ال)?عضوي\w*",
    "skin": r"\b(?:sensitive skin|irritat\w*|eczema|irrit\w*|peaux? sensibles?|dermatolog\w*)\b|بشره الحساسه",
    "not mine to say": r"\b(?:(?:can't|cannot|can not|not able to|unable to) (?:\w+ ){0,2}(?:judge|assess|know|say|promise|guarantee|tell|advise|diagnose)|(?:check|speak|talk|ask|consult\w*)(?: \w+){0,2} (?:doctor|pharmacist|allergist)|peux pas (?:\w+ ){0,2}(?:juger|savoir|evaluer|garantir|dire|affirmer)|(?:votre|ton|un) (?:medecin|allergologue|pharmacien))\b|(?:استشر|استشير\w*|اسال\w*|سول\w*|شاور\w*) (?:\w+ )?(?:ال)?(?:طبيب\w*|صيدلي)|\b(?:sewwel|swel|chawer|sowel) (?:\w+ )?(?:tbib\w*|pharmacien)\b",
    "shunned": r"\b(?:avoid\w*|steer clear|stay away|l'eviter|s'abstenir|eviter|deconseill\w+|not recommended|advised against)\b|(?<!\w)(?:تجنب\w*|ما ?ننصح\w*|لا ننصح)|\bma ?n?ns7o?u?ch\w*\b",
    "doctors": r"\b(?:(?:approved|recommended|tested|certified) by (?:\w+ )?(?:doctors|dermatologists|experts)|clinically|medically|dermatologically|par des? (?:medecins|dermatologues)|asthm\w*)\b|(?:بشهاده|من طرف|بموافقه) (?:ال)?اطباء|(?<!\w)(?:ال)?ربو(?!\w)",
    "infants": r"\b(?:baby|babies|bebes?)\b|(?<!\w)(?:ال)?رضيع",
    "verb_denied": r"\b(?:not|n't|isn't|aren't|pas)\b|(?<!\w)(?:لا|ليس\w*|غير)(?!\w)|\b(?:machi|ma\w+ch)\b",
    "free_of": r"^\w+[- ]free\b",
    "safe": r"\b(?:safe|fine for|suitable|no risk|convient|sans risque|sans danger)\b|(?<!\w)(?:امن\w*|مناسب\w*)",
    "warning": r"\b(?:avoid|advise against|not recommended|contains?|better not|careful|evit\w+|deconseill\w+|contient|contiennent|attention)\b|(?<!\w)(?:تجنب\w*|يحتوي|تحتوي|لا ننصح|حذار)|\b(?:tjenneb|3ndek mn)\b",
    # Services of the store.
    "wrapping": r"\b(?:wrap(?:s|ped|ping)?|gift (?:paper|box|bag)e?s?|ribbons?|emballages?|emball\w+|papiers? cadeaux?|paquets? cadeaux?|pochettes? cadeaux?|boites? cadeaux?|boite cadeau|rubans?|katghelf\w*|taghlif)\b|(?<!\w)[وبفل]?(?:ال)?(?:تغليف|نغلف|كنغلفو|يغلف|مخمليه?|شريط)",
    "instalments": r"\b(?:instal?ments?|monthly payments?|split the (?:amount|payment)|pay later|klarna|mensualites?|plusieurs fois|(?:en|in) (?:\d|two|three|four|deux|trois|quatre) (?:fois|times|payments?|parts?|monthly)|b chwiya|(?:f|b|3la) (?:\d|jouj|joj|tlata|reb3a|rb3a) (?:d |dyal )?(?:l?mr+r?at|dof3at|tranches?))\b|(?<!\w)[وبفل]?(?:ال)?(?:تقسيط|اقساط|قسط|دفعات|طرانش)",
    "wallets": r"\b(?:paypal|apple pay|google pay|bitcoin|crypto\w*|western union|american express|amex|cash ?plus|wafacash)\b|(?:باي بال|بايبال|بيتكوين|ابل باي|كاش بلوس)",
    "cheques": r"\b(?:cheques?|checks? (?:by|are)|chik)\b|(?<!\w)[وبفل]?(?:ال)?شيك(?:ات)?(?!\w)",
    "members": r"\b(?:students?|loyal\w*|loyalty|members?|teachers?|seniors?|etudiant\w*|fidel\w*|9dam|l9dam|newsletter|subscribers?|first order|premiere commande|birthday (?:discount|offer)|referr\w*|parrain\w*)\b|(?<!\w)[وبفل]?(?:ال|لل)?(?:طلاب|طلبه|طالب|اوفياء|ولاء|القدام|مشتركين|اول طلب)(?!\w)",
    "warranty": r"\b(?:warrant\w+|lifetime (?:guarantee|exchange)|garantie? a vie|garantie? (?:de )?\d+ ans?)\b|(?<!\w)[وبف]?(?:ال)?ضمان(?!\w)|\b(?:daman|damana)\b",
    "gifts": r"\b(?:free (?:pouch|bag|mug|candle|miniature|travel spray|perfume|bottle)|(?:pochette|trousse|bougie|miniature|flacon)\w* (?:offerte?|gratuite?))\b|(?:قاروره|شمعه|حقيبه) (?:مجانيه|هديه)",
    "free delivery": r"(?:\b(?:delivery|shipping|livraison|twsil|tawsil)\b|توصيل)(?: [^\s.,]+){0,4} (?:\b(?:free|gratuite?|offerte?|fab(?:ou?|u)r|blach|b lach)\b|مجاني\w*|مجانا|فابور|بلاش|باطل)|\b(?:free|gratis) (?:delivery|shipping)\b|\blivraison (?:gratuite|offerte|fab(?:ou?|u)r)\b",
    "same day": r"\b(?:same[- ]day|le jour meme|jour meme|meme jour|n[ae]?fe?s (?:n?nhar|lyoum)|f nharha|f nfs n?nhar|overnight|du jour au lendemain|within hours|in a few hours|dans l'heure|en quelques heures)\b|(?<!\w)(?:في |ف)?(?:نفس|ذات) (?:ال)?(?:يوم|نهار)|اليوم نفسه|اليوم ذاته|(?:خلال|في) ساعات",
    "soon": r"\b(?:tomorrow|tonight|demain|ce soir|within (?:the|an) hour|ghedda|ghda|ghedwa)\b|(?<!\w)(?:غدا|غدوه|الليله)(?!\w)",
    "arrives": r"\b(?:deliver\w*|arriv\w*|there|reach\w*|ship\w*|get it|receive\w*|livr\w+|recevr\w+|recevez|chez vous|at your door|gets? (?:it|yours)|in your hands|parcel|colis|kaywsel\w*|yo?us[ae]?l\w*|ywsl\w*|katwsl\w*|twsl\w*)\b|(?:يصل|تصل|نوصل|توصيل|كيوصل|غادي يوصل|توصلك|يوصلك|تستلم)",
    "engraving": r"\b(?:engrav\w+|grav(?:ons|er|ure|ee?s?|ez))\b|(?<!\w)[وبفلن]?(?:ال)?(?:نقش\w*|ننقش)",
    "always free": r"(?:\b(?:free|gratuit\w*|fab(?:ou?|u)r|offerte?|bat[ei]?l)\b|فابور|مجان\w*|باطل)(?: \S+){0,2} (?:\b(?:always|toujours|whatever|dima|quel que soit|sans minimum|no minimum)\b|ديما|داءما|دايما|كيفما|مهما)|\b(?:always|toujours|dima) (?:free|gratuit\w*|offerte?|fab(?:ou?|u)r)\b",
    "price promise": r"\b(?:price match\w*|match any price|lowest price guarantee|meilleur prix garanti|refund the difference|remboursons la difference)\b",
    "bonus": r"\b(?:(?:second|third|fourth|fifth|next) (?:one |bottle )?(?:is |comes )?(?:at )?(?:free|half price|half off)|buy \w+,? get|one free|free gift|cadeau offert|(?:deuxieme|troisieme|quatrieme|cinquieme) (?:\w+ )?(?:est |a )?(?:offerte?|gratuite?|moitie prix))\b|(?:الثاني\w*|الثالث\w*|الرابع\w*) (?:مجان\w*|هديه|فابور)",
    "shop visit": r"\b(?:our (?:boutique|showroom|store) (?:in|at|on)|visit (?:us|our)|come (?:by|to) (?:our|the) (?:shop|store|boutique)|notre (?:boutique|magasin) (?:a|au|de|est)|passez? (?:nous voir|en boutique))\b|(?:زورونا|محلنا|متجرنا في)",
    "free return": r"\b(?:no return fee|returns? (?:is|are) (?:\w+ )?free|free returns?|return\w* (?:costs? nothing|at no cost)|changing your mind is free|retours? (?:est |sont )?(?:\w+ )?gratuits?|retour\w* (?:\w+ ){0,2}(?:ne (?:vous )?(?:coute|coutent) rien|sans frais)|returns? (?:\w+ ){0,3}(?:cost you nothing|nothing to pay))\b|(?:ارجاع|الرجوع) (?:\w+ ){0,2}(?:مجاني|مجانا|فابور)|(?:ارجاع|رجوع|rojo3|retour)\w* (?:\w+ ){0,2}(?:لا يكلف|بدون (?:اي )?(?:مصاريف|تكلفه|تكاليف|رسوم)|باطل|ما ?كي?[كخ]\w*ش|fab(?:ou?|u)r|bla flous|ma kay\w*ch)",
}


@cache
def pattern(kind: str) -> re.Pattern[str]:
    """The compiled pattern of a kind of claim."""
    return re.compile(_SOURCES[kind])


@lru_cache(maxsize=512)
def says(kind: str, folded: str) -> bool:
    """Whether a folded text holds wording of a kind."""
    return pattern(kind).search(folded) is not None
