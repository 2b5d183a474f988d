# SPDX-License-Identifier: MIT
"""Runs `engram serve --page` for the tests of its window. The tests send requests over its standard input."""
import json, pathlib, subprocess, threading

from bidi import free_port


class Serving:
    def __init__(self, engram, *options, token=None, port=None):
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}/" + (f"?token={token}" if token else "")
        self.process = subprocess.Popen([engram, "serve", "--page", str(self.port),
                                         *(["--token", token] if token else []), *options],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert f":{self.port}" in self.process.stderr.readline(), "the server did not print the address of the page"
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def ask(self, op, **fields):
        self.process.stdin.write(json.dumps({"op": op, **fields}) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert reply["ok"], reply
        return reply["result"]

    def tell(self, narsese):
        result = self.ask("input", narsese=narsese)
        assert not result["rejected"], result
        return result

    def tell_file(self, path, lines_at_once=5000):
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
        for i in range(0, len(lines), lines_at_once):
            self.tell("\n".join(lines[i:i + lines_at_once]))

    def close(self):
        self.process.terminate()
        self.process.wait(20)
