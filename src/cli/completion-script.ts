/** The scripts of `completion`. They hold the whole command tree, so that Tab starts no process. */
import type { Argument, Command, Option } from 'commander';

export const completedShells = ['bash', 'zsh', 'fish'] as const;
export type CompletedShell = (typeof completedShells)[number];

/** Text that the shell evaluates, for example in its start file. */
export function toCompletionScript(program: Command, shell: CompletedShell): string {
  const escaped = { bash: String.raw`'\''`, zsh: String.raw`'\''`, fish: String.raw`\'` }[shell];
  const table = toTable(program, '').map((line) => line.replaceAll("'", escaped));
  return { bash, zsh, fish }[shell](`'${table.join('\n')}'`);
}

/**
 * Lines of `COMMAND |NAME|KIND|DESCRIPTION`; COMMAND ends with a blank, and is empty for the program itself. KIND: `command`, `flag`, or what
 * follows an option: `file`, `folder`, `=a b` for one of these words, `value`. An argument has no NAME.
 */
function toTable(command: Command, path: string): string[] {
  return [
    ...command.registeredArguments.map((argument) => `${path}||${kindOf(argument)}|`),
    ...command.options.flatMap(({ long, ...option }) => `${path}|${long}|${kindOf(option)}|${option.description}`),
    ...(path === '' ? [`|--help|flag|display help for command`] : []),
    ...command.commands.map((each) => `${path}|${each.name()}|command|${each.description()}`),
    ...command.commands.flatMap((each) => toTable(each, `${path}${each.name()} `)),
  ];
}

function kindOf(taken: Pick<Argument, 'argChoices'> & (Pick<Argument, 'name'> | Pick<Option, 'flags'>)): string {
  const placeholder = 'flags' in taken ? /[<[]([^<>[\]]+)/.exec(taken.flags)?.[1] : taken.name();
  if (placeholder === undefined) return 'flag';
  if (taken.argChoices !== undefined) return `=${taken.argChoices.join(' ')}`;
  if (/\b(?:dir|folder)\b/.test(placeholder)) return 'folder';
  return /\b(?:files?|certificate)\b/.test(placeholder) ? 'file' : 'value';
}

// bash makes three words of --option=value. Its older versions, as on macOS, have no compopt, which quotes the names of files.
const bash = (table: string) => `_prospect_sync_table=${table}
_prospect_sync() {
  local at name kind text word i command= taken= found= current=\${COMP_WORDS[COMP_CWORD]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then taken=\${taken:-value}; continue; fi
    if [[ -n $taken ]]; then taken=; continue; fi
    while IFS='|' read -r at name kind text; do
      [[ $name == "$word" ]] || continue
      if [[ $kind == command && $command == "$at" ]]; then command+="$word "; break; fi
      if [[ $word == -* && $kind != flag && $command == "$at"* ]]; then taken=$kind; fi
    done <<< "$_prospect_sync_table"
  done
  if [[ $current == = ]]; then current=; fi
  if [[ -n $taken ]]; then found=$taken; else
    while IFS='|' read -r at name kind text; do
      if [[ -z $name && $command == "$at" && $current != -* ]]; then found=$kind
      elif [[ $kind == command && $command == "$at" ]]; then taken+=" $name"
      elif [[ $name == -* && $current == -* && $command == "$at"* ]]; then taken+=" $name"; fi
    done <<< "$_prospect_sync_table"
  fi
  COMPREPLY=()
  case $found in
    file) compopt -o default 2> /dev/null || while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current") ;;
    folder) compopt -o dirnames 2> /dev/null || while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current") ;;
    =*) COMPREPLY=($(compgen -W "\${found#=}" -- "$current")) ;;
    '') COMPREPLY=($(compgen -W "$taken" -- "$current")) ;;
  esac
}
complete -F _prospect_sync prospect-sync`;

const zsh = (table: string) => `#compdef prospect-sync
_prospect_sync_table=${table}
_prospect_sync() {
  local at name kind text word command taken
  local -a found
  for word in "\${(@Q)words[2,CURRENT-1]}" \${\${(M)PREFIX:#--*=*}%%=*}; do
    if [[ -n $taken ]]; then taken=; continue; fi
    while IFS='|' read -r at name kind text; do
      [[ -n $word && $name == "$word" ]] || continue
      if [[ $kind == command && $command == "$at" ]]; then command+="$word "; break; fi
      if [[ $word == -* && $kind != flag && $command == "$at"* ]]; then taken=$kind; fi
    done <<< "$_prospect_sync_table"
  done
  compset -P '--*='
  if [[ -z $taken ]]; then
    while IFS='|' read -r at name kind text; do
      if [[ -z $name && $command == "$at" && $PREFIX != -* ]]; then taken=$kind
      elif [[ $kind == command && $command == "$at" || $name == -* && $PREFIX == -* && $command == "$at"* ]]; then found+=("$name:$text"); fi
    done <<< "$_prospect_sync_table"
  fi
  case $taken in
    file) _files ;;
    folder) _files -/ ;;
    '='*) compadd -- \${=taken#=} ;;
  esac
  (( $#found )) && _describe prospect-sync found
}
if [[ $funcstack[1] == _prospect_sync ]]; then _prospect_sync "$@"; else compdef _prospect_sync prospect-sync; fi`;

const fish = (table: string) => `set -g __prospect_sync_table (string split \\n ${table})
function __prospect_sync
  set -l current (commandline -ct)
  set -l option (string match -r '^--[^=]*(?==)' -- $current)
  set -l command ''
  set -l taken ''
  for word in (commandline -opc)[2..] $option
    if test -n "$taken"; set taken ''; continue; end
    for line in $__prospect_sync_table
      set -l field (string split -m 3 '|' -- $line)
      test "$field[2]" = "$word"; or continue
      if test $field[3] = command -a "$field[1]" = "$command"; set command "$command$word "; break; end
      if string match -q -- '-*' $word; and test $field[3] != flag; and string match -q -- "$field[1]*" "$command"; set taken $field[3]; end
    end
  end
  if test -z "$taken"
    for line in $__prospect_sync_table
      set -l field (string split -m 3 '|' -- $line)
      if test -z "$field[2]"; test "$field[1]" = "$command"; and set taken $field[3]
      else if test $field[3] = command; test "$field[1]" = "$command"; and printf '%s\\t%s\\n' $field[2] $field[4]
      else if string match -q -- '-*' $current; and string match -q -- "$field[1]*" "$command"; printf '%s\\t%s\\n' $field[2] $field[4]; end
    end
  end
  set -l typed (string replace -r '^--[^=]*=' '' -- $current)
  set -l prefix (string match -r '^--[^=]*=' -- $current)
  switch $taken
    case file; __fish_complete_path "$typed" | string replace -r -- '^' "$prefix"
    case folder; __fish_complete_directories "$typed" | string replace -r -- '^' "$prefix"
    case '=*'; string split ' ' -- (string sub -s 2 -- $taken) | string replace -r -- '^' "$prefix"
  end
end
complete -c prospect-sync -f -a '(__prospect_sync)'`;
