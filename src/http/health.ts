import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Clock } from '../core/clock.ts'
import type { Metrics } from './metrics.ts'

/** What readiness looks at: each check resolves, or rejects with what is missing. */
export type ReadyChecks = Record<string, () => Promise<void>>

type Missing = { name: string; reason: string }

async function missingOf(checks: ReadyChecks): Promise<Missing[]> {
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
  return results.flat()
}

/** How old an answer may be: the checks ask the database, and anybody may ask for them. */
const REUSED_MS = 1_000

/** Runs `look` again once its last answer is older than `reusedMs`; earlier callers get that answer. */
export function lookSeldom<Answer>(
  { monotonicMs }: Clock,
  reusedMs: number,
  look: () => Promise<Answer>,
): () => Promise<Answer> {
  let last: { answer: Promise<Answer>; endedAtMs: number | undefined } | undefined
  return () => {
    if (last && (last.endedAtMs === undefined || monotonicMs() - last.endedAtMs < reusedMs))
      return last.answer
    const begun: typeof last = { answer: look(), endedAtMs: undefined }
    last = begun
    return begun.answer.finally(() => {
      begun.endedAtMs = monotonicMs()
    })
  }
}

export type HealthOptions = {
  checks: ReadyChecks
  metrics: Metrics
  clock: Clock
  /** Bounds what one address asks. */
  limited: onRequestAsyncHookHandler
}

/** `/healthz`, `/livez`, `/readyz` and `/metrics` (docs/running.md). */
export const healthRoutes =
  ({ checks, metrics, clock, limited }: HealthOptions) =>
  (app: FastifyInstance): void => {
    const missingNow = lookSeldom(clock, REUSED_MS, () => missingOf(checks))
    // Many monitors ask by HEAD.
    const options = { exposeHeadRoute: true }
    // Orchestrators ask under either name.
    for (const path of ['/healthz', '/livez']) app.get(path, options, async () => ({ ok: true }))
    app.get('/readyz', options, async (_request, reply) => {
      const missing = await missingNow()
      return reply.code(missing.length === 0 ? 200 : 503).send({ ready: missing.length === 0, missing })
    })
    app.get('/metrics', { ...options, onRequest: limited }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.text()),
    )
  }
