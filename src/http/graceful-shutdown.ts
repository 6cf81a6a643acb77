import { Server } from 'node:net'
import { setImmediate as endOfTurn, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { systemClock } from '../core/clock.ts'

/** How long a connection that is kept, and idle, is waited for. Busy ones come round within it. */
const MAX_LEAVE_MS = 2_000
/** How long the end waits for what broken connections leave behind. */
const MAX_SETTLE_MS = 7_000
const LOOK_MS = 25
/** A turn of the event loop so short that hardly anybody can knock between its letting in and its end. */
const QUIET_TURN_MS = 0.15
const QUIET_WITHIN_MS = 500

/** How a process leaves without cutting anybody off. */
export type GracefulShutdown = {
  plugin(app: FastifyInstance): void
  /** Refuses new connections, and makes each answer the last of its connection, so that those who keep them go elsewhere. */
  leave(app: FastifyInstance): Promise<void>
  /** Rejects once it has begun: who asks for readiness should send no more. */
  check(): Promise<void>
  /** Runs `work`, and has the end wait for it: what a broken connection leaves behind is still put away. */
  hold<T>(work: () => Promise<T>): Promise<T>
  /** Waits until no connection is open and nothing is held, for a while. */
  settled(app: FastifyInstance): Promise<void>
}

const openConnections = (app: FastifyInstance): Promise<number> =>
  new Promise((resolve) => {
    app.server.getConnections((error, count) => resolve(error ? 0 : count))
  })

/**
 * Resolves at the end of a quiet turn. Each turn lets in everybody who has knocked; whoever knocks after that, before the
 * listener is closed, is cut off by the system, and a turn full of work leaves time for many.
 */
async function quietTurn(): Promise<void> {
  const begunMs = systemClock.monotonicMs()
  for (let turnMs = begunMs; ; ) {
    await endOfTurn()
    const nowMs = systemClock.monotonicMs()
    if (nowMs - turnMs < QUIET_TURN_MS || nowMs - begunMs > QUIET_WITHIN_MS) return
    turnMs = nowMs
  }
}

/** A connection that is kept may be closed just as a request comes over it; here it is announced first. */
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
      await quietTurn()
      // Fastify's own way, and http's, would hang up on connections that are idle this moment.
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
