"""Messages in languages that we do not speak, by their commonest words; and links, whose words are nobody's wishes."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from shopping_agent.domain.patterns import late
from shopping_agent.domain.understanding.tokens import Token

_LINK: Final = late(r"(?:https?://|www\.)\S+", re.IGNORECASE)
# Words of grammar that no language of ours has (a Moroccan `el`, a French `es` or an English `die` is not among them).
_WORDS: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(words.split())
    for words in (
        "hola quiero para busco tienen tienes tengo gracias favor cuanto cuesta donde envio madre hombre mujer los las "
        "del una por muy mas buenos dias necesito puedo hay barato regalo mejor con anade anadir carrito usted esta",
        "ich suche ein eine einen fur meine meinen mein frau unter haben sie etwas mit und der das ist nicht bitte wie "
        "kostet danke hallo guten gibt mochte kann auf von zum wo wir habt ihr billig welche welches duft",
        "ciao vorrei cerco per mia mio grazie avete quanto costa profumo sono della delle buongiorno uomo donna che "
        "qualcosa sotto aggiungi carrello dove spedite",
        "ola quero voce voces obrigado obrigada tem quanto custa minha meu nao uma perfume procuro entrega homem mulher "
        "bom dia adicione carrinho onde",
        "hallo ik zoek een voor mijn het hebben jullie graag dank wat kost deze niet",
    )
)
_OTHER_SCRIPT: Final = late(r"[\u0370-\u05ff\u0700-\u08ff\u0900-\u1dff\u3040-\ud7af]")
_FEWEST: Final = 2
_SHARE: Final = 3  # one word in so many tells the language


def is_foreign(tokens: Sequence[Token]) -> bool:
    """Whether a message is in a language that is none of ours."""
    words = [t.folded for t in tokens if t.kind == "word"]
    if any(_OTHER_SCRIPT().search(word) for word in words):
        return 2 * sum(bool(_OTHER_SCRIPT().search(word)) for word in words) >= len(words)
    told = max(sum(word in own for word in words) for own in _WORDS)
    return told >= _FEWEST and told * _SHARE >= len(words)


def without_links(text: str, names_something: Callable[[str], bool]) -> str:
    """The text with blanks for links that name no product, as long as before."""
    if "://" not in text and "www." not in text.lower():
        return text
    return _LINK().sub(lambda m: m[0] if names_something(m[0]) else " " * len(m[0]), text)
