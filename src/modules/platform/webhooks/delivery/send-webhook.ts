import type { DueDelivery } from './attempt.ts'

/** A receiver's answer, as the outbound call reports it. */
export type ReceiverAnswer = {
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  /** The beginning of the body, as text. */
  bodyExcerpt: string
  latencyMs: number
}

/**
 * POSTs to a receiver: to a checked and pinned address, without redirects, at most 15 seconds in total.
 * Without an answer, rejects with an error whose `message` may be shown. The composition root provides it;
 * this module has no other network access.
 */
export type SendWebhook = (
  url: string,
  headers: Record<string, string>,
  body: string | Buffer,
  /** The delivery that the call belongs to, for traces. */
  delivery?: DueDelivery,
) => Promise<ReceiverAnswer>
