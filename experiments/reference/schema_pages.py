#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Converts JSON Schemas to Doxygen pages: schema_pages.py FOLDER NAME=FILE... writes FOLDER/NAME.dox for each FILE.

A page has a section for each definition, with a row for each field: its type and range, its default, whether it is
required, and its description. References to other definitions become links. An unknown keyword is an error, so that no
part of a schema is left out silently.
"""
import json
import os
import sys

from header_filter import escape

TOLD = {"$schema", "$id", "$ref", "$defs", "title", "description", "type", "enum", "const", "default", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems", "uniqueItems", "minLength", "maxLength", "pattern",
        "minProperties", "maxProperties", "items", "prefixItems", "properties", "additionalProperties", "required",
        "dependentRequired", "oneOf", "anyOf", "if", "then", "else"}
NAMES = {"number": ("a number", "numbers"), "integer": ("a whole number", "whole numbers"), "string": ("a text", "texts"),
         "boolean": ("true or false", "true or false"), "null": ("null", "nulls"), "array": ("a list", "lists"),
         "object": ("an object", "objects")}


def code(value):
    """Returns a value as JSON. Non-empty texts have no quotes."""
    text = value if isinstance(value, str) and value else json.dumps(value)
    return f"<code>{escape(text)}</code>"


def joined(parts, word):
    return ", ".join(parts[:-1]) + f" {word} " + parts[-1] if len(parts) > 1 else parts[0]


class Page:
    def __init__(self, name, schema):
        self.name, self.schema = name, schema

    def anchor(self, path):
        return f"schema_{self.name}_" + path.replace("/", "_")

    def bounds(self, schema, least, most, over=None, under=None):
        """Describes the bounds of a number, such as " in [0, 1]". Returns an empty text without bounds."""
        low, high = schema.get(least), schema.get(most)
        opened = "[" if low is not None else "("
        closed = "]" if high is not None else ")"
        low = low if low is not None else schema.get(over)
        high = high if high is not None else schema.get(under)
        if low is None and high is None:
            return ""
        if high is None:
            return f", {low} or more" if opened == "[" else f", above {low}"
        if low is None:
            return f", {high} or less" if closed == "]" else f", below {high}"
        return f" {low}" if low == high else f" in {opened}{low}, {high}{closed}"

    def items(self, schema):
        low, high = schema.get("minItems", 0), schema.get("maxItems")
        if high is not None:
            return f" of {low} to {high}" if low != high else f" of {low}"
        return f" of {low} or more" if low > 1 else ""

    def kind(self, schema):
        """Describes the valid values of a schema in words."""
        if schema is True or not set(schema) - {"description", "default"}:
            return "anything"
        if schema is False:
            return "nothing"
        if "$ref" in schema:
            path = schema["$ref"].removeprefix("#/$defs/")
            whole = path.split("/properties/")[0]  # fields have no anchors
            return f'@ref {self.anchor(whole)} "{escape(path.split("/")[-1])}"'
        if "const" in schema:
            return code(schema["const"])
        if "enum" in schema:
            return "one of " + joined([code(value) for value in schema["enum"]], "or")
        for choice in ("oneOf", "anyOf"):
            if choice in schema and "type" not in schema:
                return joined([self.kind(each) for each in schema[choice]], "or")
        types = schema.get("type", "object" if "properties" in schema or "required" in schema else "anything")
        types = types if isinstance(types, list) else [types]
        return joined([self.of_type(each, schema) for each in types], "or")

    def of_type(self, name, schema):
        words = NAMES[name][0] if name in NAMES else name
        if name in ("number", "integer"):
            words += self.bounds(schema, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        elif name == "string":
            if "pattern" in schema:
                words += f" like {code(schema['pattern'])}"
            words += f", {schema['maxLength']} characters at most" if "maxLength" in schema else ""
            words += ", not empty" if schema.get("minLength") else ""
        elif name == "array":
            if "prefixItems" in schema:
                return "a list: " + joined([self.kind(each) for each in schema["prefixItems"]], "and")
            words += self.items(schema) + (", none twice" if schema.get("uniqueItems") else "")
            words += f"; each {self.kind(schema['items'])}" if "items" in schema else ""
        elif name == "object":
            more = schema.get("additionalProperties")
            if isinstance(more, dict):
                words += f", each value {self.kind(more)}"
            elif "properties" in schema:
                words += " of " + joined([f"<code>{escape(each)}</code>" for each in schema["properties"]] or ["nothing"], "and")
        return words

    def rows(self, schema, within=""):
        """Yields a row for each field, including fields of nested objects."""
        if not isinstance(schema, dict):
            return
        unknown = set(schema) - TOLD
        if unknown:
            sys.exit(f"schema_pages.py: {self.name}: cannot describe {sorted(unknown)}")
        for name, field in schema.get("properties", {}).items():
            place = f"{within}.{name}" if within else name
            facts = field if isinstance(field, dict) else {}
            needed = "must be there" if name in schema.get("required", []) else ""
            default = code(facts["default"]) if "default" in facts else needed
            yield (f"<code>{escape(place)}</code>", self.kind(field), default, escape(facts.get("description", "")))
            yield from self.rows(field, place)
        for choice in ("oneOf", "anyOf"):
            for each in schema.get(choice, []):
                yield from self.rows(each, within)
        for form in ("then", "else"):
            if form in schema:
                when = ("where " if form == "then" else "else than where ") + self.condition(schema["if"])
                yield from ((place, kind, need, f"({when}) {told}") for place, kind, need, told in self.rows(schema[form], within))
        items = schema.get("items")
        if isinstance(items, dict):
            yield from self.rows(items, within + "[]")

    def condition(self, schema):
        parts = [f"<code>{escape(name)}</code> is {self.kind(field)}" for name, field in schema.get("properties", {}).items()]
        parts += [f"<code>{escape(name)}</code> is there" for name in schema.get("required", []) if not schema.get("properties")]
        return joined(parts, "and") if parts else self.kind(schema)

    def words(self, schema):
        """Yields the paragraphs of a definition before the table of its fields."""
        yield escape(schema.get("description", ""))
        if "properties" not in schema or "oneOf" in schema or "anyOf" in schema:
            yield self.kind(schema)
        for name, others in schema.get("dependentRequired", {}).items():
            yield f"<code>{escape(name)}</code> is there only with {joined([code(each) for each in others], 'and')}."
        if schema.get("then", {}).get("required"):
            needed = joined([code(each) for each in schema["then"]["required"]], "and")
            yield f"Where {self.condition(schema['if'])}, {needed} must be there."

    def section(self, schema):
        lines = [f"<p>{words}</p>" for words in self.words(schema) if words]
        rows = list(self.rows(schema))
        if rows:
            lines.append("<table><tr><th>field</th><th>what it is</th><th>default</th><th>meaning</th></tr>")
            lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
            lines.append("</table>")
        return lines

    def definitions(self, definitions, depth="section", before=""):
        for name, schema in definitions.items():
            path = before + name
            yield f"@{depth} {self.anchor(path)} {name}"
            if isinstance(schema, dict) and not set(schema) & TOLD:  # a group of definitions, such as requests
                yield from self.definitions(schema, "subsection", path + "/")
            else:
                yield from self.section(schema)

    def text(self, file):
        head = [f"/** @page schema_{self.name} {escape(self.schema['title'].replace('`', ''))}", "@tableofcontents",
                f"<p>The schema is <code>{escape(file)}</code>, by JSON Schema 2020-12.</p>"]
        return "\n".join(head + self.section(self.schema) + list(self.definitions(self.schema.get("$defs", {}))) + ["*/", ""])


def main(folder, *schemas):
    os.makedirs(folder, exist_ok=True)
    for argument in schemas:
        name, _, file = argument.partition("=")
        with open(file, encoding="utf-8") as stream:
            page = Page(name, json.load(stream))
        with open(os.path.join(folder, name + ".dox"), "w", encoding="utf-8") as out:
            out.write(page.text(os.path.basename(file)))


if __name__ == "__main__":
    main(*sys.argv[1:])
