// The `parley` command. Standard output carries the answer alone; everything said to the person goes to standard error.
import { readConfig } from '../config.ts'
import { SECOND_MS, systemClock } from '../core/clock.ts'
import { type Command, readFlags, UsageError, usageLine } from './command.ts'
import { commands } from './commands.ts'
import { forPeople } from './print.ts'

const ONE_WISH_MS = SECOND_MS

const say = (line: string) => process.stderr.write(`${line}\n`)

const usage = () =>
  [
    'usage: parley COMMAND [--json]',
    '',
    ...commands.flatMap((each) => [`  ${usageLine(each)}`, `      ${each.summary}`]),
  ].join('\n')

/** The command that the words begin with, and the words after its name. */
function choose(words: string[]): { chosen: Command; rest: string[] } {
  for (const chosen of commands) {
    const name = chosen.name.split(' ')
    if (name.every((word, at) => words[at] === word)) return { chosen, rest: words.slice(name.length) }
  }
  throw new UsageError(
    words.length > 0 ? `There is no command "${words.slice(0, 2).join(' ')}".` : 'Name a command.',
  )
}

/** Runs one command line and answers its exit code: 0, 1 for a failure, 2 for wrong usage. */
async function main(words: string[]): Promise<number> {
  const json = words.includes('--json')
  const plain = words.filter((word) => word !== '--json')
  let chosen: Command | undefined
  try {
    if (plain.length === 1 && ['--help', '-h', 'help'].includes(plain[0] ?? '')) {
      process.stdout.write(`${usage()}\n`)
      return 0
    }
    const choice = choose(plain)
    chosen = choice.chosen
    if (choice.rest.some((word) => word === '--help' || word === '-h')) {
      process.stdout.write(`usage: parley ${usageLine(chosen)} [--json]\n${chosen.summary}\n`)
      return 0
    }
    const values = readFlags(chosen, choice.rest)
    const answer = await chosen.run(values, {
      config: () => readConfig(process.env, process.cwd()),
      say,
      print: (line) => process.stdout.write(`${line}\n`),
      json,
      stayUntilStopped: (close) => {
        closeWhatGoesOn = close
      },
    })
    process.stdout.write(`${json ? JSON.stringify(answer) : forPeople(answer)}\n`)
    return 'ok' in answer && answer.ok === false ? 1 : 0
  } catch (error) {
    if (!(error instanceof UsageError)) {
      say(`error: ${messageOf(error)}`)
      return 1
    }
    say(`${error.message}\n`)
    say(chosen ? `usage: parley ${usageLine(chosen)} [--json]` : usage())
    return 2
  }
}

// A refused connection has no message of its own, only a code or the errors of every address tried.
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  if (error instanceof Error) return error.message || (error as NodeJS.ErrnoException).code || error.name
  return String(error)
}

// An orderly exit, on which a database that the command started is told to end too.
let closeWhatGoesOn: (() => Promise<void>) | undefined
let stoppingSince: number | undefined

function stop(exitCode: number): void {
  if (closeWhatGoesOn === undefined) process.exit(exitCode)
  if (stoppingSince !== undefined) {
    // A terminal signals the whole group and a launcher passes it on: that is one wish told twice.
    if (systemClock.monotonicMs() - stoppingSince > ONE_WISH_MS) process.exit(exitCode)
    return
  }
  stoppingSince = systemClock.monotonicMs()
  // To be stopped is how a command that goes on ends well.
  closeWhatGoesOn().then(
    () => process.exit(0),
    (error: unknown) => {
      say(`error: ${messageOf(error)}`)
      process.exit(1)
    },
  )
}
process.on('SIGINT', () => stop(130))
process.on('SIGTERM', () => stop(143))
process.exitCode = await main(process.argv.slice(2))
