#!/bin/sh
# Tests shell completion: each shell offers the options in the help, and completes typed lines.
. "$(dirname "$0")/lib.sh"
for shell in bash zsh fish; do
  expect 0 "$engram" completion $shell
  mv out engram.$shell
done
expect 2 "$engram" completion
expect 2 "$engram" completion tcsh
says err "Known are bash zsh fish"

# told COMMAND..: prints the options in the help of a command.
told() {
  expect 0 "$engram" "$@" --help
  grep -oE '^  -[^ ]*' out | tr ',' '\n' | tr -d ' ' | LC_ALL=C sort
}

# Completion offers every option of every command, in bash and, if it is installed, in fish.
bash -n engram.bash
cat >offer.bash <<'SH'
source ./engram.bash
COMP_WORDS=(engram "$@" -) COMP_CWORD=$(($# + 1))
_engram
printf '%s\n' "${COMPREPLY[@]}"
SH
commands=$("$engram" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 16 ] || fail "the help lists only these commands: $commands"
for command in $commands "import wordnet" "import rdf" "import table"; do
  # shellcheck disable=SC2086 # one word or two
  told $command >told.txt
  # shellcheck disable=SC2086
  bash offer.bash $command | LC_ALL=C sort >offered
  cmp told.txt offered || fail "bash: $command"
  [ "$(grep -c . told.txt)" -ge 2 ] || fail "$command: found no options in the help"
  command -v fish >/dev/null || continue
  fish --no-config -c "source engram.fish; complete -C 'engram $command -'; complete -C 'engram $command --'" |
    cut -f 1 | LC_ALL=C sort -u >offered
  cmp told.txt offered || fail "fish: $command"
done
if command -v fish >/dev/null; then fish --no-execute engram.fish; fi
if command -v zsh >/dev/null; then zsh -n engram.zsh; fi

# Types each line on its own terminal.
mkdir typed
cd typed
python3 "$source/tests/program/completion.py" "$work" || fail "see above"
