"""What CloudFormation would be given, by SAM's own transform: `python sam_versions.py TEMPLATE PARAMETERS...`.

Run by SAM's Python; prints, for each JSON object of parameters, the transformed resources.
"""
# pyright: reportMissingImports=false

import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    from samcli.yamlhelper import yaml_parse
    from samtranslator.parser.parser import Parser
    from samtranslator.translator.translator import Translator

    template, *parameters = sys.argv[1:]
    answers: list[Any] = []
    for given in parameters:
        document: Any = yaml_parse(Path(template).read_text(encoding="utf-8"))
        for resource in document["Resources"].values():
            for uri in {"CodeUri", "ContentUri"} & set(resource.get("Properties", {})):
                # Packaging puts an address in place of each folder.
                resource["Properties"][uri] = f"s3://bucket/{resource['Properties'][uri]}"
        values = {
            name: p["Default"] for name, p in document["Parameters"].items() if "Default" in p
        }
        values |= {"AWS::Region": "eu-west-3", "AWS::Partition": "aws", **json.loads(given)}
        answers.append(Translator({}, Parser()).translate(document, values)["Resources"])
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
