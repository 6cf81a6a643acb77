/**
 * Single sign-on: `GET /api/dashboard/sign-in/oidc` sends the browser to the identity provider, which sends it back to
 * `…/sign-in/oidc/callback`. Both answer with a redirect.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { type NewSession, newToken, type RequestOrigin } from '../../core/session.ts'
import type { Site } from '../auth/site.ts'
import { asRefusal, sendRefusal, shouldLog } from '../wire/answer.ts'
import { originOf } from './mount-account-endpoint.ts'

/** The path of the address that the provider must know. */
export const CALLBACK_PATH = '/api/dashboard/sign-in/oidc/callback'

export type SingleSignOnOptions = {
  site: Site
  clock: Clock
  trustProxy: readonly string[]
  limited(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Returns the address of the provider's page; undefined without a provider. `browser` is the secret in the cookie. */
  begin(input: { browser: string; next: string }): Promise<string | undefined>
  /** Finishes a sign-in, or returns the problem that prevents it. */
  finish(input: {
    callback: URL
    browser: string | undefined
    origin: RequestOrigin
    sessionToken: string | undefined
  }): Promise<(NewSession & { next: string }) | { problem: string }>
  onError(error: unknown): void
}

const COOKIE_SECONDS = 600
const MAX_NEXT_LENGTH = 2_000

/** Returns the path of a page of this site; others open the first page. */
export const ownPath = (next: unknown): string =>
  typeof next === 'string' && next.length <= MAX_NEXT_LENGTH && /^\/(?![/\\])[^\s\\]*$/.test(next)
    ? next
    : '/'

const signInPage = (problem: string): string => `/sign-in?${new URLSearchParams({ sso: problem })}`

export const singleSignOn =
  (options: SingleSignOnOptions) =>
  (app: FastifyInstance): void => {
    const { site, clock } = options
    const guarded =
      (work: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
        try {
          return await work(request, reply)
        } catch (error) {
          const refusal = asRefusal(error)
          if (shouldLog(refusal, error)) options.onError(error)
          return sendRefusal(reply, refusal)
        }
      }

    app.get<{ Querystring: { next?: unknown } }>(
      '/api/dashboard/sign-in/oidc',
      { onRequest: options.limited },
      guarded(async (request, reply) => {
        // Several tabs may sign in at the same time.
        const browser = site.attemptIn(request.headers.cookie) ?? newToken()
        const { next } = request.query as { next?: unknown }
        const url = await options.begin({ browser, next: ownPath(next) })
        if (url === undefined) return reply.redirect(signInPage('failed'), 303)
        return reply.header('set-cookie', site.cookieOfAttempt(browser, COOKIE_SECONDS)).redirect(url, 303)
      }),
    )

    app.get(
      CALLBACK_PATH,
      { onRequest: options.limited },
      guarded(async (request, reply) => {
        const outcome = await options.finish({
          callback: new URL(request.url, site.url),
          browser: site.attemptIn(request.headers.cookie),
          origin: originOf(request, options.trustProxy),
          sessionToken: site.tokenIn(request.headers.cookie),
        })
        if ('problem' in outcome) return reply.redirect(signInPage(outcome.problem), 303)
        return reply.header('set-cookie', site.cookieOf(outcome, clock.now())).redirect(outcome.next, 303)
      }),
    )
  }
