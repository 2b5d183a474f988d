# SPDX-License-Identifier: MIT
"""Puts every string of tests/hostile into every text in the folder of a run, and checks all output with readers that
are independent of Engram."""
import csv
import functools
import html.parser
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

engram, source = sys.argv[1:]
folder = os.path.join(source, "tests/hostile")
strings = {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}


def as_text(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None  # not expressible in JSON


class Page(html.parser.HTMLParser):
    """The tags and attributes of a page, which texts must not change."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.links, self.open = set(), [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.open = tag
        for name, value in attributes:
            assert not name.startswith("on"), (tag, name, value)
            if name in ("href", "src", "xlink:href"):
                self.links.append(value)

    def handle_data(self, data):
        if self.open == "script":
            self.scripts.append(data)

    def handle_endtag(self, tag):
        self.open = None


@functools.cache
def page_of(file):
    return Page(open(file).read())


def call(*arguments, codes=(0,)):
    done = subprocess.run([engram, *arguments], capture_output=True)
    assert done.returncode in codes, (arguments, done)
    data = "json" in arguments  # JSON contains every text unchanged
    for text in (b"" if data else done.stdout, done.stderr):
        text = text.decode()
        odd = [c for c in text if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 or c in "\u202e\u2028"]
        assert not odd, (arguments, odd)
    return done


def check(run, plain):
    files = 0
    for path, _, names in os.walk(run):
        for name in names:
            file = os.path.join(path, name)
            data = open(file, "rb").read()
            files += 1
            if name.endswith(".svg"):
                for element in xml.etree.ElementTree.fromstring(data).iter():
                    tag = element.tag.rsplit("}", 1)[-1]
                    assert tag not in ("script", "foreignObject", "image"), (file, tag)
                    assert not any(attribute.startswith("on") for attribute in element.attrib), (file, element.attrib)
            elif name.endswith(".html"):
                page, before = Page(data.decode()), page_of(os.path.join(plain, "report.html"))
                assert page.scripts == before.scripts[-len(page.scripts):], file
                assert page.tags - before.tags <= {"nav", "ul", "pre", "section", "code", "small", "wbr"}, page.tags - before.tags
                for link in page.links:
                    assert ":" not in link and not link.startswith("/"), (file, link)
            elif name.endswith(".json"):
                json.loads(data)
            elif name.endswith(".csv"):
                rows = list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))
                assert len({len(row) for row in rows}) == 1, file
                for cell in (cell for row in rows for cell in row):
                    if cell and cell != "-" and cell.lstrip(" ")[:1] in ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d"):
                        float(cell)
            elif name.endswith(".pdf"):
                assert data.startswith(b"%PDF") and b"/JavaScript" not in data and b"/Launch" not in data, file
                for stream in data.split(b"stream\n")[1:]:
                    try:
                        assert b"/Launch" not in zlib.decompressobj().decompress(stream)
                    except zlib.error:
                        pass
            elif name.endswith(".gp") and shutil.which("gnuplot"):
                # A user also runs the command without any protection.
                with tempfile.TemporaryDirectory(dir=".") as beside:
                    shutil.copy(file, beside)
                    subprocess.run(["gnuplot", name], cwd=beside, check=True, capture_output=True)
                    assert {os.path.splitext(made)[1] for made in os.listdir(beside)} <= {".gp", ".svg", ".pdf"}
            elif name.endswith(".dot") and shutil.which("dot"):
                drawn = subprocess.run(["dot", "-Tplain", name], cwd=path, check=True, capture_output=True).stdout.decode()
                nodes = [line.split()[1] for line in drawn.splitlines() if line.startswith("node ")]
                assert all(node.startswith("n") for node in nodes), nodes
    assert not os.path.exists("pwned"), run
    return files


class Swap:
    """Replaces texts by hostile strings, one for each text, starting anywhere in the table."""

    def __init__(self, texts, begin, keep):
        self.texts, self.begin, self.keep, self.known = texts, begin, keep, {}

    def __call__(self, value, name=""):
        if isinstance(value, str):
            if value in self.keep or name in ("picture", "frames"):  # sort keys of tables, and pixels
                return value
            place = self.known.setdefault(value, len(self.known) + self.begin)
            return self.texts[place % len(self.texts)]
        if isinstance(value, list):
            return [self(each, name) for each in value]
        if isinstance(value, dict):
            return {key: self(each, key) for key, each in value.items()}
        return value


def lines_of(file):
    return [json.loads(line) for line in open(file)]


def report_swapped(plain, swap):
    """Writes the report of a run with other texts in its rows and inputs. Returns the number of files."""
    shutil.rmtree("swapped", ignore_errors=True)
    shutil.copytree(plain, "swapped", ignore=shutil.ignore_patterns("plots"))
    rows = [swap(row) for row in lines_of(plain + "/results.jsonl")]
    open("swapped/results.jsonl", "w").write("".join(json.dumps(row) + "\n" for row in rows))
    manifest = json.load(open("swapped/manifest.json"))
    for entry in manifest["inputs"]:
        entry["name"] = swap(entry["name"])
    json.dump(manifest, open("swapped/manifest.json", "w"))
    call("report", "swapped")
    call("compare", "swapped", plain, codes=(0, 2))
    call("verify", "swapped", codes=(1, 2))
    return check("swapped", plain)


texts = [text for text in (as_text(data) for data in strings.values()) if text is not None]
files = refused = 0

# Hostile labels are refused before any trial, or are plain text in all output.
labels = []
for text in texts:
    spec = json.load(open("plain.json"))
    spec["methods"] = ["attention", {"method": "hopfield", "label": text}]
    json.dump(spec, open("label.json", "w"))
    if call("run", "label.json", "--out", "label", "--dry-run", codes=(0, 2)).returncode == 2:
        assert call("run", "label.json", "--out", "label", codes=(2,)).stderr.startswith(b"engram: error: label.json: /methods/1/label")
        assert not os.path.exists("label"), text
        refused += 1
    else:
        labels.append(text)
spec["methods"] = ["attention"] + [{"method": "cosine", "label": label} for label in labels]
json.dump(spec, open("label.json", "w"))
call("run", "label.json", "--out", "label")
files += check("label", "plain")
for form in ("text", "csv", "markdown"):
    call("compare", "label", "label", "--format", form)
call("verify", "label")

# Hostile texts everywhere in the rows of a foreign run, except in the labels that its spec gives.
open("small.nal", "w").write(
    "<tim --> cat>.\n<cat --> animal>.\n<(*,tim,cat) --> likes>.\n<dog --> animal>.\n<tim --> animal>?\n"
    "//expected: Answer <tim --> animal>. %1.0;0.81%\n//needed: <tim --> cat>.\n//needed: <cat --> animal>.\n"
)
runs = {
    "comparison": ["small.nal", "--set", 'methods=["attention","hopfield"]'],
    "completion": ["plain.json"],
    "icons": ["icons", "--set", "seeds=[1]", "--set", "damage=[0.1]", "--set", 'methods=["hopfield"]'],
    "prediction": ["prediction", "--set", "inputs=[]", "--set", "seeds=[1]", "--set", "epochs=2", "--set", "origins=[0.5]",
                   "--set", 'generated={"episodes":40,"situations":3,"concepts":6,"active":2,"distractors":1}'],
}
for experiment, arguments in runs.items():
    call("run", *arguments, "--out", experiment)
    keep = {row["method"] for row in lines_of(experiment + "/results.jsonl")}
    for begin in range(0, len(texts), 6 if experiment == "comparison" else 25):
        files += report_swapped(experiment, Swap(texts, begin, keep))

# Terms of a foreign file are hostile.
for text in texts:
    term = text.replace('"', "'").replace("\\", "/")
    open("terms.nal", "w").write(f'<"{term}" --> b>.\n<b --> "a\\">.\n<graph --> "{term}">.\n<b --> ?1>?\n')
    for form in ("graphml", "dot", "json"):
        drawn = call("graph", "terms.nal", "--format", form, codes=(0, 1)).stdout
        if form == "graphml":
            xml.etree.ElementTree.fromstring(drawn)
        elif form == "json":
            json.loads(drawn)
        elif shutil.which("dot"):
            subprocess.run(["dot", "-Tplain"], input=drawn, check=True, capture_output=True)
call("recall", "terms.nal", "--cue", "b", "--report", "why.html", codes=(0, 1))
Page(open("why.html").read())
print(f"{len(strings)} strings, {refused} refused as labels, {files} files read")
