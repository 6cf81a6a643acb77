/** A simulated account. */
export type SimulatedAccount = { networkId: string; username: string; token: string }

/**
 * An object that the simulated network stores for an account: customer, comment, media, container, token,
 * fault …
 */
export type SimulatedObject = {
  kind: string
  /** The network's id: unique across all accounts. */
  id: string
  accountId: string
  value: Record<string, unknown>
  /** When the object disappears; null: never. */
  expiresAt: Date | null
}

/**
 * A report of the network about an account, in the network's format: an element of `messaging[]` or of
 * `changes[]`.
 */
export type NetworkEvent =
  | { messaging: Record<string, unknown> }
  | { field: string; value: Record<string, unknown> }

/** The faults: no answer after the effect, a refusal, a failed publication, or an expired token. */
export const FAULT_KINDS = ['no-answer', 'refuse', 'publish-fails', 'token-expired'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * The storage of the simulator for data that must survive a crash. In Parley it is the database; standalone,
 * memory.
 */
export type SocialStore = {
  findAccount(networkId: string): Promise<SimulatedAccount | undefined>
  /** Returns the account with this token, or with this token before a refresh. */
  findAccountByToken(token: string): Promise<SimulatedAccount | undefined>
  currentTime(): Date
  /** Stores an object for the account; replaces one of the same kind and id. */
  keep(account: SimulatedAccount, object: Omit<SimulatedObject, 'accountId'>): Promise<void>
  find(id: string): Promise<SimulatedObject | undefined>
  /** Returns the account's objects of a kind, in the order of creation. */
  list(account: SimulatedAccount, kind: string): Promise<SimulatedObject[]>
  drop(account: SimulatedAccount, kind: string, id: string): Promise<boolean>
  /** Resolves when the report is certain to be sent, with the id that the app will give it, if known. */
  report(account: SimulatedAccount, event: NetworkEvent): Promise<string | null>
  /** Returns the account's armed fault for a call, only of these kinds, and counts the use. */
  takeFault(account: SimulatedAccount, kinds: readonly FaultKind[]): Promise<FaultKind | undefined>
}

/** Returns a new id in the network's format: 17 digits. */
export const newNetworkId = (): string =>
  `17${Array.from({ length: 15 }, () => Math.floor(Math.random() * 10)).join('')}`

/** Returns the body of a webhook with one event. */
export const webhookBody = (account: { networkId: string }, event: NetworkEvent, time: Date) => ({
  object: 'instagram',
  entry: [
    'messaging' in event
      ? { id: account.networkId, time: time.getTime(), messaging: [event.messaging] }
      : {
          id: account.networkId,
          time: Math.floor(time.getTime() / 1000),
          changes: [{ field: event.field, value: event.value }],
        },
  ],
})
