"""The collections that the tests look at, what serves them, and the browser."""

import functools
import json
import os
import re
import socket
import subprocess
import time
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLE = os.path.join(HERE, "..", "..", "examples", "sample")
DOPPEL = os.environ.get("DOPPEL", os.path.join(HERE, "..", "..", "build", "doppel"))

HOSTILE_TITLE = ('<script>window.hacked=1</script><img src=x onerror="window.hacked=2"> '
                 '"quoted" \'single\' &amp; \u202egnp.exe')
HOSTILE_TEXT = ('Volcanoes rarely erupt without warning. </script><script>window.hacked=3</script> '
                '<b>bold</b> &lt;escaped&gt; "quotes" and \'more\'. When magma rises from the depths it has to '
                'make room for itself: rock cracks, and seismometers record swarms of tiny earthquakes.')
ARABIC = 'تثور البراكين نادرا دون سابق إنذار. عندما ترتفع الصهارة من الأعماق تتشقق الصخور. '


def documents(lang):
    with open(os.path.join(SAMPLE, f"{lang}.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def run(*command, cwd=None):
    done = subprocess.run([os.path.abspath(DOPPEL), *command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise RuntimeError(f"doppel {' '.join(command)}: {done.stderr.decode()}")
    return done.stdout.decode()


class Site:
    """A collection that `doppel serve` serves."""

    def __init__(self, path, log):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self.process = subprocess.Popen([DOPPEL, "serve", path, "--port", str(self.port), "--quiet"],
                                        stdout=log, stderr=log)
        for _ in range(200):
            try:
                urllib.request.urlopen(self.url + "healthz", timeout=2).read()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(.05)
        raise RuntimeError("doppel serve does not answer")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)


class Collections:
    """Everything the tests search in, in one folder; made when it is first asked for."""

    def __init__(self, folder):
        self.folder = folder
        self.log = open(os.path.join(folder, "serve.log"), "wb")
        self.english = documents("en")
        self.german = documents("de")
        self.sites = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def serve(self, path):
        site = Site(path, self.log)
        self.sites.append(site)
        return site

    @functools.cached_property
    def inputs(self):
        """The sample in three languages, and documents that are hostile, long, or in Arabic."""
        long_text = "\n".join(self.english[i % 100]["text"] for i in range(640))
        extra = [
            {"id": "hostile", "lang": "en", "title": HOSTILE_TITLE, "text": HOSTILE_TEXT},
            {"id": "arabic", "lang": "ar", "title": "البركان قبل ثورانه", "text": ARABIC * 20},
            {"id": "arabic-2", "lang": "ar", "title": "البركان", "text": ARABIC * 18},
            {"id": "long", "lang": "en", "title": "A text of a hundred thousand words", "text": long_text},
        ]
        with open(self.path("extra.jsonl"), "w", encoding="utf-8") as out:
            for document in extra:
                out.write(json.dumps(document) + "\n")
        return [os.path.join(SAMPLE, f"{lang}.jsonl") for lang in ("de", "en", "fr")] + [self.path("extra.jsonl")]

    @functools.cached_property
    def run(self):
        """The folder of a mine run."""
        run("mine", *(os.path.join(SAMPLE, f"{lang}.jsonl") for lang in ("de", "en")), "-o", self.path("run"), "--quiet")
        return self.path("run")

    @functools.cached_property
    def linked_run(self):
        """The folder of a run that knew links: each third is missing, two are wrong. A missing one has hostile titles, and
        one page begins in Arabic."""
        with open(os.path.join(SAMPLE, "gold.de-en.tsv"), encoding="utf-8") as lines:
            gold = [line.split()[:2] for line in lines]
        hostile, arabic = gold[2], gold[5]
        known = [pair for i, pair in enumerate(gold) if i % 3 != 2]
        known[0][1], known[1][1] = known[1][1], known[0][1]
        with open(self.path("links.tsv"), "w", encoding="utf-8") as out:
            out.writelines(f"{left}\t{right}\n" for left, right in known)
        for name, docs in (("de", self.german), ("en", self.english)):
            with open(self.path(f"linked-{name}.jsonl"), "w", encoding="utf-8") as out:
                for doc in docs:
                    doc = dict(doc)
                    if doc["id"] in hostile:
                        doc["title"] = HOSTILE_TITLE
                    if doc["id"] == arabic[0]:
                        doc["title"], doc["text"] = "البركان", ARABIC * 4 + "\n" + doc["text"]
                    out.write(json.dumps(doc) + "\n")
        run("mine", self.path("linked-de.jsonl"), self.path("linked-en.jsonl"), "--links", self.path("links.tsv"),
            "-o", self.path("linked"), "--quiet")
        return self.path("linked")

    @functools.cached_property
    def linked(self):
        return self.serve(self.linked_run)

    def build(self, *arguments):
        """An index of all documents that finds German ones with English text and the other way round."""
        lexicon = sorted(name for name in os.listdir(os.path.join(self.run, "work")) if name.startswith("lexicon-"))[-1]
        run("index", "build", *self.inputs, "--texts", "--stem", "--lexicon", os.path.join(self.run, "work", lexicon),
            "--quiet", *arguments)

    @functools.cached_property
    def pocket(self):
        self.build("-o", self.path("sample.pocket"))
        return self.path("sample.pocket")

    @functools.cached_property
    def page(self):
        self.build("--page", self.path("sample.html"))
        return "file://" + self.path("sample.html")

    @functools.cached_property
    def playground(self):
        made = self.path("playground.html")
        subprocess.run([os.path.join(HERE, "..", "..", "tools", "make-playground"), os.path.dirname(DOPPEL), made], check=True)
        return "file://" + made

    @functools.cached_property
    def website(self):
        """The folder that `make site` makes."""
        subprocess.run([os.path.join(HERE, "..", "..", "tools", "site"), os.path.dirname(DOPPEL), self.path("website")], check=True,
                       stdout=subprocess.DEVNULL)
        return self.path("website")

    @functools.cached_property
    def index(self):
        return self.serve(self.pocket)

    @functools.cached_property
    def mine(self):
        return self.serve(self.run)

    def close(self):
        for site in self.sites:
            site.stop()
        self.log.close()


class Browser(webdriver.Chrome):
    """Headless Chromium with the few things that tests say to it."""

    def __init__(self, folder):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--no-first-run", "--disable-extensions", "--disable-background-networking",
                         f"--user-data-dir={folder}/profile", "--window-size=1400,900"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options=options, service=Service("/usr/bin/chromedriver"))
        self.set_page_load_timeout(60)

    def desktop(self, scheme="light"):
        self.size(1400, 900, 1, False)
        self.scheme(scheme)

    def phone(self):
        self.size(360, 740, 2, True)

    def size(self, width, height, scale, is_mobile):
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                             {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_mobile})

    def scheme(self, name):
        self.execute_cdp_cmd("Emulation.setEmulatedMedia",
                             {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def open(self, url):
        """Opens an address as if it were typed, and waits until it is shown."""
        self.get("about:blank")
        self.get(url)
        self.settle()

    def settle(self, seconds=20):
        self.until("return document.body && document.body.dataset.ready", seconds)

    def until(self, script, seconds=20, *arguments):
        end = time.time() + seconds
        while True:
            value = self.execute_script(script, *arguments)
            if value:
                return value
            if time.time() > end:
                raise AssertionError(f"waited {seconds} s for: {script}\npage: {self.text()[:500]}")
            time.sleep(.03)

    def text(self, selector="body"):
        return self.execute_script(
            "const e = document.querySelector(arguments[0]); return e ? e.innerText : '';", selector)

    def all(self, selector):
        return self.execute_script("return [...document.querySelectorAll(arguments[0])];", selector)

    def click(self, selector):
        self.until("return document.querySelector(arguments[0])", 10, selector).click()

    def key(self, keys):
        """Types into whatever has the focus, also while the page draws that anew."""
        ActionChains(self).send_keys(keys).perform()

    def hash(self):
        return self.execute_script("return location.hash")

    def wait_hash(self, pattern, before=None):
        """Waits until the address is like a pattern, and no longer the one before."""
        end = time.time() + 10
        while not re.search(pattern, self.hash()) or self.hash() == before:
            if time.time() > end:
                raise AssertionError(f"address {self.hash()} is not like {pattern}, or still {before}")
            time.sleep(.03)
        self.settle()

    def errors(self):
        """What the console has complained about since the last call."""
        return [entry["message"] for entry in self.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
