"""Tests of the web page in headless Chromium: browser.py [NAME ...] [--shots FOLDER].

Each test is a function; its name is a sentence about behaviour. Prints what fails, and
"N passed, N failed" in the end.
"""

import base64
import functools
import html.parser
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.request
import zipfile

from selenium.webdriver.common.keys import Keys

from pages import ARABIC, DOPPEL, HERE, HOSTILE_TITLE, SAMPLE, Browser, Collections, Site, run

TESTS = []


def test(function):
    TESTS.append(function)
    return function


def check(condition, message="it does not hold"):
    if not condition:
        raise AssertionError(message)


def row_of(c, name):
    listed = json.load(urllib.request.urlopen(f"{c.index.url}api/v1/documents?limit=1000"))["documents"]
    return next(d["row"] for d in listed if d["id"] == name)


def ask(b, c, text, url=None):
    """Pastes a text on the start page and searches for it."""
    b.open(url or c.index.url)
    b.execute_script("""const area = document.getElementById('ask-text'); area.value = arguments[0];
                        area.dispatchEvent(new Event('input', {bubbles: true}));""", text)
    b.click("button[type=submit]")
    b.wait_hash("^#/text/")


# ---- searching ----------------------------------------------------------------------------

@test
def pasted_text_finds_its_document_and_its_translation(b, c):
    german = next(d for d in c.german if d["id"] == "de-0001")
    ask(b, c, german["text"])
    titles = [e.text for e in b.all(".hit .title")]
    check(titles[0] == german["title"], titles)
    check("What a volcano gives away before it erupts" in titles, titles)
    scores = [float(e.text) for e in b.all(".hit .score strong")]
    check(scores == sorted(scores, reverse=True) and scores[0] > .99, scores)
    badges = {e.text for e in b.all(".hit .badge")}
    check({"de", "en"} <= badges, badges)
    check("Magma" in b.text(".hit .terms"), b.text(".hit"))


@test
def reused_passages_of_a_text_have_their_sources(b, c):
    english = next(d for d in c.english if d["id"] == "en-0003")
    ask(b, c, "Words of my own come first, and nobody wrote them before me. " + english["text"])
    b.until("return document.querySelector('.reused li') !== null")
    part = b.text(".reused")
    check(re.search(r"\d+ % of the words are in passages", part), part)
    check(b.text(".reused a") == english["title"], part)
    check("verbatim" in part, part)
    b.click(".reused a")
    b.wait_hash("^#/text/.*/[0-9]+")


@test
def text_is_sent_with_control_and_enter(b, c):
    b.open(c.index.url)
    area = b.all("#ask-text")[0]
    area.send_keys("volcanoes magma earthquakes")
    area.send_keys(Keys.CONTROL, Keys.ENTER)
    b.wait_hash("^#/text/")
    check(b.all(".hit"), "a few words find nothing")


@test
def file_is_searched_for(b, c):
    path = os.path.join(c.folder, "question.txt")
    with open(path, "w", encoding="utf-8") as out:
        out.write(c.english[0]["text"])
    b.open(c.index.url)
    b.all("#ask-file")[0].send_keys(path)
    b.until("return document.getElementById('ask-text').value.length > 100")
    check("question.txt" in b.text(".ask"), b.text(".ask"))
    b.click("button[type=submit]")
    b.wait_hash("^#/text/")
    check(b.text("h1") == "question.txt", b.text("h1"))
    check(b.text(".hit .title") == c.english[0]["title"], b.text(".hits"))


@test
def dropped_file_is_taken(b, c):
    b.open(c.index.url)
    b.execute_script("""const data = new DataTransfer();
        data.items.add(new File([arguments[0]], 'dropped.txt', {type: 'text/plain'}));
        document.querySelector('.drop').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));""",
                     c.english[3]["text"])
    b.until("return document.getElementById('ask-text').value.length > 100")
    check("dropped.txt" in b.text(".ask"), b.text(".ask"))


@test
def binary_file_is_refused(b, c):
    path = os.path.join(c.folder, "binary.dat")
    with open(path, "wb") as out:
        out.write(b"\x00\x01\x02" * 50)
    b.open(c.index.url)
    b.all("#ask-file")[0].send_keys(path)
    b.until("return document.body.innerText.includes('not a text file')")


@test
def indexed_document_is_found_by_title(b, c):
    b.open(c.index.url)
    b.key("/")
    b.until("return document.activeElement.id === 'find-document'")
    b.key("volcano gives")
    b.until("return document.querySelectorAll('#found-documents li').length === 1")
    b.key(Keys.ENTER)
    b.wait_hash(r"^#/doc/\d+$")
    check(b.text("h1") == "What a volcano gives away before it erupts", b.text("h1"))
    check("Was ein Vulkan verrät, bevor er ausbricht" in b.text(".hits"), b.text(".hits"))


@test
def hits_can_be_limited_to_a_language(b, c):
    b.open(f"{c.index.url}#/doc/{row_of(c, 'de-0001')}")
    before = len(b.all(".hit:not([hidden])"))
    chips = [e for e in b.all(".chips button") if e.text.startswith("en")]
    chips[0].click()
    shown = b.all(".hit:not([hidden]) .badge")
    check(0 < len(shown) < before and {e.text for e in shown} == {"en"}, [e.text for e in shown])


@test
def words_that_nobody_has_find_nothing(b, c):
    ask(b, c, "xqzzy wvvk jjjqx")
    check("Nothing similar" in b.text("main"), b.text("main"))


@test
def empty_question_is_not_sent(b, c):
    b.open(c.index.url)
    b.click("button[type=submit]")
    check("Paste a text first" in b.text(".ask"), b.text(".ask"))
    check(b.hash() in ("", "#/"), b.hash())


# ---- passages -----------------------------------------------------------------------------

def open_comparison(b, c):
    rows = row_of(c, "de-0001"), row_of(c, "en-0050")
    b.open(f"{c.index.url}#/doc/{rows[0]}/{rows[1]}")
    return rows


@test
def passages_are_marked_on_both_sides_and_lined_up(b, c):
    open_comparison(b, c)
    marks = b.all(".pane.left mark"), b.all(".pane.right mark")
    check(len(marks[0]) >= 2 and len(marks[1]) >= 2, f"{len(marks[0])} and {len(marks[1])} marks")
    text = b.execute_script("return document.querySelector('.pane.left').textContent.length")
    marked = b.execute_script("return [...document.querySelectorAll('.pane.left mark')].reduce((n, m) => n + m.textContent.length, 0)")
    check(0 < marked <= text, f"{marked} of {text}")
    for _ in range(3):
        b.key("n")
        b.until("""const [a, b] = ['left', 'right'].map((side) => {
            const pane = document.querySelector('.pane.' + side), mark = pane.querySelector('mark.now');
            const atEnd = pane.scrollTop < 1 || pane.scrollTop + pane.clientHeight > pane.scrollHeight - 2;
            return {top: mark.getBoundingClientRect().top - pane.getBoundingClientRect().top, atEnd};});
            return Math.abs(a.top - b.top) < 4 || a.atEnd || b.atEnd;""", 5)
    check(re.search(r"passage \d+ of \d+", b.text(".stepper")), b.text(".stepper"))


@test
def marks_begin_where_sentences_begin(b, c):
    open_comparison(b, c)
    firsts = b.execute_script("return [...document.querySelectorAll('.pane mark')].map((m) => m.textContent.trim()[0])")
    check(all(letter.isupper() or not letter.isalpha() for letter in firsts), firsts)


@test
def hover_and_focus_show_both_ends(b, c):
    open_comparison(b, c)
    b.execute_script("document.querySelector('.pane.left mark').focus()")
    lit = b.execute_script("return [...document.querySelectorAll('mark.on')].map((m) => [m.dataset.passage, m.closest('.pane').classList.contains('left')])")
    check(len({index for index, _ in lit}) == 1 and {side for _, side in lit} == {True, False}, lit)
    check(b.all(".gutter path.on"), "no band between them")


@test
def only_passages_can_be_shown(b, c):
    open_comparison(b, c)
    n = b.execute_script("return new Set([...document.querySelectorAll('.pane.left mark')].map((m) => m.dataset.passage)).size")
    b.key("v")
    b.until("return document.querySelector('.passages li')")
    check(len(b.all(".passages li")) >= n, "passages are missing")
    b.key("v")
    b.until("return document.querySelector('.panes')")


@test
def word_that_carries_the_similarity_is_shown_in_both_texts(b, c):
    open_comparison(b, c)
    b.click("button.term")
    n = b.execute_script("return CSS.highlights.get('term') ? CSS.highlights.get('term').size : 0")
    check(n >= 2, f"{n} places")


@test
def neighbours_are_walked_with_a_trail(b, c):
    b.open(f"{c.index.url}#/doc/{row_of(c, 'de-0001')}")
    first = b.text("h1")
    b.all(".hit .links a:last-child")[0].click()
    b.wait_hash(r"via=\d+$")
    second = b.text("h1")
    check(first != second, "the same document")
    b.until("return document.querySelector('.crumbs a').textContent === arguments[0]", 10, first)
    b.all(".hit .links a:last-child")[0].click()
    b.wait_hash(r"via=\d+,\d+$")
    b.back()
    b.wait_hash(r"via=\d+$")
    check(b.text("h1") == second, b.text("h1"))
    b.click(".crumbs a")
    b.wait_hash(r"^#/doc/\d+$")
    check(b.text("h1") == first, b.text("h1"))


@test
def search_survives_a_reload(b, c):
    ask(b, c, c.english[5]["text"])
    title = b.text(".hit .title")
    b.refresh()
    b.settle()
    check(b.text(".hit .title") == title, b.text("main"))


# ---- hostile, long, right to left ---------------------------------------------------------

@test
def hostile_title_and_text_are_text(b, c):
    b.errors()
    row = row_of(c, "hostile")
    other = row_of(c, "en-0050")
    shown = re.sub("[\u202a-\u202e\u2066-\u2069]", "", HOSTILE_TITLE)
    for place in ("", "#/documents?q=hostile", f"#/doc/{row}", f"#/doc/{row}/{other}", f"#/doc/{other}/{row}", f"#/read/{row}",
                  f"#/doc/{other}?via={row}", "#/overview", "#/documents?q=%3Cscript%3Ewindow.hacked%3D4%3C/script%3E"):
        b.open(c.index.url + place)
        check(b.execute_script("return window.hacked") is None, f"a script ran at {place}")
        check(not b.all("main img, main script, main b"), f"markup at {place}")
        check("\u202e" not in b.execute_script("return document.querySelector('main').textContent.replace(/[^]*<\\/b>/, '')"),
              f"an override at {place}")
    b.open(f"{c.index.url}#/read/{row}")
    check(b.text("h1") == shown, b.text("h1"))
    check("</script><script>window.hacked=3</script>" in b.text(".reading"), b.text(".reading"))
    check(not b.errors(), "the console complains")


@test
def policy_forbids_what_is_not_the_page(b, c):
    headers = urllib.request.urlopen(c.index.url).headers
    policy = headers["Content-Security-Policy"]
    check("default-src 'none'" in policy and "unsafe-inline" not in policy and "unsafe-eval" not in policy, policy)
    b.open(c.index.url)
    b.errors()
    b.execute_script("""const s = document.createElement('script'); s.textContent = 'window.hacked = 5'; document.body.append(s);
        const d = document.createElement('div'); d.setAttribute('onclick', 'window.hacked = 6'); document.body.append(d); d.click();""")
    check(b.execute_script("return window.hacked") is None, "an inline script ran")
    b.errors()


@test
def nothing_is_fetched_from_elsewhere(b, c):
    open_comparison(b, c)
    names = b.execute_script("return performance.getEntriesByType('resource').map((e) => e.name)")
    check(all(name.startswith((c.index.url, "data:")) for name in names), names)


@test
def text_of_100000_words_opens_quickly(b, c):
    b.open(c.index.url)
    row, other = row_of(c, "long"), row_of(c, "en-0001")
    begin = time.time()
    b.execute_script("location.hash = arguments[0]", f"#/read/{row}")
    b.until("return document.querySelectorAll('.reading p').length > 1000")
    seconds = time.time() - begin
    check(seconds < 15, f"{seconds:.1f} s")
    b.execute_script("scrollTo(0, document.body.scrollHeight / 2)")
    b.open(f"{c.index.url}#/doc/{row}/{other}")
    check(b.all(".pane.left p"), "no text")


@test
def arabic_runs_from_right_to_left(b, c):
    row, other = row_of(c, "arabic"), row_of(c, "arabic-2")
    b.open(f"{c.index.url}#/doc/{row}/{other}")
    directions = b.execute_script("return [...document.querySelectorAll('.pane p')].map((p) => getComputedStyle(p).direction)")
    check(directions and set(directions) == {"rtl"}, directions)
    ask(b, c, ARABIC * 3)
    check("البركان" in b.text(".hits"), b.text(".hits"))


# ---- looks --------------------------------------------------------------------------------

@test
def nothing_is_wider_than_a_phone(b, c):
    b.phone()
    rows = row_of(c, "de-0001"), row_of(c, "en-0050"), row_of(c, "hostile")
    places = ["", "#/documents", "#/overview", f"#/doc/{rows[0]}", f"#/doc/{rows[0]}/{rows[1]}", f"#/doc/{rows[1]}/{rows[2]}",
              f"#/read/{rows[2]}"]
    for url in [c.index.url + place for place in places] + [c.mine.url + place for place in ("#/pairs", "#/pairs/0", "#/overview")] + \
            [c.linked.url + place for place in ("#/links", "#/links/0", "#/links/23")]:
        b.open(url)
        over = b.execute_script("return document.documentElement.scrollWidth - innerWidth")
        check(over <= 0, f"{url}: {over} pixels too wide")
        small = b.execute_script("""return [...document.querySelectorAll('button, a.button, select, input:not(.away)')]
            .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 24 && e.type !== 'range' && !e.classList.contains('term'))
            .map((e) => e.outerHTML.slice(0, 80))""")
        check(not small, f"too small for a finger: {small}")


@test
def dark_follows_the_system_and_the_button(b, c):
    def lightness():
        colour = b.execute_script("return getComputedStyle(document.body).backgroundColor")
        return sum(int(n) for n in re.findall(r"\d+", colour)[:3])
    b.open(c.index.url)
    check(lightness() > 700, "not light")
    b.scheme("dark")
    check(lightness() < 150, "not dark")
    b.click("#theme-button")
    check(lightness() > 700, "the button does not make it light")
    b.refresh()
    b.settle()
    check(lightness() > 700, "the choice is forgotten")
    b.click("#theme-button")
    b.scheme("light")
    check(lightness() < 150, "the button does not make it dark")
    b.click("#theme-button")
    check(lightness() > 700, "back to the system's colours")


@test
def text_has_enough_contrast(b, c):
    script = """
        const c = document.createElement('canvas'); c.width = c.height = 1; const x = c.getContext('2d', {willReadFrequently: true}), parsed = new Map();
        const parse = (s) => { if (!parsed.has(s)) { x.clearRect(0, 0, 1, 1); x.fillStyle = s; x.fillRect(0, 0, 1, 1);
            parsed.set(s, [...x.getImageData(0, 0, 1, 1).data]); } return parsed.get(s); };
        const lum = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
        const behind = (e) => { const layers = []; for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); layers.push(c); if (c[3] === 255) break; }
            return layers.reverse().reduce((under, c) => c[3] === 255 ? c : under.map((v, i) => i < 3 ? v + (c[i] - v) * c[3] / 255 : 255)); };
        const bad = [];
        for (const e of document.querySelectorAll('body *')) {
            if (!e.offsetParent || e.closest('[disabled], .away') || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
            const a = lum(parse(getComputedStyle(e).color)), b = lum(behind(e));
            const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
            if (ratio < 4.5) bad.push([ratio.toFixed(2), e.className, e.textContent.slice(0, 20)]);
        }
        return bad.slice(0, 5);"""
    rows = row_of(c, "de-0001"), row_of(c, "en-0050")
    for scheme in ("light", "dark"):
        b.desktop(scheme)
        for url in (c.index.url, f"{c.index.url}#/doc/{rows[0]}", f"{c.index.url}#/doc/{rows[0]}/{rows[1]}", f"{c.index.url}#/overview", f"{c.mine.url}#/pairs/1",
                    f"{c.linked.url}#/links/23"):
            b.open(url)
            bad = b.execute_script(script)
            check(not bad, f"{scheme} {url}: {bad}")


@test
def overview_shows_languages_and_similarity(b, c):
    b.open(c.index.url + "#/overview")
    text = b.text("main")
    check("German" in text and "Arabic" in text and "Similarity of neighbours" in text, text)
    check(len(b.all(".chart rect")) > 10, "no histogram")


# ---- keyboard and names -------------------------------------------------------------------

@test
def everything_goes_by_keyboard(b, c):
    b.open(f"{c.index.url}#/doc/{row_of(c, 'de-0001')}")
    b.key("j")
    b.key("j")
    focused = b.execute_script("return [...document.querySelectorAll('.hit a.open')].indexOf(document.activeElement)")
    check(focused == 1, focused)
    outline = b.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    check(outline == "solid", outline)
    b.key(Keys.ENTER)
    b.wait_hash(r"^#/doc/\d+/\d+")
    before = b.hash()
    b.key("k")
    b.wait_hash(r"^#/doc/\d+/\d+", before)
    b.key("w")
    b.wait_hash(r"^#/doc/\d+\?via=")
    b.back()
    b.wait_hash(r"^#/doc/\d+/\d+")
    b.key(Keys.ESCAPE)
    b.wait_hash(r"^#/doc/\d+$")
    b.key("?")
    check(b.execute_script("return document.getElementById('help').open"), "no help")
    b.key(Keys.ESCAPE)
    b.until("return !document.getElementById('help').open")


@test
def every_control_has_a_name(b, c):
    rows = row_of(c, "de-0001"), row_of(c, "en-0050")
    for url in (c.index.url, f"{c.index.url}#/doc/{rows[0]}/{rows[1]}", f"{c.index.url}#/documents", f"{c.mine.url}#/pairs/1", f"{c.linked.url}#/links/23"):
        b.open(url)
        nodes = b.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        nameless = [n["role"]["value"] for n in nodes if not n.get("ignored") and n["role"]["value"] in
                    ("button", "link", "textbox", "searchbox", "combobox", "slider", "image", "img", "dialog") and
                    not n.get("name", {}).get("value")]
        check(not nameless, f"{url}: {nameless}")


# ---- waiting and failing ------------------------------------------------------------------

@test
def slow_search_can_be_cancelled(b, c):
    b.open(c.index.url)
    b.execute_cdp_cmd("Network.enable", {})
    slow = {"offline": False, "latency": 4000, "downloadThroughput": -1, "uploadThroughput": -1}
    b.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
    try:
        b.execute_script("location.hash = arguments[0]", f"#/doc/{row_of(c, 'en-0002')}")
        b.until("return document.querySelector('.spinner') && [...document.querySelectorAll('button')].some((x) => x.textContent === 'Cancel')")
        b.execute_script("[...document.querySelectorAll('main button')].find((x) => x.textContent === 'Cancel').click()")
        b.until("return document.querySelector('main').innerText.includes('Cancelled')", 2)
    finally:
        b.execute_cdp_cmd("Network.emulateNetworkConditions", {**slow, "latency": 0})
    b.click("main button")
    b.until("return document.querySelector('.hits, .notice h2') && document.querySelector('h1')")


@test
def wrong_addresses_are_explained(b, c):
    for place, text in (("#/doc/4000000", "Not found"), ("#/nowhere", "nothing at this address"), ("#/text/zzzz", "paste it again"),
                        ("#/pairs", "nothing at this address"), ("#/doc/1/2/3", "")):
        b.open(c.index.url + place)
        check(text.lower() in b.text("main").lower(), f"{place}: {b.text('main')}")
    b.errors()


@test
def server_that_stopped_is_noticed_and_nothing_is_lost(b, c):
    site = Site(c.pocket, c.log)
    try:
        b.open(site.url)
        b.execute_script("""const area = document.getElementById('ask-text'); area.value = arguments[0];
                            area.dispatchEvent(new Event('input', {bubbles: true}));""", "volcanoes and magma")
        site.stop()
        b.click("button[type=submit]")
        b.until("return document.querySelector('.notice.error')")
        check("does not answer" in b.text("main") and "Try again" in b.text("main"), b.text("main"))
        b.click(".brand")
        b.until("return document.getElementById('ask-text') && document.getElementById('ask-text').value === 'volcanoes and magma'")
    finally:
        site.stop()
    b.errors()


# ---- pairs of a run -----------------------------------------------------------------------

@test
def pairs_are_accepted_and_rejected_by_key(b, c):
    b.open(c.mine.url)
    n = int(re.search(r"(\d+) pairs", b.text("h1")).group(1))
    check(len(b.all(".pair-list li[data-pair]")) == n, "the list is not complete")
    check(len(b.all(".sentences tbody tr")) > 2, b.text(".pair"))
    first = b.text(".titles h2")
    b.key("a")
    b.until("return document.querySelector('.titles h2').innerText !== arguments[0]", 10, first)
    b.settle()
    second = b.text(".titles h2")
    b.key("r")
    b.until("return document.querySelector('.titles h2').innerText !== arguments[0]", 10, second)
    b.settle()
    check(f"2 of {n} judged: 1 accepted, 1 rejected" in b.text("#judged"), b.text("#judged"))
    judged = open(os.path.join(c.run, "judgements.tsv"), encoding="utf-8").read()
    check("accept" in judged and "reject" in judged, judged)
    b.key("k")
    b.until("return document.querySelector('.titles h2').innerText === arguments[0]", 10, second)
    b.settle()
    check(b.execute_script("return document.getElementById('judge-reject').getAttribute('aria-pressed')") == "true", "not marked")
    b.key("u")
    b.until("return document.getElementById('judged').innerText.includes('1 of')")
    b.refresh()
    b.settle()
    check(f"1 of {n} judged: 1 accepted, 0 rejected" in b.text("#judged"), b.text("#judged"))


@test
def pairs_are_filtered_by_confidence_and_state(b, c):
    b.open(c.mine.url + "#/pairs?min_confidence=0.99")
    high = [float(e.text) for e in b.all(".pair-list .num")]
    check(all(x >= .985 for x in high), high)
    b.open(c.mine.url + "#/pairs")
    scores = [float(e.text) for e in b.all(".pair-list .num")]
    check(scores == sorted(scores), scores)
    b.open(c.mine.url + "#/pairs?state=rejected&min_confidence=0.5&max_confidence=0.5")
    check("No pairs" in b.text("main"), b.text("main"))


@test
def whole_texts_of_a_pair_are_compared(b, c):
    b.open(c.mine.url + "#/pairs/0")
    button = next((e for e in b.all(".pair button") if e.text == "Whole texts"), None)
    if button is None:
        return  # a folder without work/ has no texts
    button.click()
    b.until("return document.querySelectorAll('.pane p').length > 1")


# ---- links of a run -----------------------------------------------------------------------

def links_tsv(c, rows):
    lines = urllib.request.urlopen(f"{c.linked.url}api/v1/links.tsv?rows={rows}").read().decode().splitlines()
    return [line.split("\t") for line in lines[1:]]


def number_of(c, left_id):
    listed = json.load(urllib.request.urlopen(f"{c.linked.url}api/v1/links?limit=1000"))["links"]
    return next(link["link"] for link in listed if link["left_id"] == left_id)


@test
def missing_links_are_judged_by_key_and_saved(b, c):
    b.open(c.linked.url)
    check(b.text("h1") == "25 links" and "0 of 25 judged" in b.text("#judged"), b.text("main"))
    check(b.all(".lead-row mark") and b.all(".lead-row .aligned") and b.all(".terms .term"), b.text(".link"))
    numbers = b.execute_script("return [...document.querySelectorAll('.lead-row td')].slice(0, 2).map((t) => (t.querySelector('sup') || {}).textContent)")
    check(numbers[0] and numbers[0] == numbers[1], numbers)
    first = b.text(".titles h2")
    b.key("a")
    b.until("return document.querySelector('.titles h2').innerText !== arguments[0]", 10, first)
    b.settle()
    second = b.text(".titles h2")
    b.key("r")
    b.until("return document.querySelector('.titles h2').innerText !== arguments[0]", 10, second)
    b.settle()
    check("2 of 25 judged" in b.text("#judged"), b.text("#judged"))
    b.open(c.linked.url + "#/links?state=accepted")
    check(b.text("h1") == "1 link" and b.text(".titles h2") == first, b.text("main"))
    href = b.execute_script("return document.querySelector('.exports a').href")
    check(href == c.linked.url + "api/v1/links.tsv?rows=add", href)
    added = links_tsv(c, "add")
    check(len(added) == 1 and added[0][2:4] == ["accept", "missing"], added)
    b.key("u")
    b.until("return document.getElementById('judged').innerText.includes('1 of 25')")
    b.open(c.linked.url + "#/links?state=rejected")
    b.key("u")
    b.until("return document.getElementById('judged').innerText.includes('0 of 25')")
    check(not links_tsv(c, "add"), links_tsv(c, "add"))


@test
def suspicious_link_is_replaced_by_what_looks_better(b, c):
    b.open(c.linked.url + "#/links?kind=suspicious")
    check(b.text("h1") == "2 links" and len(b.all(".better")) == 2, b.text("main"))
    title = b.text(".titles h2")
    b.key("r")
    b.until("return document.getElementById('judge-reject').getAttribute('aria-pressed') === 'true'")
    b.settle()
    check(b.text(".titles h2") == title, "the better pair is not shown any more")
    b.key("b")
    b.until("return document.querySelectorAll('.better .accept[aria-pressed=true]').length === 1")
    b.settle()
    check([row[2:4] for row in links_tsv(c, "add")] == [["accept", "better"]], links_tsv(c, "add"))
    check([row[2:4] for row in links_tsv(c, "remove")] == [["reject", "suspicious"]], links_tsv(c, "remove"))
    b.click(".better .accept[aria-pressed=true]")
    b.until("return !document.querySelector('.better .accept[aria-pressed=true]')")
    b.settle()
    b.key("u")
    b.until("return document.getElementById('judged').innerText.includes('0 of 25')")


@test
def key_for_what_looks_better_shows_what_it_did(b, c):
    b.open(c.linked.url + "#/links?kind=suspicious")
    title = b.text(".titles h2")
    check(not b.all("#done") and not links_tsv(c, "remove"), b.text(".judge"))
    b.key("b")
    b.until("return document.getElementById('done')")
    b.settle()
    check(f"Link to add: {title} – What a volcano" in b.text("#done") and "to be removed" in b.text("#done"), b.text("#done"))
    check(b.execute_script("const r = document.getElementById('done').getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight"), "out of sight")
    check(b.text(".titles h2") == title and "1 of 25 judged" in b.text("#judged"), b.text("main"))
    check(b.all("#judge-reject[aria-pressed=true]") and len(b.all(".better .accept[aria-pressed=true]")) == 1, b.text(".link"))
    check([row[2:4] for row in links_tsv(c, "add")] == [["accept", "better"]], links_tsv(c, "add"))
    check([row[2:4] for row in links_tsv(c, "remove")] == [["reject", "suspicious"]], links_tsv(c, "remove"))
    b.click(".better .accept[aria-pressed=true]")
    b.until("return !document.querySelector('.better .accept[aria-pressed=true]')")
    b.settle()
    check("Not judged any more" in b.text("#done"), b.text(".judge"))
    b.key("u")
    b.until("return document.getElementById('judged').innerText.includes('0 of 25')")
    b.settle()
    check(not b.all("#done") and not links_tsv(c, "add") and not links_tsv(c, "remove"), b.text(".judge"))


@test
def links_are_shown_whatever_their_titles_and_directions(b, c):
    b.errors()
    gold = [line.split()[:2] for line in open(os.path.join(HERE, "..", "..", "examples", "sample", "gold.de-en.tsv"), encoding="utf-8")]
    for place in (f"#/links/{number_of(c, gold[2][0])}", "#/links?q=hacked", "#/links?q=%3Cimg"):
        b.open(c.linked.url + place)
        check("window.hacked=1" in b.text(".titles h2"), b.text("main"))
        check(b.execute_script("return window.hacked") is None and not b.all("main img, main script, main b"), f"markup at {place}")
    b.open(f"{c.linked.url}#/links/{number_of(c, gold[5][0])}")
    directions = b.execute_script("return [...document.querySelectorAll('.lead-row td[lang]')].map((t) => getComputedStyle(t).direction)")
    check(directions == ["rtl", "ltr"], directions)
    check("…" in b.text(".lead-row") or len(b.text(".lead-row")) < 1600, "the lead is too long")
    check(not b.errors(), "the console complains")
    for place, text in (("#/links/99", "Not found"), ("#/links/x", "nothing at this address"), ("#/links?q=nobody", "No links")):
        b.open(c.linked.url + place)
        check(text.lower() in b.text("main").lower(), f"{place}: {b.text('main')}")
    b.open(c.mine.url + "#/links")
    check("nothing at this address" in b.text("main"), b.text("main"))
    b.errors()


@test
def page_of_links_needs_no_server(b, c):
    b.errors()
    for size in (b.desktop, b.phone):
        size()
        b.get(f"file://{c.linked_run}/links.html")
        check(b.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0, "too wide")
    check(len(b.all("details.link")) == 25 and b.all("mark") and b.all(".al"), b.text("main")[:300])
    check(b.execute_script("return window.hacked") is None and not b.all("img"), "markup")
    check(b.execute_script("return performance.getEntriesByType('resource').length") == 0, "it fetches something")
    check(not b.errors(), "the console complains")


# ---- without a server ---------------------------------------------------------------------

@test
def page_without_a_server_answers_like_the_command(b, c):
    b.errors()
    b.open(c.page)
    check(b.execute_script("return performance.getEntriesByType('resource').filter((e) => !e.name.startsWith('data:')).length") == 0,
          "it fetches something")
    questions = [(d["text"], d["lang"]) for d in c.german[::9] + c.english[::9]]
    questions += [(text, None) for text, _ in questions[::3]]  # the language is identified
    questions += [("volcanoes magma earthquakes", "en"), ("Bürgermeister und Straße", "de"), (ARABIC, "ar"), ("…", "en"),
                  ("ein Vulkan, zwei Vulkane: İstanbul Straße ﬁ cafe\u0301 Ω 3,14", "de")]
    for text, lang in questions:
        body = {"text": text, "top": 10, **({"lang": lang} if lang else {})}
        answer = json.load(urllib.request.urlopen(urllib.request.Request(
            c.index.url + "api/v1/query", json.dumps(body).encode(), {"Content-Type": "application/json"})))
        found = b.execute_async_script("""const [body, done] = arguments;
            window.doppel.call('POST', 'query', body).then(done, (e) => done(String(e)));""", body)
        check(isinstance(found, dict), found)
        check(found["hits"] == answer["hits"], f"{text[:40]}: {found['hits'][:3]}, not {answer['hits'][:3]}")
    path = os.path.join(c.folder, "query.txt")
    with open(path, "w", encoding="utf-8") as out:
        out.write(c.german[7]["text"])
    wanted = run("query", c.pocket, path, "--top", "5", "--json")
    found = b.execute_async_script("""const [body, done] = arguments; window.doppel.call('POST', 'query', body).then(done);""",
                                   {"text": c.german[7]["text"], "top": 5})
    check(all(hit["id"] in wanted for hit in found["hits"]), f"{found['hits']}, not {wanted}")
    check(not b.errors(), "the console complains")


@test
def page_without_a_server_is_used_like_the_other(b, c):
    german = next(d for d in c.german if d["id"] == "de-0001")
    ask(b, c, german["text"], c.page)
    check(b.text(".hit .title") == german["title"], b.text(".hits"))
    english = next(e for e in b.all(".hit a.open") if e.text.startswith("What a volcano"))
    english.click()
    b.wait_hash(r"^#/text/\w+/\d+")
    check(len(b.all(".pane.left mark")) >= 2 and len(b.all(".pane.right mark")) >= 2, "no passages")
    b.open(c.page + "#/overview")
    check("German" in b.text("main"), b.text("main"))
    b.open(c.page + "#/documents?q=hostile")
    check("hacked=1" in b.text("main") and b.execute_script("return window.hacked") is None, b.text("main"))
    b.open(c.page + "#/doc/4000000")
    check("not found" in b.text("main").lower(), b.text("main"))


@test
def damaged_page_says_so(b, c):
    source = open(c.page[7:], encoding="utf-8").read()
    path = os.path.join(c.folder, "damaged.html")
    at = source.index('class="pocket-block">') + 2000
    with open(path, "w", encoding="utf-8") as out:
        out.write(source[:at] + ("A" if source[at] != "A" else "B") + source[at + 1:])
    b.open("file://" + path)
    check(b.all(".notice.error"), b.text("main"))
    b.errors()


@test
def phone_breaks_no_short_words_of_titles(b, c):
    """Each word of a title stands on one line, though a title has little room beside its buttons."""
    broken = """return [...document.querySelectorAll('h1, h2, .title, .title a, .t')].flatMap((e) => {
        const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), found = [];
        for (let node; (node = walker.nextNode());)
            for (const word of node.data.matchAll(/[^ \\-–]{1,12}(?=[ \\-–]|$)/g)) {
                if (word.index && ![' ', '-', '–'].includes(node.data[word.index - 1])) continue;
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) found.push(word[0]);
            }
        return found;
    })"""
    title = "3.12. Clone"
    with open(os.path.join(c.folder, "clone.jsonl"), "w", encoding="utf-8") as out:
        for i in range(6):
            text = f"The tool copies pixels from an image, number {i}, to another place of the picture. " * (1 + 80 * i)
            out.write(json.dumps({"id": f"clone-{i}", "lang": "en", "title": title, "text": text}) + "\n")
    pocket = os.path.join(c.folder, "clone.pocket")
    run("index", "build", os.path.join(c.folder, "clone.jsonl"), "--texts", "-o", pocket, "-q")
    site = Site(pocket, subprocess.DEVNULL)
    b.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 780, "deviceScaleFactor": 1, "mobile": True})
    try:
        for place in ("#/documents", "#/doc/0", "#/doc/0/5", "#/doc/5/4"):
            b.open(site.url + place)
            check(title in b.text("main"), b.text("main"))
            check(not b.execute_script(broken), f"{place}: {b.execute_script(broken)}")
            check(b.execute_script("return document.scrollingElement.scrollWidth") <= 360, f"{place} is wider than the screen")
    finally:
        b.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        site.stop()


@test
def words_of_hits_are_words_of_their_texts(b, c):
    german = next(d for d in c.german if d["id"] == "de-0001")
    found = json.load(urllib.request.urlopen(urllib.request.Request(
        f"{c.index.url}api/v1/query", json.dumps({"text": german["text"], "top": 5}).encode(), {"Content-Type": "application/json"})))
    stems = [t["document"] for hit in found["hits"] for t in hit["terms"]]
    ask(b, c, german["text"])
    texts = {hit["row"]: json.load(urllib.request.urlopen(f"{c.index.url}api/v1/documents/{hit['row']}"))["text"] for hit in found["hits"]}
    n = 0
    for item in b.all(".hit")[:5]:
        text = texts.get(int(item.get_attribute("data-row")), "")
        for term in item.find_elements("css selector", ".term"):
            bdi = term.find_elements("css selector", "bdi")
            check(re.search(rf"(?<!\w){re.escape(bdi[0].text)}(?!\w)", german["text"]), f"{bdi[0].text} is no word of the query")
            word = bdi[-1].text
            where = f"{text} {german['text']}"  # one that both have is shown as in the query
            check(not text or re.search(rf"(?<!\w){re.escape(word)}(?!\w)", where), f"{word} of {stems}")
            n += bool(text)
    check(n >= 10, n)


@test
def reports_run_their_own_script_only(b, c):
    for name in ("report.html", "links.html"):
        path = os.path.join(c.linked_run, name)
        source = open(path, encoding="utf-8").read()
        check("unsafe-inline" not in source and "script-src &#39;sha256-" in source.replace("'sha256", "&#39;sha256"), source[:600])
        b.get(f"file://{path}")
        check(not b.errors(), "the console complains")
        check(b.execute_script("return getComputedStyle(document.body).maxWidth !== 'none'"), "no style")
        changed = os.path.join(c.folder, "changed.html")
        with open(changed, "w", encoding="utf-8") as out:
            out.write(source.replace("</main>", "<script>window.hacked = 1</script><img src='x' onerror='window.hacked = 1'/></main>"))
        b.get(f"file://{changed}")
        check(b.execute_script("return window.hacked") is None, name)
        b.errors()


# ---- playground ---------------------------------------------------------------------------

def saved(b):
    """Name and bytes of what the page saved last."""
    b.until("return window.doppel.play.saved !== null")
    name, text = b.execute_script("""const {name, bytes} = window.doppel.play.saved;
        let text = ''; for (const x of bytes) text += String.fromCharCode(x);
        window.doppel.play.saved = null; return [name, btoa(text)];""")
    return name, base64.b64decode(text)


def align_files(b, *paths):
    for side, path in enumerate(paths):
        b.all(f"#align-file-{side}")[0].send_keys(path)
        b.until("return document.querySelectorAll('.chosen strong').length === arguments[0]", 20, side + 1)
    b.click("#align-go")
    b.until("return document.querySelector('#aligned .bead, #aligned .error')", 120)


@test
def playground_is_small_and_aligns_its_example(b, c):
    check(os.path.getsize(c.playground[7:]) <= 3e6, os.path.getsize(c.playground[7:]))
    for width, height, is_mobile in WIDTHS:
        b.size(width, height, 1, is_mobile)
        b.open(c.playground)
        b.click("#align-example")
        b.click("#align-go")
        b.until("return document.querySelector('#aligned .bead')")
        rows = b.execute_script("return document.querySelector('#aligned .beads').textContent")
        check("The second was a bill." in rows and "Der zweite war eine Rechnung." in rows, rows)
        check("English" in b.text("#aligned .figures") and "German" in b.text("#aligned .figures"), b.text("#aligned .figures"))
        check(b.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0, f"wider than {width}")
    check(not b.errors(), "the console complains")


def book_paths(c, n_copies):
    """Two texts of the sample's translations, one behind the other."""
    paths = [c.path(f"novel-{n_copies}.txt"), c.path(f"roman-{n_copies}.txt")]
    gold = [line.split() for line in open(os.path.join(SAMPLE, "gold.de-en.tsv"), encoding="utf-8")]
    for path, docs, column in zip(paths, (c.english, c.german), (1, 0)):
        texts = {d["id"]: d["text"] for d in docs}
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n\n".join(texts[pair[column]] for pair in gold * n_copies))
    return paths


@test
def playground_works_in_a_thread_of_its_own(b, c):
    """The page draws while it aligns, says how far it is, and can stop."""
    b.open(c.playground)
    for side, path in enumerate(book_paths(c, 12)):
        b.all(f"#align-file-{side}")[0].send_keys(path)
        b.until("return document.querySelectorAll('.chosen strong').length === arguments[0]", 20, side + 1)
    b.execute_script("""window.frames_drawn = 0; window.longest = 0; let last = performance.now();
        const tick = (now) => { window.frames_drawn++; if (!document.querySelector('#aligned .bead')) window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(tick); };
        requestAnimationFrame(tick); window.stages = new Set();
        new MutationObserver(() => { const e = document.querySelector('.work .soft'); if (e && e.textContent) window.stages.add(e.textContent); })
            .observe(document.getElementById('aligned'), {subtree: true, childList: true, characterData: true});""")
    b.click("#align-go")
    b.until("return document.querySelector('#aligned progress')")
    tops = b.execute_script("""const at = (s) => document.querySelector('#aligned .work ' + s), stage = at('.soft'), said = stage.textContent;
        const tops = ['', 'stage'].map((text) => { stage.textContent = text; return at('button').getBoundingClientRect().top; });
        stage.textContent = said; return tops;""")
    check(tops[0] == tops[1], f"the button moves under the pointer: {tops}")
    b.click("#aligned .work button")
    check(b.text("#aligned") == "", "it goes on")
    b.click("#align-go")
    b.until("return document.querySelector('#aligned .bead')", 120)
    drawn, longest, stages = b.execute_script("return [window.frames_drawn, window.longest, [...window.stages]]")
    check(drawn > 10 and longest < 1000 and stages, (drawn, longest, stages))


@test
def playground_saves_what_the_command_writes(b, c):
    paths = book_paths(c, 1)
    b.open(c.playground)
    align_files(b, *paths)
    langs = re.findall("English|German", b.text("#aligned .figures"))
    check(langs == ["English", "German"], langs)
    for ending, to in (("tmx", "tmx"), ("tsv", "tsv"), ("epub", "epub"), ("xlf", "xliff"), ("jsonl", "jsonl")):
        b.click(f"[data-format={ending}]")
        name, content = saved(b)
        check(name == f"novel-1-roman-1.{ending}", name)
        run("align", *map(os.path.basename, paths), "--langs", "en,de", "--to", to, "-o", c.path("out"), "--quiet", cwd=c.folder)
        check(len(content) > 5000 and content == open(c.path("out"), "rb").read(), f"{ending} differs from the command's")


@test
def playground_reads_books_and_documents(b, c):
    texts = [next(d for d in docs if d["id"] == name)["text"] for docs, name in ((c.english, "en-0050"), (c.german, "de-0001"))]
    book, word = c.path("left.epub"), c.path("right.docx")
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("mimetype", "application/epub+zip")
        z.writestr("META-INF/container.xml", '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a/c.opf"/></rootfiles></container>')
        z.writestr("a/c.opf", '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Book &amp; more</dc:title><dc:language>en</dc:language></metadata><manifest><item id="x" href="x.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="x"/></spine></package>')
        z.writestr("a/x.xhtml", f"<html><body><p>{texts[0]}</p></body></html>")
    with zipfile.ZipFile(word, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("[Content_Types].xml", '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>')
        z.writestr("_rels/.rels", '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>')
        z.writestr("word/document.xml", f'<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{texts[1]}</w:t></w:r></w:p></w:body></w:document>')
    b.open(c.playground)
    align_files(b, book, word)
    rows = b.execute_script("return document.querySelector('#aligned').textContent")
    check("German" in rows and texts[1][:20] in rows and texts[0][:20] in rows, rows[:500])


@test
def dropped_documents_and_books_give_their_text(b, c):
    for name in ("left.epub", "right.docx"):
        b.open(c.index.url)
        b.all("#ask-file")[0].send_keys(c.path(name))
        b.until("return document.getElementById('ask-text').value.length > 100")
        text = b.execute_script("return document.getElementById('ask-text').value")
        check(("Vulkane brechen" if "right" in name else "Volcanoes") in text and "<" not in text, text[:200])
    document = c.path("letter.odt")
    with zipfile.ZipFile(document, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("content.xml", '<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><o:body><o:text><t:h>A heading</t:h><t:p>A <t:span>paragraph</t:span>.</t:p></o:text></o:body></o:document-content>')
    b.open(c.index.url)
    b.all("#ask-file")[0].send_keys(document)
    b.until("return document.getElementById('ask-text').value === 'A heading\\n\\nA paragraph.'")


@test
def pdf_is_read_by_the_server(b, c):
    b.open(c.index.url)
    b.all("#ask-file")[0].send_keys(os.path.realpath(os.path.join(SAMPLE, "..", "formats", "report.pdf")))
    b.until("return document.getElementById('ask-text').value.includes('stands as high as the river below')")
    bad = c.path("bad.pdf")
    open(bad, "wb").write(b"%PDF-1.4 and nothing else")
    b.all("#ask-file")[0].send_keys(bad)
    b.until("return document.body.innerText.includes('pdftotext cannot read it')")
    b.errors() # of the answer 422


@test
def page_of_reused_passages_is_readable_on_a_phone_and_on_paper(b, c):
    essay = c.path("essay.txt")
    with open(essay, "w", encoding="utf-8") as out:
        out.write("My Own Heading\n\nWords of my own come first, and nobody wrote them before me.\n\nAnother Heading\n\n" +
                  "\n\n".join(c.english[i]["text"] for i in (3, 5)))
    run("reuse", essay, os.path.join(SAMPLE, "en.jsonl"), "--to", "html", "-o", c.path("essay.html"), "--quiet")
    for width, height, is_mobile in WIDTHS:
        b.size(width, height, 1, is_mobile)
        b.get("file://" + c.path("essay.html"))
        check(b.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0, f"wider than {width}")
        small = b.execute_script("""return [...document.querySelectorAll('p, td, th, dd, dt, .text, .place')].filter((e) => e.textContent.trim() &&
            parseFloat(getComputedStyle(e).fontSize) < 12).map((e) => e.textContent.slice(0, 40))""")
        check(not small, f"too small at {width}: {small}")
    text = b.text()
    check("verbatim" in text and "edited" not in b.text(".beads") and re.search("paragraph [0-9]+, sentences? [0-9]+", text), text[:800])
    check(not re.search(r"\b[0-9]+-[0-9]+\b", b.text(".beads")), "places are byte numbers")
    b.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    b.size(700, 1000, 1, False)
    check(b.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0, "wider than paper")
    pdf = base64.b64decode(b.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    printed = subprocess.run(["pdftotext", "-q", "-", "-"], input=pdf, stdout=subprocess.PIPE).stdout.decode()
    check("Reused passages" in printed and "nobody wrote them" in printed and c.english[3]["title"][:20] in printed, printed[:500])
    b.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    check(not b.errors(), "the console complains")


@test
def playground_opens_a_pocket(b, c):
    """With compressed texts, which the page unpacks."""
    path = c.path("library.jsonl")
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(d) + "\n" for d in c.english)
    run("index", "build", path, "--texts", "-o", c.path("texts.pocket"), "--quiet")
    b.open(c.playground + "#/pocket")
    b.all("#pocket-file")[0].send_keys(c.path("texts.pocket"))
    b.wait_hash("^#/$")
    check("texts.pocket" in b.text(".lead"), b.text("main")[:300])
    b.execute_script("""const area = document.getElementById('ask-text'); area.value = arguments[0];
                        area.dispatchEvent(new Event('input', {bubbles: true}));""", c.english[3]["text"])
    b.click("button[type=submit]")
    b.wait_hash("^#/text/")
    check("verbatim" in b.text(".reused"), b.text("main")[:500])


@test
def playground_says_what_is_wrong_with_a_file(b, c):
    bad, good = c.path("bad.epub"), c.path("good.txt")
    open(bad, "wb").write(b"PK\x03\x04 this is no book")
    open(good, "w").write("A sentence. Another one.")
    b.open(c.playground)
    align_files(b, bad, good)
    check("bad.epub" in b.text("#aligned .notice"), b.text("#aligned"))


@test
def playground_removes_duplicates(b, c):
    path = c.path("crawl.jsonl")
    docs = c.english[:20]
    with open(path, "w", encoding="utf-8") as out:
        for d in docs + [dict(docs[0], id="copy"), dict(docs[1], id="near", text=docs[1]["text"] + " And a few words more.")]:
            out.write(json.dumps(d) + "\n")
    b.open(c.playground + "#/dedup")
    b.all("#dedup-file")[0].send_keys(path)
    b.until("return document.querySelector('#deduped .figures, #deduped .error')")
    facts = b.execute_script("return document.querySelector('#deduped').textContent")
    check("22" in facts and "20" in facts and "copy" in facts and "near" in facts, facts)
    b.click("#save-kept")
    name, content = saved(b)
    run("dedup", path, "-o", c.path("deduped"), "--quiet")
    check(name == "crawl-kept.jsonl" and content == open(c.path("deduped/kept.jsonl"), "rb").read(), name)


@test
def playground_makes_an_index_and_finds_passages(b, c):
    path = c.path("library.jsonl")
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(d) + "\n" for d in c.english)
    b.open(c.playground + "#/pocket")
    b.all("#pocket-file")[0].send_keys(path)
    b.wait_hash("^#/$")
    text = "Words of my own come first, and nobody wrote them before me. " + c.english[3]["text"]
    b.execute_script("""const area = document.getElementById('ask-text'); area.value = arguments[0];
                        area.dispatchEvent(new Event('input', {bubbles: true}));""", text)
    b.click("button[type=submit]")
    b.wait_hash("^#/text/")
    check(b.text(".reused a") == c.english[3]["title"] and "verbatim" in b.text(".reused"), b.text("main")[:500])


@test
def page_without_a_server_finds_passages(b, c):
    english = next(d for d in c.english if d["id"] == "en-0003")
    ask(b, c, "Words of my own come first, and nobody wrote them before me. " + english["text"], c.page)
    b.until("return document.querySelector('.reused li') !== null")
    check(b.text(".reused a") == english["title"] and "verbatim" in b.text(".reused"), b.text(".reused"))


# ---- the site -----------------------------------------------------------------------------

WIDTHS = ((360, 740, True), (820, 1100, False), (1400, 900, False))


class Links(html.parser.HTMLParser):
    """What a page refers to, and the names within it."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and not value.startswith("data:"):
                self.targets.append(value)
            if name == "id":
                self.names.add(value)


@test
def links_of_the_site_lead_somewhere(b, c):
    pages = {}
    for folder, _, names in os.walk(c.website):
        for name in names:
            if name.endswith(".html") and name not in ("playground.html", "search.html"):
                path = os.path.join(folder, name)
                pages[path] = Links(open(path, encoding="utf-8").read())
    check(len(pages) > 40, len(pages))
    n_links = 0
    for path, page in pages.items():
        for target in page.targets:
            if re.match("[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            check(os.path.isfile(to), f"{path}: '{target}' leads nowhere")
            check(not anchor or to not in pages or anchor in pages[to].names, f"{path}: there is no '{target}'")
            n_links += 1
    check(n_links > 1000, n_links)


@test
def pages_of_the_site_fit_three_widths(b, c):
    b.errors()
    for width, height, is_mobile in WIDTHS:
        b.size(width, height, 1, is_mobile)
        for name in ("index", "docs/README", "docs/guides/mine", "docs/measurements/speed", "docs/reference/params"):
            b.get(f"file://{c.website}/{name}.html")
            check(b.text("h1"), name)
            check(b.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0, f"{name} is wider than {width}")
            check(b.execute_script("return [...document.images].every((image) => image.complete && image.naturalWidth > 0)"), f"{name}: a picture is missing")
            check(not re.search(r"\*\*|\]\(|^\|", b.text(".prose"), re.M), f"{name} shows Markdown")
    check(not b.errors(), "the console complains")


@test
def site_is_searched_by_its_own_page(b, c):
    for width, height, is_mobile in WIDTHS:
        b.size(width, height, 1, is_mobile)
        b.open(f"file://{c.website}/search.html")
        b.execute_script("""const area = document.getElementById('ask-text'); area.value = arguments[0];
                            area.dispatchEvent(new Event('input', {bubbles: true}));""",
                         "remove copies and near-duplicates of documents from a training set, and the test items in it")
        b.click("button[type=submit]")
        b.wait_hash("^#/text/")
        b.until("return document.querySelector('main ol li')")
        places = b.execute_script("return [...document.querySelectorAll('main ol li .meta a')].map((a) => a.href)")
        check(f"file://{c.website}/docs/guides/dedup.html" in places[:3], places)
        check(b.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0, f"wider than {width}")
    check(not b.errors(), "the console complains")


@test
def playground_is_reached_from_the_site(b, c):
    b.get(f"file://{c.website}/index.html")
    b.execute_script("[...document.querySelectorAll('.top a')].find((a) => a.textContent === 'Playground').click()")
    b.until("return document.getElementById('align-go')")
    check(os.path.getsize(f"{c.website}/playground.html") <= 3e6, "the page is too large")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@test
def site_works_from_any_server_of_files(b, c):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=c.website))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    try:
        b.open(url + "search.html")
        b.execute_script("""const area = document.getElementById('ask-text'); area.value = arguments[0];
                            area.dispatchEvent(new Event('input', {bubbles: true}));""",
                         "align the sentences of two novels, and write a bilingual book")
        b.click("button[type=submit]")
        b.until("return document.querySelector('main ol li')")
        places = b.execute_script("return [...document.querySelectorAll('main ol li .meta a')].map((a) => a.href)")
        check(url + "docs/guides/align.html" in places[:3], places)
        b.get(url + "docs/guides/align.html")
        b.execute_script("[...document.querySelectorAll('.top a')].find((a) => a.textContent === 'Playground').click()")
        b.until("return document.getElementById('align-go')")
        b.click("#align-example")
        b.click("#align-go")
        b.until("return document.querySelector('#aligned .bead')")
        errors = [e for e in b.errors() if "favicon.ico" not in str(e)]  # browsers ask servers for one
        check(not errors, errors)
    finally:
        server.shutdown()


# ---- all of them --------------------------------------------------------------------------

def main(arguments):
    names = [a for a in arguments if not a.startswith("-")]
    folder = tempfile.mkdtemp(prefix="doppel-browser-")
    passed = failed = 0
    browser = collections = None
    try:
        collections = Collections(folder)
        browser = Browser(folder)
        browser.set_script_timeout(30)
        for function in TESTS:
            if names and not any(name in function.__name__ for name in names):
                continue
            begin = time.time()
            try:
                browser.desktop()
                function(browser, collections)
                passed += 1
                print(f"ok   {function.__name__} {time.time() - begin:.1f} s", flush=True)
            except Exception:  # whatever it is, the other tests run
                failed += 1
                print(f"FAILED {function.__name__}\n{traceback.format_exc()}", flush=True)
    finally:
        if browser:
            browser.quit()
        if collections:
            collections.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
