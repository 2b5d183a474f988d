#!/bin/sh
# Tests `engram serve` on a Unix socket and a websocket, with many clients, also hostile ones. No client may harm
# another.
. "$(dirname "$0")/lib.sh"
cat >sockets.py <<'PY'
import json, os, resource, signal, socket, stat, struct, subprocess, sys, threading, time
from watching import memory, processor_seconds, protocol_validator
from websocket_client import Websocket, handshake, read_head

engram, source = sys.argv[1:3]
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
valid = {part: protocol_validator(source, part) for part in ("request", "reply")}
slow = 5 if os.environ.get("ENGRAM_SANITIZED") else 1


class Server:
    """Runs engram serve with options, and reads the ports that it prints."""
    def __init__(self, *options, code=0, environment=None):
        self.code = code
        self.process = subprocess.Popen([engram, "serve", *options], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        env={**os.environ, **(environment or {})})
        self.port = None
        for _ in range(("--unix" in options) + ("--websocket" in options)):
            line = self.process.stderr.readline().decode()
            if "ws://" in line:
                self.port = int(line.strip().rstrip("/").rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        if problem[0] is None:
            self.end()
        else:
            self.process.kill()

    def end(self, by=signal.SIGTERM, says=""):
        self.process.send_signal(by)
        try:
            code = self.process.wait(20 * slow)
        finally:
            self.process.kill()
        talk = self.process.stderr.read().decode()
        assert code == self.code and says in talk, (code, talk)

    def memory_kb(self, what="VmRSS"):
        return 0 if slow > 1 else memory(self.process.pid, what) >> 10  # sanitizers delay freeing

    def processor_seconds(self):
        return processor_seconds(self.process.pid)

    def files(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))


class Lines:
    """A client of a Unix socket."""
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30 * slow)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def send(self, text):
        self.socket.sendall(text)

    def receive(self):
        return self.file.readline()

    def close(self):
        self.file.close()
        self.socket.close()


def ask(client, op, **fields):
    request = {"id": [op], "op": op, **fields}
    valid["request"].validate(request)
    client.send(json.dumps(request).encode() + (b"\n" if isinstance(client, Lines) else b""))
    return told(client, [op])["result"]


def told(client, number=None, ok=True):
    text = client.receive()
    assert text, "the server has gone"
    reply = json.loads(text)
    valid["reply"].validate(reply)
    assert reply["ok"] == ok and reply["id"] == number, reply
    return reply


def teach(client, name):
    return ask(client, "input", narsese="<%s --> cat>." % name)


def gone(client):
    """Whether the server has closed the connection, without further output."""
    try:
        return client.socket.recv(1) == b""
    except ConnectionError:
        return True


def gone_at_last(client):
    """Whether the server closes the connection, after any output."""
    try:
        while client.socket.recv(1 << 16):
            pass
    except ConnectionResetError:
        pass
    return True


def again(port):
    """A new client, as soon as a slot is free."""
    deadline = time.time() + 20 * slow
    while True:
        try:
            return Websocket(port)
        except ConnectionError:
            assert time.time() < deadline
            time.sleep(0.05)


def refused(*options, code, says, environment=None):
    done = subprocess.run([engram, "serve", *options], stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                          env={**os.environ, **(environment or {})})
    assert done.returncode == code and says in done.stderr.decode(), (options, done.returncode, done.stderr)


# --- Unix socket
with Server("--unix", "s") as server:
    assert stat.S_IMODE(os.stat("s").st_mode) == 0o600, oct(os.stat("s").st_mode)
    one, two = Lines("s"), Lines("s")
    assert teach(one, "tim")["concepts"] == 3
    assert ask(two, "stats")["concepts"] == 0  # each client has its own memory and its share of the limits
    assert ask(two, "hello")["limits"]["concepts"] == (1 << 22) // 16
    one.send(b'{"id":1,"op":"stats"}\r\n{"id":2,"op":"st')
    assert told(one, 1)
    one.send(b'ats"}\nnonsense\n\n{"id":3,"op":"stats"}\n')
    assert told(one, 2) and told(one, None, ok=False) and told(one, 3)  # no reply to the blank line
    # An overlong line is refused at its end without being stored, and the next one is read.
    before = server.memory_kb()
    for _ in range(40):
        two.send(b"x" * (1 << 20))
    assert server.memory_kb() - before < (60 << 10), (before, server.memory_kb())
    two.send(b'\n{"id":4,"op":"stats"}\n')
    assert told(two, None, ok=False)["error"]["code"] == "limit_exceeded" and told(two, 4)
    # The last line needs no line end, and an incomplete request is an error. Requests are answered before the
    # connection closes.
    two.send(b'{"id":5,"op":"stats"}\n{"id":6,"op":"stats"}')
    two.socket.shutdown(socket.SHUT_WR)
    assert told(two, 5) and told(two, 6) and two.receive() == b""
    ask(one, "quit")
    assert one.receive() == b""  # the connection is closed, the server is not
    other = Lines("s")
    assert ask(other, "stats")["statements"] == 0
    # A second server does not replace the socket of a live one, or a file that is not a socket.
    refused("--unix", "s", code=3, says="in use")
    open("file", "w").write("precious")
    refused("--unix", "file", code=3, says="not a socket")
    assert open("file").read() == "precious"
    refused("--unix", "x" * 200, code=3, says="too long")
    refused("--unix", "no/such/folder/s", code=3, says="No such file")
assert not os.path.exists("s") and gone(other)

# A killed server leaves its socket, which the next one replaces.
with Server("--unix", "s", code=-signal.SIGKILL) as server:
    server.end(signal.SIGKILL)
    server.__exit__ = None
    assert os.path.exists("s")
    server.process = subprocess.Popen(["sleep", "0"], stderr=subprocess.PIPE)
    server.code = 0
    server.process.wait()
with Server("--unix", "s") as server:
    assert ask(Lines("s"), "stats")
    server.end(signal.SIGINT)
    assert not os.path.exists("s")

# --- files: clients may name files only if the option allows it
with Server("--unix", "s", "--websocket", "0") as server:
    for client in (Lines("s"), Websocket(server.port)):
        teach(client, "tim")
        for number, request in enumerate(({"op": "snapshot", "path": "memory"}, {"op": "restore", "path": "memory"},
                                          {"op": "recall", "cue": "tim", "method": "concept_attention",
                                           "options": {"embedding": "file", "file": "memory"}})):
            client.send(json.dumps({"id": number, **request}).encode() + (b"\n" if isinstance(client, Lines) else b""))
            error = told(client, number, ok=False)["error"]
            assert error["code"] == "bad_value" and "--files" in error["message"], error
assert not os.path.exists("memory")
with Server("--unix", "s", "--files") as server:
    one, two = Lines("s"), Lines("s")
    teach(one, "tim")
    assert ask(one, "snapshot", path="memory") == ask(two, "restore", path="memory")
    assert ask(one, "stats") == ask(two, "stats") and ask(two, "stats")["statements"] == 1

# --- a shared memory
with Server("--unix", "s", "--websocket", "0", "--shared") as server:
    line, frame = Lines("s"), Websocket(server.port)
    teach(line, "tim")
    assert ask(frame, "stats")["statements"] == 1 and ask(frame, "hello")["limits"]["concepts"] == 1 << 22
    errors = []
    def crowd(number):
        try:
            client = Lines("s") if number % 2 else Websocket(server.port)
            for i in range(20):
                teach(client, "c%d_%d" % (number, i))
                assert ask(client, "recall", cue="cat", top=3)["activations"]
            client.close()
        except BaseException as error:
            errors.append(error)
    crowds = [threading.Thread(target=crowd, args=(number,)) for number in range(8)]
    [thread.start() for thread in crowds], [thread.join() for thread in crowds]
    assert not errors, errors
    assert ask(line, "stats")["statements"] == 161
    ask(line, "quit")
    assert ask(frame, "stats")["statements"] == 161  # `quit` ends one client only
    # Running requests are answered when the server gets a signal to stop.
    frame.send(json.dumps({"id": 7, "op": "recall", "cue": "cat"}).encode())
    server.end()
    talk = frame.receive()
    if frame.opcode == 1:  # it was already running
        assert json.loads(talk)["id"] == 7, talk
        frame.receive()
    assert frame.opcode == 8 and frame.code == 1001, (frame.opcode, frame.code)

# A second signal cancels running requests and reports it. The socket file is removed all the same.
with Server("--unix", "s", code=3) as server:
    client = Lines("s")
    ask(client, "input", narsese="\n".join("<a%d --> (&, b%d, c%d)>." % (i, i % 997, i % 499) for i in range(50000)))
    before = server.processor_seconds()
    client.send(json.dumps({"op": "recall", "cue": "b1", "method": "graph_spins",  # half a minute on a fast machine
                            "options": {"dynamics": "glauber", "threshold": 0.6, "max_sweeps": 10000}}).encode() + b"\n")
    while server.processor_seconds() < before + 0.3:
        time.sleep(0.01)
    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    server.end(signal.SIGINT, says="was aborted")
assert not os.path.exists("s")

# --- websocket
with Server("--websocket", "0", "--max-clients", "4", "--patience", "1500") as server:
    client = Websocket(server.port)
    assert teach(client, "tim")["accepted"] == 1
    client.send(b"nonsense")
    assert told(client, None, ok=False)["error"]["code"] == "bad_json"
    # A message in many frames, with a ping between them. Line ends within a message do not split it.
    text = b'{"id": 8,\n "op":\n "stats"}'
    client.frame(1, text[:5], last=False), client.frame(9, b"ping"), client.frame(0, text[5:9], last=False)
    client.frame(0, text[9:])
    assert client.receive() == b"ping" and client.opcode == 10
    assert told(client, 8)["result"]["statements"] == 1
    # An overlong message is refused without being stored.
    before = server.memory_kb()
    client.frame(1, b"x" * (1 << 20), last=False)
    for _ in range(39):
        client.frame(0, b"x" * (1 << 20), last=False)
    client.frame(0, b"")
    assert told(client, None, ok=False)["error"]["code"] == "limit_exceeded"
    assert server.memory_kb() - before < (80 << 10), (before, server.memory_kb())
    assert ask(client, "stats")["statements"] == 1
    # Binary messages, invalid UTF-8, unmasked and invalid frames close the connection with the code from RFC 6455.
    for frames, code in [([(2, b"{}", True)], 1003), ([(1, b"\xff\xfe", True)], 1007), ([(1, b"{}", False)], 1002),
                         ([(11, b"", True)], 1002), ([(0, b"x", True)], 1002), ([(8, b"", True)], 1000)]:
        bad = again(server.port)
        for opcode, payload, masked in frames:
            bad.frame(opcode, payload, masked=masked)
        bad.receive()
        assert bad.opcode == 8 and bad.code == code, (frames, bad.opcode, bad.code)
        bad.close()
    # A frame with an announced length of 2^63 - 1 bytes gets no memory for that.
    before = server.memory_kb()
    bad = again(server.port)
    bad.socket.sendall(b"\x81\xff" + struct.pack(">Q", (1 << 63) - 1) + b"mask" + b"x" * 1000)
    assert ask(client, "stats") and server.memory_kb() - before < (20 << 10)
    bad.close()
    ask(client, "quit")
    assert client.receive() is not None and client.opcode == 8 and client.code == 1000
    client.close()

    # Requests that are not for a websocket, or not for this server.
    def status(head):
        with socket.create_connection(("127.0.0.1", server.port), timeout=30 * slow) as s:
            s.sendall(head)
            return read_head(s)
    assert " 426 " in status(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert " 404 " in status(handshake("/other"))
    assert " 403 " in status(handshake("/", "Origin: http://evil.example\r\n"))
    assert " 403 " in status(handshake("/", "Origin: null\r\n"))
    assert status(b"\x16\x03\x01\x02\x00" + b"\xff" * 500) == ""
    assert status(b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 20000 + b"\r\n\r\n") == ""

    # Unauthenticated connections use no client slot and are cut after a while.
    files = server.files()
    half = [socket.create_connection(("127.0.0.1", server.port), timeout=30 * slow) for _ in range(8)]
    [s.sendall(b"GET / HTTP/1.1\r\nHo") for s in half[4:]]
    one, two, idle, client = crowd = [again(server.port) for _ in range(4)]
    teach(client, "tim")
    assert " 503 " in status(handshake())  # no slot is free now
    def cut(s):
        try:
            return s.recv(1) == b""
        except ConnectionResetError:
            return True
    assert all(cut(s) for s in half)
    # Clients that stop within a message or the head of a frame are cut too. Idle clients are not.
    for more in (lambda s: s.frame(1, b"{", last=False), lambda s: (s.frame(1, b"{", last=False), s.frame(9, b"ping")),
                 lambda s: s.socket.sendall(b"\x81\xfe\x10\x00mask" + b"x" * 100)):
        more(one), two.socket.sendall(b"\x81")
        assert gone_at_last(one) and gone_at_last(two)
        one, two = (again(server.port) for _ in range(2))
    assert ask(client, "stats")["statements"] == 1 and ask(idle, "stats")["statements"] == 0
    # A client that stops within a message while another request of it runs is cut later, when the message should
    # continue.
    one.send(b'{"id": 1, "op": "stats"}'), one.frame(1, b"{", last=False)
    assert told(one, 1) and gone_at_last(one)
    # A slow client that keeps sending single bytes is served.
    two.frame(1, b'{"op": "stat', last=False)
    for byte in (b"s", b'"'):
        time.sleep(3)
        two.frame(0, byte, last=False)
    two.frame(0, b"}")
    assert told(two, None)
    two.close(), idle.close()
    before, files = server.memory_kb(), server.files()
    deaf = Websocket(server.port, receive_buffer=4096)
    big = json.dumps({"op": "attend", "queries": [[1.5]] * 1000, "keys": [[0.7]] * 1000, "values": [[1]] * 1000}).encode()
    try:
        for _ in range(30):  # a reply of 20 MB each
            deaf.send(big)
    except (ConnectionError, TimeoutError):
        pass
    assert server.memory_kb("VmHWM") - before < (500 << 10), (before, server.memory_kb("VmHWM"))
    assert ask(client, "stats")["statements"] == 1  # clients that do not read block no others
    deadline = time.time() + 30 * slow
    while server.files() > files and time.time() < deadline:
        time.sleep(0.1)
    assert server.files() <= files  # it was disconnected without having to read
    deaf.close()
    assert ask(client, "stats")["statements"] == 1

    # A thousand connections: only few are open at a time, and no file stays open.
    crowd, served = [], 0
    for i in range(1000):
        s = socket.socket()
        s.settimeout(30 * slow)
        s.connect(("127.0.0.1", server.port))
        crowd.append(s)
    assert ask(client, "stats")["statements"] == 1
    assert server.files() < 90, server.files()
    [s.close() for s in crowd]
    for i in range(200):  # each sends and disconnects without a close frame
        try:
            brief = Websocket(server.port)
            brief.send(b'{"op":"stats"}')
            served += 1
            brief.close()
        except ConnectionError:
            pass
    assert served > 0
    assert ask(client, "stats")["statements"] == 1
assert client.receive() is not None and client.opcode == 8 and client.code == 1001, client.opcode

# --- tokens, origins, addresses
for options, environment in [(["--token", "se cret+"], {}), ([], {"ENGRAM_TOKEN": "se cret+"})]:
    with Server("--websocket", "0", "--address", "0.0.0.0", "--origin", "http://localhost:8000", *options,
                environment=environment) as server:
        def opens(target="/", more=""):
            with socket.create_connection(("127.0.0.1", server.port), timeout=30 * slow) as s:
                s.sendall(handshake(target, more))
                return int(read_head(s).split()[1])
        assert opens() == 401 and opens("/?token=") == 401 and opens("/?token=se") == 401
        assert opens("/", "Authorization: Bearer \r\n") == 401
        assert opens("/", "Authorization: Bearer se cret\r\n") == 401
        assert opens("/", "Authorization: Basic se cret+\r\n") == 401
        assert opens("/", "Authorization: Bearer se cret+\r\n") == 101
        assert opens("/", "Authorization: Bearer se cret+\r\nOrigin: http://localhost:8000\r\n") == 101
        assert opens("/", "Authorization: Bearer se cret+\r\nOrigin: http://localhost:80\r\n") == 403
        client = Websocket(server.port, more="Authorization: Bearer se cret+\r\n")
        assert ask(client, "stats")
with Server("--websocket", "0", "--token", "abc") as server:  # also by address
    assert ask(Websocket(server.port, target="/?token=abc"), "stats")
refused("--websocket", "0", "--address", "0.0.0.0", code=2, says="token")
refused("--websocket", "0", "--address", "localhost.example", code=2, says="not a numeric address")
refused("--websocket", "70000", code=2, says="70000")
refused("--address", "127.0.0.1", code=2, says="--websocket")
with Server("--websocket", "0") as server:
    refused("--websocket", str(server.port), code=3, says="in use")
print("ok")
PY
expect 0 python3 sockets.py "$engram" "$source"
says out ok
