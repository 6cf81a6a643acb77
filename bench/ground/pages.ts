/** Pages of a running service, signed in, and the customers who write to it. */
import type { BrowserContext } from 'playwright-core'
import type { Inbox } from '../seeds/inbox.ts'
import type { Arena } from './arena.ts'

/** Names that none of the seeded contacts bears. */
export const CUSTOMERS = ['Ottoline Zander', 'Wilhelm Quist']
/** What the parts of the goal work with. */
export type Pages = {
  arena: Arena
  inbox: Inbox
  address: string
  /** Signed in, with an empty cache. */
  profile(): Promise<BrowserContext>
  /** A customer writes; answers once the server has taken it. */
  write(customer: number, text: string): Promise<void>
}

export const customerName = (customer: number): string => CUSTOMERS[customer]!
