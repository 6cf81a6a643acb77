/**
 * GET /api/dashboard/stream: what changes in a workspace, as server-sent events (docs/decisions/dashboard-pages.md). Frames hold ids
 * alone; whoever shows them reads them again, with their own rights.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, SECOND_MS } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import { noteRefusal, sendRefusal } from '../answer.ts'
import type { LiveHub } from './hub.ts'
import { openListener } from './listener.ts'

export type StreamOptions = {
  url: string
  hub: LiveHub
  clock: Pick<Clock, 'monotonicMs'>
  /** Lets a member in, or refuses. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<{ workspaceId: string; memberId: string }>
  /** Whether who was let in still may be. */
  mayStay(request: FastifyRequest, workspaceId: string): Promise<boolean>
  /** Which pages are served just now. */
  build(): string | null
  onError(error: unknown): void
}

/** Streams of one member in one process: more tabs and devices than anybody looks at. */
const MAX_STREAMS = 20
const RIGHTS_LOOK_MS = SECOND_MS

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that gathers what it passes on would hold every frame back.
  'x-accel-buffering': 'no',
}

type Asked = { after?: string }

/** The place to go on from: the browser's own, or what the page remembers. */
function lastEventOf({ headers, query }: FastifyRequest): string | undefined {
  const own = headers['last-event-id']
  return typeof own === 'string' && own !== '' ? own : (query as Asked).after
}

export const liveStream =
  (options: StreamOptions) =>
  (app: FastifyInstance): void => {
    const { hub, clock, build, onError } = options
    const byMember = new Map<string, number>()
    /** Ends the streams of those who may not listen any more. */
    const open = new Map<FastifyRequest, { workspaceId: string; end(): void }>()
    const look = setInterval(() => {
      for (const [request, { workspaceId, end }] of open)
        options.mayStay(request, workspaceId).then(
          (may) => may || end(),
          // While nobody can tell, it goes on.
          onError,
        )
    }, RIGHTS_LOOK_MS)
    look.unref()
    app.addHook('preClose', async () => {
      clearInterval(look)
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
          // Whoever left while they were let in.
          if (reply.raw.destroyed) return reply.hijack()
          listen(request, reply, workspaceId, memberId)
          return reply
        } catch (error) {
          return sendRefusal(reply, noteRefusal(request, error, onError))
        }
      },
    })
  }
