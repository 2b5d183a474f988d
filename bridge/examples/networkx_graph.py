# SPDX-License-Identifier: MIT
"""Converts the Hebbian links of a memory to a NetworkX graph and back, without loss of digits.

    $ python3 networkx_graph.py FILE [links.graphml]

FILE is Narsese, whose links `engram graph` exports as GraphML, or a GraphML file from the page or from this program. The
program prints the central concepts and the communities, stores all links in a memory, and exports them as GraphML again.
Needs Debian's python3-networkx.
"""
import decimal
import io
import subprocess
import sys

from engram import Engram, find_program

try:
    import networkx
except ImportError:
    sys.exit("this needs NetworkX: apt-get install python3-networkx")

NUMBERS = ("weight", "frequency", "confidence")  # attributes of a link
NAMES = {"f": "frequency", "c": "confidence"}  # names in files of the page


def to_networkx(memory):
    """The links of a memory as a networkx.Graph. Nodes are the terms of concepts with links. The attributes of a link are
    weight (the positive evidence w+), frequency (w+ / w) and confidence (w / (w + 1))."""
    graph = networkx.Graph()
    for link in memory.links()["links"]:
        graph.add_edge(link.pop("source"), link.pop("target"), **link)
    return graph


def from_networkx(graph, memory):
    """Adds the links of a graph to a memory, and returns their number. In an empty memory, frequencies and confidences
    are exactly those of the graph.

    A link needs frequency in [0, 1] and confidence in (0, 1), or else a weight, which means only positive evidence. Links
    of weight 0 are left out. Nodes are terms of Narsese.
    Errors  ValueError for other numbers, and for the first node that is not a term
    """
    lines = ["//engram: links"]
    for one, other, link in graph.edges(data=True):
        if "confidence" not in link:
            link = {"frequency": 1.0, "confidence": link["weight"] / (link["weight"] + 1)}
            if link["confidence"] == 0:
                continue
        frequency, confidence = link["frequency"], link["confidence"]
        if not 0 <= frequency <= 1 or not 0 < confidence < 1:
            raise ValueError(f"{one}, {other}: frequency must be in [0, 1] and confidence in (0, 1), "
                             f"found {frequency} and {confidence}")
        lines.append(f"<(*,{one},{other}) --> associated>. %{_digits(frequency)};{_digits(confidence)}%")
    for fault in memory.input(narsese="\n".join(lines))["rejected"]:
        raise ValueError(f"{lines[fault['line'] - 1]}: {fault['message']}")
    return len(lines) - 1


def _digits(number):
    """All digits of a number without an exponent, because Narsese has no exponents."""
    return format(decimal.Decimal(repr(float(number))), "f")


def read(file, program=None):
    """Reads the links of a file: GraphML if its name ends with .graphml, otherwise Narsese."""
    if file.endswith(".graphml"):
        return by_terms(networkx.read_graphml(file))
    done = subprocess.run([find_program(program), "graph", "--format", "graphml", "--", file], stdout=subprocess.PIPE)
    if done.returncode not in (0, 1):  # 1: some lines were invalid and were reported
        sys.exit(done.returncode)
    return by_terms(networkx.read_graphml(io.BytesIO(done.stdout)))


def by_terms(told):
    """Converts Engram's GraphML to the form of `to_networkx`: the terms become names of nodes, and term links are dropped."""
    term, graph = {node: told.nodes[node].get("term", node) for node in told}, networkx.Graph()
    for one, other, link in told.edges(data=True):
        if link.get("kind", "hebbian") == "hebbian":
            numbers = {NAMES.get(name, name): value for name, value in link.items()}
            graph.add_edge(term[one], term[other], **{name: numbers[name] for name in NUMBERS if name in numbers})
    return graph


def main(file, target=None):
    graph = read(file)
    print(f"{len(graph)} concepts, {graph.number_of_edges()} links")
    between = networkx.betweenness_centrality(graph)
    best = sorted(between, key=lambda term: (-between[term], term))[:5]
    print("in the middle: " + ", ".join(f"{term} {between[term]:.3f}" for term in best))
    for group in networkx.algorithms.community.greedy_modularity_communities(graph, weight="weight")[:3]:
        print(f"together: {', '.join(sorted(group)[:6])}{', ...' if len(group) > 6 else ''}")
    with Engram() as memory:
        print(f"{from_networkx(graph, memory)} links are in another memory")
        if target:
            networkx.write_graphml(to_networkx(memory), target)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
