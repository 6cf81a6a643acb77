import { z } from 'zod'
import type { BucketName } from './buckets.ts'
import type {
  AskingContext,
  Context,
  OutsideContext,
  PrepareContext,
  Query,
  Role,
  Tx,
  Workspace,
} from './context.ts'
import type { ErrorCode, Refusal, RefusalCode } from './errors.ts'
import type { Scope } from './scopes.ts'
import type { NewSession, SessionContext } from './session.ts'
import type { SpooledFile } from './spool.ts'
import type { Turns } from './turns.ts'
import type { UploadRule } from './upload.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Text that is made while it is sent, a piece when the caller has room for it; who leaves has it stopped. */
export type Pieces = {
  contentType: string
  filename: string
  text: AsyncIterable<string | Buffer>
  /** A browser may show it, under this Content-Security-Policy; else it is saved. */
  policy?: string
}

/** What an operation answers: a status that the endpoint declares, and its body, or a file in pieces. */
export type Reply = {
  status: number
  body: unknown
  pieces?: Pieces
  /** The session that the browser holds from now on; null: none any more. */
  session?: NewSession | null
}
export const reply = (status: number, body: unknown): Reply => ({ status, body })
export const replyInPieces = (pieces: Pieces): Reply => ({ status: 200, body: undefined, pieces })

async function* inOnePiece(bytes: string | Buffer): AsyncIterable<string | Buffer> {
  yield bytes
}
/** A file that is there as a whole. */
export const replyWithFile = ({ bytes, ...file }: Omit<Pieces, 'text'> & { bytes: string | Buffer }): Reply =>
  replyInPieces({ ...file, text: inOnePiece(bytes) })

/** The request as its handler sees it: validated, with names. */
export type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  params: z.output<P>
  query: z.output<Q>
  body: z.output<B>
}

/** One request of a batch: its own workspace, actor and moment; the transaction is shared. */
export type BatchItem<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Input<P, Q, B> & {
  ctx: Context
}

/** The same before its transaction is open. */
export type UnopenedItem<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Input<P, Q, B> & {
  ctx: Pick<Context, 'workspace' | 'now'>
}

/**
 * What a workspace needs for an endpoint beside the plan: an add-on, a module, a connection. It is looked at before the
 * body is validated, and refuses with one of `refuses` (docs/clarifications.md "Order of refusals").
 */
export type Gate = {
  refuses: readonly ErrorCode[]
  check(at: { workspace: Workspace; query: Query; params: Record<string, string> }): Promise<void>
}

/** A request whose body is not validated yet. */
export type RepeatedAt = { workspace: Workspace; query: Query; body: unknown }

type Face = {
  /** What it does, for generated clients (`operationId`): `sendMessage`, `listLeads`. Unique. */
  name: string
  method: Method
  /** Relative to the base address, with `:name` parameters. */
  path: string
  /** One line: what it does. */
  summary: string
  description?: string
  /** Heading in the reference. */
  tag: string
  /** Section of docs/spec.md. */
  section: string
  /** Null: any key of the role. */
  scope: Scope | null
  /** A narrower scope that opens the endpoint too; the operation shows such a key less. */
  orScope?: Scope
  /** Part of the dashboard: at `/api/dashboard`, by a session and never by a key, and not in the public description. */
  auth?: 'session'
  /** For who signed in or confirmed within 10 minutes. */
  fresh?: true
  /** Lowest role; null: no key needed, and no session. */
  role: Role | null
  /** A key below `role` may enter when its scope list holds `scope` (spec 4.8). */
  scopeOverRole?: true
  bucket: BucketName | null
  /** Answers 404 in a workspace that is not a sandbox. */
  sandboxOnly?: true
  /** What the workspace needs besides, in the order in which it is looked at. */
  gates?: readonly Gate[]
  /** Costs money or cannot be undone: 503 while the limiter is unreachable (spec 7.1). */
  critical?: true
  /** Requests of a workspace wait for their turn before they take a connection, as they would wait for each other with one. */
  inTurn?: Turns
  /** What `:id` names; the tenancy suite asks for another workspace's. */
  subject?: string
  /** It reads, and a statement of it takes as long as it takes: nothing narrower can be asked for. */
  mayTakeLong?: true
  /** A request without a body is one with an empty object. */
  bodyOptional?: true
  /** Bytes of body allowed; 64 KB unless said (spec 8.2). */
  bodyLimit?: number
  /** Shown in the reference: a request body. */
  example?: unknown
  /** The body as the reference describes it, where types can say what `body` checks between its fields. */
  describedBody?: z.ZodType
  replies: Record<number, z.ZodType>
  /** What else a 200 may be, in pieces: media type and what it holds. */
  alsoAs?: Record<string, string>
  /** Refusals of its own rules; those of authentication are added by the reference. */
  refuses: RefusalCode[]
}

/** An outside operation that remembers its answer together with its last effect, and comes to a `T`. */
export type AnsweringContext<T> = OutsideContext & {
  /**
   * The last transaction: what it returns is what the operation comes to, and its answer is committed with it. A refusal that
   * it returns is an answer too: it is committed like anything else, and then thrown.
   */
  lastTransaction(work: (ctx: Context) => Promise<T | Refusal>): Promise<T>
  /** Remembers the answer in a transaction of the platform's own, at `now` of the workspace. */
  remember(tx: Tx, outcome: T, now: Date): Promise<void>
}

/** An outside operation as a request asks for it. */
export type OutsideRequest = OutsideContext & {
  /** Aborted when the caller leaves before the answer. */
  callerLeft: AbortSignal
  /**
   * Runs `operation`, which commits its answer with its last effect, so that a retry gets that answer whatever happens
   * afterwards. `replyOf` makes the answer of what the operation comes to.
   */
  answering<T>(
    replyOf: (outcome: T) => Reply,
    operation: (ctx: AnsweringContext<T>) => Promise<T>,
  ): Promise<Reply>
}

type Handlers<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> =
  /** Inside one transaction; `prepare` asks the outside first and may refuse. */
  | {
      prepare?: (ctx: PrepareContext, input: Input<P, Q, B>) => Promise<void>
      handle: (ctx: Context, input: Input<P, Q, B>) => Promise<Reply>
      /** Waits, for a bounded time, for what the committed request set going; the answer no longer depends on it. */
      afterwards?: (ctx: AskingContext, answered: unknown) => Promise<void>
    }
  /**
   * A hot verb: over a list of requests that arrived together, one answer each, in order. What it reads goes out together with the
   * look at the idempotency keys, in one round trip; what it returns then writes, for those of the batch that are no retries.
   * Nothing is locked in the first step: a retry would wait for the very request that it repeats.
   */
  | {
      handleBatchAhead: (
        items: BatchItem<P, Q, B>[],
      ) => Promise<(fresh: BatchItem<P, Q, B>[]) => Promise<(Reply | Refusal)[]>>
      /**
       * The same without reading first, for the usual case: no request is a retry, and what they name is new, or as the process
       * remembers it. Its statements go out with the commit and fail by themselves where that is wrong; the batch then runs as above.
       */
      handleBatchOptimistically?: (items: BatchItem<P, Q, B>[]) => Promise<(Reply | Refusal)[]>
      /** Whether the process remembers what that needs for such requests. Without it that is always tried. */
      mayAssume?: (items: UnopenedItem<P, Q, B>[]) => boolean
    }
  /** About the caller's account, whatever their workspace: it runs its transactions as the platform. */
  | { handleSession: (ctx: SessionContext, input: Input<P, Q, B>) => Promise<Reply> }
  /** Speaks to the outside between its transactions, or answers in pieces that are read by one each. */
  | { handleOutside: (ctx: OutsideRequest, input: Input<P, Q, B>) => Promise<Reply> }
  /** The same with a file, which is on the disk when the handler runs and gone when it has answered. */
  | {
      upload: UploadRule
      handleUpload: (ctx: OutsideRequest, input: Input<P, Q, B> & { file: SpooledFile }) => Promise<Reply>
    }

type Shapes<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  params?: P
  query?: Q
  body?: B
  /**
   * The body of the earlier request that this one repeats, by a reference in its body. It runs in its place: a repeated request
   * needs no gate, and the rest of its body is not looked at.
   */
  repeated?: (at: RepeatedAt) => Promise<z.output<B> | undefined>
}

/** An endpoint: route, rules, shapes and handler in one value. Everything else is derived from it. */
export type Endpoint = Face & {
  params: z.ZodType
  query: z.ZodType
  body: z.ZodType | null
  repeated?: (at: RepeatedAt) => Promise<unknown>
  prepare?: (ctx: PrepareContext, input: Input<z.ZodType, z.ZodType, z.ZodType>) => Promise<void>
  handle?: (ctx: Context, input: Input<z.ZodType, z.ZodType, z.ZodType>) => Promise<Reply>
  afterwards?: (ctx: AskingContext, answered: unknown) => Promise<void>
  handleBatchAhead?: (
    items: BatchItem<z.ZodType, z.ZodType, z.ZodType>[],
  ) => Promise<(fresh: BatchItem<z.ZodType, z.ZodType, z.ZodType>[]) => Promise<(Reply | Refusal)[]>>
  handleBatchOptimistically?: (
    items: BatchItem<z.ZodType, z.ZodType, z.ZodType>[],
  ) => Promise<(Reply | Refusal)[]>
  mayAssume?: (items: UnopenedItem<z.ZodType, z.ZodType, z.ZodType>[]) => boolean
  handleOutside?: (ctx: OutsideRequest, input: Input<z.ZodType, z.ZodType, z.ZodType>) => Promise<Reply>
  handleSession?: (ctx: SessionContext, input: Input<z.ZodType, z.ZodType, z.ZodType>) => Promise<Reply>
  upload?: UploadRule
  handleUpload?: (
    ctx: OutsideRequest,
    input: Input<z.ZodType, z.ZodType, z.ZodType> & { file: SpooledFile },
  ) => Promise<Reply>
}

const noQuery = z.object({})

/** Path parameters as plain strings, from the path itself. */
const pathParams = (path: string): z.ZodType =>
  z.object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map((match) => [match[1], z.string()])))

/** An endpoint of which the compiler knows the route: `GET /leads/:id`. */
export type Routed<Route extends string> = Endpoint & { readonly route: Route }

/** Declares an endpoint; its handler's input takes the types of its shapes. */
export function endpoint<
  const M extends Method,
  const Path extends string,
  P extends z.ZodType = z.ZodType<{ id: string }>,
  Q extends z.ZodType = z.ZodType<Record<string, never>>,
  B extends z.ZodType = z.ZodType<undefined>,
>(value: Face & { method: M; path: Path } & Shapes<P, Q, B> & Handlers<P, Q, B>): Routed<`${M} ${Path}`> {
  return {
    ...value,
    route: `${value.method} ${value.path}`,
    params: value.params ?? pathParams(value.path),
    query: value.query ?? noQuery,
    body: value.body ?? null,
  } as unknown as Routed<`${M} ${Path}`>
}

/**
 * A table of endpoints by their routes, in the order in which it is written. The compiler refuses a line whose route is
 * not that of its endpoint, so what is read here is what is served.
 */
export const routes = <Table extends { [Route in keyof Table]: Routed<Route & string> }>(
  table: Table,
): Endpoint[] => Object.values<Endpoint>(table)

/** Whether a request of this endpoint changes something and so takes an Idempotency-Key. */
export const isWrite = (value: { method: Method }): boolean => value.method !== 'GET'
