# SPDX-License-Identifier: MIT
"""Hostile unauthenticated connections that reconnect at once when they are cut: strangers.py PORT TOKEN COUNT, until it
is killed. Each repeats one of the misdeeds below. Prints the number of connections every second."""
import selectors, socket, struct, sys, time
from websocket_client import handshake

port, token, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
right = handshake("/?token=" + token)
frame = b"\x81\xfe\x10\x00mask" + b"x" * 100  # the first frame of a message of 4096 bytes
clients = [  # with the token: half a message in its first frame, in its second frame, and in the head of one;
    (frame, b""), (b"\x01\x81maskx" + frame, b""), (b"\x81", b""),
    # Endless pings, and a message in frames of one byte.
    (b"", b"\x89\x80mask" * 10000), (b"\x01\x81maskx", b"\x00\x81maskx" * 10000)]
kinds = [  # without the token: the bytes that each sends, and whether it disconnects at once or waits to be cut
    (b"", False), (b"", True), (right[:-4], False), (right[:1], False), (handshake("/?token=wrong"), False),
    (handshake(), False), (handshake("/?token=wrong"), True), (b"\x16\x03\x01\x02\x00" + b"\xff" * 500, False),
    (frame, False), (b"GET /" + b"x" * 9000, False), (right[:-4], True)]
chooser = selectors.DefaultSelector()
came = 0


class Stranger:
    def __init__(self, number):
        self.client = clients[number] if number < len(clients) else None
        self.first, self.brief = (right, False) if self.client else kinds[number % len(kinds)]
        self.come()

    def come(self):
        global came
        came += 1
        self.text, self.endless = self.first, b""
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # otherwise ports run out
        self.socket.connect_ex(("127.0.0.1", port))
        chooser.register(self.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, self)

    def speak(self):
        if not self.text and self.brief:
            return self.leave()
        self.text = self.text[self.socket.send(self.text):] or self.endless
        if not self.text and not self.brief:
            chooser.modify(self.socket, selectors.EVENT_READ, self)

    def hear(self):
        heard = self.socket.recv(4096)
        if not heard:
            return self.leave()
        if self.client and heard.startswith(b"HTTP/1.1 101"):
            self.text, self.endless = self.client
            chooser.modify(self.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, self)
        elif self.endless:  # it stops reading
            chooser.modify(self.socket, selectors.EVENT_WRITE, self)

    def leave(self):
        chooser.unregister(self.socket)
        self.socket.close()
        self.come()


strangers = [Stranger(number) for number in range(count)]
told = time.monotonic()
while True:
    for key, events in chooser.select(1):
        try:
            key.data.hear() if events & selectors.EVENT_READ else key.data.speak()
        except BlockingIOError:
            pass
        except OSError:
            key.data.leave()
    if time.monotonic() - told > 1:
        told = time.monotonic()
        print(came, flush=True)
