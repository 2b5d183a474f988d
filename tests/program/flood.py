# SPDX-License-Identifier: MIT
"""flood.py ENGRAM SECONDS: a good client beside unauthenticated connections, which reconnect at once when they are cut,
and beside two clients with the largest requests. The good client must always get the reply to `hello` within a second,
on its connection and on new ones."""
import json, os, resource, signal, subprocess, sys, threading, time
from websocket_client import Websocket

engram, seconds = sys.argv[1], float(sys.argv[2])
strangers, token = 100, "secret"
limit = 10 if os.environ.get("ENGRAM_SANITIZED") else 1  # seconds; sanitizers make it slower
# The largest delay of a process that sleeps for 2 ms and works for 2 ms. It estimates how long the machine delays
# processes because of other load.
CLOCK = """
import time
worst = 0
while True:
    begin = time.monotonic()
    time.sleep(0.002)
    worked = time.process_time()
    while time.process_time() < worked + 0.002:
        pass
    late = time.monotonic() - begin - 0.004
    if late > worst:
        worst = late
        print(worst, flush=True)
"""
here = os.path.dirname(os.path.abspath(__file__))


def largest(number):
    """A request of nearly 16 MB that is learnt, and others that take long to compute."""
    lines, size = [], 0
    while size < 15_000_000:
        lines.append("<a%d_%d --> (&, b%d, c%d)>." % (number, len(lines), len(lines) % 997, len(lines) % 499))
        size += len(lines[-1]) + 2
    yield {"op": "input", "narsese": "\n".join(lines)}
    while True:
        yield {"op": "recall", "cue": "<?1 --> b1>?", "method": "pagerank"}
        yield {"op": "attend", "queries": [[0.5, number]] * 1500, "keys": [[0.25, 1]] * 1500, "values": [[1]] * 1500}
        yield {"op": "input", "narsese": "\n".join(lines[:100000])}


def connected(port):
    for attempt in range(20):
        try:
            return Websocket(port, more="Authorization: Bearer %s\r\n" % token)
        except ConnectionError:  # the machine was too slow for the handshake within 100 ms
            if attempt == 19:
                raise


def heavy(port, number, count):
    client = connected(port)
    client.socket.settimeout(None)
    for request in largest(number):
        client.send(json.dumps(request).encode())
        while True:  # a large reply comes in many frames
            first, second = client.exactly(2)
            size = second & 127
            if size >= 126:
                size = int.from_bytes(client.exactly(2 if size == 126 else 8), "big")
            while size:
                size -= len(client.socket.recv(min(size, 1 << 20)))
            if first & 128 and first & 15 < 8:
                break
        count[number] += 1


def hello(client, number):
    client.send(b'{"id":%d,"op":"hello"}' % number)
    reply = json.loads(client.receive())
    assert reply["ok"] and reply["id"] == number, reply


def flood(seconds, *options, most_files=1024):
    """The test of the file above; at most `most_files` files may be open."""
    server = subprocess.Popen([engram, "serve", "--websocket", "0", "--token", token, *options],
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files)))
    port = int(server.stderr.readline().decode().strip().rstrip("/").rsplit(":", 1)[1])
    others = []
    try:
        good = connected(port)
        old, new, answered = [], [], [0, 0]
        for number in range(2):
            threading.Thread(target=guarded, args=(heavy, port, number, answered), daemon=True).start()
        crowd = subprocess.Popen([sys.executable, os.path.join(here, "strangers.py"), str(port), token, str(strangers)],
                                 stdout=subprocess.PIPE)
        clock = subprocess.Popen([sys.executable, "-c", CLOCK], stdout=subprocess.PIPE)
        others += [crowd, clock]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begin = time.monotonic()
            hello(good, len(old))
            old.append(time.monotonic() - begin)
            begin = time.monotonic()
            other = connected(port)
            hello(other, len(new))
            new.append(time.monotonic() - begin)
            other.close()
            time.sleep(0.01)
        memory = [line for line in open("/proc/%d/status" % server.pid) if line.startswith(("VmHWM", "Threads"))]
        files = len(os.listdir("/proc/%d/fd" % server.pid))
        crowd.kill(), clock.kill()
        late = float(clock.stdout.read().decode().split()[-1])
        came = int(crowd.stdout.read().decode().split()[-1])
        worst = {"old": max(old), "new": max(new)}
        print("%s: %d strangers came; of %d hellos on one connection, and %d on new ones, the longest took %.3f and %.3f s, "
              "half less than %.4f and %.4f s; the machine was late by %.3f s; %d large requests answered; %d files, %s" %
              (" ".join(options) or "a memory each and %d files" % most_files, came, len(old), len(new), worst["old"], worst["new"],
               sorted(old)[len(old) // 2], sorted(new)[len(new) // 2], late, sum(answered), files, " ".join("".join(memory).split())))
        assert max(worst.values()) < limit + 10 * late, worst  # a new connection needs ten turns
        assert came > 10 * seconds and files < min(most_files, 110), (came, files)
        # Running work has a second to finish and another to be cancelled. Then it is cut, which exit code 3 reports.
        begin = time.monotonic()
        server.send_signal(signal.SIGTERM)
        assert server.wait(20 * limit) in (0, 3) and time.monotonic() - begin < 2 + 2 * limit, time.monotonic() - begin
    finally:
        [other.kill() for other in others]
        server.kill()
        talk = server.stderr.read().decode()
    assert "Sanitizer" not in talk and "runtime error" not in talk, talk


def guarded(run, *arguments):
    try:
        run(*arguments)
    except (OSError, ConnectionError):
        pass  # the server has ended


flood(seconds)
flood(seconds, "--shared")
flood(min(seconds, 10), most_files=64)
print("ok")
