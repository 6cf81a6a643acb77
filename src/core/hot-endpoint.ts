/** Endpoints of frequent verbs, which handle requests that arrived together in one transaction (docs/decisions/requests.md). */
import type { z } from 'zod'
import type { Context } from './context.ts'
import {
  type At,
  type Definition,
  type Input,
  type Method,
  type Reply,
  type Routed,
  routeAndShapes,
} from './endpoint.ts'
import type { Refusal } from './errors.ts'

/** One request of a batch: it has its own workspace, actor, and moment; the transaction is shared. */
export type BatchItem<B extends z.ZodType> = Input<z.ZodType, z.ZodType, B> & { ctx: Context }

/** One request of a batch before its transaction is open. */
export type UnopenedItem<B extends z.ZodType> = Input<z.ZodType, z.ZodType, B> & {
  ctx: Pick<Context, 'workspace' | 'now'>
}

/** Handles the requests of a batch that are not retries: one reply each, in order. */
export type HandleFresh<B extends z.ZodType> = (fresh: BatchItem<B>[]) => Promise<(Reply | Refusal)[]>

export type HotEndpoint = Definition & {
  kind: 'hot'
  params: z.ZodType
  query: z.ZodType
  body: z.ZodType
  readAhead(items: BatchItem<z.ZodType>[]): Promise<HandleFresh<z.ZodType>>
  recall(items: UnopenedItem<z.ZodType>[]): HandleFresh<z.ZodType> | undefined
}

/** Declares an endpoint of a frequent verb. */
export const hotEndpoint = <const M extends Method, const Path extends string, B extends z.ZodType>(
  value: At<M, Path> & {
    body: B
    /**
     * Reads what the batch needs, in one round trip with the look-up of idempotency keys. The returned function writes, for the
     * requests that are no retries. The reads must not lock: a retry would wait for the very request that it repeats.
     */
    readAhead: (items: BatchItem<B>[]) => Promise<HandleFresh<B>>
    /**
     * For the usual case: no request is a retry, and all that the batch needs is in the process's memory. Returns a function
     * that handles the batch without reading; its statements are sent with the commit and fail if the memory is out of date.
     * The batch then runs with `readAhead`. Returns undefined if the process does not remember enough.
     */
    recall: (items: UnopenedItem<B>[]) => HandleFresh<B> | undefined
  },
): Routed<`${M} ${Path}`, HotEndpoint> => ({
  ...value,
  ...routeAndShapes(value),
  body: value.body,
  kind: 'hot',
})
