"""What a container of `sam local invoke` would get, by SAM's own code and without a container.

Run by SAM's Python: `python sam_containers.py TEMPLATE VARIABLES_FILE PARAMETER=VALUE...` prints
the environment of each function.
"""
# pyright: reportMissingImports=false

import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    from samcli.commands.local.lib.local_lambda import LocalLambdaRunner
    from samcli.lib.providers.sam_function_provider import SamFunctionProvider
    from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

    template, variables, *parameters = sys.argv[1:]
    stacks, _ = SamLocalStackProvider.get_stacks(
        template, parameter_overrides=dict(pair.split("=", 1) for pair in parameters)
    )
    functions = SamFunctionProvider(stacks, use_raw_codeuri=True)
    runner: Any = LocalLambdaRunner(
        None,
        functions,
        cwd=".",
        real_path=".",
        env_vars_values=json.loads(Path(variables).read_text()),
    )
    found = {
        function.name: runner._make_env_vars(function).resolve() for function in functions.get_all()
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
