#!/bin/sh
# Installs the Debian package in a minimal Debian of the same release and checks that everything in it works there.
# Usage: package.sh PACKAGE.deb WORK. Needs root, debootstrap and this machine's mirror; otherwise the exit code is 77.
# The output stays in WORK, the minimal Debian is removed.
set -eu
fail() { echo "FAILED: $*" >&2; exit 1; }
package=$(readlink -f "$1") work=$2
[ -f "$package" ] || fail "found no package $1"
rm -rf "$work"
mkdir -p "$work"
work=$(readlink -f "$work") bare=$(readlink -f "$work")/bare

# lintian must report no errors and no warnings, except the ones with a reason in experiments/packaging/lintian_overrides.
dpkg-deb --info "$package" >"$work/info"
dpkg-deb --contents "$package" >"$work/contents"
if command -v lintian >/dev/null; then
  lintian --tag-display-limit 0 "$package" >"$work/lintian" 2>"$work/err" || true
  if grep '^[EW]:' "$work/lintian"; then fail "lintian finds errors or warnings"; fi
fi

if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
  echo "not tried in a bare Debian: that needs root and debootstrap"
  exit 77
fi
# shellcheck disable=SC1091 # of the system
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
# shellcheck disable=SC2016 # apt's words
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' "Codename: $release" |
  head -n 1)
[ -n "$mirror" ] || fail "apt knows no mirror of Debian $release"
trap 'umount "$bare/proc" 2>/dev/null || true; rm -rf --one-file-system "$bare"' EXIT
echo "== a bare Debian: $release from $mirror"
debootstrap --variant=minbase "$release" "$bare" "$mirror" >"$work/debootstrap" || fail "see $work/debootstrap"
cp /etc/apt/sources.list "$bare/etc/apt/" 2>/dev/null || true
mount -t proc proc "$bare/proc"  # the program finds its own path there
cp "$package" "$bare/tmp/"

# inside COMMAND..: runs a command in the minimal Debian, with the environment of that system.
inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root TERM=dumb DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+http_proxy="$http_proxy"} chroot "$bare" "$@"
}
# says TEXT COMMAND..: checks that the command's output in the minimal Debian contains the text.
says() {
  wanted=$1
  shift
  code=0
  inside "$@" >"$work/out" 2>"$work/err" || code=$?
  [ "$code" = 0 ] || { cat "$work/out" "$work/err" >&2; fail "exit code $code: $*"; }
  grep -qF -- "$wanted" "$work/out" || { head -c 2000 "$work/out" >&2; fail "the output lacks '$wanted': $*"; }
}
install() {
  inside apt-get -q install --yes "$@" >>"$work/apt" 2>&1 || { tail -n 20 "$work/apt" >&2; fail "apt-get install $*"; }
}

# A minimal Debian lacks `man`, and Debian's container image even drops manual pages from packages.
inside apt-get -q update >"$work/apt" 2>&1 || fail "see $work/apt"
echo "== apt-get install ./$(basename "$package")"
install "/tmp/$(basename "$package")"
install --no-install-recommends man-db bash-completion zsh fish

echo "== what it brings"
says "engram 0." engram --version
says "report: /root/run/report.html" engram run /usr/share/engram/data/living_things.nal --out /root/run
inside test -s /root/run/report.html || fail "no report"
ls "$bare"/root/run/plots/*.svg >/dev/null || fail "no plot was drawn"
says "feathered" engram recall /usr/share/engram/data/living_things.nal --cue '<{tweety} --> [feathered]>?' --top 3
says '"protocol":1' sh -c "echo '{\"op\":\"hello\"}' | engram serve"
says "drowning" engram experiments
says "report: /root/icons/report.html" engram run icons --out /root/icons
inside test -f /usr/share/engram/schema/protocol.schema.json || fail "no schema of the protocol"
says "libengram.so.1" /sbin/ldconfig -p
says "attention and associative memory" man engram
says "EXAMPLES" man engram-run
says "engram-import-rdf" man engram-import
says "complete -F _engram engram" bash -c \
  '. /usr/share/bash-completion/bash_completion; _completion_loader engram; complete -p engram'
says "_engram" zsh -f -c 'autoload -U compinit; compinit -D; print $_comps[engram]'
says "recall" fish -c 'complete -C "engram rec"'
if grep -q 'python3/dist-packages/engram/' "$work/contents"; then
  cat >"$bare/tmp/memory.py" <<'PY'
import engram
import numpy

memory = engram.Memory()
memory.input(narsese="<tim --> cat>.\n<cat --> animal>.")
print(memory.recall(cue="<tim --> animal>?", top=3)["activations"])
print(engram.Map("softmax"))
PY
  says "animal" python3 /tmp/memory.py
fi

echo "== apt-get remove engram"
inside apt-get -q remove --yes engram >>"$work/apt" 2>&1 || fail "see $work/apt"
left=$(inside sh -c 'find /usr /etc /var/lib -path /var/lib/dpkg -prune -o -name "*engram*" -print')
[ -z "$left" ] || fail "after the removal these files are left: $left"
echo "the package works"
