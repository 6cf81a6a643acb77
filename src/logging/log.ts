import { isatty } from 'node:tty'
import pino from 'pino'
import type { Config } from '../config.ts'
import { realMs, writeOnce } from '../core/clock.ts'
import { loggedError } from './logged-error.ts'
import { prettyLines } from './pretty-lines.ts'

export type Log = pino.Logger

/** Lines are written together, and none waits longer than this to be seen. */
const BUFFER_BYTES = 48 * 1024
const MAX_WRITE_BYTES = 64 * 1024
const SHOWN_WITHIN_MS = 250
/** What waits while nobody takes it: a reader that stands still, or a full disk, must cost neither memory nor the service. */
const MAX_WAITS_BYTES = 4 * 1024 * 1024
const STANDARD_ERROR = 2

const stampOf = writeOnce((iso) => `,"time":"${iso}"`)
const timeOfLine = (): string => stampOf(realMs())

/** Whole lines come in, whoever writes them. */
function writePretty(destination: { write(text: string): boolean }): void {
  const pretty = prettyLines()
  const write = destination.write.bind(destination)
  destination.write = (text) => write(pretty(text))
}

/**
 * The log: JSON lines, or lines for people where `fd` is a terminal; buffered, without secrets. Phone numbers and message texts are never given to it, and errors leave
 * theirs behind (`loggedError`). Lines that nobody takes are dropped in the end, and counted.
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
  // What could not be written is written again with what comes next.
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

/** Says something to people, in its place among the lines of the log. Never waits. */
export function sayAmid(log: Log, line: string): void {
  destinationOf(log).write(`${line}\n`)
  log.flush()
}

/**
 * Writes lines of level info whose fields are JSON text already, such as `"status":200,"ms":3`, and hold nothing secret. At
 * thousands a second, to walk an object and look through it costs more than the line, and the destination measures all that it
 * holds with each write: the lines of one turn of the event loop are one.
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

/** How long the end of a process waits for its last lines to be taken. */
const TAKEN_WITHIN_MS = 2_000

/**
 * Ends the process when its last lines are written. Where nobody takes them even `process.exit` would wait for ever: after a
 * moment the process ends by `signal` instead.
 */
export function endProcess(log: Log, code: number, signal: NodeJS.Signals): void {
  const endBySignal = () => {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  setTimeout(endBySignal, TAKEN_WITHIN_MS)
  log.flush((error) => {
    // A pipe cannot be synced, which is an error too: what counts is that the lines were written.
    if ((error as NodeJS.ErrnoException | undefined)?.syscall === 'write') endBySignal()
    else process.exit(code)
  })
}
