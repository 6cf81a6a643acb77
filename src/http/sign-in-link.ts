/** `GET /sign-in/{token}`: a link of the command line, which signs in whoever opens it first. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import type { NewSession, RequestOrigin } from '../core/session.ts'
import { asRefusal, isForTheLog, sendRefusal } from './answer.ts'
import { originOf } from './mount-session-endpoint.ts'
import type { Site } from './site.ts'

export type SignInLinkOptions = {
  site: Site
  clock: Clock
  trustProxy: readonly string[]
  limited(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Spends the token; `sessionToken` is of who is signed in there already. Undefined when it opens nothing. */
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

/** A browser that fetches ahead, or shows the link as a picture, has nobody who asked for it. */
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
          if (isForTheLog(refusal, error)) options.onError(error)
          return sendRefusal(reply, refusal)
        }
      },
    )
  }
