#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""undocumented.py WARNINGS: fails if Doxygen has warned of a public symbol without a docstring, or of a bad docstring.

Required: docstrings of types, enumerations, free functions, aliases, and member functions. Optional: docstrings of
constructors, destructors, operators, overriding functions (the base class has one), getters (const, no parameters),
aliases within a class, data members, and values of enumerations.
"""
import re
import sys


def says_all(kind, signature, scope):
    """Whether a symbol needs no docstring."""
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
            # Doxygen 1.9.4 warns of every specialisation of a template that it has not parsed.
            if line.strip() and "Internal inconsistency: scope for class boost::" not in line:
                wrong.add(line.strip())
    for line in sorted(wrong):
        print(line)
    print(f"reference: {len(wrong)} public symbols without a docstring, or with a bad one")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1]))
