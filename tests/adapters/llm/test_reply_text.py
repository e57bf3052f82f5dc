"""What a shopper may see of a model's text."""

import pytest
from shopping_agent.adapters.llm.reply_text import shown_text


@pytest.mark.parametrize(
    "text",
    [
        "<think>They want oud.</think>Here it is.",
        "<think>\nThey want\n\noud.\n</think>\n\nHere it is.",
        "<THINK>They want oud.</THINK>Here it is.",
        "They want oud.</think>Here it is.",
        "<think></think>Here it is.",
        "<think>a</think><think>b</think>Here it is.",
        "Here it is.<think>and what else",
        "Here it is.\n<think>",
        "<thinking>They want oud.</thinking>Here it is.",
        "<reasoning>They want oud.</reasoning>Here it is.",
        "<thought>They want oud.</thought>Here it is.",
        '<reasoning effort="low">They want oud.</reasoning>Here it is.',
        "<reflection>Hm.</reflection>Here it is.",
        "<seed:think>They want oud.</seed:think>Here it is.",
        "[THINK]They want oud.[/THINK]Here it is.",
        "◁think▷They want oud.◁/think▷Here it is.",
        "<|channel|>analysis<|message|>They want oud.<|end|><|start|>assistant<|channel|>final<|message|>Here it is.<|return|>",
        "<|start|>assistant<|channel|>final<|message|>Here it is.<|end|>",
        "<|channel|>analysis They want oud.<|channel|>final<|message|>Here it is.",
        "<|channel|>final<|message|>Here it is.",
        "Here it is.<|channel|>analysis<|message|>Done?",
        "Here it is.<|channel|>analysis",
        "analysisThey want oud.assistantfinalHere it is.",
        "analysisThey want oud.assistantcommentaryHm.assistantfinal Here it is.",
        "Here it is.<|im_end|>",
        "Here it is.<|eot_id|><|end_of_text|>",
        "<|im_start|>Here it is.",
        "<｜begin▁of▁sentence｜>Here it is.<｜end▁of▁sentence｜>",
        "<s>Here it is.</s>",
        "[INST]Here it is.[/INST]",
        "Here it is.<end_of_turn>",
        "Here it is.</tool_call>",
        "Here it is.</function>",
        'Here it is.\n<data name="cart">\n{"items":[]}\n</data>',
        "</data>Here it is.",
        "Here it is.\n<tool_response>{}</tool_response>",
        "Here it is.\n<|python_tag|>brave_search.call(query='x')",
        "  Here it is.\n",
    ],
)
def test_only_the_answer_is_shown(text):
    assert shown_text(text) == "Here it is."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "<think>They want oud.",
        "<think>They want oud.</think>",
        "<|channel|>analysis<|message|>They want oud.",
        "<reasoning>only",
        "<|im_end|>",
        '<tool_call>{"name": "x", "arguments": {}}</tool_call>',
        '{"name": "brave_search", "parameters": {"query": "x"}}',
        '```json\n[{"name": "brave_search", "arguments": {}}]\n```',
        '{"tool_calls": []}',
        "<data name='cart'>{}",
    ],
)
def test_nothing_is_left_of_a_reply_without_an_answer(text):
    assert shown_text(text) == ""
