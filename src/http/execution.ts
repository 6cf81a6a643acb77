/** What running an endpoint works with: the endpoint, the service's parts, and one admitted, validated request. */
import type { Clock } from '../core/clock.ts'
import type { Context, Database, Outside, Unit, Via } from '../core/context.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { Sealer } from '../core/sealing.ts'
import type { Caller } from './authentication.ts'
import type { Claim, Keyed } from './idempotency.ts'
import type { ReplyTexts } from './reply-texts.ts'

export type ExecuteOptions = {
  database: Database
  clock: Clock
  outside: Outside
  sealer: Sealer
  /** Answers are read again by their schemas, in tests. */
  checkReplies: boolean
  onError(error: unknown, value: Endpoint): void
  /** One call for each batch of an endpoint that gathers: its requests, how long they waited for it, added up, and how long it took. */
  onBatch(value: Endpoint, requests: number, waitedMs: number, tookMs: number): void
}

export type Execution = { value: Endpoint; options: ExecuteOptions; texts: ReplyTexts }

export type Admitted = {
  caller: Caller
  input: { params: never; query: never; body: never; file?: never }
  idempotency: Keyed | undefined
  /** Of a request that only reads, which is given up when nobody waits for it any more, and of one that speaks to the outside. */
  callerLeft?: AbortSignal | undefined
}

/** One request in its transaction's terms. */
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
