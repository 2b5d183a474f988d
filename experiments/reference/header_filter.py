#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Input filter for Doxygen: header_filter.py FILE prints FILE with its comments in Doxygen's markup.

Our docstrings are plain text, so that they read well in an editor. The filter converts:
* a labelled section ("Errors  std::invalid_argument if ...") to a heading with its text;
* indented lines (formulas, small tables) to preformatted blocks, and `names` in backticks to code;
* a trailing comment of a member, with its continuation lines, to the docstring of the member;
* the comment at the top of a file to the docstring of the file.
A docstring applies to all declarations up to the next blank line or docstring. The filter keeps the number of lines, so
that line numbers in warnings are correct.
"""
import html
import re
import sys

SECTION = re.compile(r"(?:^|(?<=\.) +)(Errors|Cost|Shapes|Ranges|Returns|Sources?|Memory|Energy)  +(?=\S)")
FORMULA = 3  # least blanks after /// of a formula; prose has one


def escape(text):
    """Escapes commands, automatic links and markup. Names in backticks become code."""
    def plain(piece):
        piece = html.escape(piece).replace("&#x27;", "'")
        piece = re.sub(r"[\\@#%]", r"\\\g<0>", piece)
        piece = re.sub(r"\boperator\b", "%operator", piece)  # else Doxygen parses the next word as the operator
        return re.sub(r"(?<!-)--(?!-)", r"\--", re.sub(r"^- ", "&minus; ", piece)).replace("---", r"\---")

    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return plain(text)
    return "".join(f"<code>{plain(piece)}</code>" if i % 2 else plain(piece) for i, piece in enumerate(pieces))


class Docstring:
    """Converts the lines of a docstring, without ///, to as many lines for Doxygen. Its first sentence becomes the brief."""

    def __init__(self):
        self.open = []  # open elements: "pre", "dd", "li"
        self.brief = "begins"  # then "goes on", "over", "told"

    def close(self, *kinds):
        ends = {"pre": "</pre>", "dd": "</dd></dl>", "li": "</li></ul>"}
        closed = [kind for kind in self.open if kind in kinds]
        self.open = [kind for kind in self.open if kind not in kinds]
        return "".join(ends[kind] for kind in closed)

    def prose(self, text):
        """Converts text outside of formulas. The brief may begin or end in it."""
        if not text or self.brief == "told":
            return escape(text)
        if self.brief == "over":
            self.brief = "told"
            return "@details " + escape(text)
        begin = "@brief " if self.brief == "begins" else ""
        end = re.search(r"(?<!e\.g)(?<!i\.e)(?<!al)\.(?= +[A-Z`]|$)", text)
        self.brief = "over" if end else "goes on"
        return begin + escape(text[:end.end()]) + " " + self.prose(text[end.end():].strip()) if end else begin + escape(text)

    def block(self, text):
        """Begins an element that a brief cannot contain."""
        before = "" if self.brief == "told" else "@details "
        self.brief = "told"
        return before + text

    def line(self, line):
        text, indent = line.strip(), len(line) - len(line.lstrip())
        if not text:
            self.brief = "over" if self.brief == "goes on" else self.brief
            return self.close("pre", "dd", "li") + ("<p>" if self.brief == "told" else "")
        if indent >= FORMULA and not {"dd", "li"} & set(self.open):
            begin = "" if "pre" in self.open else self.block("<pre>")
            self.open = ["pre"]
            return begin + escape(line[FORMULA:].rstrip())
        done = self.close("pre")
        if indent <= 1:
            done += self.close("dd")
            if text.startswith("* ") and not self.open:
                self.open = ["li"]
                return done + self.block("<ul><li>") + escape(text[2:])
            if text.startswith("* "):
                return done + "</li><li>" + escape(text[2:])
        begin = 0
        for match in SECTION.finditer(text) if indent <= 1 or "dd" in self.open else ():
            done += self.prose(text[begin:match.start()].strip()) + self.close("dd", "li")
            done += self.block(f'<dl class="section"><dt>{match[1]}</dt><dd>')
            begin, self.open = match.end(), ["dd"]
        return done + self.prose(text[begin:])


def docstring(lines):
    made, out, code = Docstring(), [], False
    for line in lines:
        if code:  # a name in backticks across a line break becomes two
            line = re.sub(r"^(\s*)", r"\1`", line)
        code = line.count("`") % 2 == 1
        out.append(made.line(line + "`" if code else line))
    if out:
        out[-1] += made.close("pre", "dd", "li")
    return out


class Scopes:
    """Tracks the braces of C++: where a declaration begins, and in which scope."""

    def __init__(self):
        self.stack = [{"kind": "names", "shared": None}]
        self.statement = ""  # the text of the unfinished statement
        self.parentheses = 0

    def top(self):
        return self.stack[-1]

    def declares(self):
        return self.top()["kind"] != "body"

    def begins(self, line):
        """Whether this line begins a declaration that can have a docstring."""
        return (self.declares() and not self.statement.strip() and self.parentheses == 0
                and re.match(r"\s*[\w~:\[]", line) is not None
                and not re.match(r"\s*(public|private|protected|namespace|using namespace|friend|static_assert|extern)\b", line))

    def read(self, code):
        """Processes a line without its comments."""
        for c in re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', "0", code):
            if c == "{":
                text = self.statement
                if re.search(r"\bnamespace\b|^\s*extern\b", text):
                    kind = "names"
                elif re.search(r"(^|>|\s)(struct|class|union|enum)\b", text) and "(" not in text and "=" not in text:
                    kind = "enum" if re.search(r"\benum\b", text) else "type"
                else:
                    kind = "body"
                self.stack.append({"kind": kind, "shared": None, "outer": text, "parentheses": self.parentheses})
                self.statement, self.parentheses = "", 0
            elif c == "}" and len(self.stack) > 1:
                closed = self.stack.pop()
                self.parentheses = closed["parentheses"]
                # A declaration ends after a body or type. After an initialiser it ends at its semicolon.
                inner = closed["kind"] == "body" and (self.parentheses or re.search(r"[=,:]\s*[\w:<>, ]*$|\w$", closed["outer"]))
                done = not inner or re.search(r"\)[\w\s]*$", closed["outer"]) is not None and not self.parentheses
                self.statement = "" if done else closed["outer"] + "{}"
            elif c == ";" and self.parentheses == 0:
                self.statement = ""
            elif c == "," and self.top()["kind"] == "enum" and self.parentheses == 0:
                self.statement = ""
            elif c == ":" and re.fullmatch(r"\s*(public|private|protected)", self.statement):
                self.statement = ""
            else:
                self.parentheses += (c in "([") - (c in ")]")
                self.statement += c
        if self.statement.strip():
            self.statement += " "


def split_comment(line):
    """Splits a line into its code and its comment, or None."""
    match = re.match(r'((?:[^"\'/]|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|\'|/(?!/))*?)\s*//(?!/) ?(.*)$', line)
    return (match[1], match[2]) if match else (line, None)


def in_one_line(text):
    text = re.sub(r"<pre>.*?</pre>", lambda block: block[0].replace("\n", "<br>"), "\n".join(text), flags=re.S)
    return text.replace("\n", " ").replace("*/", "* /")


def from_c(lines):
    """Converts the comments of a C header to the form of C++ headers."""
    out, form = [], None
    for line in lines:
        text = line.strip()
        ends = text.endswith("*/")
        if form is None and not text.startswith("/*"):
            out.append(re.sub(r"/\* (.*?) \*/$", r"// \1", line))
            continue
        text = text.removesuffix("*/").rstrip()
        if form is None:
            form, text = "///" if out else "//", text[2:]
        else:
            text = text.removeprefix("*")
        out.append(form + text)
        if ends:
            form = None
    return out


def filtered(lines):
    out, scopes, i = [], Scopes(), 0
    if lines and lines[0].startswith("// SPDX"):
        out.append("/// @file")
        i = 1
        while i < len(lines) and lines[i].startswith("//") and not lines[i].startswith("///"):
            i += 1
        out += ["/// " + text for text in docstring([line[2:] for line in lines[1:i]])]
    fresh = False  # whether the line before belongs to a docstring
    while i < len(lines):
        line = lines[i]
        if re.match(r"\s*///(?!/)", line):
            end = i
            while end < len(lines) and re.match(r"\s*///(?!/)", lines[end]):
                end += 1
            text = docstring([each.strip()[3:] for each in lines[i:end]])
            out += [" " * (len(line) - len(line.lstrip())) + "/// " + each for each in text]
            scopes.top()["shared"] = in_one_line(text)
            i, fresh = end, True
            continue
        if not line.strip():
            scopes.top()["shared"] = None
        code, comment = split_comment(line)
        if re.match(r"\s*#", code) or not code.strip():
            out.append(line)
            i += 1
            fresh = fresh and bool(line.strip())
            continue
        shared = scopes.top()["shared"]
        begins = scopes.begins(code)
        member = scopes.top()["kind"] in ("type", "enum") or (begins and scopes.declares())
        declared = code if not re.match(r"\s*template\b", code) else code + lines[i + 1]
        name = (re.findall(r"(\w+)\(", declared) or [""])[0]
        if begins and fresh:
            scopes.top()["documented"] = name
        same = name and name == scopes.top().get("documented")
        constant = re.match(r"\s*(inline )?constexpr [^(]*=", code)
        near = same or (scopes.top()["kind"] == "names" and not constant)
        if begins and not fresh and shared and near and comment is None:
            indent = len(code) - len(code.lstrip())
            code = code[:indent] + "/** " + shared + " */ " + code[indent:]
        scopes.read(split_comment(line)[0])
        fresh = False
        if comment is None:
            out.append(code)
            i += 1
            continue
        behind, column = [comment], len(split_comment(line)[0])
        while i + len(behind) < len(lines):
            match = re.match(r"(\s*)//(?!/) ?(.*)$", lines[i + len(behind)])
            if not match or len(match[1]) < column:
                break
            behind.append(match[2])
        if member and not scopes.statement.strip() and re.search(r"[;,}]\s*$", code) or scopes.top()["kind"] == "enum":
            text = docstring([" " + each for each in behind])
            out.append(code + "  ///< " + text[0])
            out += [" " * (column + 2) + "///< " + each for each in text[1:]]
        else:
            out += lines[i:i + len(behind)]
        i += len(behind)
    return out


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read().split("\n")
        print("\n".join(filtered(from_c(text) if sys.argv[1].endswith(".h") else text)))
