import { isatty } from 'node:tty'
import pino from 'pino'
import type { Config } from '../config.ts'
import { realMs, writeOnce } from '../core/clock.ts'
import { loggedError } from './logged-error.ts'
import { prettyLines } from './pretty-lines.ts'

export type Log = pino.Logger

/** Lines are written in batches of about this size, and wait at most `SHOWN_WITHIN_MS`. */
const BUFFER_BYTES = 48 * 1024
const MAX_WRITE_BYTES = 64 * 1024
const SHOWN_WITHIN_MS = 250
/**
 * The limit of unwritten lines: a stalled reader or a full disk must not exhaust memory or stop the service.
 */
const MAX_WAITS_BYTES = 4 * 1024 * 1024
const STANDARD_ERROR = 2

const stampOf = writeOnce((iso) => `,"time":"${iso}"`)
const timeOfLine = (): string => stampOf(realMs())

/** Formats output for people; every chunk is whole lines. */
function writePretty(destination: { write(text: string): boolean }): void {
  const pretty = prettyLines()
  const write = destination.write.bind(destination)
  destination.write = (text) => write(pretty(text))
}

/**
 * Opens the log: JSON lines, or lines for people if `fd` is a terminal; buffered, without secrets. Phone
 * numbers and message texts are never passed to it, and errors are stripped of them (`loggedError`). Lines
 * that cannot be written are dropped in the end, and counted.
 */
export function openLog(level: Config['logLevel'], fd = STANDARD_ERROR, isTerminal = isatty(fd)): Log {
  const destination = pino.destination({
    fd,
    sync: false,
    minLength: BUFFER_BYTES,
    maxWrite: MAX_WRITE_BYTES,
    periodicFlush: SHOWN_WITHIN_MS,
    maxLength: MAX_WAITS_BYTES,
  })
  if (isTerminal) writePretty(destination)
  let dropped = 0
  destination.on('drop', (lines: string) => {
    dropped += lines.split('\n').length - 1
  })
  // Unwritten lines are written again with the next ones.
  destination.on('error', () => {})
  destination.on('drain', () => {
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    log.warn({ lines }, 'log output blocked: lines dropped')
  })
  const log = pino(
    {
      level,
      base: undefined,
      timestamp: timeOfLine,
      serializers: { err: (error: unknown) => loggedError(error) },
      redact: {
        paths: [
          'authorization',
          'apiKey',
          'secret',
          'token',
          '*.authorization',
          '*.apiKey',
          '*.secret',
          '*.token',
        ],
        censor: '[secret]',
      },
    },
    destination,
  )
  return log
}

function destinationOf(log: Log): pino.DestinationStream {
  const { [pino.symbols.streamSym]: destination } = log as unknown as Record<symbol, pino.DestinationStream>
  return destination!
}

/** Calls `take` with each line of the log, as it is written. Lines for people are not among them. */
export function followLines(log: Log, take: (line: Record<string, unknown>) => void): void {
  const destination = destinationOf(log)
  const write = destination.write.bind(destination)
  destination.write = (text) => {
    for (const line of text.split('\n')) if (line.startsWith('{"level":')) take(JSON.parse(line))
    return write(text)
  }
}

/** Prints a line for people, in order with the log. Never waits. */
export function printLine(log: Log, line: string): void {
  destinationOf(log).write(`${line}\n`)
  log.flush()
}

/**
 * Writes info lines whose fields are already JSON text, such as `"status":200,"ms":3`, and contain no
 * secrets. At thousands of lines a second, serializing and redacting an object costs more than the line, so
 * the lines of one event loop turn are written together.
 */
export function infoLines(log: Log): (fields: string, message: string) => void {
  const destination = destinationOf(log)
  const level = `{"level":${log.levels.values.info}`
  let lines = ''
  const write = (): void => {
    destination.write(lines)
    lines = ''
  }
  return (fields, message) => {
    if (!log.isLevelEnabled('info')) return
    if (lines === '') setImmediate(write)
    lines += `${level}${timeOfLine()},${fields},"msg":"${message}"}\n`
  }
}

/** The time that the end of a process waits until its last lines are written. */
const TAKEN_WITHIN_MS = 2_000

/**
 * Ends the process after its last lines are written. If they cannot be written, even `process.exit` would
 * hang: then `signal` ends the process.
 */
export function endProcess(log: Log, code: number, signal: NodeJS.Signals): void {
  const endBySignal = () => {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  setTimeout(endBySignal, TAKEN_WITHIN_MS)
  log.flush((error) => {
    // A pipe cannot be synced, which is an error too; it matters only that the lines were written.
    if ((error as NodeJS.ErrnoException | undefined)?.syscall === 'write') endBySignal()
    else process.exit(code)
  })
}
