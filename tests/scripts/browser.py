"""A headless Chromium, driven by its DevTools protocol: JSON over two pipes, so it takes no package of a driver."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import threading

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
           "--remote-debugging-pipe")  # fmt: skip


def program():
    """The path of a Chromium; None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """A page of the browser. seen are the events that it told, by their methods."""

    def __init__(self, commands, answers):
        self.commands, self.answers = commands, answers
        self.session, self.count, self.seen = None, 0, {}
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method, **parameters):
        """The answer to a command."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters} | (
            {"sessionId": self.session} if self.session else {}
        )
        self.commands.write(json.dumps(message).encode() + b"\0")
        while (answer := self.next_message()).get("id") != self.count:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def next_message(self):
        """The next answer or event; an event is kept."""
        text = bytearray()
        while (byte := self.answers.read(1)) != b"\0":
            if not byte:
                raise RuntimeError("the browser ended")
            text += byte
        message = json.loads(text)
        if "method" in message:
            self.seen.setdefault(message["method"], []).append(message["params"])
        return message

    def open(self, path):
        """Open a file, and wait until it is loaded."""
        self.seen.clear()
        self.ask("Page.navigate", url=path.as_uri())
        while "Page.loadEventFired" not in self.seen:
            self.next_message()

    def evaluate(self, script):
        """The value of an expression on the page; a promise is waited for."""
        answer = self.ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")


@contextlib.contextmanager
def opened():
    """A page of a browser with a profile of its own, which ends after a minute at most."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        started(profile) as (process, commands, answers),
    ):
        watch = threading.Timer(60, process.kill)
        watch.start()
        try:
            page = Page(commands, answers)
            yield page
            page.session = None
            page.ask("Browser.close")
            process.wait()
        finally:
            watch.cancel()
            process.kill()


@contextlib.contextmanager
def started(profile):
    """A browser, and the pipes to it and from it."""
    command = [program(), *OPTIONS, f"--user-data-dir={profile}"]
    (their_in, our_out), (our_in, their_out) = os.pipe(), os.pipe()
    # The browser reads from descriptor 3 and writes to 4.
    shell = ["sh", "-c", f'exec "$@" 3<&{their_in} 4>&{their_out}', "sh", *command]
    silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(shell, pass_fds=(their_in, their_out), **silent)
    for theirs in (their_in, their_out):
        os.close(theirs)
    with process, open(our_out, "wb", buffering=0) as commands, open(our_in, "rb") as answers:
        yield process, commands, answers
