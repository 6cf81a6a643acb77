/** `GET /sign-in/{token}`: a sign-in link of the CLI, which signs in the first person to open it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import type { NewSession, RequestOrigin } from '../../core/session.ts'
import type { Site } from '../auth/site.ts'
import { asRefusal, sendRefusal, shouldLog } from '../wire/answer.ts'
import { originOf } from './mount-account-endpoint.ts'

export type SignInLinkOptions = {
  site: Site
  clock: Clock
  trustProxy: readonly string[]
  limited(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * Uses up the token; `sessionToken` is the session already in the browser. Undefined for an invalid link.
   */
  open(opening: {
    token: string
    origin: RequestOrigin
    sessionToken: string | undefined
  }): Promise<(NewSession & { workspaceId: string }) | undefined>
  onError(error: unknown): void
}

const SPENT = `This sign-in link was used already, or is older than 15 minutes.
Make another: npm run parley -- sign-in --member ID
`

/** Prefetches, and links loaded as images, weren't opened by a person, and would use up the link. */
const isOpenedByPerson = ({ headers }: FastifyRequest): boolean =>
  !/prefetch|preview/.test(String(headers['sec-purpose'] ?? headers.purpose ?? '')) &&
  ['document', undefined].includes(headers['sec-fetch-dest'] as string | undefined)

export const signInLink =
  (options: SignInLinkOptions) =>
  (app: FastifyInstance): void => {
    app.get<{ Params: { token: string } }>(
      '/sign-in/:token',
      { onRequest: options.limited },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        if (!isOpenedByPerson(request)) return reply.code(204).send()
        try {
          const opened = await options.open({
            token: request.params.token,
            origin: originOf(request, options.trustProxy),
            sessionToken: options.site.tokenIn(request.headers.cookie),
          })
          if (!opened) return reply.code(404).type('text/plain; charset=utf-8').send(SPENT)
          return reply
            .header('set-cookie', options.site.cookieOf(opened, options.clock.now()))
            .redirect('/', 303)
        } catch (error) {
          const refusal = asRefusal(error)
          if (shouldLog(refusal, error)) options.onError(error)
          return sendRefusal(reply, refusal)
        }
      },
    )
  }
