import { Server } from 'node:net'
import { setImmediate as endOfTurn, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { systemClock } from '../../core/clock.ts'

/** The time to wait for kept-alive idle connections. Busy connections finish within this time. */
const MAX_LEAVE_MS = 2_000
/** The time that the shutdown waits for work left by closed connections. */
const MAX_SETTLE_MS = 7_000
const LOOK_MS = 25
/**
 * A turn of the event loop so short that almost no client can connect between accepting connections and the
 * end of the turn.
 */
const QUIET_TURN_MS = 0.15
const QUIET_WITHIN_MS = 500

/** Stops a process without breaking connections. */
export type GracefulShutdown = {
  plugin(app: FastifyInstance): void
  /**
   * Refuses new connections and closes each open connection after its next answer, so that clients use
   * another process.
   */
  leave(app: FastifyInstance): Promise<void>
  /** Rejects during the shutdown, so that the load balancer sends no more requests. */
  check(): Promise<void>
  /**
   * Runs `work` and delays the shutdown until it has finished, so that it cleans up after a broken
   * connection.
   */
  hold<T>(work: () => Promise<T>): Promise<T>
  /** Waits, for a limited time, until no connection is open and no work is running. */
  settled(app: FastifyInstance): Promise<void>
}

const openConnections = (app: FastifyInstance): Promise<number> =>
  new Promise((resolve) => {
    app.server.getConnections((error, count) => resolve(error ? 0 : count))
  })

/**
 * Resolves after a quiet turn of the event loop. A turn accepts all waiting connections. The system resets
 * connections that arrive between that and the close of the listener, and in a busy turn there would be many.
 */
async function waitForQuietTurn(): Promise<void> {
  const startedMs = systemClock.monotonicMs()
  for (let turnMs = startedMs; ; ) {
    await endOfTurn()
    const nowMs = systemClock.monotonicMs()
    if (nowMs - turnMs < QUIET_TURN_MS || nowMs - startedMs > QUIET_WITHIN_MS) return
    turnMs = nowMs
  }
}

/**
 * Creates the shutdown. It announces the close in an answer first, because a kept-alive connection may be
 * closed just as its next request arrives.
 */
export function gracefulShutdown(): GracefulShutdown {
  let leaving = false
  let held = 0
  return {
    hold: async (work) => {
      held++
      try {
        return await work()
      } finally {
        held--
      }
    },
    settled: async (app) => {
      for (let waitedMs = 0; waitedMs < MAX_SETTLE_MS; waitedMs += LOOK_MS) {
        if (held === 0 && (await openConnections(app)) === 0) return
        await wait(LOOK_MS)
      }
    },
    plugin: (app) => {
      app.addHook('onRequest', (_request, reply, done) => {
        if (leaving) reply.header('connection', 'close')
        done()
      })
    },
    leave: async (app) => {
      leaving = true
      await waitForQuietTurn()
      // The `close` of Fastify and of `http` would also close connections that are idle at this moment.
      Server.prototype.close.call(app.server)
      for (let waitedMs = 0; waitedMs < MAX_LEAVE_MS; waitedMs += LOOK_MS) {
        if ((await openConnections(app)) === 0) return
        await wait(LOOK_MS)
      }
    },
    check: async () => {
      if (leaving) throw new Error('this process is stopping')
    },
  }
}
