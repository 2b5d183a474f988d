#!/bin/sh
# Tests the Python client: its requests, its errors, and a program that ends or hangs.
. "$(dirname "$0")/lib.sh"
cat >client.py <<'PY'
import os, signal, stat, sys, time
from engram import Engram, EngramError, EngramGone

def error_of(kind, work):
    try:
        work()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")

with Engram() as memory, Engram(options=["--learning", "oja"]) as other:
    assert memory.hello() == memory.request("hello") and memory.hello()["protocol"] == 1
    taken = memory.input(narsese="<tim --> cat>.\n<cät --> animal>.\n<tim --> \n")
    assert taken["accepted"] == 2 and taken["rejected"][0]["line"] == 3, taken
    assert [a["term"] for a in memory.recall(cue="cät", top=2)["activations"]] == ["cät", "animal"]
    assert other.stats()["statements"] == 0
    assert not memory.ask("<tim --> animal>?")  # cät and cat are different names
    assert [answer.term for answer in memory.ask("<tim --> ?x>?")] == ["<tim --> cat>"]
    error = error_of(EngramError, lambda: memory.recall(cue="tim", method="attentoin"))
    assert error.code == "bad_value" and error.details["pointer"] == "/method", error.details
    assert error_of(EngramError, lambda: memory.reacll(cue="tim")).code == "unknown_op"
    error_of(ValueError, lambda: memory.map(scores=[float("nan")], map="softmax"))
    many = [0.001 * i for i in range(200000)]  # far more than a pipe holds, in both directions
    assert len(memory.map(scores=many, map="softmax")["p"]) == len(many)
    assert memory.stats()["statements"] == 2
    os.kill(memory._process.pid, signal.SIGKILL)
    error_of(EngramGone, memory.stats)
    assert "closed" in str(error_of(EngramGone, memory.stats))
memory.close()
assert "not found" in str(error_of(EngramGone, lambda: Engram("no-such-program")))

with open("hangs", "w") as script:
    script.write("#!/bin/sh\nprintf '{\"id\":1,'\nexec sleep 100\n")
os.chmod("hangs", stat.S_IRWXU)
start = time.monotonic()
with Engram("./hangs", timeout=0.2) as memory:
    assert "no answer in 0.2 seconds" in str(error_of(EngramGone, memory.stats))
assert time.monotonic() - start < 50
PY
cp "$source/bridge/python/engram/client.py" engram.py  # the file alone, for users who cannot compile
export ENGRAM="$engram" PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1
python3 client.py
python3 "$source/bridge/python/example.py" >example.txt
says example.txt "1.000  <tim --> cat>."
! grep -q stone example.txt
