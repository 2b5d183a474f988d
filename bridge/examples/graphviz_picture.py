# SPDX-License-Identifier: MIT
"""Draws a memory with Graphviz: the size of a concept shows its priority, the width of a link its weight.

    $ python3 graphviz_picture.py FILE.nal > picture.svg

To draw the whole memory, including the components of terms: engram graph FILE.nal --format dot | sfdp -Tsvg
"""
import shutil
import subprocess
import sys

from engram import Engram


def quoted(text):
    """A text as a quoted string in DOT, with quotes and backslashes escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def dot(memory, top=30, links=60):
    """The `top` concepts with the highest priority and the `links` strongest links between them, as a DOT graph."""
    view = memory.view(top=top, links=links)
    most = max((edge["weight"] for edge in view["edges"]), default=1.0) or 1.0
    lines = ["graph memory {", "  graph [overlap=prism, splines=true];", "  node [shape=ellipse, fontname=sans];"]
    for one in view["shown"]:
        size = 10 + 14 * one["priority"]
        lines.append(f"  {one['concept']} [label={quoted(one['term'])}, fontsize={size:.1f}];")
    for edge in view["edges"]:
        width = 0.5 + 4 * edge["weight"] / most
        lines.append(f"  {edge['source']} -- {edge['target']} [penwidth={width:.2f}];")
    return "\n".join(lines + ["}", ""])


def svg(text, layout="sfdp"):
    """Renders a DOT graph as SVG.  Errors  SystemExit without Graphviz; subprocess.CalledProcessError"""
    if shutil.which(layout) is None:
        sys.exit(f"this needs Graphviz's {layout}: apt-get install graphviz")
    return subprocess.run([layout, "-Tsvg"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def main(file):
    with Engram() as memory, open(file, encoding="utf-8") as narsese:
        for fault in memory.input(narsese=narsese.read())["rejected"]:
            print(f"{file}:{fault['line']}:{fault['column']}: {fault['message']}", file=sys.stderr)
        sys.stdout.buffer.write(svg(dot(memory)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
