import type { GraphAnswer } from '../../operator/simulator/graph-errors.ts'
import type { SimulatedAccount, SimulatedObject, SocialStore } from './store.ts'

/** One call of the network's API, with a valid token. */
export type SimulatedCall = {
  store: SocialStore
  account: SimulatedAccount
  /** The addressed object, if the call does not address the account. */
  object: SimulatedObject | undefined
  /** Parameters of the query, then of the body. */
  values: Record<string, unknown>
  /** Returns whether the network can fetch a photo or video at its address. */
  canFetch(url: string): Promise<boolean>
  /** Its token. */
  token: string
  /** The simulator's own address, for links to itself. */
  url: string
  /** The version that it names, and the path after it. */
  version: string
  path: string
}

/**
 * Calls by target and method: `account POST messages`, `app GET refresh_access_token`, or the kind of an
 * object, such as `comment POST replies`. To add a call, add a row.
 */
export type Calls = Record<string, (call: SimulatedCall) => Promise<GraphAnswer>>
