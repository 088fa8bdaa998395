"""Contexts: threads, memory, device and progress of what is computed."""

import contextvars

from doppel import _core

__all__ = ["Context", "current"]

_active = contextvars.ContextVar("doppel", default=None)
_standard = None


class Context:
    """Threads, memory limit, device and progress that calls share.

    Used in a ``with`` statement it holds for the calls inside; a call also takes one as
    ``context=``. Results are the same for any number of threads, any memory limit and any device.

    >>> import doppel
    >>> with doppel.Context(threads=2, memory="1G") as context:
    ...     n = len(doppel.pairs([[1.0, 0.0], [1.0, 0.1]], threshold=0.5))
    >>> n, context.threads
    (1, 2)

    ``progress=True`` shows a bar in a terminal or notebook; a function is called with the stage,
    the unit, how much is done and how much there is (0: not known). ``temp`` is the folder for
    temporary files. ``cpu`` limits the instruction set, ``device`` is "auto", "cpu" or "cuda".
    """

    def __init__(self, threads=None, memory=None, seed=None, cpu=None, device=None, progress=None,
                 temp=None):
        if isinstance(memory, str):
            memory = _core.parse_size(memory)
        self._handle = _core.context(threads or 0, memory or 0, seed or 0, cpu, device)
        self.progress = progress
        self.temp = temp
        self._tokens = []

    def __enter__(self):
        self._tokens.append(_active.set(self))
        return self

    def __exit__(self, *_):
        _active.reset(self._tokens.pop())

    @property
    def threads(self):
        """Number of threads."""
        return _core.context_info(self._handle)[0]

    @property
    def memory(self):
        """Limit in bytes."""
        return _core.context_info(self._handle)[1]

    @property
    def peak(self):
        """Bytes that were in use at the worst moment so far."""
        return _core.context_info(self._handle)[2]

    @property
    def cpu(self):
        """Instruction set in use."""
        return _core.context_info(self._handle)[3]

    def cancel(self):
        """Stop everything that runs on the context, from any thread; it raises StoppedError. The
        context cannot be used afterwards."""
        _core.context_cancel(self._handle)

    def __repr__(self):
        threads, memory, _, cpu = _core.context_info(self._handle)
        return f"<doppel context, {threads} threads, {memory / 2**30:.1f} GiB, {cpu}>"


def current():
    """The context of the ``with`` statement around, or one with the defaults."""
    global _standard
    context = _active.get()
    if context is None:
        if _standard is None:
            _standard = Context()
        context = _standard
    return context


class Call:
    """Context and progress of one call."""

    def __init__(self, context=None, progress=None):
        self.context = context or current()
        self.handle = self.context._handle
        wanted = self.context.progress if progress is None else progress
        self._bar = None
        self.report = None
        if wanted is True:
            from doppel._progress import Bar

            self._bar = self.report = Bar()
        elif wanted:
            self.report = wanted

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._bar:
            self._bar.close()

    @property
    def temp(self):
        return self.context.temp


class TempFolder:
    """A temporary folder that is removed with what it belongs to. What a process left that was
    killed is removed by the next one."""

    def __init__(self, call):
        import tempfile
        import weakref

        handle, self.path = _core.temp_dir(call.temp or tempfile.gettempdir())
        self.close = weakref.finalize(self, _core.close, handle)
