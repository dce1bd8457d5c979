"""The command quantification-lab beside another distribution with a folder `qcore`, started in an empty folder."""

import pytest
from playwright.sync_api import expect

import qcore
from tests.browser.server import free_port, running
from tests.distributions import another_with_a_folder_qcore, build, clean, environment

pytestmark = pytest.mark.browser

START = "import sys; from quantification_lab.app.pages.start_command import main; sys.exit(main())"


@pytest.mark.thorough
def test_the_command_starts_the_app(tmp_path, visit):
    both = [*build(tmp_path / "dist").glob("*.whl"), another_with_a_folder_qcore(tmp_path)]
    python, site = environment(tmp_path / "environment", both)
    folder, port = tmp_path / "empty", free_port()
    (folder / "tables").mkdir(parents=True)
    (folder / "tables" / "mine.csv").write_text("x,y\n" + "1,a\n2,b\n3,a\n4,b\n" * 20)
    command = [python, "-c", START, "--port", str(port), "--address", "127.0.0.1", "--no-browser", "--data", "tables"]
    with running(command, folder, port, clean()) as address:
        # The first request of a fresh server may be a link to a view.
        one = visit("/error-by-prevalence?data=wine&size=20&loss=KLD&seed=3&q_counting=CC", at=address)
        expect(one.page.get_by_role("link", name="Quantification Lab")).to_be_visible()
        expect(one.page.get_by_role("combobox", name="Data set")).to_have_value("wine")
        assert len(one.data()) == 2
        one.open("/data-sets")
        expect(one.page.get_by_text("mine").first).to_be_visible()
        one.open("/corrections")
        assert len(one.data()) >= 4
        assert one.page.evaluate("document.title").startswith("Corrections")
    assert (site / "quantification_lab" / "app" / "app.py").exists()
    assert not list(folder.glob("*.*")), "nothing is left behind where it was started"
    assert qcore.__version__ in (site / "quantification_lab" / "__init__.py").read_text()
