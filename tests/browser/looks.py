# SPDX-License-Identifier: MIT
"""Checks the look of the window: widths, colour schemes, contrast and overlap. Saves pictures if asked to."""
import json, time

WIDTHS = (400, 768, 1280, 1920)

# Finds texts with too little contrast to their background (WCAG 2.1 requires 4.5 to 1).
FAINT = """(() => {
  const parts = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(
      v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce(
          (s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => { for (; e; e = e.parentElement) { const p = parts(getComputedStyle(e).backgroundColor);
      if (p.length < 4 || p[3] === 1) return p; } return [255, 255, 255]; };
  const faint = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || e.closest('script, style, .hidden, :disabled') || !e.checkVisibility()) continue;
    const [a, b] = [light(parts(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
    const contrast = (a + .05) / (b + .05);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)}: ${walk.currentNode.data.trim().slice(0, 40)}`);
  }
  return faint;
})()"""

# Finds controls that overlap another control or are cut off at the side.
OVERLAP = """(() => {
  const all = [...document.querySelectorAll('button, input, select, h2, h3, label')].filter(e => e.checkVisibility() &&
      !e.closest('#graph, .hidden, fieldset, .scroll, label *') && !(innerWidth < 640 && e.closest('#cards')));
  const boxes = all.map(e => e.getBoundingClientRect()), found = [];
  for (let i = 0; i < all.length; ++i) {
    if (boxes[i].right > innerWidth + .5 || boxes[i].left < -.5) found.push(`outside: ${all[i].outerHTML.slice(0, 60)}`);
    for (let j = i + 1; j < all.length; ++j)
      if (!all[i].contains(all[j]) && boxes[i].width > 2 && boxes[j].width > 2 && boxes[i].left < boxes[j].right - 1 &&
          boxes[j].left < boxes[i].right - 1 && boxes[i].top < boxes[j].bottom - 1 && boxes[j].top < boxes[i].bottom - 1)
        found.push(`${all[i].outerHTML.slice(0, 60)} over ${all[j].outerHTML.slice(0, 60)}`);
  }
  return found;
})()"""


def check(browser, opened, server, cue, pictures):
    """Checks the window at every width. Returns the background colour."""
    for width in WIDTHS:
        browser.size(width)
        opened(browser, server)
        browser.js(f"void (document.querySelector('#cue').value = {json.dumps(cue)})")
        browser.click("#ask .main")
        browser.wait("document.querySelector('#cards .card') && !document.querySelector('#cards .card.waiting')", 120)
        where = f"{browser.kind}, {width} wide, {browser.scheme}"
        wide, inner = browser.js("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide <= inner, f"{where}: {wide} pixels wide"
        for what, code in (("hard to read", FAINT), ("overlap", OVERLAP)):
            found = browser.js(code)
            assert not found, f"{where}: {what}: {found[:5]}"
        if pictures:
            browser.js("void scrollTo(0, 0)")
            time.sleep(2)
            browser.picture(f"{pictures}/{browser.kind}-{width}-{browser.scheme}.png", whole=False)
            browser.picture(f"{pictures}/{browser.kind}-{width}-{browser.scheme}-whole.png")
    # The canvas uses the page's colours.
    ink, drawn = browser.js("[getComputedStyle(document.documentElement).getPropertyValue('--ink').trim(), "
                            "page.graph.picture.colours.ink]")
    assert ink == drawn, (ink, drawn)
    return browser.js("getComputedStyle(document.body).backgroundColor")
