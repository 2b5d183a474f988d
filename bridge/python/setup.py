# SPDX-License-Identifier: MIT
"""Builds the module engram._engram, and the program `engram` with its data, with CMake from the root of the project.

Set ENGRAM_BUILD to a build folder to make later builds incremental. A configured folder keeps its configuration. Without
ENGRAM_BUILD the build uses a temporary folder.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ("data", "models", "schema", "specs")


class BuildByCMake(build_ext):
    def run(self):
        build = Path(os.environ.get("ENGRAM_BUILD", Path(self.build_temp).resolve() / "cmake"))
        if not (build / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DCMAKE_UNITY_BUILD=ON", "-DENGRAM_PYTHON=ON", "-DENGRAM_TESTS=OFF",
                            f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "engram_python", "engram"], check=True)
        package = Path(__file__).resolve().parent if self.inplace else Path(self.build_lib).resolve()
        package /= "engram"
        module = next((build / "bridge" / "python" / "engram").glob("_engram*.so"))
        (package / "program" / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy2(module, package)
        shutil.copy2(build / "experiments" / "engram", package / "program" / "bin")
        for folder in DATA:
            shutil.copytree(ROOT / "experiments" / folder, package / "program" / "share" / "engram" / folder,
                            dirs_exist_ok=True)


def version():
    return re.search(r"project\(Engram VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


with tempfile.TemporaryDirectory(prefix="engram-") as scratch:
    setup(version=version(), ext_modules=[Extension("engram._engram", [])], cmdclass={"build_ext": BuildByCMake},
          options={"egg_info": {"egg_base": scratch}, "build": {"build_base": os.path.join(scratch, "build")}})
