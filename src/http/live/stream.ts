/**
 * GET /api/dashboard/stream: changes in a workspace as server-sent events (docs/decisions/dashboard-pages.md).
 * Frames contain only IDs; the page reads the rows again, with its member's rights.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, SECOND_MS } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import { recordRefusal, sendRefusal } from '../wire/answer.ts'
import type { LiveHub } from './hub.ts'
import { openListener } from './listener.ts'

export type StreamOptions = {
  url: string
  hub: LiveHub
  clock: Pick<Clock, 'monotonicMs'>
  /** Admits a member, or refuses. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<{ workspaceId: string; memberId: string }>
  /** Returns whether an admitted member may still listen. */
  mayStay(request: FastifyRequest, workspaceId: string): Promise<boolean>
  /** Returns the hash of the served build. */
  build(): string | null
  onError(error: unknown): void
}

/** Streams of one member in one process: more tabs and devices than a person uses. */
const MAX_STREAMS = 20
const RIGHTS_LOOK_MS = SECOND_MS

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Turns off buffering in proxies, which would delay frames.
  'x-accel-buffering': 'no',
}

type StreamRequest = { after?: string }

/** Returns the event to resume after: from the browser's own header, or from the page. */
function lastEventOf({ headers, query }: FastifyRequest): string | undefined {
  const own = headers['last-event-id']
  return typeof own === 'string' && own !== '' ? own : (query as StreamRequest).after
}

export const liveStream =
  (options: StreamOptions) =>
  (app: FastifyInstance): void => {
    const { hub, clock, build, onError } = options
    const byMember = new Map<string, number>()
    /** Open streams, for ending those whose member lost the right to listen. */
    const open = new Map<FastifyRequest, { workspaceId: string; end(): void }>()
    const timer = setInterval(() => {
      for (const [request, { workspaceId, end }] of open)
        options.mayStay(request, workspaceId).then(
          (may) => may || end(),
          // While the check fails, the stream continues.
          onError,
        )
    }, RIGHTS_LOOK_MS)
    timer.unref()
    app.addHook('preClose', async () => {
      clearInterval(timer)
      hub.close()
    })

    const listen = (
      request: FastifyRequest,
      reply: FastifyReply,
      workspaceId: string,
      memberId: string,
    ): void => {
      request.streamsSinceMs = clock.monotonicMs()
      byMember.set(memberId, (byMember.get(memberId) ?? 0) + 1)
      reply.hijack()
      reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
      reply.raw.flushHeaders()
      const listener = openListener(reply.raw, clock, build)
      const leave = hub.join(workspaceId, listener, lastEventOf(request))
      open.set(request, { workspaceId, end: () => listener.end() })
      reply.raw.once('close', () => {
        leave()
        open.delete(request)
        const left = (byMember.get(memberId) ?? 1) - 1
        if (left === 0) byMember.delete(memberId)
        else byMember.set(memberId, left)
      })
    }

    app.route({
      method: 'GET',
      url: options.url,
      handler: async (request, reply) => {
        try {
          const { workspaceId, memberId } = await options.admit(request, reply)
          if ((byMember.get(memberId) ?? 0) >= MAX_STREAMS)
            throw new Refusal(
              'rate_limited',
              `You have ${MAX_STREAMS} live streams open. Close one of your pages.`,
              {
                retryAfterSeconds: 10,
              },
            )
          // The client disconnected during the admission.
          if (reply.raw.destroyed) return reply.hijack()
          listen(request, reply, workspaceId, memberId)
          return reply
        } catch (error) {
          return sendRefusal(reply, recordRefusal(request, error, onError))
        }
      },
    })
  }
