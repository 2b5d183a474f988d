# SPDX-License-Identifier: MIT
"""Tests the examples in bridge/examples from Python. Each argument selects a part: buffer, pynars, channel, networkx,
graphviz. Exits with 77 if something it needs is missing."""
import base64
import hashlib
import io
import json
import math
import os
import re
import socket
import subprocess
import sys
import threading

from engram import Engram

SOURCE, EXAMPLES = sys.argv[2], os.path.join(sys.argv[2], "bridge/examples")
LIVING_THINGS = os.path.join(SOURCE, "experiments/data/living_things.nal")
sys.path.insert(0, EXAMPLES)


def raised(kind, work):
    try:
        work()
    except kind as error:
        return str(error)
    raise AssertionError(f"no {kind.__name__}")


def buffer():
    from attention_buffer import AttentionBuffer, Unreadable, names_in, statement

    assert statement("garfield hasproperty fat") == "<garfield --> [fat]>"
    assert statement("new_york isa city") == "<new_york --> city>"
    assert statement("l'été likes c++") == '<(*,"l\'été","c++") --> likes>'
    for odd in ("cat isa", "a cat isa animal", "", 'cat isa "x', "cat isa x\n", "cat isa ", "cat isa \x00"):
        assert "must be three words" in raised(Unreadable, lambda: statement(odd)) or "a name must not" in raised(
            Unreadable, lambda: statement(odd))
    known = {"new_york", "york", "city", "cat", "bus"}
    assert names_in("Is New York a city? And cats, the bus", known) == ["new_york", "city", "cat", "bus"]

    def item(time, truth=(1.0, 0.9)):
        return (time, 1, truth, [time], [0.5])

    # Two premises at the start, then 58 items about people who like each other, so that the names are linked.
    memory = {("garfield isa cat", "eternal"): item(1), ("cat hasproperty furry", "eternal"): item(2)}
    for i in range(56):
        memory[(f"person{i} likes person{i * 7 % 56}", "eternal")] = item(3 + i)
    memory[("jon likes garfield", 60)] = item(60)
    memory[("not three", "eternal")] = item(61)
    premises = {("garfield isa cat", "eternal"), ("cat hasproperty furry", "eternal")}
    with Engram() as engram:
        view = AttentionBuffer(engram)
        assert view({}, 30, 10, "is garfield furry?") == [] == view({}, 30, 10)
        recent = view(memory, 30, 10)
        assert [key for key, _ in recent] == [key for key in memory][-10:], recent
        assert not premises & {key for key, _ in recent}
        found = view(memory, 30, 10, "is garfield furry?")
        assert view.cue == ["garfield", "furry"] and [one for one, _ in view.unreadable] == ["not three"]
        assert all(type(one) is tuple and memory[one[0]] is one[1] for one in found) and type(found) is list
        assert premises <= {key for key, _ in found} and found[-10:] == recent, found
        assert len(found) == len({key for key, _ in found}) <= 40
        assert {key for key, _ in view(memory, 2, 0, "is garfield furry?")} == premises
        # Items that the last question retrieved stay, as in NARS-GPT, while they exist.
        assert premises <= {key for key, _ in view(memory, 30, 10)}
        del memory[("cat hasproperty furry", "eternal")]
        assert premises & {key for key, _ in view(memory, 30, 10)} == {("garfield isa cat", "eternal")}
        # An event and an eternal item are two items of one statement. A recent premise appears once.
        memory[("garfield isa cat", 62)] = item(62)
        found = [key for key, _ in view(memory, 30, 1, "what is garfield")]
        assert found[-1] == ("garfield isa cat", 62) and found.count(found[-1]) == 1
        assert ("garfield isa cat", "eternal") in found
        assert view(memory, 30, 0, "who is odie?") == [] and view.cue == []


def pynars():
    from pynars_memory_view import PyNARSView, meaning

    assert meaning("$0.9;0.5;0.5$ <a --> b>.") == meaning("<a-->b>.  %1.000;0.900%") != meaning("<a --> b>?")
    with Engram() as memory:
        view = PyNARSView(memory)
        view.said("<a --> b>.")
        view.said("/cycles")
        for odd in ("", "{", "5", "null", "[5]", "[[]]", '[{"content":5}]', "[" * 100000, '{"output_type":1}'):
            view.heard(odd)
        assert view.counts == {"OTHER": 9} and not view.rejected
        view.heard(json.dumps([{"output_type": kind, "content": content} for kind, content in (
            ("ANSWER", "<a --> b>.  %1.000;0.900%"), ("OUT", "<b --> a>. :!-26: %1.000;0.474%"), ("ERROR", "no"),
            ("OUT", "<b --> a>. :!-26: %1.000;0.474%"), ("EXE", "<(*,x) --> ^go> = None"), ("OUT", "<a --> "), ([], 5),
            ("OUT", '<"\x1b[2J" --> a>.'), ("OUT", '<"\x9b2J" --> a>.'))]))
        assert memory.stats()["statements"] == 3 and len(view.rejected) == 2, (memory.stats(), view.rejected)
        assert view.counts == {"OTHER": 11, "ANSWER": 1, "OUT": 5, "EXE": 1}
        told = "\n".join(view.lines())
        assert told.replace("\n", " ").isprintable() and '"?2J"' in told and "no Narsese: '<a -->'" in told, told


class StandIn:
    """A stand-in for PyNARS at the other end of the channel, on its own port. Replies to each line by a record. Like a
    busy PyNARS it answers a ping after a line at once, before the line."""

    def __init__(self, record):
        self._heard = {each["said"]: each["heard"] for each in map(json.loads, record)}
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"ws://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            connection, _ = self._server.accept()
            with connection, connection.makefile("rwb") as stream:
                key = dict(line.decode().strip().split(": ", 1) for line in iter(stream.readline, b"\r\n")
                           if b": " in line)["Sec-WebSocket-Key"]
                digest = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
                stream.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n")
                stream.flush()
                self._talk(stream)

    def _talk(self, stream):
        def send(opcode, data):
            size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + len(data).to_bytes(2, "big")
            stream.write(bytes([0x80 | opcode]) + size + data)
            stream.flush()

        waiting = []
        while True:
            head = stream.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                return
            size = head[1] & 127
            size = int.from_bytes(stream.read(2), "big") if size == 126 else size
            mask = stream.read(4)
            data = bytes(byte ^ mask[i % 4] for i, byte in enumerate(stream.read(size)))
            if head[0] & 15 == 9:
                send(10, data)
                for message in waiting:
                    send(1, message.encode())
                waiting = []
            elif data == b"/quit":
                return  # like a stopped PyNARS
            else:
                waiting += self._heard.get(data.decode(), [])


def channel():
    try:
        import websocket  # noqa: F401
    except ImportError:
        sys.exit(77)
    session = os.path.join(EXAMPLES, "pynars_session.jsonl")
    program = [sys.executable, os.path.join(EXAMPLES, "pynars_memory_view.py")]
    with open(session, encoding="utf-8") as record:
        lines = [json.loads(line)["said"] for line in record]
    with open(session, encoding="utf-8") as record:
        stand_in = StandIn(record)

    def run(*arguments, lines):
        text = "\n".join(lines)
        return subprocess.run([*program, *arguments], input=text, text=True, capture_output=True, timeout=60)

    live = run("--url", stand_in.url, "--record", "again.jsonl", lines=lines)
    assert live.returncode == 0, live
    again = run("--replay", "again.jsonl", lines=[])
    recorded = run("--replay", session, lines=[])
    assert live.stdout == again.stdout == recorded.stdout and "ANSWER" in live.stdout, (live, again, recorded)
    with open("again.jsonl") as one, open(session, encoding="utf-8") as other:
        heard = [json.loads(line)["heard"] for line in one]
        wanted = {each["said"]: each["heard"] for each in map(json.loads, other)}
        assert heard == [wanted[line] for line in lines]  # each message belongs to its line
    gone = run("--url", stand_in.url, lines=["<a --> b>.", "/quit", "<b --> c>."])
    assert gone.returncode == 1 and gone.stderr.startswith("pynars_memory_view: "), gone
    assert "Traceback" not in gone.stderr, gone
    for url in ("ws://127.0.0.1:1", "http://127.0.0.1:1", "ws://"):
        nobody = run("--url", url, lines=[])
        assert nobody.returncode == 1 and nobody.stderr.startswith("pynars_memory_view: "), nobody
    bad = run("--replay", LIVING_THINGS, lines=[])
    assert bad.returncode == 1 and "living_things.nal:1: must be an object" in bad.stderr, bad


def networkx():
    try:
        import networkx as library
    except ImportError:
        sys.exit(77)
    from networkx_graph import by_terms, from_networkx, read, to_networkx

    with Engram() as one, Engram() as other, Engram() as third, open(LIVING_THINGS, encoding="utf-8") as file:
        one.input(narsese=file.read() + '\n<"new york" --> "a<b&c">. %0;0.4%\n')
        graph = to_networkx(one)
        assert graph.number_of_edges() == one.stats()["hebbian_links"] > 200
        text = io.BytesIO()
        library.write_graphml(graph, text)
        text.seek(0)
        assert from_networkx(library.read_graphml(text), other) == graph.number_of_edges()
        # The order is by evidence, so it is the same. A link may be written from either end.
        ends = lambda links: [(sorted((a, b)), truth) for a, b, truth in (
            re.fullmatch(r"<\(\*,(.*),(.*)\) --> associated>\. (%.*%)", link).groups() for link in links[1:-1])]
        mine, others = (ends(memory.links(as_="narsese")["narsese"]) for memory in (one, other))
        assert sorted(mine) == sorted(others)
        # The GraphML file of the program has the same links.
        told = read(LIVING_THINGS)
        assert {frozenset(edge) for edge in told.edges} == {
            frozenset(edge) for edge in graph.edges if '"new york"' not in edge}
        assert all(math.isclose(link["weight"], graph[a][b]["weight"]) for a, b, link in told.edges(data=True))
        assert from_networkx(told, third) == told.number_of_edges()
        # Numbers are written with six digits.
        for a, b, link in to_networkx(third).edges(data=True):
            for number in ("frequency", "confidence"):
                assert math.isclose(link[number], graph[a][b][number], rel_tol=1e-5), (a, b, link)
        # The GraphML file of the page uses other names.
        page = library.Graph()
        page.add_node("n1", term="<a --> b>")
        page.add_node("n2", term="c")
        page.add_edge("n1", "n2", weight=0.5, f=0.5, c=0.5)
        assert list(by_terms(page).edges(data=True)) == [
            ("<a --> b>", "c", {"weight": 0.5, "frequency": 0.5, "confidence": 0.5})]
        for bad in ({"frequency": 1.5, "confidence": 0.5}, {"frequency": 1, "confidence": 1.0}, {"weight": -0.5},
                    {"frequency": float("nan"), "confidence": 0.5}):
            graph = library.Graph()
            graph.add_edge("a", "b", **bad)
            assert "must be in" in raised(ValueError, lambda: from_networkx(graph, third)), bad
        graph = library.Graph()
        graph.add_edge("a", "b) --> c>. <(", frequency=1.0, confidence=0.5)
        raised(ValueError, lambda: from_networkx(graph, third))


def graphviz():
    from graphviz_picture import dot, svg
    import shutil

    with Engram() as memory:
        memory.input(narsese='<"a\\" --> "x]; } \\N <b> &">.\n<graph --> node>.\n<tim --> cat>.')
        text = dot(memory)
        assert '[label="\\"a\\\\\\"",' in text and 'label="graph"' in text, text
        assert dot(memory, top=1).count("label") == 1
        if shutil.which("sfdp") is None:
            sys.exit(77)
        picture = svg(text).decode()
        assert picture.count('class="node"') == 6 and picture.count('class="edge"') == 3, picture
        assert "&lt;b&gt; &amp;" in picture and "\\N" in picture, picture


{"buffer": buffer, "pynars": pynars, "channel": channel, "networkx": networkx, "graphviz": graphviz}[sys.argv[1]]()
