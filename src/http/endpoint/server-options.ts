/** The options of the server, and the fields that it sets on each request. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import type { SignedIn } from '../../core/session.ts'
import type { AuthenticationOptions } from '../auth/authentication.ts'
import type { SessionOptions } from '../auth/session-authentication.ts'
import type { RateLimitStore } from '../rate-limit/port.ts'
import type { Caller } from '../wire/caller.ts'
import type { ConnectionLimits } from '../wire/connection-bounds.ts'
import type { RequestLine } from '../wire/request-line.ts'
import type { ExecuteOptions } from './execution.ts'

export type PageServing = {
  /** Returns whether the path, without its query, is an address of the page. */
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
    /** Called for each answered request. */
    onRequest(line: RequestLine, request: FastifyRequest): void
    /** Called with the number of connections closed because of the connection limit. */
    onTurnedAway(connections: number): void
    /** Runs an upload; the shutdown waits until the upload has cleaned up. */
    hold<T>(work: () => Promise<T>): Promise<T>
    /** Add routes outside the API: health, the reference page, operator callbacks. */
    plugins: ((app: FastifyInstance) => void)[]
    /** The dashboard page, served at many addresses that aren't routes. */
    page?: PageServing | undefined
  }

declare module 'fastify' {
  interface FastifyInstance {
    /** The public address of the service. */
    siteUrl: string
  }
  interface FastifyRequest {
    caller: Caller | null
    signedIn: SignedIn | null
    endpointValue: Endpoint | null
    refusedWith: string | null
    startedMs: number
    /** The body has no type, or a client's default type, and is read as JSON. */
    typeAssumed: boolean
    /** The start of a streamed answer, which continues until the client disconnects. */
    streamsSinceMs: number | undefined
  }
}
