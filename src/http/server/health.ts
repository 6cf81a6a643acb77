import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import type { Metrics } from './metrics.ts'

/** The checks of readiness: each resolves, or rejects with the reason. */
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

/** The time for which an answer is reused: the checks query the database, and the endpoint needs no key. */
const REUSED_MS = 1_000

/**
 * Returns a function that runs `check` at most every `reusedMs`; until then, callers get the last answer, at first `known` if it is
 * there.
 */
export function throttleCheck<Answer>(
  { monotonicMs }: Clock,
  reusedMs: number,
  check: () => Promise<Answer>,
  known?: Answer,
): () => Promise<Answer> {
  let last: { answer: Promise<Answer>; endedAtMs: number | undefined } | undefined =
    known === undefined ? undefined : { answer: Promise.resolve(known), endedAtMs: monotonicMs() }
  return () => {
    if (last && (last.endedAtMs === undefined || monotonicMs() - last.endedAtMs < reusedMs))
      return last.answer
    const current: typeof last = { answer: check(), endedAtMs: undefined }
    last = current
    return current.answer.finally(() => {
      current.endedAtMs = monotonicMs()
    })
  }
}

export type HealthOptions = {
  checks: ReadyChecks
  metrics: Metrics
  clock: Clock
  /** Rate limit per client address. */
  limited: onRequestAsyncHookHandler
}

/** Serves `/healthz`, `/livez`, `/readyz`, and `/metrics` (docs/running.md). */
export const healthRoutes =
  ({ checks, metrics, clock, limited }: HealthOptions) =>
  (app: FastifyInstance): void => {
    const missingNow = throttleCheck(clock, REUSED_MS, () => missingOf(checks))
    // Many monitors send HEAD.
    const options = { exposeHeadRoute: true }
    // Orchestrators use either name.
    for (const path of ['/healthz', '/livez']) app.get(path, options, async () => ({ ok: true }))
    app.get('/readyz', options, async (_request, reply) => {
      const missing = await missingNow()
      return reply.code(missing.length === 0 ? 200 : 503).send({ ready: missing.length === 0, missing })
    })
    app.get('/metrics', { ...options, onRequest: limited }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.text()),
    )
  }
