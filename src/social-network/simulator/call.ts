import type { GraphAnswer } from '../../operator/simulator/graph-errors.ts'
import type { SimulatedAccount, SimulatedObject, SocialStore } from './store.ts'

/** One call of the network's API, admitted by its token. */
export type SimulatedCall = {
  store: SocialStore
  account: SimulatedAccount
  /** What was addressed when it was not the account. */
  object: SimulatedObject | undefined
  /** Parameters of the query, then of the body. */
  values: Record<string, unknown>
  /** Whether the network can fetch a photo or video at its address. */
  canFetch(url: string): Promise<boolean>
  /** The token that it carries. */
  token: string
  /** The simulator's own address, for links to itself. */
  url: string
  /** The version that it names, and the path behind it. */
  version: string
  path: string
}

/**
 * Calls by what they address and how: `account POST messages`, `app GET refresh_access_token`, or the kind of an object,
 * such as `comment POST replies`. A call more is a row more.
 */
export type Calls = Record<string, (call: SimulatedCall) => Promise<GraphAnswer>>
