/**
 * The address to which the operator sends a browser back after its hosted signup. It stores the answer, and opens the page that
 * continues.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from '../auth/site.ts'
import { asRefusal, sendRefusal, shouldLog } from '../wire/answer.ts'

/** The path of the address that the app's settings at the operator must name. */
export const SIGNUP_RETURN_PATH = '/api/dashboard/operator-return'

export type NumberSignupOptions = {
  site: Site
  limited(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Stores the operator's answer; returns the path of the page that continues. */
  record(answer: {
    state: string
    code: string | undefined
    error: { reason: string; text: string } | undefined
    sessionToken: string | undefined
  }): Promise<string>
  onError(error: unknown): void
}

type Query = Record<string, unknown>

const textIn = (query: Query, name: string): string | undefined => {
  const value = query[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Reads the operator's refusal, or the owner's; undefined without one. */
function errorIn(query: Query): { reason: string; text: string } | undefined {
  const error = textIn(query, 'error') ?? textIn(query, 'error_code')
  if (error === undefined) return undefined
  return {
    reason: textIn(query, 'error_reason') ?? error,
    text: textIn(query, 'error_description') ?? textIn(query, 'error_message') ?? error,
  }
}

export const numberSignup =
  ({ site, limited, record, onError }: NumberSignupOptions) =>
  (app: FastifyInstance): void => {
    app.get<{ Querystring: Query }>(SIGNUP_RETURN_PATH, { onRequest: limited }, async (request, reply) => {
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      try {
        const { query } = request
        const path = await record({
          state: textIn(query, 'state') ?? '',
          code: textIn(query, 'code'),
          error: errorIn(query),
          sessionToken: site.tokenIn(request.headers.cookie),
        })
        return reply.redirect(path, 303)
      } catch (error) {
        const refusal = asRefusal(error)
        if (shouldLog(refusal, error)) onError(error)
        return sendRefusal(reply, refusal)
      }
    })
  }
