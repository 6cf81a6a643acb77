import type { GatewayStore, SimulatedAccount } from './store.ts'

export type GatewaySettings = {
  /** A second link with the reference of another is refused, as at the gateway. */
  uniqueReferences: boolean
  /** Where links lead; their id follows. */
  payPage: string
}

/** One call of the gateway's API, admitted by its key. */
export type Call = {
  store: GatewayStore
  settings: GatewaySettings
  account: SimulatedAccount
  /** The id in the path; '' where it has none. */
  id: string
  query: URLSearchParams
  /** The JSON object of the body. */
  values: Record<string, unknown>
}
