/** An account that the simulator plays. */
export type SimulatedAccount = { networkId: string; username: string; token: string }

/** Something that the simulated network keeps of an account: customer, comment, media, container, token, fault … */
export type SimulatedObject = {
  kind: string
  /** The network's id: unique among all accounts. */
  id: string
  accountId: string
  value: Record<string, unknown>
  /** From then on nobody finds it; null: never. */
  expiresAt: Date | null
}

/** What the network reports of an account, in its own words: an element of `messaging[]` or of `changes[]`. */
export type NetworkEvent =
  | { messaging: Record<string, unknown> }
  | { field: string; value: Record<string, unknown> }

/** What goes wrong: not answered after it had its effect, refused, not published, or the token is no longer good. */
export const FAULT_KINDS = ['no-answer', 'refuse', 'publish-fails', 'token-expired'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** Where the simulator keeps what must survive a crash. Inside Parley it is the database; alone, memory. */
export type SocialStore = {
  findAccount(networkId: string): Promise<SimulatedAccount | undefined>
  /** The account whose token it is, or was before it was refreshed. */
  findAccountByToken(token: string): Promise<SimulatedAccount | undefined>
  currentTime(): Date
  /** Keeps an object for the account, in place of one of the same kind and id. */
  keep(account: SimulatedAccount, object: Omit<SimulatedObject, 'accountId'>): Promise<void>
  find(id: string): Promise<SimulatedObject | undefined>
  /** The account's objects of a kind, in the order in which they were first kept. */
  list(account: SimulatedAccount, kind: string): Promise<SimulatedObject[]>
  drop(account: SimulatedAccount, kind: string, id: string): Promise<boolean>
  /** Returns once the report is on its way for certain: the id under which the app will know it, where that is known. */
  report(account: SimulatedAccount, event: NetworkEvent): Promise<string | null>
  /** The fault that is armed for a call of the account, used once; only of these kinds. */
  takeFault(account: SimulatedAccount, kinds: readonly FaultKind[]): Promise<FaultKind | undefined>
}

/** A new id as the network gives them: 17 digits. */
export const newNetworkId = (): string =>
  `17${Array.from({ length: 15 }, () => Math.floor(Math.random() * 10)).join('')}`

/** The body of a webhook with one event. */
export const webhookBody = (account: { networkId: string }, event: NetworkEvent, at: Date) => ({
  object: 'instagram',
  entry: [
    'messaging' in event
      ? { id: account.networkId, time: at.getTime(), messaging: [event.messaging] }
      : {
          id: account.networkId,
          time: Math.floor(at.getTime() / 1000),
          changes: [{ field: event.field, value: event.value }],
        },
  ],
})
