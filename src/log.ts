import pino from 'pino'
import type { Config } from './config.ts'
import { loggedError } from './logged-error.ts'

export type Log = pino.Logger

/** Lines are written together, and none waits longer than this to be seen. */
const BUFFER_BYTES = 12 * 1024
const SHOWN_WITHIN_MS = 250

/**
 * The log: JSON lines, buffered, without secrets. Phone numbers and message texts are never given to it, and errors leave
 * theirs behind (`loggedError`).
 */
export function openLog(level: Config['logLevel']): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
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
    pino.destination({ fd: 2, sync: false, minLength: BUFFER_BYTES, periodicFlush: SHOWN_WITHIN_MS }),
  )
}
