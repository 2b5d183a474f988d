# SPDX-License-Identifier: MIT
"""Drives Chromium and Firefox by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/) for the tests of the window.
Firefox implements BiDi itself, Chromium needs chromedriver."""
import base64, json, os, pathlib, shutil, signal, socket, subprocess, sys, time, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "program"))
from websocket_client import Websocket

CHROMIUM = ["--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--enable-precise-memory-info", "--js-flags=--expose-gc",
            "--hide-scrollbars"]
FIREFOX = {"app.update.auto": False, "browser.shell.checkDefaultBrowser": False,
           "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False,
           "browser.startup.homepage_override.mstone": "ignore",
           "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
           "remote.active-protocols": 1}
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
        "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010", "Shift": "\ue008"}


def free_port():
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


def patiently(act, seconds=60):
    end = time.monotonic() + seconds
    while True:
        try:
            return act()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


class Browser:
    """A browser. `kind`: chromium or firefox, which must be on the PATH. `calm`: prefers reduced motion. Keeps the
    console messages, requests and downloads."""

    def __init__(self, kind, profile, scheme="light", calm=False):
        self.kind, self.scheme, self.calm = kind, scheme, calm
        self.number, self.logged, self.requests = 0, [], []
        self.profile = pathlib.Path(profile).resolve()
        shutil.rmtree(self.profile, ignore_errors=True)
        self.downloads = self.profile / "downloads"
        self.downloads.mkdir(parents=True)
        port = free_port()
        self.process = subprocess.Popen(self.command(port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        try:
            self.connect(port)
        except BaseException:
            self.close()
            raise

    def connect(self, port):
        self.wire = None
        if self.kind == "chromium":
            capabilities = {"webSocketUrl": True, "goog:chromeOptions": {
                "args": CHROMIUM + self.wishes() + [f"--user-data-dir={self.profile}"],
                "prefs": {"download.default_directory": str(self.downloads), "download.prompt_for_download": False}}}
            body = json.dumps({"capabilities": {"alwaysMatch": capabilities}}).encode()
            request = urllib.request.Request(f"http://127.0.0.1:{port}/session", body,
                                             {"Content-Type": "application/json"})
            session = json.load(patiently(lambda: urllib.request.urlopen(request)))["value"]
            address = session["capabilities"]["webSocketUrl"]
            port, target = int(address.split(":")[2].split("/")[0]), "/" + address.split("/", 3)[3]
            self.wire = Websocket(port, target, host=f"127.0.0.1:{port}")
        else:
            self.wire = patiently(lambda: Websocket(port, "/session", host=f"127.0.0.1:{port}"))
            self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        # Firefox's first page leaves the focus in the address bar.
        self.page = self.ask("browsingContext.create", type="tab")["context"]

    def wishes(self):
        """The command line options of Chromium."""
        return (["--blink-settings=preferredColorScheme=" + ("0" if self.scheme == "dark" else "1")] +
                (["--force-prefers-reduced-motion"] if self.calm else []) +
                (["--no-sandbox"] if os.getuid() == 0 else []))

    def command(self, port):
        if self.kind == "chromium":
            return ["chromedriver", f"--port={port}"]
        preferences = {**FIREFOX, "ui.prefersReducedMotion": int(self.calm),
                       "layout.css.prefers-color-scheme.content-override": 0 if self.scheme == "dark" else 1,
                       "browser.download.dir": str(self.downloads), "browser.download.folderList": 2,
                       "browser.download.alwaysOpenPanel": False}
        (self.profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                                                      for name, value in preferences.items()))
        return [shutil.which("firefox-esr") or "firefox", "--headless", f"--remote-debugging-port={port}",
                "--profile", str(self.profile), "about:blank"]

    def close(self):
        for end in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, end)
                self.process.wait(10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        if self.wire:
            self.wire.close()

    def processor_seconds(self):
        """The resources that all processes of the browser have used so far."""
        used = 0
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # the process has ended
            if int(fields[3]) == self.process.pid:  # a process of the session
                used += int(fields[11]) + int(fields[12])
        return used / os.sysconf("SC_CLK_TCK")

    def message(self):
        text = b""
        while True:
            text += self.wire.receive()
            try:
                return json.loads(text)  # a long message comes in several frames
            except ValueError:
                assert self.wire.opcode != 8, "the browser went away"

    def ask(self, method, **params):
        self.number += 1
        self.wire.send(json.dumps({"id": self.number, "method": method, "params": params}).encode())
        while True:
            message = self.message()
            if message.get("id") == self.number:
                assert message["type"] == "success", (method, params, message)
                return message["result"]
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                self.logged.append(message["params"]["text"])
            if message.get("method") == "network.beforeRequestSent":
                self.requests.append(message["params"]["request"]["url"])

    def open(self, address):
        self.ask("browsingContext.navigate", context=self.page, url=address, wait="complete")

    def js(self, code):
        """The value of an expression, which must be expressible in JSON."""
        result = self.ask("script.evaluate", expression=f"(async () => JSON.stringify(await ({code})))()",
                          target={"context": self.page}, awaitPromise=True)
        assert result["type"] == "success", (code, result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"]) if "value" in result["result"] else None

    def wait(self, code, seconds=20):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not self.js(f"Boolean({code})"):
            assert time.monotonic() < end, f"{self.kind}: not within {seconds} s: {code}"
            time.sleep(0.05)

    def keys(self, *pressed):
        """Presses keys given by name, and types all other texts."""
        actions = []
        for text in pressed:
            for key in ([KEYS[text]] if text in KEYS else text):
                actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.ask("input.performActions", context=self.page,
                 actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def click(self, selector, x=0, y=0):
        """Clicks the centre of an element, or a point at an offset from it."""
        self.js(f"void document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        box = self.js(f"""(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
                          return [b.x + b.width / 2, b.y + b.height / 2]; }})()""")
        self.ask("input.performActions", context=self.page, actions=[
            {"type": "pointer", "id": "mouse", "actions": [
                {"type": "pointerMove", "x": round(box[0] + x), "y": round(box[1] + y)},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])

    def size(self, width, height=900):
        self.ask("browsingContext.setViewport", context=self.page, viewport={"width": width, "height": height})

    def picture(self, path, whole=True):
        data = self.ask("browsingContext.captureScreenshot", context=self.page,
                        origin="document" if whole else "viewport")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def downloaded(self, ending, seconds=20):
        """The text of the latest download, once it is complete."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            files = [f for f in self.downloads.iterdir() if f.name.endswith(ending) and f.stat().st_size]
            if files and not list(self.downloads.glob("*part")) + list(self.downloads.glob("*crdownload")):
                return max(files, key=lambda f: f.stat().st_mtime).read_text(encoding="utf-8")
            time.sleep(0.1)
        raise AssertionError(f"{self.kind}: no *{ending} within {seconds} s: {list(self.downloads.iterdir())}")
