# SPDX-License-Identifier: MIT
"""page.py ENGRAM SOURCE: tests the page of `engram serve` and `engram attach` with normal and hostile browsers."""
import base64, hashlib, json, os, random, re, signal, socket, subprocess, sys, threading, time
from watching import memory, protocol_validator
from websocket_client import Websocket, read_head

engram, source = sys.argv[1:3]
slow = 5 if os.environ.get("ENGRAM_SANITIZED") else 1


def valid(part, value):
    protocol_validator(source, part).validate(value)


class Running:
    """Runs engram COMMAND --page 0 with options, and reads the port that it prints."""
    def __init__(self, *words, token=None, stdin=subprocess.PIPE):
        environment = {**os.environ, **({"ENGRAM_TOKEN": token} if token else {})}
        self.process = subprocess.Popen([engram, *words, "--page", "0"], stdin=stdin, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment)
        self.talk = ""
        while "page: " not in self.talk:
            line = self.process.stderr.readline().decode()
            assert line, self.talk
            self.talk += line
        self.port = int(re.search(r"page: http://127\.0\.0\.1:(\d+)/", self.talk)[1])
        self.host = "127.0.0.1:%d" % self.port

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        if problem[0] is None:
            self.end()
        self.process.kill()

    def end(self, code=0, by=signal.SIGTERM):
        self.process.send_signal(by)
        assert self.process.wait(20 * slow) == code, self.process.returncode

    def send(self, op, **fields):
        """Sends a request on standard input and returns the reply."""
        self.process.stdin.write(json.dumps({"id": 1, "op": op, **fields}).encode() + b"\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert reply["ok"], reply
        return reply["result"]

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=30 * slow)

    def say(self, data):
        """Sends bytes and returns the head and the body of the reply."""
        with self.connect() as s:
            try:
                s.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass
            heard = b""
            try:
                while piece := s.recv(1 << 16):
                    heard += piece
            except ConnectionResetError:
                pass
            head, _, body = heard.partition(b"\r\n\r\n")
            return head.decode(), body

    def get(self, target="/", method="GET", host=None, more=""):
        return self.say(("%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (method, target, host or self.host, more)).encode())

    def status(self, *words, **named):
        head, body = self.get(*words, **named)
        assert "\r\nConnection: close" in head and "\r\nX-Content-Type-Options: nosniff" in head, head
        status = int(head.split()[1])
        assert status == 200 or body, head  # a refusal has a reason
        return status

    def ask(self, op, client, **fields):
        request = {"id": 2, "op": op, **fields}
        valid("request", request)
        client.send(json.dumps(request).encode())
        reply = json.loads(whole(client))
        valid("reply", reply)
        assert reply["ok"] and reply["id"] == 2, reply
        valid("results/" + op, reply["result"])
        return reply["result"]

    def memory_kb(self):
        return memory(self.process.pid) >> 10 if slow == 1 else 0


def whole(client):
    """A message, which may come in many frames."""
    text = b""
    while True:
        first, second = client.exactly(2)
        size = second & 127
        if size >= 126:
            size = int.from_bytes(client.exactly(2 if size == 126 else 8), "big")
        text += client.exactly(size)
        if first & 128:
            return text


def open_websocket(running, more="", target="/"):
    return Websocket(running.port, target, more)


# The client sends "Host: localhost".
def refused(running, more="", target="/"):
    try:
        open_websocket(running, more, target)
    except ConnectionError as error:
        return int(str(error).split()[1])


def check_page(head, body):
    fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
    assert fields["Content-Type"] == "text/html; charset=utf-8" and fields["Cache-Control"] == "no-store", head
    assert fields["Referrer-Policy"] == "no-referrer" and int(fields["Content-Length"]) == len(body), head
    policy = dict((part.strip() + " ").split(" ", 1) for part in fields["Content-Security-Policy"].split(";"))
    assert policy["default-src"].strip() == policy["frame-ancestors"].strip() == "'none'", policy
    assert "unsafe" not in head and "http:" not in head and "https:" not in head, head
    assert body.startswith(b"<!DOCTYPE html>") and body.rstrip().endswith(b"</html>"), body[:100]
    for name in ("script", "style"):
        allowed = set(policy[name + "-src"].split()) - {"'none'"}
        there = {"'sha256-" + base64.b64encode(hashlib.sha256(text).digest()).decode() + "'"
                 for text in re.findall(rb"<%b[^>]*>(.*?)</%b>" % ((name.encode(),) * 2), body, re.DOTALL)}
        assert allowed == there, (name, len(allowed), len(there))


# --- serve: page, websocket and standard streams share one memory
with Running("serve") as server:
    head, body = server.get()
    assert head.startswith("HTTP/1.1 200 "), head
    check_page(head, body)
    assert server.get(method="HEAD") == (head, b"")
    assert server.get("/?anything")[1] == body
    assert server.get(host="localhost:%d" % server.port)[0].split(" ", 2)[1] == "200"
    assert server.send("input", narsese="<tim --> cat>.")["accepted"] == 1
    client = open_websocket(server)
    view = server.ask("view", client)
    assert view["statements"] == 1 and {row["term"] for row in view["shown"]} == {"tim", "cat"}, view
    assert view["latest"] == ["<tim --> cat>."] and len(view["edges"]) == 1 and "gate" not in view, view
    assert server.ask("view", client, since=view["version"]) == {"version": view["version"], "unchanged": True}
    server.ask("input", client, narsese="<tom --> cat>.")
    assert server.send("view")["statements"] == 2
    server.send("snapshot", path="memory")  # standard input may name files, a websocket may not
    client.send(b'{"id":2,"op":"snapshot","path":"other"}')
    assert "--files" in json.loads(whole(client))["error"]["message"] and not os.path.exists("other")
    # The end of standard input, or `quit` there, closes no other connection.
    server.process.stdin.write(b'{"id":3,"op":"stats"}')
    server.process.stdin.close()
    assert json.loads(server.process.stdout.readline())["id"] == 3 and server.process.stdout.readline() == b""
    assert server.ask("view", client)["statements"] == 2
    server.end()
with Running("serve") as server:
    server.send("quit")
    assert server.process.stdout.readline() == b"" and server.status() == 200
with Running("serve", "--dialect", "navm") as server:  # the page shows its memory
    server.process.stdin.write(b"NSE <robin --> bird>.\n")
    server.process.stdin.flush()
    assert json.loads(server.process.stdout.readline())["type"] == "IN"
    assert server.ask("view", open_websocket(server))["statements"] == 1

# --- access control of the page
with Running("serve") as server:
    other = "localhost:%d" % server.port
    for more, host, status in [("", "evil.example", 421), ("", "evil.example:%d" % server.port, 421), ("", "", 421),
                               ("Host: x\r\n", None, 400), ("Origin: http://evil.example\r\n", None, 403),
                               ("Origin: null\r\n", None, 403), ("Origin: http://%s\r\n" % other, None, 403),
                               ("Origin: http://%s\r\n" % server.host, None, 200), ("", other, 200)]:
        head = server.say(("GET / HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (server.host if host is None else host, more)).encode())
        assert head[0].split()[1] == str(status), (more, host, head[0])
    assert refused(server, "Origin: http://evil.example\r\n") == 403
    assert refused(server, "Origin: http://localhost:%d\r\n" % (server.port + 1)) == 403
    assert refused(server, "Origin: http://localhost\r\n") is None  # the client's Host has no port either
    assert server.status("/other") == server.status("/index.html") == server.status("//") == 404
    assert server.status("/..%2f..%2fetc/passwd") == server.status("http://%s/" % server.host) == 404
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"):
        assert server.status(method=method, more="Content-Length: 0\r\n") == 405, method
    assert "\r\nAllow: GET, HEAD" in server.get(method="POST")[0]
    assert server.say(b"GET / HTTP/1.0\r\n\r\n")[0].split()[1] == "400"
with Running("serve", token="s3cret") as server:
    assert "s3cret" not in server.talk
    for target in ("/", "/?token=", "/?token=wrong", "/other"):
        assert server.status(target) == 401 and refused(server, target=target) == 401
    assert server.status("/?token=s3cret") == 200
    assert server.status(more="Authorization: Bearer s3cret\r\n") == 200
    server.ask("view", open_websocket(server, target="/?token=s3cret"))
    assert server.send("view")["statements"] == 0  # standard input needs no token

# --- hostile requests harm no other client, and readable ones get a reply
with Running("serve", "--max-clients", "3") as server:
    client = open_websocket(server)
    page = server.get()
    begun = b"GET / HTTP/1.1\r\nHost: %s\r\n" % server.host.encode()
    assert server.say(begun + b"X: " + b"y" * 20000 + b"\r\n\r\n") == ("", b"")  # the head is too large
    assert server.say(b"GET /" + b"x" * 20000) == ("", b"")
    assert server.say(begun + b"".join(b"X%d: y\r\n" % i for i in range(5000)) + b"\r\n") == ("", b"")
    for junk in (b"\x16\x03\x01\x02\x00" + b"\xff" * 500, b"\r\n" * 3000, b"GET / HTTP/9.9\r\n\r\n", b"\0" * 100,
                 b"GET\r\n\r\n", b"GET / HTTP/1.1\nHost: x\n\n", begun + b"Bad Name: x\r\n\r\n"):
        head, _ = server.say(junk)
        assert head == "" or head.split()[1] in ("400", "421"), (junk[:40], head)
    # Bytes after a request are ignored: each connection gets exactly one complete reply.
    assert server.say((begun + b"\r\n") * 50) == page
    assert server.say(begun + b"Content-Length: 5\r\n\r\nhello") == page
    assert server.say(begun + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n") == page
    assert server.say(b"POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 99999999\r\n\r\n" % server.host.encode()
                      + b"x" * (1 << 20))[0].split()[1:2] in (["405"], [])  # the connection may be cut
    # Clients that do not read their page block nobody. They use no client's slot, and unauthenticated connections evict
    # each other, also if they keep sending.
    before, deaf = server.memory_kb(), []
    for i in range(150):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        s.settimeout(30 * slow)
        s.connect(("127.0.0.1", server.port))
        try:
            s.sendall(begun + b"\r\n" + (b"x" * 3000 if i % 2 else b""))
        except ConnectionError:
            pass
        deaf.append(s)
    begin = time.monotonic()
    assert server.get() == page
    assert time.monotonic() - begin < 2 * slow, time.monotonic() - begin
    assert server.ask("view", client)["statements"] == 0
    assert server.memory_kb() - before < (20 << 10), (before, server.memory_kb())
    [s.close() for s in deaf]
    # Connections with endless heads are cut; a slow head that ends gets a reply.
    half = [server.connect() for _ in range(5)]
    [s.sendall(begun) for s in half]
    with server.connect() as s:
        for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n":
            s.sendall(bytes([byte]))
            time.sleep(0.01)
        assert read_head(s).startswith("HTTP/1.1 200 ")
    begin = time.monotonic()
    for s in half:
        try:
            assert s.recv(1) == b""
        except ConnectionResetError:
            pass
    assert time.monotonic() - begin < 10 * slow
    # Heads with changed, missing or repeated bytes get a reply in HTTP or none.
    rng = random.Random(7)
    right = begun + b"Accept: text/html\r\nOrigin: http://" + server.host.encode() + b"\r\n\r\n"
    for _ in range(300):
        text = bytearray(right)
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(text))
            text[at:at + rng.randrange(3)] = bytes(rng.randrange(256) for _ in range(rng.randrange(3)))
        with server.connect() as s:
            try:
                s.sendall(bytes(text))
                s.shutdown(socket.SHUT_WR)
            except OSError:  # the connection is already cut
                pass
            head = read_head(s)
            assert head == "" or head.startswith("HTTP/1.1 "), (bytes(text), head)
    assert server.get() == page and server.ask("view", client)["statements"] == 0

# --- combinations of options that exclude each other
for words, says in [(("--page", "0", "--websocket", "0"), "excludes"),
                    (("--page", "70000"), "70000"), (("--page", "0", "--address", "0.0.0.0"), "a token is needed"),
                    (("--origin", "http://x"), "--origin requires --websocket or --page"),
                    (("--address", "::1"), "--address requires --websocket or --page")]:
    done = subprocess.run([engram, "serve", *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert done.returncode == 2 and says in done.stderr.decode(), (words, done.returncode, done.stderr)

# --- attach: the same page for a live session; it stays available, and the session's result is the same as without it
family = source + "/experiments/data/family.nal"
plain = subprocess.run([engram, "attach", "--system", "engram", "--gate", "12", "--log", "plain.log", family],
                       capture_output=True)
with Running("attach", "--system", "engram", "--gate", "12", "--log", "watched.log", family) as session:
    check_page(*session.get())
    client, views, events, talk = open_websocket(session), [], [], []
    readers = [threading.Thread(target=lambda: events.append(session.process.stdout.read())),
               threading.Thread(target=lambda: [talk.append(line) for line in session.process.stderr])]
    [reader.start() for reader in readers]
    since = {}
    while not any(b"page stays" in line for line in talk):
        view = session.ask("view", client, **since)
        if "unchanged" not in view:
            assert not views or view["version"] > views[-1]["version"]
            views.append(view)
            since = {"since": view["version"]}
        time.sleep(0.02)
    view = session.ask("view", client)
    gate = view["gate"]
    assert len(gate) == 20 and all(1 <= len(entry["given"]) <= 12 for entry in gate), gate
    assert sum(len(entry["answers"]) for entry in gate) >= 17 and view["statements"] == views[-1]["statements"], gate
    assert session.ask("recall", client, cue="<?1 --> ?2>?", method="pagerank", top=3) is not None
    assert session.ask("compare", client, cue=gate[0]["question"], methods=["attention", "hopfield"])["methods"]
    for op, fields in (("input", {"narsese": "<a --> b>."}), ("reset", {}), ("snapshot", {"path": "stolen"})):
        client.send(json.dumps({"op": op, **fields}).encode())
        assert not json.loads(whole(client))["ok"], op
    session.end(plain.returncode, signal.SIGINT)
    [reader.join() for reader in readers]
assert events[0] == plain.stdout and open("plain.log").read() == open("watched.log").read()
print("seen of the session:", len(views), "views")
print("ok")
