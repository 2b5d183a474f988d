# SPDX-License-Identifier: MIT
"""Tests the window by mouse and keyboard, in Chromium and Firefox, wide and narrow, light and dark.
Usage: window_test.py ENGRAM SOURCE BROWSER [PICTURES]"""
import json, pathlib, sys, time, urllib.error, urllib.request
from xml.etree import ElementTree

from bidi import Browser
from serving import Serving
import looks

ALL_ANSWERED = "document.querySelector('#cards .card') && !document.querySelector('#cards .waiting')"
CUE = "<{tweety} --> [feathered]>?"
SVG, GRAPHML = "{http://www.w3.org/2000/svg}", "{http://graphml.graphdrawing.org/xmlns}"


def opened(browser, server):
    browser.open(server.address)
    browser.wait("page.view !== null && page.view.shown.length > 0")


def check_live(browser, server):
    """The window shows input in its totals, list and graph. Input typed into the window reaches the memory."""
    assert browser.js("document.querySelector('#status').textContent") == "connected"
    before = browser.js("page.view.concepts")
    server.tell("<brand_new --> [blue]>.")
    browser.wait(f"page.view.concepts > {before}")
    browser.wait("document.querySelector('#latest li').textContent.startsWith('<brand_new --> [blue]>.')")
    assert browser.js("document.querySelector('#totals dd').textContent.replace(/\\D/g, '')") == str(
        server.ask("stats")["concepts"])
    browser.click("#sentence")
    browser.keys("<told_by_hand --> bird>.", "Enter")
    browser.wait("document.querySelector('#told').textContent.startsWith('accepted')")
    assert any(link["source"] == "told_by_hand" or link["target"] == "told_by_hand"
               for link in server.ask("links", term="told_by_hand")["links"])
    browser.keys("<never ended", "Enter")
    browser.wait("document.querySelector('#told.error')")
    assert browser.js("document.querySelector('#sentence').value") == "<never ended", "the error of an earlier input is gone"
    # Markup in a name is shown as text.
    server.tell('<"<img src=x onerror=alert(1)>" --> bird>.')
    browser.wait("document.querySelector('#latest').textContent.includes('onerror')")
    assert browser.js("document.querySelectorAll('img').length") == 0


def check_cue(browser, server):
    """`/` focuses the cue from anywhere. Every method answers, with explanations, an energy, and its recall in the
    graph."""
    browser.js("void document.activeElement.blur()")
    browser.keys("/")
    assert browser.js("document.activeElement.id") == "cue"
    browser.keys(CUE, "Enter")
    browser.wait(ALL_ANSWERED, 120)
    hello = server.ask("hello")
    methods = hello["methods"]
    assert browser.js("[...document.querySelectorAll('.card h3')].map(h => h.textContent)") == [hello["default_method"]]
    browser.click("#methods summary")
    browser.click("#all-methods")
    browser.click("#methods summary")
    browser.click("#cue")
    browser.keys("Enter")
    browser.wait(f"document.querySelectorAll('#cards .card').length === {len(methods)}")
    browser.wait(ALL_ANSWERED, 120)
    assert browser.js("[...document.querySelectorAll('.card h3')].map(h => h.textContent)") == methods
    failed = browser.js("[...document.querySelectorAll('#cards .card.failed')].map(c => c.textContent)")
    assert not failed, failed
    best = server.ask("explain", cue=CUE, method="proof_attention", top=6)
    card = f"#cards .card:nth-child({methods.index('proof_attention') + 1})"
    shown = browser.js(f"[...document.querySelectorAll('{card} .ranking code')].map(c => c.textContent)")
    assert shown == [s["narsese"] for s in best["statements"]] + [c["term"] for c in best["concepts"]], shown
    traced = browser.js("[...document.querySelectorAll('#cards .card')].filter(c => c.querySelector('polyline')).map(c => "
                        "c.querySelector('h3').textContent)")
    assert "attention" in traced and "hopfield" in traced and "uniform" not in traced, traced
    # The recall is shown in the graph and ends with the next one. Explanations of proof_attention have a proof and no
    # path.
    walk = f"#cards .card:nth-child({methods.index('bidirectional_spreading') + 1})"
    browser.click(f"{walk} [aria-pressed]")
    browser.wait("page.graph.recalled?.size > 0 && page.graph.recalled.has('canary')")
    assert "bird" in browser.js("page.graph.way")
    browser.click(f"{walk} [aria-pressed]")
    browser.wait("page.graph.recalled === null")
    # The card has the reasoner's answer and its proof.
    assert "<{tweety} --> [feathered]>" in browser.js(f"document.querySelector('{card} .answers li').textContent")
    browser.click(f"{card} .answers button")
    browser.wait("document.querySelector('dialog[open] .proof')")
    assert "deduction" in browser.js("document.querySelector('dialog').textContent")
    browser.keys("Escape")
    browser.wait("!document.querySelector('dialog')")
    # A dialog shows explanations. Escape closes it and returns the focus.
    browser.js(f"void document.querySelector('{walk} .buttons [aria-haspopup]').focus()")
    browser.keys("Enter")
    browser.wait("document.querySelector('dialog[open] .way')")
    said = browser.js("document.querySelector('dialog').textContent")
    assert "share of the budget" in said and "canary" in said, said[:200]
    browser.keys("Escape")
    browser.wait("!document.querySelector('dialog')")
    assert browser.js("document.activeElement.getAttribute('aria-haspopup')") == "dialog"
    # A cue that is not Narsese gives one error, not one for each method.
    browser.click("#cue")
    browser.js("void (document.querySelector('#cue').value = '')")
    browser.keys("<never ended", "Enter")
    browser.wait("document.querySelectorAll('#cards .card').length === 1 && document.querySelector('#cards .failed')")
    # A cue with unknown names also gives one error.
    browser.click("#cue")
    browser.js("void (document.querySelector('#cue').value = '')")
    browser.keys("never_heard_of", "Enter")
    browser.wait("document.querySelector('#asked').textContent === 'never_heard_of: the memory knows none of these names'")
    assert browser.js("document.querySelectorAll('#cards .card').length") == 0
    # Mouse and keyboard select some of the methods.
    browser.click("#methods summary")
    browser.click("#no-method")
    browser.click("#methods label:nth-of-type(2)")
    browser.js("void document.querySelector('#methods input').focus()")
    browser.keys(" ")
    browser.wait(f"document.querySelector('#methods summary').textContent === 'Methods (2 of {len(methods)})'")
    browser.js("void (document.querySelector('#cue').value = 'bird')")
    browser.click("#ask .main")
    browser.wait("document.querySelectorAll('#cards .card').length === 2 && "
                 "!document.querySelector('#cards .waiting, #cards .failed')")


def check_time(browser, server):
    """The window pauses, steps back and forward, and resumes."""
    for i in range(5):
        versions = browser.js("page.timeline.history.length")
        server.tell(f"<moment{i} --> time>.")
        browser.wait(f"page.timeline.history.length > {versions}")
    newest = browser.js("page.view.concepts")
    browser.click("#pause")
    browser.wait("document.querySelector('#pause').textContent === 'Resume'")
    server.tell("<while_paused --> time>.")
    time.sleep(0.8)
    assert browser.js("page.view.concepts") == newest, "a paused page continues"
    browser.click("#back")
    browser.click("#back")
    browser.wait(f"page.view.concepts < {newest}")
    assert browser.js("page.graph.model.nodes.filter(n => n.kept && n.term === 'moment4').length") == 0
    browser.click("#forward")
    browser.click("#forward")
    browser.wait(f"page.view.concepts === {newest}")
    browser.js("void document.querySelector('#time').focus()")
    browser.keys("ArrowLeft", "ArrowLeft", "ArrowLeft")
    browser.wait(f"page.view.concepts < {newest}")
    assert "3 views back" in browser.js("document.querySelector('#time').getAttribute('aria-valuetext')")
    browser.keys("End")
    browser.wait(f"page.view.concepts === {newest}")
    browser.click("#pause")
    browser.wait(f"page.view.concepts > {newest}")
    assert browser.js("document.querySelector('#when').textContent") == "live"


def check_walk(browser):
    """The graph works by keyboard and mouse."""
    browser.js("void document.querySelector('canvas').focus()")
    browser.keys("Home")
    browser.wait("page.graph.chosen && !document.querySelector('#concept').hidden")
    best = browser.js("page.graph.chosen.term")
    assert best == browser.js("page.view.shown.reduce((a, b) => b.priority > a.priority ? b : a).term")
    walked = {best}
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        at = browser.js("[page.graph.chosen.term, page.graph.model.neighbours(page.graph.chosen).map(n => n.term)]")
        browser.keys(key)
        to = browser.js("page.graph.chosen.term")
        walked.add(to)
        assert browser.js("document.querySelector('#concept h3').textContent") == to
        if to != at[0]:
            assert to in browser.js("document.querySelector('#changes').textContent"), "the page does not report it"
    assert len(walked) > 1, "the arrows lead nowhere"
    browser.keys("Enter")
    browser.wait("document.activeElement.closest('.links')")
    browser.keys("Enter")
    browser.wait("document.activeElement.closest('.links')")
    browser.keys("Escape")
    browser.wait("page.graph.chosen === null && document.activeElement.matches('canvas')")
    scale = browser.js("page.graph.camera.k")
    browser.keys("+", "+")
    browser.wait(f"page.graph.camera.k > 1.5 * {scale}")
    browser.keys("0")
    browser.wait("page.graph.follows && Math.abs(page.graph.camera.k - page.graph.whole().k) < .02")
    browser.wait("page.graph.asleep && document.querySelector('#graph')", 40)  # a graph at rest is not redrawn
    place = browser.js("""(() => { const g = page.graph, n = g.model.best();
        return [n.term, n.sx - g.picture.size.width / 2, n.sy - g.picture.size.height / 2]; })()""")
    browser.click("canvas", place[1], place[2])
    browser.wait(f"page.graph.chosen?.term === {json.dumps(place[0])}")
    browser.click(".close")
    browser.wait("page.graph.chosen === null")
    browser.click("#find")
    browser.keys("canary", "Enter")
    browser.wait("page.graph.chosen?.term === 'canary'")
    browser.click(".close")
    browser.click("#table summary")
    browser.wait("document.querySelectorAll('#table tbody tr').length > 20")
    browser.click("#table tbody tr:nth-child(2) button")
    browser.wait("page.graph.chosen && document.activeElement.matches('canvas')")
    browser.keys("Escape")
    browser.click("#table summary")


def check_tabs(browser):
    """Tab reaches every control in the order of the page, and the focus is visible."""
    usable = browser.js("""(window.usable = [...document.querySelectorAll(
        'a[href], button, input, select, summary, [tabindex="0"]')].filter(e => e.checkVisibility() && !e.disabled),
        usable.length)""")
    browser.js("void (document.activeElement.blur(), window.getSelection().removeAllRanges(), document.body.focus())")
    browser.js("void usable[0].focus()")
    seen = [0]
    for _ in range(usable - 1):
        browser.keys("Tab")
        at, outline = browser.js("[usable.indexOf(document.activeElement), "
                                 "getComputedStyle(document.activeElement).outlineStyle]")
        assert outline != "none", f"no outline at {browser.js('document.activeElement.outerHTML')[:100]}"
        seen.append(at)
    missed = set(range(usable)) - set(seen)
    assert not missed, [browser.js(f"usable[{i}].outerHTML")[:100] for i in missed]
    assert seen == sorted(seen), seen
    nameless = browser.js("""usable.filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') ||
        e.getAttribute('aria-labelledby') || e.labels?.length)).map(e => e.outerHTML.slice(0, 100))""")
    assert not nameless, nameless


def check_saving(browser):
    browser.click("#pause")
    view = browser.js("page.view")
    browser.click("#save-json")
    assert json.loads(browser.downloaded(".json")) == view
    browser.click("#save-graphml")
    text = browser.downloaded(".graphml")
    graph = ElementTree.fromstring(text).find(GRAPHML + "graph")
    assert len(graph.findall(GRAPHML + "node")) == len(view["shown"])
    assert len(graph.findall(GRAPHML + "edge")) == len(view["edges"])
    try:
        import networkx
        read = networkx.parse_graphml(text)
        assert {d["term"] for _, d in read.nodes(data=True)} == {c["term"] for c in view["shown"]}
        assert sorted(w for *_, w in read.edges(data="weight")) == sorted(e["weight"] for e in view["edges"])
    except ImportError:
        print("networkx is not installed: GraphML is read as XML alone")
    browser.click("#save-svg")
    root = ElementTree.fromstring(browser.downloaded(".svg"))
    assert len(root.findall(f".//{SVG}circle")) == len(view["shown"]) and len(root.findall(f".//{SVG}text")) > 5
    titles = {t.text for t in root.findall(f".//{SVG}circle/{SVG}title")}
    assert any("onerror=alert(1)" in t for t in titles), "a name with brackets is lost"
    browser.click("#pause")


def check_loss(browser, engram, server):
    """The window reports a lost connection and reconnects."""
    port = server.port
    server.close()
    browser.wait("document.querySelector('#status').textContent.startsWith('not connected')")
    again = Serving(engram, port=port)
    again.tell("<after --> loss>.")
    browser.wait("page.view.shown.some(c => c.term === 'loss')", 40)
    assert browser.js("document.querySelector('#status').textContent") == "connected"
    again.close()


def check_token(browser, engram):
    server = Serving(engram, token="open-sesame")
    try:
        server.tell("<a --> b>.")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{server.port}/")
            raise AssertionError("the page is given without the token")
        except urllib.error.HTTPError as refusal:
            assert refusal.code in (401, 403), refusal.code
        opened(browser, server)
    finally:
        server.close()


def check_calm(browser, server):
    """With reduced motion new nodes appear at their final positions."""
    opened(browser, server)
    assert browser.js("calm.matches && dark.matches")
    server.tell("<suddenly --> there>.")
    browser.wait("page.graph.model.byTerm.has('suddenly')")
    first = browser.js("[page.graph.model.byTerm.get('suddenly').x, page.graph.layout.moving]")
    time.sleep(0.5)
    assert browser.js("[page.graph.model.byTerm.get('suddenly').x, page.graph.layout.moving]") == first == [first[0], False]


def check_quiet(browser, server):
    """The browser logged no console messages and sent no requests to other hosts."""
    assert not browser.logged, browser.logged
    here = ("data:", "blob:", *(f"{scheme}://127.0.0.1:{server.port}/" for scheme in ("http", "ws")))
    outside = [url for url in browser.requests if not url.startswith(here) and url != "about:blank"]
    assert not outside, outside


def main(engram, source, kind, pictures=None):
    server = Serving(engram)
    browser = Browser(kind, f"profile-{kind}")
    try:
        server.tell_file(pathlib.Path(source) / "experiments/data/living_things.nal")
        browser.size(1280)
        opened(browser, server)
        check_live(browser, server)
        check_walk(browser)
        check_time(browser, server)
        check_saving(browser)
        check_tabs(browser)
        check_cue(browser, server)
        light = looks.check(browser, opened, server, CUE, pictures)
        check_quiet(browser, server)
        check_token(browser, engram)
        browser.close()
        browser = Browser(kind, f"profile-{kind}-dark", scheme="dark", calm=True)
        assert looks.check(browser, opened, server, CUE, pictures) != light, "dark is as light"
        check_calm(browser, server)
        check_quiet(browser, server)
        check_loss(browser, engram, server)
        print(f"{kind}: as it should be")
    finally:
        browser.close()
        server.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
