# SPDX-License-Identifier: MIT
"""Measures frames per second of the window while its graph moves constantly: with a synthetic graph of 300 concepts and
900 links, and with FILE.nal if given. Usage: frames.py ENGRAM BROWSER [FILE.nal]. This is a measurement, not a test,
because it depends on the machine."""
import sys
import tempfile

from bidi import Browser
from serving import Serving

MADE_UP = """(page.timeline.toggle(), showView({version: -1, concepts: 300, hebbian_links: 900, statements: 900,
    episodes: 900, bytes: 1e6, latest: [],
    shown: Array.from({length: 300}, (_, i) => ({concept: i, term: "concept_" + i, priority: 1 / (1 + i / 20),
        durability: .5, quality: .5, uses: 9, last: 900})),
    edges: Array.from({length: 900}, (_, i) => ({source: i % 300, target: (7 * i + 1 + Math.floor(i / 300) * 31) % 300,
        weight: 1 + i % 5, f: .5, c: .5})).filter(e => e.source !== e.target)}, false), 0)"""
# Keeps the layout moving and changes budgets all the time.
MOVING = """(page.graph.layout.simulation.alpha(.5).alphaDecay(0), setInterval(() => {
    for (const node of page.graph.model.nodes) node.goal = .2 + .8 * Math.random();
    page.graph.model.moving = true;
    page.graph.redraw();
  }, 300), 0)"""
# Returns the frames in five seconds, the frames per second, and the median and the 95 % quantile of the milliseconds
# between frames.
RATE = """new Promise(done => {
    const times = [];
    requestAnimationFrame(function go(now) {
      times.push(now);
      if (now < times[0] + 5000) return requestAnimationFrame(go);
      const gaps = times.slice(1).map((t, i) => t - times[i]).sort((a, b) => a - b);
      done([gaps.length, 1000 * gaps.length / (now - times[0]), gaps[gaps.length >> 1],
            gaps[Math.floor(.95 * gaps.length)]]);
    });
  })"""


def measure(browser, what):
    browser.js(MOVING)
    before = browser.processor_seconds()
    count, rate, half, most = browser.js(RATE)
    used = 1000 * (browser.processor_seconds() - before) / count
    nodes, edges = browser.js("[page.graph.model.nodes.length, page.graph.model.edges.length]")
    print(f"{browser.kind}, {what}: {nodes} concepts, {edges} links: {rate:.0f} frames a second "
          f"(half within {half:.0f} ms, 95 % within {most:.0f} ms), {used:.0f} ms of processors a frame", flush=True)


def main(engram, kind, path=None):
    server, browser = Serving(engram), Browser(kind, tempfile.mkdtemp(prefix="frames-"))
    try:
        server.tell("<a --> b>.")
        browser.size(1280)
        browser.open(server.address)
        browser.wait("page.view !== null")
        browser.js(MADE_UP)
        measure(browser, "made up")
        if path:
            server.tell_file(path)
            for shown in (200, 500, 1000):
                browser.open(server.address)
                browser.js(f"void (document.querySelector('#shown').value = {shown})")
                browser.wait(f"page.view?.shown.length > {shown / 2}", 60)
                measure(browser, path.split("/")[-1])
    finally:
        browser.close()
        server.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
