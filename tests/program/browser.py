# Tests the report in headless Chromium: wide and narrow, light and dark, by mouse and keyboard. Speaks the DevTools
# protocol over a pipe. Usage: browser.py CHROMIUM RUN PROFILE [PICTURES].
import json, os, pathlib, re, subprocess, sys, urllib.parse
from html.parser import HTMLParser


class Browser:
    def __init__(self, program, profile):
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()

        def wire():  # the browser reads from descriptor 3 and writes to 4
            os.dup2(from_us, 13), os.dup2(to_us, 14)
            os.dup2(13, 3), os.dup2(14, 4)

        flags = ["--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--hide-scrollbars", f"--user-data-dir={profile}"]
        if os.getuid() == 0:
            flags.append("--no-sandbox")
        self.process = subprocess.Popen([program, *flags, "about:blank"], preexec_fn=wire, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us), os.close(to_us)
        self.out, self.inn = os.fdopen(to_browser, "wb"), os.fdopen(from_browser, "rb")
        self.number, self.session, self.events, self.rest = 0, None, [], b""
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.ask(domain + ".enable")

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.inn.fileno(), 1 << 16)
            assert more, "the browser went away"
            self.rest += more
        message, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(message)
        if "method" in message:
            self.events.append(message)
        return message

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.out.write(json.dumps(message).encode() + b"\0")
        self.out.flush()
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def wait_for(self, method):
        while not any(e["method"] == method for e in self.events):
            self.receive()

    def after_load(self, act):
        self.events = [e for e in self.events if e["method"] != "Page.loadEventFired"]
        act()
        self.wait_for("Page.loadEventFired")

    def open(self, path):
        self.after_load(lambda: self.ask("Page.navigate", url=pathlib.Path(path).resolve().as_uri()))

    def js(self, code):
        result = self.ask("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (code, result)
        return result["result"].get("value")

    def key(self, name, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code,
                     **({"text": text} if kind == "keyDown" and text else {}))

    def look(self, width, dark):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, path):
        import base64
        data = self.ask("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a" and ("href" in attributes or "xlink:href" in attributes):
            self.links.append(attributes.get("href", attributes.get("xlink:href")))
        for name in ("src", "data"):
            assert name not in attributes, f"<{tag}> loads {attributes[name]}"


# Every link leads to an existing file of the run and an existing anchor, and no page needs another file to be
# displayed.
def check_links(run):
    pages = {p: Links(p.read_text(encoding="utf-8")) for p in [run / "report.html", *run.glob("cues/*.html")]}
    for page, found in pages.items():
        assert len(set(found.ids)) == len(found.ids), f"{page}: an id occurs twice"
        for link in found.links:
            assert link and not re.match(r"\w+:", link), f"{page}: leads outside: {link}"
            path, _, fragment = link.partition("#")
            target = (page.parent / urllib.parse.unquote(path)).resolve() if path else page.resolve()
            assert target.exists(), f"{page}: {link} leads nowhere"
            if fragment:
                there = next(v for k, v in pages.items() if k.resolve() == target)
                assert fragment in there.ids, f"{page}: {link}: the link leads nowhere"
    return len(pages)


# Texts of plots with too little contrast (WCAG 2.1 requires 4.5 to 1), and white areas in the dark scheme.
FAINT = """(() => {
  const parts = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(
      v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = light(parts(getComputedStyle(document.body).backgroundColor));
  const contrast = (l, ground) => (Math.max(l, ground) + 0.05) / (Math.min(l, ground) + 0.05);
  const ground = t => t.previousElementSibling?.tagName === "rect" && t.parentNode.tagName === "g" && t.parentNode.querySelector("title")
      ? light(parts(getComputedStyle(t.previousElementSibling).fill)) : paper;  // a number in a square of its own
  const found = [...document.querySelectorAll('figure.plot text')].filter(
      t => contrast(light(parts(getComputedStyle(t).fill)), ground(t)) < 4.5).map(t => t.textContent);
  for (const rect of document.querySelectorAll('figure.plot rect, figure.plot polygon')) {
    const fill = getComputedStyle(rect).fill;
    if (fill.startsWith("rgb(") && Math.min(...parts(fill)) > 250) found.push("a white " + rect.tagName);
  }
  return found;
})()"""


def check_width(browser, page, pictures):
    papers = set()
    for width in (1280, 400):
        for dark in (False, True):
            browser.look(width, dark)
            browser.open(page)
            browser.js("document.querySelectorAll('details').forEach(d => d.open = true)")
            found = browser.js("[document.documentElement.scrollWidth, innerWidth]")
            assert found[0] <= found[1] == width, f"{page} at {width}: {found[0]} wide"
            faint = browser.js(FAINT)
            assert not faint, f"{page} at {width}, {'dark' if dark else 'light'}: hard to read: {faint[:5]}"
            scrolled = browser.js("""[...document.querySelectorAll('figure.plot, figure.plot > svg')].filter(
                e => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth).length""")
            assert scrolled == 0, f"{page} at {width}: {scrolled} plots do not fit"
            papers.add((dark, browser.js("getComputedStyle(document.body).backgroundColor")))
            if pictures:
                browser.open(page)
                browser.picture(f"{pictures}/{page.parent.name}-{page.stem}-{width}-{'dark' if dark else 'light'}.png")
    assert len(papers) == 2 and len({colour for _, colour in papers}) == 2, f"{page}: dark is as light"


# Tab, pressed from the top of the page, reaches each control once and in order.
def check_tabs(browser, page):
    browser.look(1280, False)
    browser.open(page)
    # Chromium also stops at scrollable parts without another control.
    browser.js("""(() => { const stops = 'a[href], button, summary, [tabindex="0"]';
                  const scrolls = e => e.scrollWidth > e.clientWidth && /auto|scroll/.test(getComputedStyle(e).overflowX) &&
                      !e.querySelector(stops);
                  window.usable = [...document.querySelectorAll('body *')].filter(
                      e => (e.matches(stops) || scrolls(e)) && e.checkVisibility()); })()""")
    count = browser.js("usable.length")
    seen = []
    for _ in range(count):
        browser.key("Tab", 9)
        seen.append(browser.js("usable.indexOf(document.activeElement)"))
    assert seen == list(range(count)), f"{page}: Tab goes {seen[:20]}..., of {count}"
    assert browser.js("document.querySelectorAll('[tabindex]:not([tabindex=\"0\"])').length") == 0
    return count


COLUMN = """[...document.querySelectorAll('#table-methods tbody tr')].map(r => [r.cells[0].textContent,
            r.cells[2].dataset.v ?? r.cells[2].textContent])"""


# Keyboard: Enter on a column header sorts up, then down, then restores the order.
def check_sorting(browser, page):
    browser.open(page)
    first = browser.js(COLUMN)
    assert len(first) > 3, first
    browser.js("document.querySelector('#table-methods thead th:nth-child(3) button').focus()")
    for direction in ("ascending", "descending", None):
        browser.key("Enter", 13, "\r")
        rows = browser.js(COLUMN)
        assert browser.js("document.querySelector('#table-methods thead th:nth-child(3)').ariaSort") == direction
        wanted = first
        if direction:
            wanted = sorted(first, key=lambda r: float(r[1]), reverse=direction == "descending")
        assert rows == wanted, (direction, rows)
    # A click on another column moves the sort mark.
    browser.js("document.querySelector('#table-methods thead th:nth-child(3) button').click()")
    browser.js("document.querySelector('#table-methods thead th:nth-child(1) button').click()")
    assert browser.js("document.querySelectorAll('#table-methods th[aria-sort]').length") == 1
    names = [row[0] for row in browser.js(COLUMN)]
    assert names == sorted(names), names
    # Without scripts the column headers are plain text.
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.js("document.querySelectorAll('#table-methods button').length") == 0
    assert browser.js(COLUMN) == first


# Links lead from the report to the page of a cue and its raw row, which is a line of results.jsonl, then to the next
# cue and back.
def check_cue_pages(browser, run):
    lines = (run / "results.jsonl").read_text(encoding="utf-8").splitlines()
    browser.open(run / "report.html")
    browser.after_load(lambda: browser.js("document.querySelector('#table-cues tbody a').click()"))
    assert "/cues/" in browser.js("location.pathname")
    number = browser.js("""(() => { const a = document.querySelector('.card a'); a.click();
                               return Number(a.textContent.replace('raw row ', '')); })()""")
    shown = browser.js("document.querySelector(':target pre').textContent")
    assert shown == lines[number - 1], (number, shown[:100], lines[number - 1][:100])
    cards = browser.js("[...document.querySelectorAll('.pair h3')].map(h => h.textContent)")
    assert cards == ["attention", "hopfield"], cards
    assert browser.js("document.querySelectorAll('.pair svg.energy').length") == 2
    cue = browser.js("document.querySelector('h1').textContent")
    assert cue == json.loads(lines[number - 1])["cue"]
    name = browser.js("location.pathname")
    browser.after_load(lambda: browser.js(
        "[...document.querySelectorAll('nav a')].find(a => /cue|question/.test(a.textContent)).click()"))
    assert browser.js("location.pathname") != name
    browser.after_load(lambda: browser.js("document.querySelector('nav a').click()"))
    assert browser.js("location.pathname").endswith("/report.html")


def main():
    program, run, profile = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    pictures = sys.argv[4] if len(sys.argv) > 4 else None
    browser = Browser(program, profile)
    try:
        pages = check_links(run)
        tabs = 0
        for page in [run / "report.html", *sorted(run.glob("cues/*.html"))[:2]]:
            check_width(browser, page, pictures)
            tabs += check_tabs(browser, page)
        if pages > 1:
            check_sorting(browser, run / "report.html")
            check_cue_pages(browser, run)
        asked = {e["params"]["request"]["url"].partition(":")[0] for e in browser.events
                 if e["method"] == "Network.requestWillBeSent"}
        assert asked <= {"file"}, asked
        wrong = [e for e in browser.events if e["method"] == "Runtime.exceptionThrown"]
        assert not wrong, wrong
        print(f"{run}: {pages} pages, {tabs} stops of the Tab key")
    finally:
        browser.process.kill()
        browser.process.wait()


main()
