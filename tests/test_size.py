"""The script that counts the product: docs/size.py."""

from docs.size import arrows, circles, files_now, sizes
from pages.listed import PAGES

FILES = {
    "app.py": "from pages.one import body\n",
    "pages/one.py": "from pages import two\nfrom qcore.three import (\n    a,\n    b,\n)\n",
    "pages/two.py": "def late():\n    from pages.one import body\n",
    "qcore/three.py": "a = b = 1\n" * 50,
}


def test_files_lines_imports_and_arrows_are_counted():
    counted = sizes(FILES)
    assert (counted["files"], counted["files under 40 lines"]) == (4, 3)
    assert (counted["lines"], counted["lines of qcore"]) == (58, 50)
    assert counted["lines of imports"] == 7
    assert arrows(FILES) == {
        ("app", "pages.one"), ("pages.one", "pages.two"), ("pages.one", "qcore.three"), ("pages.two", "pages.one"),
    }  # fmt: skip


def test_an_import_inside_a_function_makes_a_circle_too():
    assert circles(arrows(FILES)) == {"pages.one", "pages.two"}


def test_the_product_has_no_circle_and_not_too_many_tabs():
    assert not circles(arrows(files_now()))
    assert sum(len(page.tabs) for page in PAGES.values()) <= 45, "join sections, or leave one out"
