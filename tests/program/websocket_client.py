# SPDX-License-Identifier: MIT
"""A minimal websocket client (RFC 6455) for tests of the program. It can also send invalid frames."""
import base64, hashlib, os, socket, struct

KEY = base64.b64encode(b"0123456789abcdef").decode()


def handshake(target="/", more="", host="localhost"):
    return ("GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n%s\r\n" % (target, host, KEY, more)).encode()


def read_head(connection):
    """The head of an HTTP response; empty if the connection ends without one."""
    head = b""
    try:
        while b"\r\n\r\n" not in head:
            byte = connection.recv(1)
            if not byte:
                return ""
            head += byte
    except ConnectionError:
        return ""
    return head.decode()


class Websocket:
    def __init__(self, port, target="/", more="", receive_buffer=None, host="localhost"):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(120)
        self.socket.connect(("127.0.0.1", port))
        self.opcode = self.code = None  # of the last frame; of its close frame
        self.socket.sendall(handshake(target, more, host))
        head = read_head(self.socket)
        if " 101 " not in head:
            self.socket.close()
            raise ConnectionError(head)
        accept = hashlib.sha1((KEY + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        assert base64.b64encode(accept).decode() in head, head

    def frame(self, opcode, payload, last=True, masked=True):
        size = len(payload)
        head = bytes([opcode | (0x80 if last else 0)])
        bit = 0x80 if masked else 0
        if size < 126:
            head += bytes([bit | size])
        elif size < 1 << 16:
            head += bytes([bit | 126]) + struct.pack(">H", size)
        else:
            head += bytes([bit | 127]) + struct.pack(">Q", size)
        if masked:
            mask = os.urandom(4)
            whole = int.from_bytes(payload, "little") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "little")
            payload = mask + whole.to_bytes(size, "little")
        self.socket.sendall(head + payload)

    def send(self, text):
        self.frame(1, text)

    def exactly(self, size):
        data = b""
        while len(data) < size:
            piece = self.socket.recv(size - len(data))
            if not piece:
                raise ConnectionError("ended within a frame")
            data += piece
        return data

    def receive(self):
        """The payload of the next frame. Stores its opcode, and the code of a close frame."""
        first, second = self.exactly(2)
        size = second & 127
        assert not second & 128, "a server masks nothing"
        if size >= 126:
            size = int.from_bytes(self.exactly(2 if size == 126 else 8), "big")
        payload = self.exactly(size)
        self.opcode = first & 15
        if self.opcode == 8 and size >= 2:
            self.code = struct.unpack(">H", payload[:2])[0]
        return payload

    def close(self):
        self.socket.close()
