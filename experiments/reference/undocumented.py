#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""undocumented.py WARNINGS: fails if Doxygen warned of a public symbol without a docstring, or of a bad docstring.

What must have one: each type, enumeration, free function and alias, and each member function but those whose name says
all: constructors, destructors, assignment, other operators, what overrides (the base
tells it), and getters (no parameters, const). Aliases within a class,
members that hold data and values of enumerations may have one.
"""
import re
import sys


def says_all(kind, signature, scope):
    """Whether a member without a docstring is told by its name."""
    if kind in ("variable", "enumvalue", "friend"):
        return True
    name = signature.split("(")[0]
    is_special = name.lstrip("~") == scope.split("::")[-1].split("<")[0].strip() or name.startswith("operator")
    if kind == "typedef":
        return bool(scope)
    return kind == "function" and bool(scope) and (is_special or "override" in signature or re.fullmatch(r"\w+\(\) const.*", signature) is not None)


def main(file):
    wrong = set()
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            member = re.search(r"warning: Member (.*) \((\w+)\) of (class|struct|union|namespace|file) (.*) is not documented", line)
            if member:
                signature, kind, owner, scope = member.groups()
                if says_all(kind, signature, scope if owner in ("class", "struct", "union") else ""):
                    continue
            # Doxygen 1.9.4 says so of any specialisation of a template that it has not seen.
            if line.strip() and "Internal inconsistency: scope for class boost::" not in line:
                wrong.add(line.strip())
    for line in sorted(wrong):
        print(line)
    print(f"reference: {len(wrong)} public symbols without a docstring, or with a bad one")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1]))
