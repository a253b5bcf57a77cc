"""`manage.py engine`: the conversation with another program, line by line, and one with the real command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from select import select
from signal import SIG_DFL, SIGINT, signal
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engines.sowing import uci
from games.management.commands import engine as command
from games.management.session import Session, engine
from games.rules.position import BadPosition

BASE = Path(__file__).resolve().parents[2]
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"


class Talk:
    """A session whose lines are kept. It is told to stop when `stops` is true."""

    def __init__(self, name: str) -> None:
        self.lines: list[str] = []
        self.stops = False
        found = engine(name)
        assert found is not None
        self.session = Session(*found, tables=lambda: None, say=self.lines.append, is_stopped=lambda _alone: self.stops)

    def says(self, *lines: str) -> list[str]:
        """The answers to some lines."""
        self.lines.clear()
        for line in lines:
            self.session.answer(line)
        return list(self.lines)


@pytest.fixture
def talk() -> Talk:
    return Talk("oware")


def test_the_engine_tells_its_options(talk: Talk) -> None:
    said = talk.says("uci")
    assert said[-1] == "uciok"
    assert "option name Level type spin default 6 min 1 max 6" in said
    assert "option name grand_slam type combo default no_capture var no_capture var forbidden var takes_all" in said


def test_it_is_ready_when_everything_is_compiled(talk: Talk) -> None:
    assert talk.says("isready") == ["readyok"]


def test_it_makes_itself_ready_for_whoever_does_not_ask(talk: Talk) -> None:
    assert talk.says("uci")[-1] == "uciok"
    assert talk.session.memory is not None


def test_a_move_is_the_letter_of_a_pit_of_who_is_to_move(talk: Talk) -> None:
    assert talk.says("position startpos", "go depth 4")[-1].split()[1] in "ABCDEF"
    assert talk.says("position startpos moves A", "go depth 4")[-1].split()[1] in "abcdef"
    assert talk.says(f"position fen {START} moves A b C", "go depth 4")[-1].split()[1] in "abcdef"
    assert talk.says("position startpos moves AbC", "go depth 1")[0].startswith("info depth 1 score cp ")


def test_letters_of_an_extra_move_are_single_ones() -> None:
    """Pit 4 of the beginning of Mangala ends in the store: South moves again."""
    assert Talk("mangala").says("position startpos moves D", "go depth 4")[-1].split()[1] in "ABCEF"


def test_nobody_moves_when_the_game_is_over(talk: Talk) -> None:
    assert talk.says("position fen 0-0-0-0-0-2-0-0-0-0-0-1-25-20-S", "go depth 4") == ["bestmove 0000"]


def test_the_rule_for_the_grand_slam_is_an_option(talk: Talk) -> None:
    """F takes everything North has: forbidden, a capture of nothing, or the end."""
    slam = "position fen 5-5-0-0-0-1-1-0-0-0-0-0-18-18-S moves F"
    assert talk.says("setoption name grand_slam value forbidden", slam)[0].startswith("info string This move would capture all")
    assert talk.says("setoption name grand_slam value takes_all", slam, "go depth 2") == ["bestmove 0000"]
    assert talk.says("setoption name GRAND_SLAM value no_capture", slam, "go depth 2")[-1].startswith("bestmove a")


def test_a_win_is_told_as_a_mate_and_played(talk: Talk) -> None:
    said = talk.says("position fen 1-0-0-0-0-1-2-1-3-0-1-0-24-15-S", "go movetime 100")
    assert said[0].split()[3:6] == ["score", "mate", "1"]
    assert said[-1] == "bestmove F"


def test_a_loss_is_told_as_a_mate_against_who_is_to_move(talk: Talk) -> None:
    said = talk.says("position fen 1-0-0-0-0-0-0-0-0-0-0-2-22-23-S", "go depth 4")
    assert said[0].split()[3:6] == ["score", "mate", "-2"]


def test_a_lower_level_errs_and_answers_at_once(talk: Talk) -> None:
    talk.says("setoption name Level value 1")
    assert talk.says("position startpos", "go movetime 1000")[-1].split()[1] in "ABCDEF"


@pytest.mark.parametrize(
    "line",
    [
        "position",
        "position fen",
        "position fen 4-4",
        "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-X",
        "position fen 9-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "position fen ²-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
        "position startpos A",
        "position startpos moves AX",
        "position startpos moves AaAAAA",
        "position sideways",
        "setoption name Level value 7",
        "setoption name Level value ³",
        "setoption name Level value 0061",
        "setoption name Level value 001" + "9" * 5000,
        "setoption name colour value red",
        "setoption",
        "hello",
    ],
)
def test_what_cannot_be_understood_is_told_and_changes_nothing(talk: Talk, line: str) -> None:
    talk.says("position startpos moves A")
    [said] = talk.says(line)
    assert said.startswith("info string ")
    assert talk.says("go depth 1")[-1].split()[1] in "abcdef"


@pytest.mark.parametrize("line", ["go movetime", "go movetime -5", "go wtime 100", "go depth x"])
def test_who_asks_for_a_move_gets_one_whatever_else_is_wrong(talk: Talk, line: str) -> None:
    talk.stops = True
    said = talk.says(line)
    assert said[0].startswith("info string go knows")
    assert said[-1].startswith("bestmove ")


def test_a_limit_holds_beside_words_that_are_unknown(talk: Talk) -> None:
    began = time.monotonic()
    said = talk.says("position startpos", "go wtime 9000 movetime 40 ponder")
    assert time.monotonic() - began < 0.8
    assert said[0] == "info string go knows movetime MS, depth N and infinite, not 'wtime'"
    assert said[-1].startswith("bestmove ")


def test_thinking_without_an_end_is_stopped(talk: Talk) -> None:
    talk.stops = True
    assert talk.says("position startpos", "go infinite")[-1].startswith("bestmove ")


def test_an_empty_line_and_a_new_game_are_no_news(talk: Talk) -> None:
    assert talk.says("", "stop", "ucinewgame") == []
    assert talk.session.answer("quit") is False


def test_a_diagram_has_both_sides_in_the_direction_of_sowing() -> None:
    assert uci.board_of("1-2-3-4-5-6-0-1-0-0-0-7-9-10-N") == {
        "south_pits": [1, 2, 3, 4, 5, 6],
        "north_pits": [0, 1, 0, 0, 0, 7],
        "south_store": 9,
        "north_store": 10,
        "turn": "N",
    }
    with pytest.raises(BadPosition):
        uci.board_of("")
    assert (uci.ply_of("c"), uci.ply_of("F"), uci.ply_of("g"), uci.ply_of("")) == ("3", "6", None, None)


@pytest.mark.parametrize("name", ["bridgit", "chess"])
def test_other_games_have_no_such_engine(name: str) -> None:
    with pytest.raises(CommandError):
        call_command("engine", name)


def test_who_has_gone_is_not_thought_for_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A depth that is never reached ends some time after the lines did; one that is reached is thought to its end."""
    ears = command.Ears(StringIO(""))
    assert not ears.is_stopped(True)
    ears.run()
    assert ears.is_stopped(True)
    assert not ears.is_stopped(False)
    monkeypatch.setattr(command, "PATIENCE", -1)
    assert ears.is_stopped(False)


def test_another_program_plays_with_the_command(tmp_path: Path) -> None:
    """No database, no server: a fresh folder. `isready` is answered while it thinks, and `stop` ends it."""
    environment: dict[str, Any] = {
        **os.environ,
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": "",
        "PYTHONIOENCODING": "utf-8:strict",
    }
    with subprocess.Popen(
        [sys.executable, "manage.py", "engine", "oware"],
        cwd=BASE,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None

        def until(end: str) -> list[str]:
            assert program.stdout is not None
            lines: list[str] = []
            while not lines or not lines[-1].startswith(end):
                lines.append(program.stdout.readline().strip())
                assert lines[-1], lines
            return lines

        program.stdin.write("uci\nisready\n")
        assert until("readyok")[0] == "id name Perepiska oware"
        program.stdin.write("ucinewgame\nposition startpos moves Aa\ngo movetime 60\n")
        assert until("bestmove")[-1].split()[1] in "ABCDEF"
        program.stdin.write("go infinite\n")
        time.sleep(0.05)
        program.stdin.write("isready\n")
        assert until("readyok") == ["readyok"]
        program.stdin.flush()
        os.write(program.stdin.fileno(), b"\xff\xfe \xd8\n")
        program.stdin.write("stop\n")
        assert until("bestmove")[-1].split()[1] in "ABCDEF"
        program.stdin.write("quit\n")
        assert program.wait(20) == 0
    assert not (tmp_path / "perepiska.sqlite3").exists()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command, ready."""
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", "engine", "oware"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}

    def hears_interrupts() -> None:
        # Whoever runs the tests in the background of a shell ignores them, and so would its children.
        signal(SIGINT, SIG_DFL)

    with subprocess.Popen(command, cwd=BASE, env=environment, preexec_fn=hears_interrupts, **pipes) as started:  # noqa: PLW1509
        try:
            assert started.stdin is not None
            assert started.stdout is not None
            started.stdin.write(b"isready\n")
            assert started.stdout.readline() == b"readyok\n"
            yield started
        finally:
            started.kill()


def test_whoever_asks_in_one_breath_whether_it_lives_while_it_thinks_is_answered(program: Any) -> None:
    program.stdin.write(b"go infinite\nisready\n")
    assert select([program.stdout], [], [], 20)[0], "it waits for a stop that nobody sends before the answer"
    assert program.stdout.readline() == b"readyok\n"
    out, problems = program.communicate(b"stop\nquit\n", 20)
    assert out.splitlines()[-1].startswith(b"bestmove ")
    assert (program.returncode, problems) == (0, b"")


@pytest.mark.parametrize("said", [b"go movetime 50\n", b"isready\n", b"go infinite\nisready\n"])
def test_when_nobody_reads_any_more_it_ends_quietly(program: Any, said: bytes) -> None:
    program.stdout.close()
    with suppress(BrokenPipeError):
        program.stdin.write(said)
    assert program.wait(20) == 0
    assert program.stderr.read() == b""


def test_an_interrupt_ends_it_quietly(program: Any) -> None:
    program.stdin.write(b"go infinite\n")
    time.sleep(0.1)
    program.send_signal(SIGINT)
    program.wait(20)
    assert program.stderr.read() == b""
