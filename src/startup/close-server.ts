import type { FastifyInstance } from 'fastify'
import type { GracefulShutdown } from '../http/server/graceful-shutdown.ts'
import type { Worker } from '../worker/loop.ts'
import type { Background } from './background.ts'

/** The maximum time that a stop waits for request bodies. */
const BODY_TIMEOUT_MS = 5_500

/**
 * Ends requests and background work together: a request may wait for an outbound call, and is answered when
 * that is cut off.
 */
export async function closeServer(parts: {
  app: FastifyInstance
  background: Background
  shutdown: GracefulShutdown
  worker: Worker | undefined
}): Promise<void> {
  const { app, background, shutdown, worker } = parts
  const closing = app.close()
  // Request bodies that are still arriving are cut off too.
  const cutTimer = setTimeout(() => app.server.closeAllConnections(), BODY_TIMEOUT_MS)
  await background.close(async () => {
    await Promise.all([closing, shutdown.settled(app), worker?.stop()])
  })
  clearTimeout(cutTimer)
}
