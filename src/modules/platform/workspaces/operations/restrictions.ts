/**
 * The operator's restrictions of an active number (src/modules/messaging/messages/intake/DECISIONS.md): for
 * messages that begin a conversation, or answers to customers who wrote within 24 hours. Each restriction
 * ends by itself.
 */
import { NO_END } from '../../../../core/clock.ts'
import { Refusal } from '../../../../core/errors.ts'
import type { Restrictions } from '../queries/numbers.ts'

export type { Restrictions } from '../queries/numbers.ts'

/**
 * The side that began a message's conversation: the customer if the window is open, otherwise the business.
 */
export type InitiatedBy = 'business_initiated' | 'customer_initiated'

const untilOf = (number: Restrictions, messages: InitiatedBy): Date | null =>
  messages === 'business_initiated'
    ? number.businessInitiatedBlockedUntil
    : number.customerInitiatedBlockedUntil

/**
 * Returns the restrictions in force at `now`, in the workspace's time; `until` null: until the operator lifts
 * it.
 */
export const restrictionsAt = (number: Restrictions, now: Date) =>
  (['business_initiated', 'customer_initiated'] as const).flatMap((messages) => {
    const until = untilOf(number, messages)
    return until === null || until <= now
      ? []
      : [{ messages, until: until < NO_END ? until.toISOString() : null }]
  })

const WHAT = {
  business_initiated:
    "The operator doesn't let this number start chats (RESTRICTED_BIZ_INITIATED_MESSAGING). You can still answer customers who wrote within 24 hours.",
  customer_initiated:
    "The operator doesn't let this number answer customers (RESTRICTED_CUSTOMER_INITIATED_MESSAGING). You can still start chats with templates.",
}

/** Refuses restricted messages. */
export function refuseRestricted(
  number: Restrictions,
  messages: InitiatedBy,
  now: Date,
): Refusal | undefined {
  const found = restrictionsAt(number, now).find((restriction) => restriction.messages === messages)
  if (!found) return undefined
  const end = found.until === null ? 'The operator gave no end.' : `Until ${found.until}.`
  return new Refusal('sending_blocked', `${WHAT[messages]} ${end}`)
}
