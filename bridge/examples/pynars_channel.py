# SPDX-License-Identifier: MIT
"""Client for the websocket of PyNARS's console (`/server` in pynars.ConsolePlus).

PyNARS answers a line with one JSON list of outputs {"interface_name", "output_type", "content"} of the types OUT, ANSWER,
ACHIEVED and EXE. If there are no outputs, it sends nothing. Messages about accepted and rejected input only appear on its
own console.
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
        """Sends a line, and returns the messages that PyNARS sends in reply."""
        try:
            self._socket.send(line)
            # A line may have no reply, but a ping always has one. The first ping may overtake the line, the second cannot.
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
