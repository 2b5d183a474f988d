#!/bin/sh
# Tests with real systems, if installed: each is asked the gated family questions. ENGRAM_ONA is the program of ONA
# (NAR); ENGRAM_OPENNARS and ENGRAM_PYNARS are the commands that start the consoles of OpenNARS and PyNARS.
. "$(dirname "$0")/lib.sh"
if [ -z "${ENGRAM_ONA:-}${ENGRAM_OPENNARS:-}${ENGRAM_PYNARS:-}" ]; then
  skip "no ONA (set ENGRAM_ONA), no OpenNARS (set ENGRAM_OPENNARS), no PyNARS (set ENGRAM_PYNARS)"
fi
"$engram" generate families --size 184 --seed 7 --questions "${ENGRAM_NARS_QUESTIONS:-20}" >families.nal

# gated SYSTEM LEAST COMMAND...: at least this share of the questions gets the expected answer, and the transcript can
# be replayed.
gated() {
  system=$1 least=$2
  shift 2
  expect 0 "$engram" attach --system "$system" --gate 12 --method bidirectional_spreading --summary "$system.json" \
    --report "$system.html" --log "$system.log" families.nal -- "$@"
  cat err
  expect 0 "$engram" replay "$system.log"
  python3 - "$system.json" "$least" <<'PY'
import json, sys
told = json.load(open(sys.argv[1]))
assert told["statements"] == 184 and all(len(row["given"]) == 12 for row in told["rows"])
met = told["outcomes"]["truth"] + told["outcomes"]["term"]
share = met / told["with_expectation"]
seconds = sorted(row["seconds"] for row in told["rows"])
print("%s: %d of %d as expected; a question took %.2f s (median)" % (
    told["system"], met, told["with_expectation"], seconds[len(seconds) // 2]))
assert share >= float(sys.argv[2]), share
PY
}
if [ -n "${ENGRAM_ONA:-}" ]; then gated ona 0.95 "$ENGRAM_ONA" shell; else echo "skipped: no ONA (set ENGRAM_ONA)"; fi
# The answers of OpenNARS and PyNARS depend on their speed, so only the bridge is tested.
# shellcheck disable=SC2086  # words of a command
if [ -n "${ENGRAM_OPENNARS:-}" ]; then gated opennars 0 $ENGRAM_OPENNARS; else echo "skipped: no OpenNARS (set ENGRAM_OPENNARS)"; fi
# shellcheck disable=SC2086
if [ -n "${ENGRAM_PYNARS:-}" ]; then gated pynars 0 $ENGRAM_PYNARS; else echo "skipped: no PyNARS (set ENGRAM_PYNARS)"; fi
