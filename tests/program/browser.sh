#!/bin/sh
# Tests the report in headless Chromium. Skipped if Chromium is not installed.
. "$(dirname "$0")/lib.sh"
for chromium in chromium chromium-browser google-chrome chrome; do
  command -v "$chromium" >/dev/null && break
  chromium=
done
[ -n "$chromium" ] || skip "Chromium is not installed"
expect 0 "$engram" run "$source/experiments/data/living_things.nal" --out comparison
expect 0 "$engram" run "$source/experiments/specs/icons.json" --set seeds=[1,2] --out icons
for run in comparison icons; do
  timeout 300 python3 "$source/tests/program/browser.py" "$chromium" "$run" "profile-$run" || fail "$run"
done
