import { z } from 'zod'
import type { Action } from './action.ts'
import type { BucketName } from './buckets.ts'
import type {
  Context,
  Outside,
  OutsideContext,
  PrepareContext,
  Query,
  Role,
  Tx,
  Workspace,
} from './context.ts'
import type { ErrorCode, Refusal, RefusalCode } from './errors.ts'
import type { HotEndpoint } from './hot-endpoint.ts'
import type { Turns } from './lock-queue.ts'
import type { Scope } from './scopes.ts'
import type { NewSession, SessionContext } from './session.ts'
import type { SpooledFile } from './spool.ts'
import type { Tool } from './tool.ts'
import type { UploadRule } from './upload.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Text that is produced while it is sent, one piece whenever the caller can receive more. Production stops when the caller
 * disconnects.
 */
export type Pieces = {
  contentType: string
  filename: string
  text: AsyncIterable<string | Buffer>
  /** If set, a browser may show the file, under this Content-Security-Policy; otherwise the browser saves it. */
  policy?: string
}

/** The reply of an operation: a status that the endpoint declares, and its body, or a file in pieces. */
export type Reply = {
  status: number
  body: unknown
  pieces?: Pieces
  /** The browser's new session; null ends its session. */
  session?: NewSession | null
}
export const reply = (status: number, body: unknown): Reply => ({ status, body })
export const replyInPieces = (pieces: Pieces): Reply => ({ status: 200, body: undefined, pieces })

async function* inOnePiece(bytes: string | Buffer): AsyncIterable<string | Buffer> {
  yield bytes
}
/** Returns the reply for a file that is completely in memory. */
export const replyWithFile = ({ bytes, ...file }: Omit<Pieces, 'text'> & { bytes: string | Buffer }): Reply =>
  replyInPieces({ ...file, text: inOnePiece(bytes) })

/** The request as its handler receives it: validated, with names. */
export type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  params: z.output<P>
  query: z.output<Q>
  body: z.output<B>
}

/**
 * A requirement of an endpoint besides the plan: an add-on, a module, a connection. It is checked before the body is validated,
 * and refuses with a code in `refuses` (docs/clarifications.md "Order of refusals").
 */
export type Gate = {
  refuses: readonly ErrorCode[]
  check(request: { workspace: Workspace; query: Query; params: Record<string, string> }): Promise<void>
}

/** A request whose body has not been validated yet. */
export type RepeatableRequest = { workspace: Workspace; query: Query; body: unknown }

/** The declaration of an endpoint: its route, rights, limits, and documentation. */
export type Definition = {
  /** Unique name of the operation in generated clients (`operationId`): `sendMessage`, `listLeads`. */
  name: string
  method: Method
  /** Relative to the base URL, with `:name` parameters. */
  path: string
  /** One line that says what the endpoint does. */
  summary: string
  description?: string
  /** Heading in the reference. */
  tag: string
  /** Section of docs/spec.md. */
  section: string
  /** Null: any key with the role may call it. */
  scope: Scope | null
  /** A narrower scope that also opens the endpoint; a key with it alone receives less data. */
  orScope?: Scope
  /** Part of the dashboard: at `/api/dashboard`, with a session and never with a key, and not in the public API document. */
  auth?: 'session'
  /**
   * Requires a sign-in or confirmation within the last 10 minutes. `after-first`: only if the account has a
   * password or a factor; the operation checks this.
   */
  fresh?: true | 'after-first'
  /** Lowest role; null: neither a key nor a session is needed. */
  role: Role | null
  /** A key below `role` may call it when its scope list contains `scope` (spec 4.8). */
  scopeOverRole?: true
  bucket: BucketName | null
  /** Returns 404 in a workspace that is not a sandbox. */
  sandboxOnly?: true
  /** Further requirements of the workspace, in the order of their checks. */
  gates?: readonly Gate[]
  /** Costs money or cannot be undone: returns 503 while the limiter is unreachable (spec 7.1). */
  critical?: true
  /** The kind of object that `:id` names; the tenancy suite requests an object of another workspace. */
  subject?: string
  /** A request without a body is read as an empty object. */
  bodyOptional?: true
  /** Maximum bytes of the body; 64 KB by default (spec 8.2). */
  bodyLimit?: number
  /** Makes the endpoint a tool of assistants. */
  tool?: Tool
  /** Makes the endpoint an action of workflow programs. An endpoint with `tool` already is one. */
  action?: Action
  /** A request body for the reference. */
  example?: unknown
  /** The body's schema for the reference, where types can express rules between fields that `body` checks in code. */
  describedBody?: z.ZodType
  replies: Record<number, z.ZodType>
  /** Further content of a 200 reply that is sent in pieces: media type and content. */
  alsoAs?: Record<string, string>
  /** Refusals by the endpoint's own rules; the reference adds those of authentication. */
  refuses: RefusalCode[]
}

/** Context of an outside operation that stores its reply together with its last effect. `T` is the operation's result. */
export type AnsweringContext<T> = OutsideContext & {
  /**
   * Runs the last transaction. Its return value is the operation's result, and the reply is committed with it. A returned
   * refusal is also a reply: it is committed and then thrown.
   */
  lastTransaction(work: (ctx: Context) => Promise<T | Refusal>): Promise<T>
  /** Stores the reply in a transaction of the platform, at the workspace's `now`. */
  remember(tx: Tx, outcome: T, now: Date): Promise<void>
}

/** Context of an outside operation in a request. */
export type OutsideRequest = OutsideContext & {
  /** Aborted when the caller disconnects before the reply. */
  callerLeft: AbortSignal
  /**
   * Runs `operation`, which commits its reply with its last effect: a retry gets that reply even if the process dies
   * afterwards. `replyOf` turns the operation's result into the reply.
   */
  answering<T>(
    replyOf: (outcome: T) => Reply,
    operation: (ctx: AnsweringContext<T>) => Promise<T>,
  ): Promise<Reply>
}

/** The schemas of a request's parts. */
type Shapes<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  params?: P
  query?: Q
  body?: B
}

type Common = Definition & { params: z.ZodType; query: z.ZodType; body: z.ZodType | null }
type AnyInput = Input<z.ZodType, z.ZodType, z.ZodType>

// The handlers below are methods, so that a handler of a narrower input may be stored as one of any input.

/** Runs inside one transaction, in which its reply is stored for retries. */
export type PlainEndpoint = Common & {
  kind: 'plain'
  /** A workspace's requests queue before they take a connection; with one, they would wait for each other's locks. */
  inTurn?: Turns
  /** Calls the outside before the transaction, and may refuse. */
  prepare?(ctx: PrepareContext, input: AnyInput): Promise<void>
  /**
   * Returns the body of the earlier request that this request repeats, found by a reference in its body. It replaces the new
   * body: a repeated request skips the gates, and the rest of its body is not read.
   */
  repeated?(request: RepeatableRequest): Promise<unknown>
  handle(ctx: Context, input: AnyInput): Promise<Reply>
  /**
   * Waits after the commit, before a successful reply is sent; `body` is the reply's. A retry waits too, because its caller
   * may continue from the same step. A failure is logged and changes no reply.
   */
  afterwards?(ctx: { workspace: Workspace; outside: Outside }, body: unknown): Promise<void>
}

/** Calls the outside between its transactions, or replies in pieces that are each read in their own transaction. */
export type OutsideEndpoint = Common & {
  kind: 'outside'
  handle(ctx: OutsideRequest, input: AnyInput): Promise<Reply>
}

/** Takes an uploaded file, which is on disk while the handler runs and is deleted after the reply. */
export type UploadEndpoint = Common & {
  kind: 'upload'
  upload: UploadRule
  bodyLimit: number
  handle(ctx: OutsideRequest, input: AnyInput & { file: SpooledFile }): Promise<Reply>
}

/** Concerns the caller's account, independent of workspaces; its transactions run as the platform. */
export type AccountEndpoint = Common & {
  kind: 'account'
  handle(ctx: SessionContext, input: AnyInput): Promise<Reply>
}

/** Described like an endpoint, but served by a plugin of its own, without a key. */
export type UnmountedEndpoint = Common & { kind: 'unmounted' }

/** An endpoint: route, rules, schemas, and handler in one value. Everything else is derived from it. */
export type Endpoint =
  | PlainEndpoint
  | OutsideEndpoint
  | UploadEndpoint
  | AccountEndpoint
  | HotEndpoint
  | UnmountedEndpoint

/** An endpoint whose route the compiler knows: `GET /leads/:id`. */
export type Routed<Route extends string, Value = Endpoint> = Value & { readonly route: Route }

/** A definition with the literal method and path, from which the route of the endpoint's type is made. */
export type At<M extends Method, Path extends string> = Definition & { method: M; path: Path }

const noQuery = z.object({})

/** Returns the path parameters as plain strings, from the path itself. */
const pathParams = (path: string): z.ZodType =>
  z.object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map((match) => [match[1], z.string()])))

/** Returns the route and the schemas of an endpoint. */
export const routeAndShapes = <const M extends Method, const Path extends string>(
  value: At<M, Path> & Shapes<z.ZodType, z.ZodType, z.ZodType>,
) => ({
  route: `${value.method} ${value.path}` as const,
  params: value.params ?? pathParams(value.path),
  query: value.query ?? noQuery,
  body: value.body ?? null,
})

type Id = z.ZodType<{ id: string }>
type None = z.ZodType<Record<string, never>>
type NoBody = z.ZodType<undefined>

/** Declares an endpoint that runs in one transaction. */
export const endpoint = <
  const M extends Method,
  const Path extends string,
  P extends z.ZodType = Id,
  Q extends z.ZodType = None,
  B extends z.ZodType = NoBody,
>(
  value: At<M, Path> &
    Shapes<P, Q, B> & {
      inTurn?: Turns
      prepare?: (ctx: PrepareContext, input: Input<P, Q, B>) => Promise<void>
      repeated?: (request: RepeatableRequest) => Promise<z.output<B> | undefined>
      handle: (ctx: Context, input: Input<P, Q, B>) => Promise<Reply>
      afterwards?: (ctx: { workspace: Workspace; outside: Outside }, body: unknown) => Promise<void>
    },
): Routed<`${M} ${Path}`, PlainEndpoint> => ({ ...value, ...routeAndShapes(value), kind: 'plain' })

/** Declares an endpoint that calls the outside. A write uses `ctx.answering`. */
export const outsideEndpoint = <
  const M extends Method,
  const Path extends string,
  P extends z.ZodType = Id,
  Q extends z.ZodType = None,
  B extends z.ZodType = NoBody,
>(
  value: At<M, Path> &
    Shapes<P, Q, B> & { handle: (ctx: OutsideRequest, input: Input<P, Q, B>) => Promise<Reply> },
): Routed<`${M} ${Path}`, OutsideEndpoint> => ({ ...value, ...routeAndShapes(value), kind: 'outside' })

/** Declares an endpoint that takes a file in its body. */
export const uploadEndpoint = <
  const M extends Method,
  const Path extends string,
  P extends z.ZodType = Id,
  Q extends z.ZodType = None,
  B extends z.ZodType = NoBody,
>(
  value: At<M, Path> &
    Shapes<P, Q, B> & {
      upload: UploadRule
      bodyLimit: number
      handle: (ctx: OutsideRequest, input: Input<P, Q, B> & { file: SpooledFile }) => Promise<Reply>
    },
): Routed<`${M} ${Path}`, UploadEndpoint> => ({ ...value, ...routeAndShapes(value), kind: 'upload' })

/** Declares an endpoint of the dashboard about the caller's account. */
export const accountEndpoint = <
  const M extends Method,
  const Path extends string,
  P extends z.ZodType = Id,
  Q extends z.ZodType = None,
  B extends z.ZodType = NoBody,
>(
  value: At<M, Path> &
    Shapes<P, Q, B> & { handle: (ctx: SessionContext, input: Input<P, Q, B>) => Promise<Reply> },
): Routed<`${M} ${Path}`, AccountEndpoint> => ({ ...value, ...routeAndShapes(value), kind: 'account' })

/**
 * Declares a table of endpoints by their routes, in the order of their declaration. The compiler rejects a line whose route
 * differs from that of its endpoint, so the table shows the served routes.
 */
export const routes = <Table extends { [Route in keyof Table]: Routed<Route & string> }>(
  table: Table,
): Endpoint[] => Object.values<Endpoint>(table)

/** Whether requests of this endpoint change data and so accept an Idempotency-Key. */
export const isWrite = (value: { method: Method }): boolean => value.method !== 'GET'
