"""Deletes published versions of a stack's functions that no alias serves, but for the newest few: snapshots are paid for.

    python scripts/prune_versions.py [--plan] [--keep N] STACK

Needs an account: `lambda:ListVersionsByFunction`, `lambda:ListAliases`, `lambda:DeleteFunction`, and to describe the stack.
"""

import argparse
import sys
from typing import Any

import boto3


def main(arguments: list[str] | None = None, *, session: Any = boto3) -> int:
    parser = argparse.ArgumentParser(prog="make prune-versions", description="Old versions go.")
    parser.add_argument("stack")
    parser.add_argument(
        "--keep", type=int, default=3, help="newest versions that stay, to go back to"
    )
    parser.add_argument("--plan", action="store_true")
    options = parser.parse_args(arguments)
    if not options.stack:
        print("which stack? make prune-versions STACK=shopping-agent-prod", file=sys.stderr)
        return 2
    functions = _functions(session.client("cloudformation"), options.stack)
    client = session.client("lambda")
    for function in functions:
        for version in old_versions(client, function, keep=options.keep):
            print(f"{'would delete' if options.plan else 'deleted'} {function}:{version}")
            if not options.plan:
                client.delete_function(FunctionName=function, Qualifier=version)
    return 0


def old_versions(client: Any, function: str, *, keep: int) -> list[str]:
    """Versions that nobody is served by, oldest first, without the newest `keep`."""
    pages = client.get_paginator("list_versions_by_function").paginate(FunctionName=function)
    published = [
        version["Version"]
        for page in pages
        for version in page["Versions"]
        if version["Version"] != "$LATEST"
    ]
    served: set[str] = set()
    for page in client.get_paginator("list_aliases").paginate(FunctionName=function):
        for alias in page["Aliases"]:
            weights = alias.get("RoutingConfig", {}).get("AdditionalVersionWeights", {})
            served |= {alias["FunctionVersion"], *weights}
    newest_last = sorted(published, key=int)
    old = newest_last[: len(newest_last) - keep] if keep else newest_last
    return [version for version in old if version not in served]


def _functions(client: Any, stack: str) -> list[str]:
    pages = client.get_paginator("list_stack_resources").paginate(StackName=stack)
    return [
        resource["PhysicalResourceId"]
        for page in pages
        for resource in page["StackResourceSummaries"]
        if resource["ResourceType"] == "AWS::Lambda::Function"
    ]


if __name__ == "__main__":
    sys.exit(main())
