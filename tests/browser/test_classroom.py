"""A classroom in real browsers: a teacher and three students; with `make thorough`, one of them served by another process."""

import contextlib
import csv
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from tests.browser.server import free_port, serve
from tests.browser.test_lessons import LATE, SEEN, address_has, button, reply
from tests.thorough import mostly_thorough

pytestmark = pytest.mark.browser


def begun(people):
    """A teacher's page with an open classroom, and its code."""
    teacher = people("/learn", hidden=True)
    teacher.page.get_by_role("link", name="Open or join a classroom").click()
    expect(button(teacher, "Open a classroom")).to_be_in_viewport()
    button(teacher, "Open a classroom").click()
    name = teacher.page.locator(".classroom-teacher strong")
    expect(name).to_have_text(re.compile("Classroom [A-Z2-9]{8}"))
    return teacher, name.inner_text().split()[-1]


def said(student):
    """What is said of an answer."""
    return student.page.locator(".st-key-lesson-asked [role=status]")


def chosen(student, text):
    student.page.get_by_text(text).click()
    button(student, "Send").click()
    expect(said(student)).to_contain_text("Sent.")


def counted(teacher, numbers):
    """So many have chosen each option."""
    expect(teacher.page.locator(".classroom-answers li b")).to_have_text(numbers)


def answered(teacher, number):
    expect(teacher.page.locator(f".classroom-answers[data-answered='{number}']")).to_be_attached()


@pytest.mark.parametrize("is_apart", mostly_thorough([False, True], 1))
def test_a_teacher_leads_and_students_answer(people, address, is_apart):
    """All served by one process; or the third student by another one, which ends and is started again."""
    port = free_port()
    with serve(port=port) if is_apart else contextlib.nullcontext(address) as other:
        teacher, code = begun(people)
        students = [people(f"/learn?classroom={word}", hidden=True) for word in (code, code.lower())]
        typed = people("/learn", at=other, hidden=True)
        typed.page.get_by_label("Code of a classroom").fill(f"{code[:4]} {code[4:]}")
        button(typed, "Join").click()
        students.append(typed)
        for student in students:
            expect(student.page.get_by_text("Your teacher shows nothing yet")).to_be_visible()

        # A choice: all see the step, answers come in, and nothing is revealed before the teacher does it.
        button(teacher, "Start: Counting goes wrong").click()
        for student in students:
            expect(student.page.get_by_text("Step 1 of 7")).to_be_visible()
        expect(teacher.page.locator(".classroom-counts").last).to_contain_text("3 present")
        chosen(students[0], "More than 10.")
        chosen(students[1], "Fewer than 10.")
        chosen(students[2], "Fewer than 10.")
        chosen(students[2], "More than 10.")
        answered(teacher, 3)
        # In the hall the question is large, and the votes are covered until the teacher shows them.
        hall = teacher.page.locator(".classroom-hall")
        expect(hall.locator(".hall-question")).to_contain_text("What does it say, on average?")
        counted(teacher, [])
        sizes = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        assert min(hall.locator("p, li, .hall-counts, .hall-code").evaluate_all(sizes)) >= 28, "for the last row"
        places = """() => JSON.stringify([...document.querySelectorAll('.classroom-hall li > span')]
          .map((one) => one.getBoundingClientRect()).map(({ x, y, height }) => [x, y, height]))"""
        before = teacher.page.evaluate(places)
        button(teacher, "Show the votes").click()
        counted(teacher, ["1", "0", "2"])
        teacher.page.wait_for_function(f"before => ({places})() === before", arg=before)  # nothing jumps
        assert hall.locator("li.right").count() == 0
        assert not students[0].page.evaluate(SEEN, ".st-key-hero canvas")
        expect(reply(students[0])).to_have_count(0)
        button(teacher, "Close answers").click()
        expect(said(students[1])).to_have_text("Closed: no more answers are taken.")
        expect(button(students[1], "Send")).to_be_disabled()
        button(teacher, "Show the answer").click()
        expect(reply(students[0])).to_contain_text("Right.")
        expect(reply(students[1])).to_contain_text("Not right.")
        expect(hall.locator("li.right")).to_contain_text("More than 10.2 ✓")
        teacher.page.wait_for_function(f"before => ({places})() === before", arg=before)
        button(teacher, "Show the page").click()
        expect(hall).to_be_hidden()
        students[0].page.wait_for_function(f"() => ({SEEN})('.st-key-hero canvas')")

        # A student who reloads is the same person, at the same step; one whose process is started again, too.
        for step in (2, 3):
            button(teacher, "Next →").click()
            expect(teacher.page.get_by_text(f"Step {step} of 7")).to_be_visible()
        expect(students[0].page.get_by_text("Step 3 of 7")).to_be_visible()
        students[0].page.reload()
        expect(students[0].page.get_by_text("Step 3 of 7")).to_be_visible()
    with serve(port=port) if is_apart else contextlib.nullcontext():
        expect(students[2].page.get_by_text("Step 3 of 7")).to_be_visible()
        # A drawing: curves lie over each other, the real one comes when it is shown.
        for student, value in zip(students, ("5", "10", "20"), strict=True):
            expect(student.page.locator(".drawing svg")).to_be_visible()
            for place in ("0%", "100%"):
                student.page.get_by_label(f"at {place}", exact=True).fill(value)
            done = button(student, "That is my curve")
            expect(done).to_be_enabled()
            done.click()
            expect(said(student)).to_contain_text("Sent.", timeout=20_000)
        answered(teacher, 3)
        button(teacher, "Show the votes").click()
        assert teacher.page.locator(".classroom-answers path.drawn").count() == 3
        assert teacher.page.locator(".classroom-answers path.right").count() == 0
        button(teacher, "Show the answer").click()
        expect(teacher.page.locator(".classroom-answers path.right")).to_be_attached()
        expect(students[1].page.locator(".drawing .real")).to_be_attached()
        expect(reply(students[1])).to_contain_text("Too low, by")
        expect(teacher.page.locator(".classroom-counts").last).to_contain_text("3 present")

        # Something to find: the page's own control is the answer.
        button(teacher, "Next →").click()
        check = button(students[0], "Check")
        expect(check).to_be_visible()
        students[0].settle()
        check.click()
        expect(students[0].page.get_by_text("Sent. Move on and check again")).to_be_visible()
        answered(teacher, 1)
        button(teacher, "Show the answer").click()
        expect(reply(students[0])).to_contain_text("Not right.")
        expect(teacher.page.get_by_text("0 right, 1 not right").last).to_be_visible()
        ticks = teacher.page.locator(".classroom-answers svg text").all_text_contents()
        assert ticks[:5] == ["0%", "25%", "50%", "75%", "100%"], "as its slider says it"
        assert teacher.page.locator(".classroom-answers .bin:not([height='0'])").count() == 1

        # What was answered is a file; with the end of the classroom it is gone, and everybody is told.
        button(teacher, "More").click()
        with teacher.page.expect_download() as download:
            teacher.page.get_by_role("button", name="What was answered, as CSV").click()
        rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
        assert sorted({row["person"] for row in rows}) == ["1", "2", "3"]
        assert [row["answer"] for row in rows[:3]].count("More than 10.") == 2
        teacher.page.get_by_text("End the classroom", exact=True).click()
        teacher.page.get_by_role("button", name="Really end it").click()
        for student in students:
            expect(student.page.get_by_text(f"The classroom {code} has ended.")).to_be_visible(timeout=15_000)
            student.page.wait_for_function("() => !/classroom|lesson/.test(location.search)")


@pytest.mark.thorough
def test_a_question_of_the_teachers_own_on_a_view_of_their_own(people):
    teacher, code = begun(people)
    student = people(f"/learn?classroom={code}", width=390, height=844, hidden=True)
    teacher.page.get_by_test_id("stSidebar").get_by_role("link", name="Corrections").click()
    teacher.page.wait_for_selector("[data-drawn]")
    teacher.settle().change(lambda: teacher.page.get_by_role("slider", name="Threshold", exact=True).press("ArrowRight"))
    threshold = re.search("threshold=[0-9.]+", teacher.page.url)[0]
    button(teacher, "Show or ask about this view").click()
    teacher.page.get_by_role("radio", name="number").click()
    teacher.page.get_by_label("What you say or ask").fill("What is the tpr here?")
    button(teacher, "Show the classroom this view").click()
    expect(teacher.page.get_by_text("Type the answer, such as 30%")).to_be_visible()
    teacher.page.get_by_label("Answer, perhaps with how far one may be off, hidden as you type").fill("80% ± 5%")
    button(teacher, "Show the classroom this view").click()
    # The form would lie over the question in the hall.
    expect(button(teacher, "Show the classroom this view")).to_be_hidden()
    expect(student.page.get_by_text("What is the tpr here?").first).to_be_visible()
    address_has(student, f"corrections.*{threshold}")
    student.page.get_by_label("Your number, in %").fill("0,835")
    button(student, "Send").click()
    expect(said(student)).to_have_text("The box wants percent: type 50 for one half.")
    student.page.get_by_label("Your number, in %").fill("83,5")
    button(student, "Send").click()
    expect(said(student)).to_contain_text("Sent.")
    answered(teacher, 1)
    button(teacher, "Show the answer").click()
    expect(reply(student)).to_have_text(re.compile("Right. The answer is 80%.$"))
    expect(teacher.page.locator(".classroom-answers path.right")).to_be_attached()

    # The next question is to be read, also on a phone, which has folded the text of the one before.
    button(teacher, "Show or ask about this view").click()
    teacher.page.get_by_label("What you say or ask").fill("And the fpr?")
    button(teacher, "Show the classroom this view").click()
    expect(student.page.get_by_text("And the fpr?").first).to_be_visible()

    # Who does not follow goes their own way, and comes back.
    student.page.get_by_text("Follow the teacher", exact=True).click()
    button(teacher, "End this question").click()
    teacher.page.get_by_test_id("stSidebar").get_by_role("link", name="Learn").click()
    button(teacher, "Start: The correction, and its price").click()
    student.page.wait_for_timeout(1500)
    assert "corrections" in student.page.url
    student.page.get_by_text("Follow the teacher", exact=True).click()
    expect(student.page.get_by_text("The correction, and its price")).to_be_visible()


@pytest.mark.thorough
def test_nothing_is_cut_or_indented_on_the_phone_of_a_spanish_student(people):
    teacher = people("/learn?language=es", hidden=True)
    button(teacher, "Abrir un aula").click()
    name = teacher.page.locator(".classroom-teacher strong")
    expect(name).to_have_text(re.compile("Aula [A-Z2-9]{8}"))
    code = name.inner_text().split()[-1]
    button(teacher, "Empezar: ¿Qué es un error?").click()
    expect(button(teacher, "Mostrar la respuesta")).to_be_visible()
    student = people(f"/learn?classroom={code}", width=390, height=844, hidden=True)
    expect(button(student, "Ocultar el texto")).to_be_visible()
    cover = "one => [one.scrollHeight, one.clientHeight]"
    needs, has = student.page.locator(".st-key-headline").evaluate(cover)
    assert needs <= has + 1, "what stands in place of the finding"
    # The one button stands beside the title.
    fold = student.page.locator(".lesson-fold").bounding_box()
    assert fold["x"] > 195
    assert fold["x"] + fold["width"] <= 390


@pytest.mark.thorough
def test_who_goes_back_to_the_list_of_lessons_finds_the_way_to_what_the_teacher_shows(people):
    teacher = people("/learn?language=es", hidden=True)
    button(teacher, "Abrir un aula").click()
    name = teacher.page.locator(".classroom-teacher strong")
    expect(name).to_have_text(re.compile("Aula [A-Z2-9]{8}"))
    student = people(f"/learn?classroom={name.inner_text().split()[-1]}", hidden=True)
    button(teacher, "Empezar: Cuando contar falla").click()
    expect(student.page.get_by_text("Paso 1 de 7")).to_be_visible()
    student.settle().page.go_back()
    expect(student.page.get_by_text("Tu docente muestra otra página.")).to_be_visible()
    expect(student.page.get_by_text("Cuando contar falla").first).to_be_visible()
    button(student, "Ir allí").click()
    expect(student.page.get_by_text("Paso 1 de 7")).to_be_visible()


@pytest.mark.thorough
def test_a_page_that_is_slow_to_come_comes_although_the_classroom_moves_on(people):
    teacher, _ = begun(people)
    teacher.page.add_init_script(LATE)
    teacher.page.reload()
    teacher.page.get_by_test_id("stSidebar").get_by_role("link", name="Test size").click()
    button(teacher, "Show or ask about this view").click()
    teacher.page.get_by_label("What you say or ask").fill("Look at this.")
    button(teacher, "Show the classroom this view").click()
    expect(button(teacher, "End this question")).to_be_visible()
    teacher.settle().page.evaluate("() => { window.late = 2500; }")
    button(teacher, "End this question").click()
    teacher.page.get_by_test_id("stSidebar").get_by_role("link", name="Learn").click()
    teacher.page.wait_for_timeout(5500)
    expect(button(teacher, "Start: Counting goes wrong")).to_be_visible()


@pytest.mark.thorough
def test_two_devices_of_a_teacher_are_at_the_same_step(people):
    teacher, _ = begun(people)
    button(teacher, "More").click()
    teacher.page.get_by_text("Show my own link").click()
    link = teacher.page.locator("[data-testid=stCode] code").inner_text()
    teacher.page.keyboard.press("Escape")
    button(teacher, "Start: Counting goes wrong").click()
    expect(teacher.page.get_by_text("Step 1 of 7")).to_be_visible()
    asked = []
    other = people("/learn", hidden=True)
    other.page.on("request", lambda request: asked.append(request.url))
    other.page.goto(link)
    expect(other.page.get_by_text("Step 1 of 7")).to_be_visible()
    assert "teacher" not in other.page.url
    secret = link.rpartition(".")[2]
    assert not [url for url in asked if secret in url.partition("#")[0]], "no server and no proxy hears of it"
    assert secret not in other.page.evaluate("document.cookie")
    other.page.reload()
    expect(button(other, "Show code")).to_be_visible()
    button(other, "Next \N{RIGHTWARDS ARROW}").click()
    expect(other.page.get_by_text("Step 2 of 7")).to_be_visible()
    expect(teacher.page.get_by_text("Step 2 of 7")).to_be_visible(timeout=10_000)
    button(other, "Show the answer").click()
    expect(button(teacher, "Show the answer")).to_be_hidden(timeout=10_000)
    # On a computer of others the teacher leaves: neither a reload nor the way back leads into the classroom as its teacher.
    button(other, "More").click()
    button(other, "Leave on this device").click()
    expect(button(other, "Open a classroom")).to_be_visible()
    code = link.partition("#teacher=")[2].partition(".")[0]
    other.open(f"/learn?classroom={code}", hidden=True)
    expect(button(other, "Leave the classroom")).to_be_visible()
    expect(button(other, "Show code")).to_have_count(0)
    other.page.go_back()
    other.page.go_back()
    other.page.wait_for_timeout(500)
    assert secret not in other.page.url


@pytest.mark.thorough
def test_a_wrong_code_is_said_and_many_are_refused(people):
    one = people("/learn?classroom=AAAAAAAA", hidden=True)
    expect(one.page.get_by_text("There is no classroom AAAAAAAA")).to_be_visible()
    one.page.get_by_label("Code of a classroom").fill("BBBBBBBB")
    button(one, "Join").click()
    expect(one.page.get_by_text("There is no classroom BBBBBBBB")).to_be_visible()
    one.page.get_by_label("Code of a classroom").fill("12")
    button(one, "Join").click()
    expect(one.page.get_by_text("A code has eight letters and digits")).to_be_visible()
    for link in ("/learn?teacher=AAAAAAAA.nothing", "/classroom-state/teacher#teacher=AAAAAAAA.nothing"):
        one = people(link, hidden=True)
        expect(one.page.get_by_text("The teacher's link leads to no classroom")).to_be_visible()
        assert "nothing" not in one.page.url


class Foreign(BaseHTTPRequestHandler):
    """A page of another site, with 320 pictures that are a classroom's addresses, and requests by a script."""

    def do_GET(self):
        kinds = ("shown", "answer", "answers", "keep")
        urls = [f"{self.server.victim}/classroom-state/AAAA{n:04}/{kinds[n % 4]}" for n in range(320)]
        script = f"""
          const urls = {json.dumps(urls)}, ask = (url, how) => fetch(url, {{ method: "POST", body: "{{}}", ...how }}).then(
            () => "answered", () => "refused");
          const seen = (url) => new Promise((done) => Object.assign(new Image(), {{ onload: done, onerror: done, src: url }}));
          const own = {{ headers: {{ "x-classroom": "1", "content-type": "application/json" }} }};
          Promise.all([...urls.map(seen), ...urls.map((url) => ask(url, {{ mode: "no-cors" }}))])
            .then(() => Promise.all(urls.slice(0, 20).map((url) => ask(url, own))))
            .then((said) => {{ document.title = "done: " + [...new Set(said)]; }});"""
        text = f"<!doctype html><title>-</title><script>{script}</script>".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_args):
        """Say nothing."""


@pytest.mark.thorough
def test_a_foreign_page_with_320_pictures_locks_nobody_out(people, address):
    teacher, code = begun(people)
    button(teacher, "Start: Counting goes wrong").click()
    foreign = ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
    foreign.victim = address
    threading.Thread(target=foreign.serve_forever, daemon=True).start()
    try:
        student = people("/learn", hidden=True)
        student.page.goto(f"http://127.0.0.1:{foreign.server_port}/")
        # The header of our own pages would need a leave that this server gives to no other site.
        expect(student.page).to_have_title("done: refused", timeout=60_000)
    finally:
        foreign.shutdown()
        foreign.server_close()
    student.open(f"/learn?classroom={code}", hidden=True)
    expect(student.page.get_by_text("Step 1 of 7")).to_be_visible()
    chosen(student, "More than 10.")
    # Not one of them has counted as a wrong code, either.
    student.open("/learn?classroom=AAAAAAAA", hidden=True)
    expect(student.page.get_by_text("There is no classroom AAAAAAAA")).to_be_visible()
