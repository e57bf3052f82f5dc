"""Which machine-readable codes, and which kinds of wording, mean what in a provider's error."""

import re
from collections.abc import Sequence
from typing import Final

from shopping_agent.adapters.llm.error_bodies import Problem
from shopping_agent.domain.values import frozen


@frozen
class Signs:
    """How one kind of error shows itself: `codes` are exact (folded), `words` is searched in the folded text."""

    codes: frozenset[str]
    words: re.Pattern[str] | None = None

    def in_codes(self, problem: Problem) -> bool:
        return not self.codes.isdisjoint(problem.codes)

    def seen(self, problem: Problem) -> bool:
        """By its codes, else by its words."""
        return self.in_codes(problem) or bool(self.words and self.words.search(problem.text))


def _signs(codes: str, *words: str) -> Signs:
    return Signs(frozenset(codes.split()), _pattern(words) if words else None)


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(words))


AUTH: Final = _signs(
    """api_key_invalid invalid_api_key incorrect_api_key api_key_expired unauthenticated authentication_error
    invalid_authentication unauthorized api_key_service_blocked api_key_http_referrer_blocked
    api_key_ip_address_blocked service_disabled consumer_suspended account_deactivated access_terminated
    organization_restricted blocked_api_access unsupported_country_region_territory credentials_missing""",
    r"api[ _-]?key.{0,40}(?:invalid|incorrect|not valid|not found|missing|expired|revoked|wrong|malformed|leaked|disabled|required)",
    r"(?:invalid|incorrect|no|missing|expired|wrong|bad|unknown|malformed|provide an?)(?: \w{1,20}){0,2} api[ _-]?key",
    r"(?:invalid|expired|missing|no) (?:access|auth|authentication|bearer|authorization) (?:token|header|credentials)",
    r"(?:location|country|region|territory).{0,40}not (?:supported|available|allowed)",
    r"(?:account|organi[sz]ation|project|consumer|team).{0,60}(?:suspended|deactivated|restricted|disabled)",
    r"^\W*(?:invalid|expired|missing|unknown) (?:token|key|credentials?)\W*$|cl[ée] (?:d'|de l')?api\b|api[ -]schl[üu]ssel|clave (?:de )?(?:la )?api\b",
)
REFUSED: Final = _signs(
    """content_filter content_policy_violation content_filtered content_moderation content_blocked moderation
    data_inspection_failed moderation_blocked moderation_error safety responsibleaipolicyviolation safety_violation safety_check_failed
    prohibited_content content_violation invalid_prompt_content input_moderation""",
    r"(?:content|prompt|inputs?|messages?|outputs?|generat\w{1,5}|response) (?:\S{1,20} ){0,5}(?:violat\w{1,5}|flagged|filtered|disallowed|prohibited|moderated)\b",
    r"violat\w{1,5} (?:\S{1,20} ){0,4}(?:usage|content|safety|moderation|acceptable)",
    r"(?:failed|did not pass) (?:\S{1,20} ){0,3}(?:moderation|safety)",
    r"requests? (?:\S{1,20} ){0,3}flagged|flagged by (?:our |the )?(?:moderation|safety|content)|inappropriate content|sensitive (?:content|words?)|敏感",
    r"safety_check|(?:rejected|blocked|refused)[^.]{0,60}safety|content (?:management )?policy|blocked (?:\S{1,20} ){0,4}(?:safety|moderation|content)",
)
BILLING: Final = _signs(
    """insufficient_quota billing_hard_limit_reached billing_not_active billing_disabled billing_not_enabled
    insufficient_credits insufficient_balance insufficient_funds payment_required spend_limit_reached
    spending_limit_reached credits_exhausted credit_limit_reached quota_exhausted monthly_limit_reached
    billing_error out_of_credits personal_team_blocked_spending_limit""",
    r"(?:out of|insufficient|no|not enough|any|zero|all|used up|lacks?|purchase|more)(?: \w{1,20}){0,2} (?:credits?|balance|funds)\b",
    r"(?:credits?|balance|funds)(?: \w{1,20}){0,5} (?:deplet|exhaust|insufficient|too low|used up|ran out|run out|negative|exceeded|expired)",
    r"(?:enable|set ?up|activate|requires?|check) (?:\w{1,20} ){0,2}(?:billing account|billing|payment method)\b",
    r"billing (?:hard limit|soft limit|account|is |has |not |to be )",
    r"余额不足|欠费|(?:solde|saldo) (?:\w{1,20} ){0,2}(?:insuffisant|insuficiente|[ée]puis)|cr[ée]dits? (?:\w{1,20} ){0,2}(?:[ée]puis|insuffisant|agotad)|guthaben|key limit exceeded",
    r"(?:spend|spending|monthly|usage) (?:limit|cap|budget)|payment (?:required|method)|pre-?pa(?:id|y)",
)
TOO_LARGE: Final = _signs(
    """context_length_exceeded string_above_max_length request_too_large exceed_context_size_error
    context_window_exceeded payload_too_large prompt_too_long max_tokens_exceeded input_too_long
    tokens_limit_reached contextwindowexceedederror request_entity_too_large""",
    r"(?:request|prompt|input|messages?|payload|body|conversation|entity)\b.{0,60}(?:too (?:large|long|big)|exceeds? (?:the )?(?:\w{1,20} ){0,3}(?:limit|maximum|size|length|context|window))",
    r"(?:max\w{0,8}|exceed\w{0,4}) (?:\w{1,20} ){0,4}(?:context|prompt|input|sequence) (?:length|window|size)|(?:context|prompt|input) (?:length|window|size)[^.]{0,60}(?:exceed|overflow|is only|limit|too)",
    r"longer than the max|range of input length|(?:requ[êe]te|message|entr[ée]e|anfrage|solicitud|prompt)\b.{0,40}(?:trop (?:long|grand|volumineu)|zu (?:lang|gro(?:ß|ss))|demasiado (?:larg|grand))",
    r"tokens?\b[^.]{0,80}(?:exceed|greater than|larger than|more than|too many|must be (?:<|less|at most))|exceed[^.]{0,60}\btokens?\b|too many (?:input )?tokens",
    r"context_?window_?exceeded|reduce (?:the |your )?(?:length|size|message|prompt|input)|max_(?:completion_|output_)?tokens.{0,40}(?:too large|must be (?:less|at most|<)|exceed|at most|<=)",
)
PLAIN: Final = _signs(
    """unsupported_parameter unsupported_value unknown_parameter unrecognized_parameter extra_forbidden
    parameter_not_supported""",
    r"thought[ _]?signature|encrypted_content|\bsignature (?:\w{1,20} ){0,3}(?:missing|invalid|required|corrupt)",
    r"(?:argument|parameter|param|property|field|option|keyword|value)s?\b[^.]{0,80}(?:not supported|unsupported|not permitted|not allowed|unrecogni[sz]ed|unknown|unexpected)",
    r"(?:unsupported|unknown|unrecogni[sz]ed|unexpected|extra|additional|not support) (?!model)(?:\w{1,20} ){0,2}(?:argument|parameter|param|property|properties|field|option|keyword|input|name|value)s?\b",
    r"^(?!.*\b(?:tools?|functions?|images?|vision)\b).*(?:not supported|unsupported) (?:for|with|by|on|in) (?:this|the|your) model",
    r"cannot find field|extra inputs|reasoning_(?:format|effort|content)|(?:temperature|penalty|logprobs|parallel_tool_calls|\bstop\b).{0,60}(?:not supported|unsupported|does not support)",
)
MODEL_GONE: Final = _signs(
    """model_not_found model_decommissioned model_not_available model_not_supported model_deprecated model_retired
    unknown_model invalid_model model_terms_required model_permission_blocked_org model_permission_blocked_project
    model_not_active no_such_model unsupported_model model_not_exist deployment_not_found deploymentnotfound""",
    r"\bmodels?\b[^.;]{0,20}(?:[./:\w-]{1,80}[^;]{0,60})?(?:not found|does ?n[o']t exist|do not exist|not exist|decommission|deprecat|retired|no longer|discontinu|sunset|shut ?down|shutting down|end[ -]of[ -]life|\beol\b|(?:been|was|were) removed|not available|unavailable|not accessible|not have access|invalid model|not a valid model)",
    r"(?:unexpected|malformed|invalid) model name|(?:unknown|invalid|no such|unrecogni[sz]ed|unsupported|non-?existent) model\b|model[^.;]{0,80} is not supported",
    r"no endpoints found|is not a valid model|\b(?:mod[èe]le|modell|modelo)\b.{0,80}(?:n'existe pas|introuvable|nicht (?:gefunden|verf[üu]gbar)|no existe|no encontrado)",
)
BAD_CALL: Final = _signs(
    """tool_use_failed output_parse_failed json_validate_failed malformed_function_call unexpected_tool_call
    invalid_tool_call tool_call_parse_error""",
    r"fail\w{0,3} to (?:call|parse|generate|validate) (?:\w{1,20} ){0,3}(?:function|tool|json|output|arguments)",
    r"tool (?:call|choice)[^.]{0,40}(?:validation failed|not in request|but model called)|failed_generation",
)
RATE: Final = _signs(
    """rate_limit_exceeded rate_limited rate_limit_error rate_limit too_many_requests resource_exhausted
    requests_limit_exceeded tokens_limit_exceeded throttled throttling slow_down ratelimitexceeded""",
    r"\brate[ _-]?limit|too many requests|slow down|throttl",
)
LATE: Final = _signs("deadline_exceeded request_timeout gateway_timeout timeout timeout_error")
DOWN: Final = _signs(
    """unavailable internal server_error internal_error internal_server_error overloaded overloaded_error
    service_unavailable engine_overloaded capacity_exceeded api_error model_overloaded backend_error
    service_tier_capacity_exceeded aborted cancelled bad_gateway unknown_error"""
)
DENIED: Final = _signs(
    """permission_denied permission_error forbidden access_denied
    the_caller_does_not_have_permission_to_execute_the_specified_operation"""
)
INVALID: Final = _signs(
    """invalid_argument invalid_request_error invalid_request failed_precondition out_of_range bad_request
    client_specified_an_invalid_argument"""
)
MISSING: Final = _signs("not_found not_found_error some_requested_entity_was_not_found")
DAILY: Final = _pattern(
    [
        r"per[ _-]?day|perday|\bdaily\b|\brpd\b|\btpd\b|per[ _-]?month|permonth|monthly|perweek|weekly"
        r"|for (?:the |to)day|24[ -]hours?\b|quotidien|journali[èe]re?|t[äa]glich|\bdiari[ao]\b|每日|每天|اليومي"
    ]
)
NOTHING_ALLOWED: Final = re.compile(r"limit\s{0,3}[:=]\s{0,3}['\"]?0(?![.\d])")
UNDECLARED: Final = re.compile(
    r"not in request|undeclared|unknown (?:tool|function)|tool choice is none"
)
ADVICE: Final = re.compile(
    r"https?://\S{1,300}|(?:please )?check (?:your|the) plan and billing(?: details)?|\be\.g\.[^)]{0,40}"
)
"""What stands in every message of a kind, whatever happened: links, and the advice to look at the bill."""
