"""The JSON Schema of puzzle files, for editors: what the document's classes say, and what their functions add to it.

It is about structure alone: no schema knows whether a text is a good expression.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from models.document import FORMAT, HOLDERS, KNOWN, Document, LevelSource
from models.document_errors import adapter
from models.puzzle import COLOURS, FRAMES, GROUNDS, LOOKS

WORDS = {"look": LOOKS, "ground": (*GROUNDS, *COLOURS), "colour": COLOURS, "frame": FRAMES, "outside": ("void", "wall")}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The schema of a whole file, as what `json` writes."""
    made: dict[str, Any] = {"$schema": DIALECT, "title": "Puzzlewright puzzle"}
    made |= _trimmed(adapter(Document).json_schema())
    parts = made["$defs"]
    parts["LevelSource"]["properties"].pop("data")  # which stand directly in a level's mapping, under any name
    parts["LevelSource"]["additionalProperties"] = True
    for kind in (*HOLDERS.values(), LevelSource):
        _describe(kind, made if kind is Document else parts[kind.__name__])
    properties, action = made["properties"], parts["ActionSource"]["properties"]
    properties["format"]["enum"] = [FORMAT, str(FORMAT)]
    parts["LevelSource"]["properties"]["known"]["propertyNames"] = {"enum": list(KNOWN)}
    for name, words in WORDS.items():  # an expression may stand there too, so they are no enumeration
        parts["ViewSource"]["properties"][name]["examples"] = list(words)
    for field in (
        *(properties[name] for name in ("goal", "always", "require", "dead")),
        action["when"],
        action["then"],
    ):
        _branch(field, "array")["minItems"] = 1
    for phase in (_branch(action["then"], "object"), _branch(action["then"], "array")["items"]):
        phase |= {"minProperties": 1, "dependentSchemas": {"repeat": {"minProperties": 2}}}
    return made


def _describe(kind: type, part: dict[str, Any]) -> None:
    """What a class says of its fields, in words."""
    for each in fields(kind):
        if "about" in each.metadata:
            part["properties"][each.name]["description"] = each.metadata["about"]


def _trimmed(part: Any) -> Any:
    """Without null, since an empty value is an error (E010), without defaults, and without titles that repeat names."""
    if isinstance(part, list):
        return [_trimmed(item) for item in part]
    if not isinstance(part, dict):
        return part
    kept = {key: {name: _trimmed(field) for name, field in value.items()} if key == "properties" else _trimmed(value)
            for key, value in part.items() if key not in ("title", "default")}  # fmt: skip
    branches = [branch for branch in kept.get("anyOf", ()) if branch != {"type": "null"}]
    if len(branches) == 1:
        return {key: value for key, value in kept.items() if key != "anyOf"} | branches[0]
    return kept | {"anyOf": branches} if branches else kept


def _branch(field: dict[str, Any], kind: str) -> dict[str, Any]:
    """The branch of a field that is of one kind."""
    return next(branch for branch in field["anyOf"] if branch.get("type") == kind)
