#!/bin/sh
# Installs the package by pip from the current build into an empty environment, and checks that it works from anywhere.
# Usage: python_package.sh ENGRAM SOURCE WORK BUILD
. "$(dirname "$0")/lib.sh"
for module in venv pip setuptools wheel numpy; do
  python3 -c "import $module" 2>/dev/null || skip "needs Python's $module"
done
python3 -m venv --system-site-packages env
before=$(cd "$source/bridge/python" && find . | sort)
ENGRAM_BUILD=$4 env/bin/pip wheel --quiet --no-build-isolation --no-index --no-deps -w wheels "$source/bridge/python"
env/bin/pip install --quiet --no-index --no-deps wheels/engram_nars-*.whl
[ "$before" = "$(cd "$source/bridge/python" && find . | sort)" ] || fail "pip left files in the source"
unset ENGRAM PYTHONPATH
env/bin/python - <<'PY'
import engram
memory = engram.Memory()
assert memory.input(narsese="<tim --> cat>.")["accepted"] == 1
assert abs(engram.maps.softmax([1.0, 2.0]).sum() - 1) < 1e-15
with engram.Engram() as other:
    assert other.hello()["engram"] == memory.hello()["engram"]
assert engram.run({"extends": "icons"}).rows
PY
env/bin/engram --version >version.txt
says version.txt "$(env/bin/python -c 'import engram; print(engram.Memory().hello()["engram"])')"
