/** A simulated account. */
export type SimulatedAccount = {
  /** The gateway's id of the account: acc_… */
  id: string
  keyId: string
  keySecret: string
  webhookSecret: string
}

/** An object of the gateway, in its own format. */
export type Entity = Record<string, unknown> & { id: string }
export type EntityKind = 'payment_link' | 'order' | 'payment' | 'refund'

/** A pending webhook: the gateway's id of the event, and the signed bytes. */
export type GatewayEvent = { id: string; body: string }

/** The faults of a call: it takes effect without an answer, or the gateway rejects it without effect. */
export const GATEWAY_FAULTS = ['no-answer', 'refuse'] as const
export type GatewayFault = (typeof GATEWAY_FAULTS)[number]

/**
 * The storage of the simulator for data that must survive a crash. In Parley it is the database; standalone,
 * memory.
 */
export type GatewayStore = {
  findAccount(keyId: string): Promise<SimulatedAccount | undefined>
  /** Returns the time of the account's workspace. */
  now(account: SimulatedAccount): Promise<Date>
  find(account: SimulatedAccount, kind: EntityKind, id: string): Promise<Entity | undefined>
  /** Returns all entities of a kind, newest first. */
  list(account: SimulatedAccount, kind: EntityKind): Promise<Entity[]>
  /** Stores an entity; replaces the one with the same id. */
  keep(account: SimulatedAccount, kind: EntityKind, entity: Entity): Promise<void>
  /** Resolves when the webhook is certain to be delivered eventually. */
  post(account: SimulatedAccount, event: GatewayEvent): Promise<void>
  /**
   * Returns the armed fault of the next call and counts the use. `call` is method and path, such as `POST
   * payment_links`.
   */
  takeFault(account: SimulatedAccount, call: string): Promise<GatewayFault | undefined>
}
