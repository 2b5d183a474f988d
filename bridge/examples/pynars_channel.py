# SPDX-License-Identifier: MIT
"""PyNARS's console from another program, over its websocket (`/server` in pynars.ConsolePlus).

A line is answered with one list, in JSON, of what came of it, {"interface_name", "output_type", "content"} each, of the
types OUT, ANSWER, ACHIEVED and EXE; where nothing came of it, with nothing. What PyNARS has read, or could not read, it
tells its own console alone.
"""
import sys


class Channel:
    """A connection to PyNARS's websocket.  Errors  OSError; SystemExit without python3-websocket"""

    def __init__(self, url):
        try:
            import websocket
        except ImportError:
            sys.exit("this needs Python's websocket-client: apt-get install python3-websocket")
        self._library = websocket
        try:
            self._socket = websocket.create_connection(url)
        except (websocket.WebSocketException, ValueError) as why:
            raise ConnectionError(f"{url}: {why}") from None

    def say(self, line):
        """Sends a line, and returns the messages that came of it."""
        try:
            self._socket.send(line)
            # A line may have no reply, a ping always has one. The first may overtake the line, the second cannot.
            return self._until_pong() + self._until_pong()
        except self._library.WebSocketException as why:
            raise ConnectionError(f"PyNARS: {why}") from None

    def close(self):
        self._socket.close()

    def _until_pong(self):
        self._socket.ping()
        messages = []
        while True:
            kind, data = self._socket.recv_data(control_frame=True)
            if kind == self._library.ABNF.OPCODE_PONG:
                return messages
            if kind == self._library.ABNF.OPCODE_CLOSE:
                raise ConnectionError("PyNARS has closed the connection")
            if kind == self._library.ABNF.OPCODE_TEXT:
                messages.append(data.decode("utf-8", "replace"))
