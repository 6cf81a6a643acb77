/** The connection that listens, which breaks and comes up again; those who ask it wait for the next one meanwhile. */
import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'

export type ListeningLine = {
  up(client: pg.Client): void
  /** It broke, or could not be opened. */
  down(): void
  /** There will be none any more. */
  end(): void
  /** Resolves once everything that was committed before the call has been heard. */
  caughtUp(): Promise<void>
}

export function listeningLine(): ListeningLine {
  /** The line that is up, as soon as one is; undefined when there will be none any more. */
  let line = Promise.withResolvers<pg.Client | undefined>()
  let isUp = false
  return {
    up: (client) => {
      isUp = true
      line.resolve(client)
    },
    down: () => {
      // Who waits for the first line goes on waiting for it.
      if (isUp) line = Promise.withResolvers()
      isUp = false
    },
    end: () => {
      line.resolve(undefined)
      line = Promise.withResolvers()
      line.resolve(undefined)
    },
    caughtUp: async () => {
      for (;;) {
        const client = await line.promise
        try {
          // PostgreSQL sends a line what was announced before it answers it.
          await client?.query('select 1')
          return
        } catch {
          // It broke: the next one begins with everything forgotten.
          await turn()
        }
      }
    },
  }
}
