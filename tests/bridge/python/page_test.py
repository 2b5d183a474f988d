# SPDX-License-Identifier: MIT
"""Checks that the package's page shows what Python prints."""
import doctest
import os
import tempfile
import unittest

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3, "bridge", "python", "README.md")


class Page(unittest.TestCase):
    def test_examples(self):
        with open(PAGE, encoding="utf-8") as page:
            text = page.read().replace("```", "")  # a fence would count as output
        test = doctest.DocTestParser().get_doctest(text, {}, "README.md", PAGE, 0)
        self.assertGreater(len(test.examples), 10)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                told = []
                found = doctest.DocTestRunner().run(test, out=told.append)
            finally:
                os.chdir(before)
        self.assertEqual(found.failed, 0, "".join(told))


if __name__ == "__main__":
    unittest.main()
