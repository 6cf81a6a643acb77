/** Signed-in pages of a running service, and the customers who write to it. */
import type { BrowserContext } from 'playwright-core'
import type { Inbox } from '../seeds/inbox.ts'
import type { Arena } from './arena.ts'

/** Names that no seeded contact has. */
export const CUSTOMERS = ['Ottoline Zander', 'Wilhelm Quist']
/** The shared parts of the dashboard goal. */
export type Pages = {
  arena: Arena
  inbox: Inbox
  address: string
  /** Returns a signed-in browser context with an empty cache. */
  profile(): Promise<BrowserContext>
  /** Writes as a customer; resolves when the server has accepted the message. */
  write(customer: number, text: string): Promise<void>
}

export const customerName = (customer: number): string => CUSTOMERS[customer]!
