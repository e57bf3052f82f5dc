"""A failed exchange of any HTTP library, or SDK around one, as one `LanguageModelError`; no library is loaded to know them."""

from collections.abc import Iterator
from typing import Final

from shopping_agent.errors import LanguageModelError, LanguageModelFault, Remedy

UNREADABLE: Final = (
    "Your last reply could not be read. Answer in plain words or with a declared tool call."
)
"""For the model, with a second attempt."""
_MOST_CAUSES: Final = 10
_EXCEPTIONS: Final[tuple[tuple[frozenset[str], LanguageModelFault, Remedy | None], ...]] = (
    (
        frozenset({"TimeoutException", "APITimeoutError", "TimeoutError", "DeadlineExceededError"}),
        "timeout",
        None,
    ),
    (
        frozenset({"InvalidURL", "UnsupportedProtocol", "LocalProtocolError", "TooManyRedirects"}),
        "bad_request",
        None,
    ),
    (frozenset({"SSLCertVerificationError"}), "connection", None),
    (
        frozenset({"NetworkError", "ProtocolError", "ProxyError", "TransportError", "OSError"}),
        "connection",
        "again",
    ),
    (
        frozenset(
            {
                "DecodingError",
                "JSONDecodeError",
                "UnicodeDecodeError",
                "ValidationError",
                "APIResponseValidationError",
                "UnknownApiResponseError",
            }
        ),
        "malformed",
        "again",
    ),
    (frozenset({"APIConnectionError", "HTTPException"}), "connection", "again"),
)


def transport_fault(error: BaseException) -> LanguageModelError:
    """The error that a failed exchange means: of httpx, httpx2, the standard library, or an SDK around them.

    They are told by their class names, so that no library is loaded to be told apart.
    """
    if isinstance(error, LanguageModelError):
        return error
    for cause in _causes(error):
        names = {base.__name__ for base in type(cause).__mro__}
        for classes, kind, remedy in _EXCEPTIONS:
            if not classes.isdisjoint(names):
                return LanguageModelError(
                    kind,
                    f"{kind}: {type(cause).__name__}",
                    remedy=remedy,
                    hint=UNREADABLE if kind == "malformed" else "",
                )
    return LanguageModelError("bad_request", f"the call failed: {type(error).__name__}")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """What an error was raised from, innermost first: an SDK's own class says less than what it wraps."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain and len(chain) < _MOST_CAUSES:
        chain.append(current)
        current = current.__cause__
    return reversed(chain)
