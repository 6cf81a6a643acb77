import type { SimulatedCall } from './call.ts'
import type { GraphAnswer } from './graph-errors.ts'
import type { Recipient } from './recipients.ts'
import type { SimulatedNumber } from './store.ts'

/** A message that the network is taking. */
export type TakenMessage = {
  number: SimulatedNumber
  recipient: Recipient
  chanmid: string
  callbackData: string | undefined
  type: string
  /** The payload of its type, as it came. */
  content: unknown
}

/** What becomes of a message: milliseconds after it was taken, null for never. A failure takes the place of the rest. */
export type Course = {
  sentMs: number | null
  deliveredMs: number | null
  readMs: number | null
  failure: { code: number; afterMs: number } | null
  /** The customer came by an ad within the last 24 hours: what answers them is free for 72 (docs/formats.md section 12). */
  freeEntry: boolean
}

/**
 * Directs what does not go its ordinary way: refusals, hangs, limits, customers who hide their number. The sandbox has
 * the plain one, a simulator that stands alone has settings (standalone/).
 */
export type Director = {
  /** An answer to give instead of playing the call. May wait. */
  instead(name: string, call: SimulatedCall): Promise<GraphAnswer | undefined>
  /** What is answered to a call that was played. */
  after(name: string, call: SimulatedCall, answer: GraphAnswer): GraphAnswer
  /** The customer as the network knows them, or why they cannot be written to. */
  resolve(recipient: Recipient): { ok: true; recipient: Recipient } | { ok: false; answer: GraphAnswer }
  /** Why this message is refused although its form is right. */
  refuse(message: TakenMessage, call: SimulatedCall): Promise<GraphAnswer | undefined>
  /** Called for every message that is taken, before its receipts are scheduled; answers its course. */
  take(message: TakenMessage, course: Course, call: SimulatedCall): Promise<Course>
  /** Whether a customer, by number in digits or user id, may be blocked now. */
  mayBlock(key: string): boolean
  /** Where the app's webhooks go, as the number shows it; null where nobody knows. */
  callbackUrl(): string | null
  /** An app asks for the account's webhooks, maybe at an address of its own, which must prove that it wants them. */
  subscribe(address: unknown, verifyToken: unknown): Promise<GraphAnswer | undefined>
}

/** Everything goes its ordinary way. */
export const plainDirector: Director = {
  instead: async () => undefined,
  after: (_name, _call, answer) => answer,
  resolve: (recipient) => ({ ok: true, recipient }),
  refuse: async () => undefined,
  take: async (_message, course) => course,
  mayBlock: () => true,
  callbackUrl: () => null,
  subscribe: async () => undefined,
}
