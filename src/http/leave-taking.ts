import { Server } from 'node:net'
import { setImmediate as endOfTurn, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a connection that is kept, and idle, is waited for. Busy ones come round within it. */
const LEAVE_MOST_MS = 2_000
const LOOK_MS = 25

/** How a process leaves without cutting anybody off. */
export type LeaveTaking = {
  plugin(app: FastifyInstance): void
  /** Refuses new connections, and makes each answer the last of its connection, so that those who keep them go elsewhere. */
  leave(app: FastifyInstance): Promise<void>
  /** Rejects once it has begun: who asks for readiness should send no more. */
  check(): Promise<void>
}

const openConnections = (app: FastifyInstance): Promise<number> =>
  new Promise((resolve) => {
    app.server.getConnections((error, count) => resolve(error ? 0 : count))
  })

/** A connection that is kept may be closed just as a request comes over it; here it is announced first. */
export function leaveTaking(): LeaveTaking {
  let leaving = false
  return {
    plugin: (app) => {
      app.addHook('onRequest', (_request, reply, done) => {
        if (leaving) reply.header('connection', 'close')
        done()
      })
    },
    leave: async (app) => {
      leaving = true
      // Whoever has knocked has just been let in: the rest of this turn is all that a connection can be lost in.
      await endOfTurn()
      // Fastify's own way, and http's, would hang up on connections that are idle this moment.
      Server.prototype.close.call(app.server)
      for (let waitedMs = 0; waitedMs < LEAVE_MOST_MS; waitedMs += LOOK_MS) {
        if ((await openConnections(app)) === 0) return
        await wait(LOOK_MS)
      }
    },
    check: async () => {
      if (leaving) throw new Error('this process is being stopped')
    },
  }
}
