import type { GatewayStore, SimulatedAccount } from './store.ts'

export type GatewaySettings = {
  /** Refuse a second link with the same reference, as the gateway does. */
  uniqueReferences: boolean
  /** The address of payment pages, without the link's id. */
  payPage: string
}

/** One call of the gateway's API, with a valid key. */
export type Call = {
  store: GatewayStore
  settings: GatewaySettings
  account: SimulatedAccount
  /** The id in the path; '' if it has none. */
  id: string
  query: URLSearchParams
  /** The JSON object of the body. */
  values: Record<string, unknown>
}
