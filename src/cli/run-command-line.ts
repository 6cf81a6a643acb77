// Runs one command line, from its arguments to its exit code.
import { readOwnVersion } from '../core/own-version.ts'
import { nearNames } from '../core/values/near-names.ts'
import {
  type Command,
  type CommandContext,
  readFlags,
  SECRETS_HELP,
  UsageError,
  usageLine,
} from './command.ts'
import { COMMAND_FILES } from './commands.ts'
import { formatForPeople } from './print.ts'
import { readUsages } from './usages.ts'

/** The terminal of a command line. `print` writes a line of the result, `say` a line to the person. */
export type Terminal = Pick<CommandContext, 'print' | 'say' | 'stayUntilStopped'> & {
  env: NodeJS.ProcessEnv
  /** The folder for relative paths in settings. */
  folder: string
}

/** Returns the usage of commands that start with `word`; of all commands if none does. */
async function usage(word?: string): Promise<string> {
  const usages = await readUsages()
  const matching = usages.filter(({ name }) => name.split(' ')[0] === word)
  return [
    'usage: parley COMMAND [--json]',
    '',
    ...(matching.length > 0 ? matching : usages).flatMap(({ line, summary }) => [
      `  ${line}`,
      `      ${summary}`,
    ]),
  ].join('\n')
}

const HELP = ['--help', '-h', 'help']
const VERSION = ['--version', '-v', 'version']

function versions(): { version: string; node: string } {
  return { version: readOwnVersion(), node: process.versions.node }
}

const NAMES = COMMAND_FILES.flatMap(({ names }) => names)

/** Returns the command that the arguments name, and the arguments after its name. */
async function chooseCommand(words: string[]): Promise<{ chosen: Command; rest: string[] }> {
  for (const { names, load } of COMMAND_FILES) {
    const index = names.findIndex((name) => name.split(' ').every((word, i) => words[i] === word))
    if (index === -1) continue
    const chosen = (await load())[index]!
    return { chosen, rest: words.slice(chosen.name.split(' ').length) }
  }
  if (words.length === 0) throw new UsageError('Give a command.')
  const typed = words.slice(0, 2).filter((word) => !word.startsWith('-'))
  // A command has one word or two; both are compared with the typed words.
  const near = [
    ...nearNames(typed.join(' '), NAMES, () => false),
    ...nearNames(typed[0] ?? '', NAMES, () => false),
  ]
  throw new UsageError(
    `Unknown command "${words.slice(0, 2).join(' ')}".${near[0] ? ` Did you mean "${near[0]}"?` : ''}`,
  )
}

/** Runs one command line and returns its exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function runCommandLine(words: string[], terminal: Terminal): Promise<number> {
  const { print, say, stayUntilStopped } = terminal
  const json = words.includes('--json')
  const plain = words.filter((word) => word !== '--json')
  let chosen: Command | undefined
  try {
    if (plain.length === 1 && VERSION.includes(plain[0]!)) {
      print(json ? JSON.stringify(versions()) : `parley ${versions().version} (Node ${versions().node})`)
      return 0
    }
    if (plain.length < 3 && HELP.includes(plain.at(-1) ?? '') && !NAMES.includes(plain[0] ?? '')) {
      print(await usage(plain[0]))
      return 0
    }
    const choice = await chooseCommand(plain)
    chosen = choice.chosen
    if (choice.rest.some((word) => word === '--help' || word === '-h')) {
      const secrets = Object.values(chosen.flags).some(({ secret }) => secret) ? [SECRETS_HELP] : []
      print([`usage: parley ${usageLine(chosen)} [--json]`, chosen.summary, ...secrets].join('\n'))
      return 0
    }
    const values = await readFlags(chosen, choice.rest)
    const { readSettings } = await import('./command-settings.ts')
    const answer = await chosen.run(values, {
      config: () => readSettings(terminal.env, terminal.folder),
      say,
      print,
      json,
      stayUntilStopped,
    })
    if (!chosen.silent) print(json ? JSON.stringify(answer) : formatForPeople(answer))
    return 'ok' in answer && answer.ok === false ? 1 : 0
  } catch (error) {
    if (!(error instanceof UsageError)) {
      say(`error: ${messageOf(error)}`)
      return 1
    }
    say(`${error.message}\n`)
    say(chosen ? `usage: parley ${usageLine(chosen)} [--json]` : await usage(plain[0]))
    return 2
  }
}

// A refused connection has no message of its own, only a code or the errors of every address that was tried.
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  if (error instanceof Error) return error.message || (error as NodeJS.ErrnoException).code || error.name
  return String(error)
}
