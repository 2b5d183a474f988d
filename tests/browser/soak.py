# SPDX-License-Identifier: MIT
"""Soak test: the window in Chromium must not grow while the server gets 100 inputs per second with new names, and
questions. Usage: soak.py ENGRAM [SECONDS]; the default is 20 seconds. Below five minutes the window's history is
shortened, so that it is full before the measurement starts."""
import sys, time

from bidi import Browser
from serving import Serving

RATE = 100                # inputs per second
MOST_GROWTH = 2_000_000   # bytes by the fitted line, over the whole measured time
HELD = "(gc(), [performance.memory.usedJSHeapSize, document.querySelectorAll('*').length, page.timeline.history.length])"
FRAMES = """(window.frames_seen = 0, requestAnimationFrame(function count() { ++window.frames_seen;
            requestAnimationFrame(count); }), 0)"""


def slope(points):
    """The slope of the least-squares line through the points."""
    mean_x, mean_y = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def main(engram, seconds=20.0):
    server, browser = Serving(engram), Browser("chromium", "profile-soak")
    try:
        server.tell("<first --> kind0>.")
        browser.size(1280)
        browser.open(server.address)
        browser.wait("page.view !== null")
        if seconds < 300:
            browser.js("void (page.timeline.history.mostViews = 12)")
        browser.js("void document.querySelector('#no-method').click()")
        browser.js("void [...document.querySelectorAll('#methods input')].slice(0, 3).forEach(box => box.click())")
        browser.js(FRAMES)
        start, told, points, elements = time.monotonic(), 0, [], []
        warm = min(seconds / 3, 300)
        next_look, next_cue = warm, 3
        while (now := time.monotonic() - start) < seconds:
            if told < RATE * now:
                server.tell(f"<thing{told} --> kind{told % 97}>.")
                told += 1
                continue
            if now > next_cue:
                next_cue += 5
                browser.js(f"void (document.querySelector('#cue').value = '<thing{told - 1} --> kind{told % 97}>?', "
                           "document.querySelector('#ask .main').click())")
            if now > next_look:
                heap, count, views = browser.js(HELD)
                points.append((now, heap))
                elements.append(count)
                next_look += max(0.5, seconds / 200)
            time.sleep(0.002)
        frames = browser.js("window.frames_seen") / (time.monotonic() - start)
        shown = browser.js("[page.graph.model.nodes.length, page.graph.model.byId.size, page.view.concepts]")
        grows = slope(points)
        print(f"{told} inputs in {seconds:.0f} s; the page shows {shown[0]} of {shown[2]} concepts, "
              f"{frames:.0f} frames a second")
        print(f"heap {min(p[1] for p in points) / 1e6:.1f} to {max(p[1] for p in points) / 1e6:.1f} MB, slope "
              f"{grows / 1000:.2f} kB/s over {points[-1][0] - points[0][0]:.0f} s; {max(elements)} elements at most; "
              f"{views} views kept")
        assert told > 0.8 * RATE * seconds, f"only {told} inputs: the machine is too slow for a measurement"
        assert grows * (points[-1][0] - points[0][0]) < MOST_GROWTH, "the heap grows"
        assert max(elements[len(elements) // 2:]) <= 1.2 * max(elements[:len(elements) // 2]), elements
        assert shown[1] < 1000, shown
        assert not browser.logged, browser.logged
    finally:
        browser.close()
        server.close()


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
