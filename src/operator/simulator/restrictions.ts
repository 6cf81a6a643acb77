import type { NumberState } from './store.ts'

/** What the operator restricts of an account's messages (docs/formats.md section 10): what begins a conversation, or answers. */
export const RESTRICTION_TYPES = [
  'RESTRICTED_BIZ_INITIATED_MESSAGING',
  'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
] as const
export type Restriction = { type: (typeof RESTRICTION_TYPES)[number]; until: Date }

/** The restrictions in force; each ends by itself. */
export const restrictionsAt = ({ restrictions }: NumberState, at: Date): Restriction[] =>
  restrictions.filter(({ until }) => until > at)

/** Whether a message of the number is refused: an answer to somebody who wrote within 24 hours, or one that begins a conversation. */
export const isRestricted = (state: NumberState, isAnswer: boolean, at: Date): boolean =>
  restrictionsAt(state, at).some(
    ({ type }) => (type === 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING') === isAnswer,
  )

/** The status that is shown: a restricted number is well when its restrictions are over. */
export const statusAt = (state: NumberState, at: Date): NumberState['status'] =>
  state.status === 'RESTRICTED' && restrictionsAt(state, at).length === 0 ? 'CONNECTED' : state.status
