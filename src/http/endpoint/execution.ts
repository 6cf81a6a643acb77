/**
 * The types for running an endpoint: the endpoint, parts of the service, and an admitted, validated request.
 */
import type { Clock } from '../../core/clock.ts'
import type { Context, Database, Outside, Unit, Via } from '../../core/context.ts'
import type { AccountEndpoint, Endpoint, UnmountedEndpoint } from '../../core/endpoint.ts'
import type { Sealer } from '../../core/sealing.ts'
import type { Caller } from '../wire/caller.ts'
import type { Claim, Keyed } from './idempotency.ts'
import type { Answer, ReplyTexts } from './reply-texts.ts'

export type ExecuteOptions = {
  database: Database
  clock: Clock
  outside: Outside
  sealer: Sealer
  /** The public address of the service. */
  siteUrl: string
  /** Validates answers against their schemas; on in tests only. */
  checkReplies: boolean
  onError(error: unknown, value: Endpoint): void
  /**
   * Called once per batch: the number of requests, their total wait, and the duration of the batch, in
   * milliseconds.
   */
  onBatch(value: Endpoint, requests: number, waitedMs: number, tookMs: number): void
  /** Set only in a process that exports traces. */
  traceBatches?: TraceBatches | undefined
}

/**
 * Wraps the function that runs the batches of an endpoint. `enter`: called with each item, in the context of its
 * request, before it waits for its batch.
 */
export type TraceBatches = (
  value: Endpoint,
  run: (items: Item[]) => Promise<Answer[]>,
) => { enter(item: Item): void; run(items: Item[]): Promise<Answer[]> }

/** An endpoint of a workspace's data. Those of accounts run in mount-account-endpoint.ts. */
export type WorkspaceEndpoint = Exclude<Endpoint, AccountEndpoint | UnmountedEndpoint>

export type Execution<Value extends WorkspaceEndpoint = WorkspaceEndpoint> = {
  value: Value
  options: ExecuteOptions
  texts: ReplyTexts
}

export type Admitted = {
  caller: Caller
  input: { params: never; query: never; body: never; file?: never }
  idempotency: Keyed | undefined
  /**
   * Aborts when the caller disconnects. Set for read-only requests, which then stop, and for outside
   * operations.
   */
  callerLeft?: AbortSignal | undefined
}

/** A request with its idempotency claim and the workspace's time. */
export type Item = Admitted & { claim: Claim | undefined; now: Date }

function viaOf(value: Endpoint, { workspace, actor }: Caller): Via {
  if (workspace.sandbox && value.sandboxOnly) return 'sandbox'
  return actor.kind === 'member' ? 'dashboard' : 'api'
}

export const contextOf = ({ value }: Pick<Execution, 'value'>, unit: Unit, item: Item): Context => ({
  ...unit,
  workspace: item.caller.workspace,
  actor: item.caller.actor,
  via: viaOf(value, item.caller),
  now: item.now,
})
