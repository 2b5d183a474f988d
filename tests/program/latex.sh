#!/bin/sh
# Every table in LaTeX compiles in a minimal document with booktabs. Skipped where there is no TeX.
. "$(dirname "$0")/lib.sh"
for tex in pdflatex xelatex lualatex; do
  command -v "$tex" >/dev/null && break
  tex=
done
if [ -z "$tex" ] || ! kpsewhich booktabs.sty >/dev/null || ! kpsewhich longtable.sty >/dev/null; then
  echo "skipped: no TeX with booktabs and longtable is installed"
  exit 77
fi
# Names with every character that TeX takes for its own.
printf '<a_1 --> [b]>.\n<c --> a_1>.\n<"5%%&#$^~{}\\" --> [b]>.\n<c --> [b]>?\n//needed: <c --> a_1>.\n' >odd.nal
"$engram" run odd.nal --out odd >out 2>err || true  # what no name can hold is told and left out
test -s odd/tables/cues.tex || fail "no table was written"
expect 0 "$engram" run "$source/experiments/data/living_things.nal" --out comparison
expect 0 "$engram" run equivalence --out equivalence --set seeds=[1] --set sizes=[1,6]
for table in odd/tables/*.tex comparison/tables/*.tex equivalence/tables/*.tex; do
  printf '\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,longtable}\n' >document.tex
  printf '\\begin{document}\n\\input{%s}\n\\end{document}\n' "$table" >>document.tex
  "$tex" -interaction=nonstopmode -halt-on-error document.tex >log 2>&1 ||
    { grep -A5 '^!' log >&2; fail "$table does not compile"; }
done
