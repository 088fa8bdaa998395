"""Keyword arguments of calls: which stage of the library each belongs to."""

from doppel import _core

__all__ = ["names", "options", "split"]

_KINDS = ("flag", "count", "size", "integer", "number", "choice", "text", "file", "file", "folder",
          "group", "other")
_cache = {}


def names(stage, depth=2):
    """Names of a stage's options, those of its groups included."""
    found = _cache.get((stage, depth))
    if found is None:
        found = set()
        for name, kind, _, _, _, group, _, _ in _core.options(stage):
            name = name.replace("-", "_")
            if group is not None:
                found.add(name)
                if depth:
                    found |= names(group, depth - 1)
            elif _KINDS[kind] != "other":
                found.add(name)
                if name.startswith("no_"):
                    found.add(name[3:])
        _cache[stage, depth] = found
    return found


def _holds(condition, table, given):
    """One of "method=brute,window", "lexicon", "!no-filter", of what is given and the defaults."""
    name, _, values = condition.lstrip("!").partition("=")
    if name not in table or name == "lexicon":  # lexicons are arguments of their own
        return True
    value = given.get(name.replace("-", "_"))
    if value is None and name.startswith("no-") and name[3:].replace("-", "_") in given:
        value = not given[name[3:].replace("-", "_")]
    if values:
        value = table[name] if value is None else value
        held = str(value) in values.split(",")
    else:
        held = bool(value)
    return held != condition.startswith("!")


def check(call, given, stage, depth=2):
    """Refuses options that have no effect with the others that are given."""
    options = _core.options(stage)
    table = {o[0]: o[4] if o[4] is not None else o[7] for o in options if o[5] is None}
    for name, _, _, _, _, group, only_with, _ in options:
        if group is not None and depth:
            check(call, given, group, depth - 1)
        if not only_with or given.get(name.replace("-", "_")) is None:
            continue
        for alternatives in only_with.replace(" |", "|").replace("| ", "|").split():
            if not any(_holds(c, table, given) for c in alternatives.split("|")):
                from doppel._errors import UsageError

                what = alternatives.replace("|", " or ")
                raise UsageError(f"{call}(): '{name.replace('-', '_')}' applies only with {what}"
                                 .replace("with !", "without "))


def split(call, given, *stages):
    """A dict of options for each of the stages; a name goes to the first stage that has it."""
    parts = [{} for _ in stages]
    for name, value in given.items():
        name = name.rstrip("_")  # continue_ and other words of Python
        for part, stage in zip(parts, stages):
            if name in names(stage):
                part[name] = value
                break
        else:
            import difflib

            known = set().union(*(names(stage) for stage in stages))
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise TypeError(f"{call}() got an unexpected keyword argument '{name}'{hint}")
    for part, stage in zip(parts, stages):
        if part:
            check(call, part, stage)
    return parts


def options(stage):
    """What options a stage has: name, type, meaning, default.

    Stages are "mine", "pairs", "sentences", "dedup", "reuse", "train", "import", "reader",
    "tokens", "vectors" and others; calls take the options of their stages as keyword arguments.

    >>> import doppel
    >>> [o["default"] for o in doppel.options("mine") if o["name"] == "rounds"]
    ['20']
    """
    return [{"name": name.replace("-", "_"), "type": _KINDS[kind], "help": help_,
             "value": expects or None, "default": standard, "group": group}
            for name, kind, help_, expects, standard, group, _, _ in _core.options(stage)]
