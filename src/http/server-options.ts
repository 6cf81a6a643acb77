/** What the server is given, and what it notes on each request. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { SignedIn } from '../core/session.ts'
import type { AuthenticationOptions, Caller } from './authentication.ts'
import type { ConnectionLimits } from './connection-bounds.ts'
import type { ExecuteOptions } from './execution.ts'
import type { RateLimitStore } from './rate-limit/port.ts'
import type { RequestLine } from './request-line.ts'
import type { SessionOptions } from './session-authentication.ts'

export type PageServing = {
  /** Whether the path, without its query, is one of the page. */
  isAt(path: string): boolean
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export type ServerOptions = AuthenticationOptions &
  SessionOptions &
  ExecuteOptions & {
    clock: Clock
    endpoints: Endpoint[]
    limiter: RateLimitStore
    trustProxy: string[]
    connections: ConnectionLimits
    /** One call for each answered request. */
    onRequest(line: RequestLine): void
    /** So many connections had no place and were hung up on. */
    onTurnedAway(connections: number): void
    /** Runs an upload so that the server's end waits until it has put everything away. */
    hold<T>(work: () => Promise<T>): Promise<T>
    /** Adds what is not part of the API: health, reference page, operator callbacks. */
    plugins: ((app: FastifyInstance) => void)[]
    /** The page of the dashboard, which is at many addresses that are no routes. */
    page?: PageServing | undefined
  }

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    signedIn: SignedIn | null
    endpointValue: Endpoint | null
    refusedWith: string | null
    startedMs: number
    /** Its body has no type, or one that nobody chose, and is read as JSON. */
    typeAssumed: boolean
    /** When the answer began, of one that goes on for as long as somebody listens. */
    streamsSinceMs: number | undefined
  }
}
