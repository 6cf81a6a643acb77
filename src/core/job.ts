import type { z } from 'zod'
import type { Context, OutsideContext } from './context.ts'

type Kind<Payload extends z.ZodType> = {
  name: string
  payload: Payload
  /** Seconds before each retry. After the last retry, the job is set aside with its error. */
  retrySeconds: readonly number[]
}

/** A job that uses only the database. */
export type InsideJob<Payload extends z.ZodType = z.ZodType> = Kind<Payload> & {
  /** Runs inside a tenant transaction that also removes the job, so that both happen or neither. */
  run(ctx: Context, payload: z.output<Payload>): Promise<void>
  /** Runs in the transaction that sets the job aside after its last attempt. */
  giveUp?(ctx: Context, payload: z.output<Payload>): Promise<void>
}

/** A job that calls the outside. Its lease is renewed while it runs, so no other process runs it at the same time. */
export type OutsideJob<Payload extends z.ZodType = z.ZodType> = Kind<Payload> & {
  /**
   * Makes its calls and returns a function with the writes, which runs in the transaction that removes the job. If the process
   * dies before, another process runs the job again, so everything here must be safe to repeat.
   */
  runOutside(ctx: OutsideContext, payload: z.output<Payload>): Promise<(ctx: Context) => Promise<void>>
  /** Runs in the transaction that sets the job aside after its last attempt. */
  giveUp?(ctx: Context, payload: z.output<Payload>, reason: string): Promise<void>
}

/** A kind of background job: its payload, and the delay before each retry. */
export type JobKind<Payload extends z.ZodType = z.ZodType> = InsideJob<Payload> | OutsideJob<Payload>

/** Declares a kind of background job. */
export const job = <Payload extends z.ZodType>(kind: InsideJob<Payload>): InsideJob<Payload> => kind

/** Declares a kind of background job that calls the outside. */
export const outsideJob = <Payload extends z.ZodType>(kind: OutsideJob<Payload>): OutsideJob<Payload> => kind

export const isOutsideJob = (kind: object): kind is OutsideJob => 'runOutside' in kind

/** Names of the work sources of jobs without and with calls to the outside, for waking the worker. */
export const JOBS = 'jobs'
export const OUTSIDE_JOBS = 'outside-jobs'
