"""A bar for terminals and notebooks."""

import sys
import time

__all__ = ["Bar"]


def _amount(n, unit):
    if unit == "bytes":
        for name in ("B", "KiB", "MiB", "GiB", "TiB"):
            if n < 1024 or name == "TiB":
                return f"{n:.0f} {name}" if name == "B" else f"{n:.1f} {name}"
            n /= 1024
    return f"{n:,} {unit}"


def _time(seconds):
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _notebook():
    """IPython's display function, in a notebook's kernel."""
    shell = sys.modules.get("IPython")
    if shell is None:
        return None
    ip = shell.get_ipython()
    if ip is None or not hasattr(ip, "kernel"):
        return None
    from IPython.display import display

    return display


class Bar:
    """What ``progress=True`` shows: one line that is written again."""

    def __init__(self, stream=None):
        self._stream = stream or sys.stderr
        self._display = _notebook() if stream is None else None
        self._shown = None
        self._is_terminal = self._stream.isatty() if hasattr(self._stream, "isatty") else False
        self._stage = None
        self._began = self._last = 0.0
        self._width = 0

    def text(self, stage, unit, done, total, now):
        """The line: stage, share, bar, amounts, time left."""
        elapsed = now - self._began
        if not total:
            return f"{stage}  {_amount(done, unit)}  {_time(elapsed)}"
        share = min(done / total, 1.0)
        full = int(share * 20)
        bar = "=" * full + ">" * (full < 20) + " " * (19 - full)
        left = f"  {_time(elapsed * (1 - share) / share)} left" if share and elapsed >= 1 else ""
        return f"{stage}  {share:4.0%}  [{bar}]  {_amount(done, unit)} of {_amount(total, unit)}{left}"

    def __call__(self, stage, unit, done, total):
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._began = stage, now
        elif now - self._last < 0.1:
            return
        self._last = now
        if self._display:
            self._show(stage, unit, done, total, now)
        elif self._is_terminal:
            line = self.text(stage, unit, done, total, now)
            self._stream.write("\r" + line.ljust(self._width))
            self._stream.flush()
            self._width = len(line)

    def _show(self, stage, unit, done, total, now):
        line = self.text(stage, unit, done, total, now).replace("<", "&lt;")
        value = f'value="{done}" max="{total}"' if total else ""
        head, _, tail = line.partition("  ")
        html = _Html(f'<div><progress {value} style="width:16em"></progress> <b>{head}</b> '
                     f'<span style="font-family:monospace">{tail.split("]  ")[-1]}</span></div>')
        if self._shown is None:
            self._shown = self._display(html, display_id=True)
        else:
            self._shown.update(html)

    def close(self):
        """Remove the line."""
        if self._display:
            if self._shown is not None:
                self._shown.update(_Html(""))
        elif self._is_terminal and self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()


class _Html:
    def __init__(self, html):
        self._html = html

    def _repr_html_(self):
        return self._html

    def __repr__(self):
        return ""
