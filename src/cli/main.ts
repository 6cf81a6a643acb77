// The `parley` command. Standard output carries the answer alone; everything said to the person goes to standard error.
import { SECOND_MS, systemClock } from '../core/clock.ts'
import { messageOf, runCommandLine } from './run-command-line.ts'

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
process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  print: (line) => process.stdout.write(`${line}\n`),
  say,
  stayUntilStopped: (close) => {
    closeWhatGoesOn = close
  },
})
