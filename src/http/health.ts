import type { FastifyInstance } from 'fastify'
import type { Metrics } from './metrics.ts'

/** What readiness looks at: each check resolves, or rejects with what is missing. */
export type ReadyChecks = Record<string, () => Promise<void>>

/** `/healthz`, `/readyz` and `/metrics` (docs/running.md). */
export const healthRoutes =
  (checks: ReadyChecks, metrics: Metrics) =>
  (app: FastifyInstance): void => {
    // Many monitors ask by HEAD.
    const options = { exposeHeadRoute: true }
    app.get('/healthz', options, async () => ({ ok: true }))
    app.get('/readyz', options, async (_request, reply) => {
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          try {
            await check()
            return []
          } catch (error) {
            return [{ name, reason: error instanceof Error ? error.message : String(error) }]
          }
        }),
      )
      const missing = results.flat()
      return reply.code(missing.length === 0 ? 200 : 503).send({ ready: missing.length === 0, missing })
    })
    app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
  }
