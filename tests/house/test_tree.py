"""`tests/` holds the tree of the four packages once more: a module's tests stand under its name,
and a test file there is named for a module."""

from __future__ import annotations

from pathlib import Path

from tests.house.places import PACKAGES, ROOT, sources

COVERED: dict[str, tuple[str, str]] = {
    # engine
    "engine/test_clock.py": ("engine: timing", "what clocks make due"),
    "engine/test_stream.py": ("engine: draft opening", "how a stream begins and goes on"),
    "engine/table/test_decide.py": ("engine/table: state words", "each command, what it decides"),
    "engine/ra/words/test_notation.py": (
        "engine/ra/words: choices commands happenings pieces prompts refusals views",
        "words without a rule; each is written as a line and read back",
    ),
    "engine/raja/words/test_notation.py": (
        "engine/raja/words: choices commands happenings pieces prompts refusals views",
        "words without a rule; each is written as a line and read back",
    ),
    "rules": ("engine/ra: events evolve game state", "the rules, played section by section"),
    "rules/raja": (
        "engine/raja: decide events evolve game legal refuse scoring state",
        "the rules, played section by section",
    ),
    # protocol
    "protocol/test_codec.py": ("protocol: generate tree", "what the codec is made of"),
    "protocol/test_project.py": ("protocol: table views wire", "what an audience is shown"),
    "protocol/test_schema.py": (
        "protocol: client_messages messages server_messages shapes",
        "declarations, held against the page and the schema one by one",
    ),
    # server
    "server/accounts/test_names.py": ("server/accounts: name_rules", "the rule that it states"),
    "server/backup/test_copying.py": ("server/backup: restoring", "a copy is put back"),
    "server/bots/test_pool.py": (
        "server/bots: answering executor questions worker_main",
        "both ends of the pipe to a process",
    ),
    "server/bots/test_queue.py": ("server/bots: client driver", "who asks, and for which seat"),
    "server/net/test_connection.py": (
        "server/net: connected_client server_parts",
        "values that a connection carries",
    ),
    "server/net/test_table_handlers.py": ("server/net: table_lookup", "their first step"),
    "server/store/test_directory_queries.py": (
        "server/store: retired_tables",
        "what the directory loses",
    ),
    "server/store/test_port.py": ("server/store: memory", "run on both stores"),
    "server/store/test_sqlite.py": (
        "server/store: batch_writer directory_rows private_files schema sqlite_errors writer",
        "the parts of the one store on disk",
    ),
    "server/tables/test_residents.py": ("server/tables: context sleepers", "tables not in memory"),
    "server/test_app.py": ("server: games upkeep", "what the app wires"),
    "server/test_config.py": ("server: refusals settings values usage", "what can be set and said"),
    # client
    "client/dial/test_trouble.py": ("client/dial: guard", "trouble within a connection"),
    "client/plain/test_run.py": ("client/plain: input", "typed lines of a real process"),
    "client/ra/test_board.py": (
        "client/ra: bag offer players screen sight style table tiles",
        "drawn together, at every size",
    ),
    "client/ra/test_menu.py": ("client/ra: game check", "the choices offered"),
    "client/raja/test_board.py": (
        "client/raja: map_picture players",
        "drawn together, at every size",
    ),
    "client/raja/test_menu.py": ("client/raja: house_order", "which action a house is built by"),
    "client/raja/test_score.py": ("client/raja: cities", "what a city counts"),
    "client/raja/test_screen.py": ("client/raja: help sight style words", "what the screen says"),
    "client/screen/test_keymap.py": ("client/ra: help", "the game's part of the help page"),
    "client/screen/test_press.py": (
        "client/screen: keys_at_table keys_before_match keys_everywhere keys_on_pages",
        "declarations: each key is pressed where it works",
    ),
    "client/replay/test_command.py": (
        "client/replay: arguments log progress recording retell",
        "one command, run from its arguments to its lines",
    ),
    "client/replay/test_screen.py": ("client/replay: keymap state", "keys and what is drawn"),
    "client/screen/test_state.py": (
        "client/screen: app game_api header input_line interface palette run text_screen",
        "one person at the whole screen",
    ),
    "client/screen/test_answer.py": ("client/screen: choices_bar", "what may be picked"),
    "client/screen/test_key_hints.py": (
        "client/screen: bindings status_bar",
        "the hints' two lines",
    ),
    "client/screen/test_catch_up.py": ("client/screen: notices", "what goes by itself"),
    "reconnecting/test_restored.py": (
        "client/screen: announcements",
        "what a server brings to be read",
    ),
    "terminal/test_suspending.py": ("client/screen: suspending", "needs a real terminal"),
    "client/screen/test_absence.py": ("client/state: absence", "shown there"),
    "client/state/test_model.py": ("client/state: events", "words without a rule"),
    # the programs, as real processes
    "command_line": ("client: arguments command", "all that can be typed"),
    "command_line/test_doors.py": (
        "client/cli: parser stderr",
        "real processes and their streams",
    ),
    "everywhere": ("server: descriptors stdio", "real processes under every condition"),
    "house/test_demo.py": ("client/demo: command spectator", "the demo, played"),
    "process/test_joining.py": ("client/join: codes", "invitations as they are typed"),
    "process/test_no_home.py": ("client/cli: folders", "users without a home"),
    "everywhere/test_places.py": ("server: folders", "places that a server can have"),
}
"""Modules without a test file of their own: the test file or folder, below `tests/`, that has
their tests (`folder: module module`), and why. Short, and to be kept so."""


def modules() -> set[Path]:
    """Every module that has something to test, relative to the project: `engine/clock.py`."""
    return {
        path.relative_to(ROOT)
        for path in sources(*PACKAGES)
        if path.stem not in ("__init__", "__main__")
    }


def own_tests(module: Path) -> Path:
    return ROOT / "tests" / module.parent / f"test_{module.stem}.py"


def has_own_tests(module: Path) -> bool:
    """Whether a module, or a package that holds it, has the test file of its name."""
    return any(own_tests(one).is_file() for one in (module, *module.parents[:-1]))


def covered() -> dict[Path, str]:
    """Each module of `COVERED`, and where its tests are."""
    found: dict[Path, str] = {}
    for where, (named, _) in COVERED.items():
        folder, _, names = named.partition(": ")
        for name in names.split():
            module = Path(folder, f"{name}.py")
            assert module not in found, f"{module} is listed twice"
            found[module] = where
    return found


def test_every_module_has_a_test_file_by_its_name_or_is_listed() -> None:
    listed = covered()
    lacking = sorted(m for m in modules() if not has_own_tests(m) and m not in listed)
    assert not lacking, "no test file by their names: " + ", ".join(map(str, lacking))


def test_what_is_listed_is_there_and_has_no_test_file_by_its_name() -> None:
    for module, where in covered().items():
        assert (ROOT / module).is_file(), f"{module} is listed and gone"
        assert (ROOT / "tests" / where).exists(), f"{where} covers {module} and is gone"
        assert not has_own_tests(module), f"{module} is listed and has its test file"


def test_every_test_file_is_named_for_a_module_or_package() -> None:
    """`test_table.py` for `table.py` or `table/`; beside it, `test_table_order.py` and the like
    for one aspect of it."""
    nameless = []
    for package in PACKAGES:
        for test in sorted((ROOT / "tests" / package).rglob("test_*.py")):
            folder = ROOT / test.parent.relative_to(ROOT / "tests")
            words = test.stem.removeprefix("test_").split("_")
            names = ["_".join(words[:count]) for count in range(1, len(words) + 1)]
            here = [n for n in names if (folder / f"{n}.py").is_file() or (folder / n).is_dir()]
            whole = here and (
                here[-1] == names[-1] or test.with_name(f"test_{here[-1]}.py").exists()
            )
            if not whole:
                nameless.append(str(test.relative_to(ROOT)))
    assert not nameless
