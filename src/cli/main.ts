// The `parley` command. Standard output contains only the result; messages for the user go to standard error.
import { SECOND_MS, systemClock } from '../core/clock.ts'
import { requireNode } from '../startup/required-node.ts'
import { messageOf, runCommandLine } from './run-command-line.ts'

requireNode()

const ONE_SIGNAL_MS = SECOND_MS

const say = (line: string) => process.stderr.write(`${line}\n`)

// Exits in order, so that a database started by the command also stops.
let closeWhatGoesOn: (() => Promise<void>) | undefined
let stoppingSince: number | undefined

function stop(exitCode: number): void {
  if (closeWhatGoesOn === undefined) process.exit(exitCode)
  if (stoppingSince !== undefined) {
    // A terminal signals the whole process group, and a launcher forwards the signal: the second copy is not
    // a second signal.
    if (systemClock.monotonicMs() - stoppingSince > ONE_SIGNAL_MS) process.exit(exitCode)
    return
  }
  stoppingSince = systemClock.monotonicMs()
  // A command that continues ends successfully when the user stops it.
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
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader, such as `head`, closed the pipe: exit with the code of SIGPIPE, as other programs do.
  if (error.code === 'EPIPE') return stop(141)
  say(`error: can't write the result: ${messageOf(error)}`)
  stop(1)
})
process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  print: (line) => process.stdout.write(`${line}\n`),
  say,
  stayUntilStopped: (close) => {
    closeWhatGoesOn = close
  },
})
