#!/bin/sh
# Against real systems, where there are any: the gated families, asked of each. ENGRAM_ONA is ONA's program (NAR), ENGRAM_OPENNARS
# and ENGRAM_PYNARS the words of a command that starts that system's console.
. "$(dirname "$0")/lib.sh"
if [ -z "${ENGRAM_ONA:-}${ENGRAM_OPENNARS:-}${ENGRAM_PYNARS:-}" ]; then
  echo "skipped: no ONA (set ENGRAM_ONA), no OpenNARS (set ENGRAM_OPENNARS), no PyNARS (set ENGRAM_PYNARS)"
  exit 77
fi
"$engram" generate families --size 184 --seed 7 --questions "${ENGRAM_NARS_QUESTIONS:-20}" >families.nal

# gated SYSTEM LEAST COMMAND...: at least that share of the questions is answered as expected; the transcript replays.
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
# What these two find in the time they get is theirs: here it is seen that the bridge holds.
# shellcheck disable=SC2086  # words of a command
if [ -n "${ENGRAM_OPENNARS:-}" ]; then gated opennars 0 $ENGRAM_OPENNARS; else echo "skipped: no OpenNARS (set ENGRAM_OPENNARS)"; fi
# shellcheck disable=SC2086
if [ -n "${ENGRAM_PYNARS:-}" ]; then gated pynars 0 $ENGRAM_PYNARS; else echo "skipped: no PyNARS (set ENGRAM_PYNARS)"; fi
