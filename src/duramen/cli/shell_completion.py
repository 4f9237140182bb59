"""Completion scripts for bash, zsh and fish, written from the parsers of the verbs.

A script completes verbs, options and the choices of options; all other words are completed as file names.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from duramen.cli.config import find_subparsers

_INSTALL = {
    "bash": 'eval "$(duramen --completion bash)"                          # in ~/.bashrc',
    "zsh": 'eval "$(duramen --completion zsh)"                           # in ~/.zshrc, after compinit',
    "fish": "duramen --completion fish > ~/.config/fish/completions/duramen.fish",
}


@dataclass(frozen=True)
class _Command:
    """A verb, or a part of one: `train auto`."""

    words: tuple[str, ...]
    help: str
    options: tuple[argparse.Action, ...]


def write_completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the completion script of the whole command."""
    commands = list(_find_commands(parser, (), ""))
    return f"# To install: {_INSTALL[shell]}\n{_WRITERS[shell](commands)}"


def _find_commands(parser: argparse.ArgumentParser, words: tuple[str, ...], help: str) -> Iterator[_Command]:
    options = tuple(action for action in parser._actions if action.option_strings)
    yield _Command(words, help, options)
    if (parts := find_subparsers(parser)) is not None:
        texts = {action.dest: action.help or "" for action in parts._choices_actions}
        for name, inner in parts.choices.items():
            yield from _find_commands(inner, (*words, name), texts.get(name, ""))


def _write_bash(commands: list[_Command]) -> str:
    names = "".join(
        f"    {_quote(_name(command))}) words={_quote(' '.join(_list_words(command, commands)))}"
        f"{' inner=1' if _list_inner(command, commands) else ''} ;;\n"
        for command in commands
    )
    values = "".join(
        f"    {' | '.join(_quote(_name(command) + ' ' + option) for option in action.option_strings)})"
        f" words={_quote(' '.join(_list_choices(action)))} choice=1 ;;\n"
        for command in commands
        for action in command.options
        if _list_choices(action)
    )
    return f"""\
_duramen() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local verb="" words="" choice="" inner="" word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "${{verb:+$verb }}$word" in
      {_alternatives(commands)}) verb="${{verb:+$verb }}$word" ;;
      *) break ;;
    esac
  done
  case "$verb" in
{names}  esac
  case "$verb $previous" in
{values}  esac
  if [[ -n $choice || $current == -* || -n $inner ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}}
complete -o default -F _duramen duramen
"""


def _write_zsh(commands: list[_Command]) -> str:
    cases = ""
    for command in commands:
        specs = "".join(f" \\\n      {_quote(spec)}" for action in command.options for spec in _zsh_specs(action))
        inner = _list_inner(command, commands)
        rest = f"'1:verb:({' '.join(inner)})'" if inner else "'*:file:_files'"
        cases += f"    {_quote(_name(command))}) _arguments -s{specs} \\\n      {rest} ;;\n"
    return f"""\
#compdef duramen
_duramen() {{
  local key="" word
  for word in "${{words[@]:1:$((CURRENT - 2))}}"; do
    case "${{key:+$key }}$word" in
      {_alternatives(commands)}) key="${{key:+$key }}$word"
        shift words; (( CURRENT-- )) ;;
      *) break ;;
    esac
  done
  case "$key" in
{cases}  esac
}}
compdef _duramen duramen
"""


def _zsh_specs(action: argparse.Action) -> Iterator[str]:
    text = _shorten(action.help).replace("[", "(").replace("]", ")").replace(":", ";")
    choices = _list_choices(action)
    value = "" if _is_flag(action) else f":{action.dest}:({' '.join(choices)})" if choices else f":{action.dest}:_files"
    for name in action.option_strings:
        yield f"{name}[{text}]{value}"


def _write_fish(commands: list[_Command]) -> str:
    lines = []
    for command in commands:
        condition = _fish_condition(command, commands)
        for name, text in _list_inner(command, commands).items():
            lines.append(f"complete -c duramen -f -n {condition} -a {name} -d {_quote(_shorten(text))}")
        for action in command.options:
            names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in action.option_strings)
            choices = _list_choices(action)
            value = "" if _is_flag(action) else f" -x -a {_quote(' '.join(choices))}" if choices else " -r -F"
            text = _quote(_shorten(action.help))
            lines.append(f"complete -c duramen -n {condition} {names}{value} -d {text}")
    return "\n".join(lines) + "\n"


def _fish_condition(command: _Command, commands: list[_Command]) -> str:
    if not command.words:
        return "__fish_use_subcommand"
    tests = [f"__fish_seen_subcommand_from {word}" for word in command.words]
    if inner := _list_inner(command, commands):
        tests.append(f"not __fish_seen_subcommand_from {' '.join(inner)}")
    return _quote("; and ".join(tests))


def _name(command: _Command) -> str:
    return " ".join(command.words)


def _alternatives(commands: list[_Command]) -> str:
    return " | ".join(_quote(_name(command)) for command in commands if command.words)


def _list_words(command: _Command, commands: list[_Command]) -> list[str]:
    names = [name for action in command.options for name in action.option_strings]
    return [*_list_inner(command, commands), *names]


def _list_inner(command: _Command, commands: list[_Command]) -> Mapping[str, str]:
    """Return the verbs directly below a command, with their help."""
    return {other.words[-1]: other.help for other in commands if other.words and other.words[:-1] == command.words}


def _list_choices(action: argparse.Action) -> list[str]:
    return [str(choice) for choice in action.choices or ()]


def _is_flag(action: argparse.Action) -> bool:
    return action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction)


def _shorten(help: str | None) -> str:
    text = " ".join((help or "").split())
    return text if len(text) <= 80 else f"{text[:79]}…"


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_WRITERS: Mapping[str, Callable[[list[_Command]], str]] = {"bash": _write_bash, "zsh": _write_zsh, "fish": _write_fish}
