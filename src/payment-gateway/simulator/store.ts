/** An account that the simulated gateway plays. */
export type SimulatedAccount = {
  /** The gateway's id of the account: acc_… */
  id: string
  keyId: string
  keySecret: string
  webhookSecret: string
}

/** What the gateway keeps, in its own words. */
export type Entity = Record<string, unknown> & { id: string }
export type EntityKind = 'payment_link' | 'order' | 'payment' | 'refund'

/** A webhook on its way: the gateway's id of the event, and its bytes as they are signed. */
export type GatewayEvent = { id: string; body: string }

/** How a call goes wrong: it has its effect and is never answered, or it is refused and has none. */
export const GATEWAY_FAULTS = ['no-answer', 'refuse'] as const
export type GatewayFault = (typeof GATEWAY_FAULTS)[number]

/** Where the simulated gateway keeps what must survive a crash. Inside Parley it is the database; alone, memory. */
export type GatewayStore = {
  findAccount(keyId: string): Promise<SimulatedAccount | undefined>
  /** The time of the account's workspace. */
  now(account: SimulatedAccount): Promise<Date>
  find(account: SimulatedAccount, kind: EntityKind, id: string): Promise<Entity | undefined>
  /** All of a kind, newest first. */
  list(account: SimulatedAccount, kind: EntityKind): Promise<Entity[]>
  /** Keeps an entity in place of the one with its id. */
  keep(account: SimulatedAccount, kind: EntityKind, entity: Entity): Promise<void>
  /** Returns once the webhook is sure to be delivered some time. */
  post(account: SimulatedAccount, event: GatewayEvent): Promise<void>
  /** The fault that the next call meets, used up by this. `call` is method and path, such as `POST payment_links`. */
  takeFault(account: SimulatedAccount, call: string): Promise<GatewayFault | undefined>
}
