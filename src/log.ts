import pino from 'pino'
import type { Config } from './config.ts'

export type Log = pino.Logger

/** The log: JSON lines, buffered, without secrets. Phone numbers and message texts are never given to it. */
export function openLog(level: Config['logLevel']): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
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
    pino.destination({ fd: 2, sync: false, minLength: 4096 }),
  )
}
