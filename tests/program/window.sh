#!/bin/sh
# Tests the window of `engram serve --page` by mouse and keyboard in headless Chromium and Firefox, and runs a soak
# test. Browsers that are not installed are omitted; without any browser the test is skipped. SOAK=1200 sets the length
# of the soak test to 1200 seconds.
. "$(dirname "$0")/lib.sh"
browsers=
if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then browsers=chromium; fi
if command -v firefox-esr >/dev/null || command -v firefox >/dev/null; then browsers="$browsers firefox"; fi
[ -n "$browsers" ] || skip "neither Chromium with chromedriver nor Firefox is installed"
for browser in $browsers; do
  timeout 600 python3 -B "$source/tests/browser/window_test.py" "$engram" "$source" "$browser" || fail "$browser"
done
case $browsers in chromium*)
  timeout $((${SOAK:-20} + 120)) python3 -B "$source/tests/browser/soak.py" "$engram" "${SOAK:-20}" || fail "soak" ;;
esac
