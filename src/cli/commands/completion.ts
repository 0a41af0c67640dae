// `dagsverk completion`: prints a shell completion script generated from the commands.
import { Argument, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Runtime } from '../../server/environment.ts'

export function addCompletionCommand(program: Command, runtime: Runtime): void {
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', examples)
    .action((shell) => runtime.print(scripts[shell]?.(wordsAfter(program)) ?? ''))
}

/** For each command prefix, the words that can follow. */
function wordsAfter(command: CommandUnknownOpts, typed = ''): [typed: string, words: string[]][] {
  const names = command.commands.map((one) => one.name())
  const flags = command.options.flatMap((option) => option.long ?? [])
  return [
    [typed, [...names, ...flags, '--help']],
    ...command.commands.flatMap((one) => wordsAfter(one, `${typed} ${one.name()}`.trim())),
  ]
}

type CommandWords = ReturnType<typeof wordsAfter>

/** Matches the command words of the line, up to the first flag. */
function bashScript(words: CommandWords): string {
  return `_dagsverk() {
  local typed="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; *) typed="$typed $word" ;; esac
  done
  case "\${typed# }" in
${words
  .filter(([typed]) => typed !== '')
  .map(([typed, next]) => `    "${typed}"*) words="${next.join(' ')}" ;;`)
  .toReversed()
  .join('\n')}
    *) words="${words[0]?.[1].join(' ')}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _dagsverk dagsverk
`
}

const scripts: Readonly<Record<string, (words: CommandWords) => string>> = {
  bash: bashScript,
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`,
  fish: (words) =>
    words
      .flatMap(([typed, next]) =>
        next.map((word) => {
          const when =
            typed === ''
              ? '__fish_use_subcommand'
              : typed
                  .split(' ')
                  .map((name) => `__fish_seen_subcommand_from ${name}`)
                  .join('; and ')
          const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
          return `complete -c dagsverk -f -n '${when}' ${what}\n`
        }),
      )
      .join(''),
}

const examples = `
Examples:
  dagsverk completion bash > ~/.local/share/bash-completion/completions/dagsverk
  dagsverk completion zsh >> ~/.zshrc
  dagsverk completion fish > ~/.config/fish/completions/dagsverk.fish
`
