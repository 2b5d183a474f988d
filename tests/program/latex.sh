#!/bin/sh
# Every LaTeX table must compile in a minimal document with booktabs and fit its page: no overfull box, at most two
# lines of caption, and no unknown label. Skipped without TeX.
. "$(dirname "$0")/lib.sh"
for tex in pdflatex xelatex lualatex; do
  command -v "$tex" >/dev/null && break
  tex=
done
if [ -z "$tex" ] || ! kpsewhich booktabs.sty >/dev/null || ! kpsewhich longtable.sty >/dev/null; then
  skip "no TeX with booktabs and longtable is installed"
fi

# compiles TABLE: compiles the page of a table. Twice, because longtable takes its widths from the previous run.
compiles() {
  cat >document.tex <<'TEX'
\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs,longtable}
\makeatletter
\newcommand\countlines[2]{\setbox0=\vbox{\hsize=\textwidth\parindent=0pt #1: #2\par\xdef\captionlines{\the\prevgraf}}%
  \typeout{caption lines \captionlines}}
\let\plaincaption\@makecaption
\long\def\@makecaption#1#2{\countlines{#1}{#2}\plaincaption{#1}{#2}}
\let\longcaption\LT@makecaption
\def\LT@makecaption#1#2#3{\longcaption{#1}{#2}{\countlines{#2}{#3}#3}}
\makeatother
\begin{document}
TEX
  printf '\\input{%s}\n' "$1" >>document.tex
  label=$(sed -n 's/.*\\label{\([^}]*\)}.*/\1/p' "$1")
  [ -n "$label" ] || fail "$1 has no label"
  printf 'Table \\ref{%s}.\n\\end{document}\n' "$label" >>document.tex
  rm -f document.aux
  for _ in 1 2; do
    max_print_line=1000 "$tex" -interaction=nonstopmode -halt-on-error document.tex >log 2>&1 ||
      { grep -A5 '^!' log >&2; fail "$1 does not compile"; }
  done
  ! grep -q 'Overfull\|Float too large\|undefined' log || { grep -A2 'Overfull\|Float too large\|undefined' log >&2; fail "$1 does not fit"; }
  grep -q '^caption lines [12]$' log || { grep '^caption' log >&2; fail "the caption of $1 is too long"; }
}

# Tables with names that contain every special character of TeX compile as well.
printf '<a_1 --> [b]>.\n<c --> a_1>.\n<"5%%&#$^~{}\\" --> [b]>.\n<c --> [b]>?\n//needed: <c --> a_1>.\n' >odd.nal
"$engram" run odd.nal --out odd >out 2>err || true  # invalid names are reported and omitted
test -s odd/tables/cues.tex || fail "no table was written"
expect 0 "$engram" run "$source/experiments/data/living_things.nal" --out comparison
expect 0 "$engram" run "$source/experiments/specs/drowning.json" --set 'methods=["overlap","proof_attention"]' --out drowning
expect 0 "$engram" run equivalence --out equivalence --set seeds=[1] --set sizes=[1,6]
count=0
for table in odd/tables/*.tex comparison/tables/*.tex drowning/tables/*.tex equivalence/tables/*.tex; do
  compiles "$table"
  count=$((count + 1))
done
[ "$count" -ge 12 ] || fail "only $count tables were written"
expect 0 "$engram" report drowning --table answered --columns steps,policy
cp out chosen.tex
compiles chosen.tex
