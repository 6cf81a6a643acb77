// The `parley` command. Standard output contains only the result; all messages to the person go to standard error.
import { SECOND_MS, systemClock } from '../core/clock.ts'
import { requireNode } from '../startup/required-node.ts'
import { messageOf, runCommandLine } from './run-command-line.ts'

requireNode()

const ONE_SIGNAL_MS = SECOND_MS

const say = (line: string) => process.stderr.write(`${line}\n`)

// Set for an orderly exit, which also stops a database that the command started.
let closeCommand: (() => Promise<void>) | undefined
let stoppingSince: number | undefined

function stop(exitCode: number): void {
  if (closeCommand === undefined) process.exit(exitCode)
  if (stoppingSince !== undefined) {
    // A terminal signals the whole process group and a launcher forwards it: two signals in short order count as one.
    if (systemClock.monotonicMs() - stoppingSince > ONE_SIGNAL_MS) process.exit(exitCode)
    return
  }
  stoppingSince = systemClock.monotonicMs()
  // Being stopped is the successful end of a command that keeps running.
  closeCommand().then(
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
  // A reader such as `head` closed the pipe. 141 is the exit code of a program that SIGPIPE ends.
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
    closeCommand = close
  },
})
