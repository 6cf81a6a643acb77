import type { SimulatedCall } from './call.ts'
import type { GraphAnswer } from './graph-errors.ts'
import type { Recipient } from './recipients.ts'
import type { SimulatedNumber } from './store.ts'

/** A message that the network is accepting. */
export type TakenMessage = {
  number: SimulatedNumber
  recipient: Recipient
  chanmid: string
  callbackData: string | undefined
  type: string
  /** The payload of its type, as received. */
  content: unknown
}

/** The receipts of a message: milliseconds after acceptance, null for never. A failure replaces the rest. */
export type Course = {
  sentMs: number | null
  deliveredMs: number | null
  readMs: number | null
  failure: { code: number; afterMs: number } | null
  /**
   * The customer came through an ad within the last 24 hours: replies are free for 72 hours (docs/formats.md
   * section 12).
   */
  freeEntry: boolean
}

/**
 * Controls deviations from the normal course: refusals, hangs, limits, customers who hide their number. The
 * sandbox uses the plain director; a standalone simulator has settings (standalone/).
 */
export type Director = {
  /** Returns an answer to use instead of running the call. May wait. */
  instead(name: string, call: SimulatedCall): Promise<GraphAnswer | undefined>
  /** Returns the final answer of a call that was run. */
  after(name: string, call: SimulatedCall, answer: GraphAnswer): GraphAnswer
  /** Returns the customer on the network, or the reason why they can't receive messages. */
  resolve(recipient: Recipient): { ok: true; recipient: Recipient } | { ok: false; answer: GraphAnswer }
  /** Returns the refusal of a well-formed message, if any. */
  refuse(message: TakenMessage, call: SimulatedCall): Promise<GraphAnswer | undefined>
  /** Called for every accepted message before its receipts are scheduled; returns its course. */
  take(message: TakenMessage, course: Course, call: SimulatedCall): Promise<Course>
  /** Returns whether a customer, by number in digits or user id, may be blocked now. */
  mayBlock(key: string): boolean
  /** Returns the number's webhook address; null if unknown. */
  callbackUrl(): string | null
  /**
   * Subscribes an app to the account's webhooks, optionally at its own address, which must confirm the
   * subscription.
   */
  subscribe(address: unknown, verifyToken: unknown): Promise<GraphAnswer | undefined>
}

/** Every call takes its normal course. */
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
