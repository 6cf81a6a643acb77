import type { NumberState } from './store.ts'

/**
 * The operator's restrictions of an account's messages (docs/formats.md section 10): messages that start a
 * conversation, or replies.
 */
export const RESTRICTION_TYPES = [
  'RESTRICTED_BIZ_INITIATED_MESSAGING',
  'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
] as const
export type Restriction = { type: (typeof RESTRICTION_TYPES)[number]; until: Date }

/** Returns the restrictions in force; each ends by itself. */
export const restrictionsAt = ({ restrictions }: NumberState, now: Date): Restriction[] =>
  restrictions.filter(({ until }) => until > now)

/**
 * Returns whether the operator rejects a message of the number. A reply is a message to a customer who wrote
 * within 24 hours; any other message starts a conversation.
 */
export const isRestricted = (state: NumberState, isAnswer: boolean, now: Date): boolean =>
  restrictionsAt(state, now).some(
    ({ type }) => (type === 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING') === isAnswer,
  )

/** Returns the displayed status: a restricted number is healthy after its restrictions end. */
export const statusAt = (state: NumberState, now: Date): NumberState['status'] =>
  state.status === 'RESTRICTED' && restrictionsAt(state, now).length === 0 ? 'CONNECTED' : state.status
