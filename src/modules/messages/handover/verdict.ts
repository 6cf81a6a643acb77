/**
 * What becomes of a message after its hand-over, by the class of the operator's answer (docs/formats.md
 * section 4, docs/decisions/hand-over.md).
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/clock.ts'
import type { Handover, OperatorError } from '../../../operator/port.ts'
import { blockedStateOf } from '../../../operator/refusals.ts'

/**
 * What stands in the way. `message`: only this one. `pair`: this recipient. The others hold the whole
 * number: it is throttled, limited for its quality, or cannot be reached.
 */
export type Hold = 'message' | 'pair' | 'throttle' | 'quality' | 'unreachable'

export type Verdict =
  | Extract<Handover, { kind: 'accepted' }>
  /** Nobody knows whether it went out: a receipt decides. */
  | { kind: 'unknown' }
  | { kind: 'failed'; error: OperatorError; blocks: 'number_banned' | 'sending_blocked' | undefined }
  /** The operator does not take our credentials: it waits until they are replaced. */
  | { kind: 'disconnected'; error: OperatorError }
  /** The operator refuses it a permission: its campaign pauses, and it waits with it. */
  | { kind: 'campaign_refused'; broadcastId: string; error: OperatorError }
  | { kind: 'again'; hold: Hold; error: OperatorError; atLeastMs: number }

/** How long a message waits for an operator that takes nothing from its number. */
export const MAX_WAITS_MS = DAY_MS

const PAIR_THROTTLE = 131056
/** Of a message that asks for a payment it says that the account has not accepted the terms for payments. */
const ACCESS_DENIED = 131005
/** Only this flow is held up, or this template is not ready yet; their neighbours may go. */
const FLOW_THROTTLE = 132069
const TEMPLATE_SYNCING = 134101
/** The whole number is away for a minute while its throughput is raised. */
const MAINTENANCE = [131057, 2494100]

/** An error of ours, in the operator's form. */
export const localError = (title: string, message: string): OperatorError => ({
  code: 0,
  title,
  message,
  details: null,
  category: 'connection',
  permanent: false,
  retryable: true,
})

export const UNCONFIRMED = localError(
  'Unconfirmed',
  "The operator never confirmed this message, so it may have been sent. Parley didn't send it again to avoid a duplicate.",
)
export const UNREACHABLE = localError(
  'Operator unreachable',
  "The operator couldn't be reached for 24 hours.",
)
export const NUMBER_GONE = localError('Number removed', 'The sending number is no longer connected.')
/** A message that waited in vain for its number to be repaired; `reason` is the number's. */
export const numberNotRepaired = (reason: string | null): OperatorError =>
  localError('Number not connected', `The number couldn't send for 24 hours. ${reason ?? ''}`.trim())

function holdOf({ code, category }: OperatorError): Hold | undefined {
  if (code === PAIR_THROTTLE) return 'pair'
  if (code === FLOW_THROTTLE) return 'message'
  if (category === 'throttle' || MAINTENANCE.includes(code)) return 'throttle'
  if (category === 'quality_limit') return 'quality'
  return category === 'transient' ? 'message' : undefined
}

/** Whether it says that the operator is in trouble, and not only what the message was made from. */
export const isOperatorsFault = ({ code, category }: OperatorError): boolean =>
  category === 'transient' && code !== TEMPLATE_SYNCING

/**
 * How long a message has waited since it was accepted. A campaign's may have waited for days before its first try; it can be
 * cancelled, so it does not grow too old.
 */
export const waitedMs = (
  message: { broadcastId: string | null; createdAtMs: number },
  nowMs: number,
): number => (message.broadcastId === null ? nowMs - message.createdAtMs : 0)

type Tried = { tries: number; ageMs: number; isOrder?: boolean; broadcastId?: string | null }

/**
 * The verdict on a message that was handed over for the `tries`th time (times that did not count left
 * out) and was accepted from our caller `ageMs` ago.
 */
export function verdictOf(
  handover: Handover,
  { tries, ageMs, isOrder = false, broadcastId = null }: Tried,
): Verdict {
  if (handover.kind === 'accepted' || handover.kind === 'unknown') return handover
  const tooOld = ageMs > MAX_WAITS_MS
  if (handover.kind === 'not_sent')
    return tooOld
      ? { kind: 'failed', error: UNREACHABLE, blocks: undefined }
      : { kind: 'again', hold: 'unreachable', error: UNREACHABLE, atLeastMs: 0 }
  const { error, retryAfterSeconds } = handover
  if (error.category === 'auth' && !tooOld && !isMessages(error, { tries, isOrder }))
    return error.permanent && broadcastId !== null
      ? { kind: 'campaign_refused', broadcastId, error }
      : { kind: 'disconnected', error }
  const hold = holdOf(error)
  if (hold === undefined || tooOld || (hold === 'message' && waitMs('message', tries - 1) === undefined))
    return { kind: 'failed', error, blocks: blockedStateOf(error.code) }
  return { kind: 'again', hold, error, atLeastMs: (retryAfterSeconds ?? 0) * SECOND_MS }
}

/**
 * Whether it is a permission that the message lacks, and not its number: one that is refused again, although the number was
 * found sound meanwhile.
 */
const isMessages = (error: OperatorError, { tries, isOrder }: Pick<Tried, 'tries' | 'isOrder'>): boolean =>
  error.permanent && (tries > 1 || (isOrder === true && error.code === ACCESS_DENIED))

/** Of the template, which says by itself how it is (failed-receipts.ts). */
const TEMPLATE_STATES = [132015, 132016]

/** Whether what a message says is refused for good: every message that says the same will be. */
export const isOfContent = ({ code, category, permanent }: OperatorError): boolean =>
  category === 'template' && permanent && !TEMPLATE_STATES.includes(code)

/** A passing fault is tried again three times. */
const MESSAGE_WAITS_MS = [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS]

/** First wait, the factor by which the next is longer, and the longest. */
const WAITS: Record<Exclude<Hold, 'message'>, [firstMs: number, factor: number, maxMs: number]> = {
  throttle: [SECOND_MS, 2, 5 * MINUTE_MS],
  pair: [4 * SECOND_MS, 4, 20 * MINUTE_MS],
  // Hours, not a loop: what counts is what customers thought of the messages before.
  quality: [HOUR_MS, 2, 12 * HOUR_MS],
  unreachable: [SECOND_MS, 2, MINUTE_MS],
}

/** How long to wait after the `before + 1`th time in a row; undefined: no more. */
export function waitMs(hold: Exclude<Hold, 'message'>, before: number): number
export function waitMs(hold: Hold, before: number): number | undefined
export function waitMs(hold: Hold, before: number): number | undefined {
  if (hold === 'message') return MESSAGE_WAITS_MS[before]
  const [firstMs, factor, maxMs] = WAITS[hold]
  return Math.min(maxMs, firstMs * factor ** before)
}
