// The `parley` command. Standard output carries the answer alone; everything said to the person goes to standard error.
import { SECOND_MS, systemClock } from '../core/clock.ts'
import { requireNode } from '../startup/required-node.ts'
import { messageOf, runCommandLine } from './run-command-line.ts'

requireNode()

const ONE_SIGNAL_MS = SECOND_MS

const say = (line: string) => process.stderr.write(`${line}\n`)

// An orderly exit, on which a database that the command started is stopped too.
let closeWhatGoesOn: (() => Promise<void>) | undefined
let stoppingSince: number | undefined

function stop(exitCode: number): void {
  if (closeWhatGoesOn === undefined) process.exit(exitCode)
  if (stoppingSince !== undefined) {
    // A terminal signals the whole group and a launcher passes it on: that is one signal sent twice.
    if (systemClock.monotonicMs() - stoppingSince > ONE_SIGNAL_MS) process.exit(exitCode)
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
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read on has had enough, such as `head`: that is said by the signal that it would be elsewhere.
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
