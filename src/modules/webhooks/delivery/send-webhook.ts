/** What a receiver answered, as the outbound call reports it. */
export type ReceiverAnswer = {
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  /** The beginning of the body, as text. */
  bodyExcerpt: string
  latencyMs: number
}

/**
 * POSTs to a receiver: checked and pinned, never following a redirect, at most 15 seconds in all.
 * Rejects with an error whose `message` may be shown when there is no answer. The composition root
 * provides it; this module reaches the network in no other way.
 */
export type SendWebhook = (
  url: string,
  headers: Record<string, string>,
  body: string | Buffer,
) => Promise<ReceiverAnswer>
