/** Push messages to members' browsers, through the push services of the browsers' makers. */

/** A browser's subscription, as it reported it. Keys are base64url. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string }

export type PushMessage = {
  target: PushTarget
  payload: string
  /** A later message with the same topic replaces one that is not delivered yet. At most 32 characters of base64url. */
  topic: string
  /** For how long the push service keeps it for a browser that is off. */
  ttlSeconds: number
}

/** `gone`: the browser no longer has the subscription, or has one for another installation. */
export type PushOutcome = 'sent' | 'gone'

declare module '../core/context.ts' {
  interface Outside {
    /** Rejects, without naming the address, if the push service does not accept the message now. */
    sendPush(message: PushMessage): Promise<PushOutcome>
    /** Refuses (`invalid`, naming `field`) an address that calls must not reach, without a DNS look-up. */
    refusePushAddress(url: string, field: string): void
  }
}
