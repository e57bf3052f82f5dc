// The page's own labels. Words of the store (answers, suggestions, contacts) come from the API.
export const texts = {
  en: {
    shop: "Our shop", skip: "Skip to the products", search: "Search", searchHint: "Search a name, a wish, a mood", maxPrice: "Highest price", language: "Language",
    more: "More products", cart: "Cart", cartEmpty: "Your cart is empty.", total: "Total before delivery", undo: "Undo", clear: "Empty the cart", chat: "Ask the assistant",
    notice: "You are talking to an automated assistant.", message: "Your message", messageHint: "Something fresh for summer, under 800 MAD", send: "Send", add: "Add to cart",
    inStock: "In stock", outOfStock: "Out of stock", few: "Only {n} left", searching: "Searching…", nothing: "Nothing matches. Try fewer words or a higher price.",
    thinking: "Looking…", fromChat: "Products of the assistant's last answer. Search again to see all.", failed: "Something went wrong. Please try again.",
    less: "One less", oneMore: "One more", remove: "Remove", price_rose: "The price went up.", price_fell: "The price went down.", stock_below_quantity: "Fewer are left than you chose.", gone: "No longer sold.",
    checkout: "Checkout", checkoutDemo: "This is the demo shop's checkout: your own shop's page would be here. Nothing is paid.", checkoutExpired: "This link has expired. Go back to your cart and check out again.", back: "Back to the shop",
  },
  fr: {
    shop: "Notre boutique", skip: "Aller aux produits", search: "Rechercher", searchHint: "Un nom, une envie, une humeur", maxPrice: "Prix maximum", language: "Langue",
    more: "Plus de produits", cart: "Panier", cartEmpty: "Votre panier est vide.", total: "Total hors livraison", undo: "Annuler", clear: "Vider le panier", chat: "Demander à l'assistant",
    notice: "Vous parlez à un assistant automatique.", message: "Votre message", messageHint: "Quelque chose de frais pour l'été, moins de 800 MAD", send: "Envoyer", add: "Ajouter au panier",
    inStock: "En stock", outOfStock: "Épuisé", few: "Plus que {n}", searching: "Recherche…", nothing: "Aucun résultat. Essayez moins de mots ou un prix plus élevé.",
    thinking: "Je cherche…", fromChat: "Produits de la dernière réponse. Relancez une recherche pour tout voir.", failed: "Un problème est survenu. Réessayez.",
    less: "Un de moins", oneMore: "Un de plus", remove: "Retirer", price_rose: "Le prix a augmenté.", price_fell: "Le prix a baissé.", stock_below_quantity: "Il en reste moins que choisi.", gone: "N'est plus vendu.",
    checkout: "Commander", checkoutDemo: "Ceci est la caisse de la démonstration : la page de votre boutique serait ici. Rien n'est payé.", checkoutExpired: "Ce lien a expiré. Revenez au panier et recommencez.", back: "Retour à la boutique",
  },
  ar: {
    shop: "متجرنا", skip: "انتقل إلى المنتجات", search: "بحث", searchHint: "اسم، رغبة، مزاج", maxPrice: "أعلى سعر", language: "اللغة",
    more: "مزيد من المنتجات", cart: "السلة", cartEmpty: "سلتك فارغة.", total: "المجموع قبل التوصيل", undo: "تراجع", clear: "إفراغ السلة", chat: "اسأل المساعد",
    notice: "أنت تتحدث مع مساعد آلي.", message: "رسالتك", messageHint: "شيء منعش للصيف بأقل من 800 درهم", send: "إرسال", add: "أضف إلى السلة",
    inStock: "متوفر", outOfStock: "غير متوفر", few: "بقي {n} فقط", searching: "جارٍ البحث…", nothing: "لا نتائج. جرّب كلمات أقل أو سعرا أعلى.",
    thinking: "أبحث…", fromChat: "منتجات الإجابة الأخيرة. ابحث من جديد لرؤية الكل.", failed: "حدث خطأ. حاول مرة أخرى.",
    less: "أقل بواحد", oneMore: "واحد آخر", remove: "حذف", price_rose: "ارتفع السعر.", price_fell: "انخفض السعر.", stock_below_quantity: "المتبقي أقل مما اخترت.", gone: "لم يعد يباع.",
    checkout: "إتمام الطلب", checkoutDemo: "هذه صفحة الدفع التجريبية: هنا تكون صفحة متجرك. لا يُدفع أي شيء.", checkoutExpired: "انتهت صلاحية هذا الرابط. عد إلى سلتك وأعد المحاولة.", back: "العودة إلى المتجر",
  },
};
