/**
 * Decides the next step for a message after its hand-over, by the class of the operator's answer
 * (docs/formats.md section 4, DECISIONS.md).
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import type { Handover, OperatorError } from '../../../../operator/port.ts'
import { blockedStateOf } from '../../../../operator/refusals.ts'

/**
 * The reason for a wait. `message`: only this message. `pair`: this recipient. The others pause the whole
 * number: throttled, limited for quality, or unreachable.
 */
export type Hold = 'message' | 'pair' | 'throttle' | 'quality' | 'unreachable'

export type Verdict =
  | Extract<Handover, { kind: 'accepted' }>
  /** It's unknown whether the message went out: a receipt decides. */
  | { kind: 'unknown' }
  | { kind: 'failed'; error: OperatorError; blocks: 'number_banned' | 'sending_blocked' | undefined }
  /** The operator rejects our credentials: the message waits until they are replaced. */
  | { kind: 'disconnected'; error: OperatorError }
  /** The operator denies it a permission: its campaign pauses, and the message waits with it. */
  | { kind: 'campaign_refused'; broadcastId: string; error: OperatorError }
  | { kind: 'again'; hold: Hold; error: OperatorError; atLeastMs: number }

/** The maximum time that a message waits while the operator accepts nothing from its number. */
export const MAX_WAITS_MS = DAY_MS

const PAIR_THROTTLE = 131056
/**
 * For a message that asks for a payment, this code says that the account has not accepted the payment terms.
 */
const ACCESS_DENIED = 131005
/** Only this flow is throttled, or this template is not ready yet; other messages may go. */
const FLOW_THROTTLE = 132069
const TEMPLATE_SYNCING = 134101
/** The whole number is unavailable for a minute while its throughput is raised. */
const MAINTENANCE = [131057, 2494100]

/** Builds an error of Parley in the operator's form. */
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
/** Returns the error of a message whose number was not repaired in time; `reason` is the number's. */
export const numberNotRepaired = (reason: string | null): OperatorError =>
  localError('Number not connected', `The number couldn't send for 24 hours. ${reason ?? ''}`.trim())

function holdOf({ code, category }: OperatorError): Hold | undefined {
  if (code === PAIR_THROTTLE) return 'pair'
  if (code === FLOW_THROTTLE) return 'message'
  if (category === 'throttle' || MAINTENANCE.includes(code)) return 'throttle'
  if (category === 'quality_limit') return 'quality'
  return category === 'transient' ? 'message' : undefined
}

/**
 * Returns whether the error says that the operator is in trouble, rather than the message or its template.
 */
export const isOperatorsFault = ({ code, category }: OperatorError): boolean =>
  category === 'transient' && code !== TEMPLATE_SYNCING

/**
 * Returns how long a message has waited since it was accepted. 0 for a campaign's message: it may have waited
 * for days before its first attempt, and the campaign can be cancelled.
 */
export const waitedMs = (
  message: { broadcastId: string | null; createdAtMs: number },
  nowMs: number,
): number => (message.broadcastId === null ? nowMs - message.createdAtMs : 0)

type Tried = { tries: number; ageMs: number; isOrder?: boolean; broadcastId?: string | null }

/**
 * Returns the verdict on a message after its attempt number `tries` (without attempts that do not count); it
 * was accepted `ageMs` ago.
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
 * Returns whether the message lacks the permission, rather than its number: the operator refused it again
 * although a check found the number working.
 */
const isMessages = (error: OperatorError, { tries, isOrder }: Pick<Tried, 'tries' | 'isOrder'>): boolean =>
  error.permanent && (tries > 1 || (isOrder === true && error.code === ACCESS_DENIED))

/** Errors about the template, whose state is recorded from the receipt (failed-receipts.ts). */
const TEMPLATE_STATES = [132015, 132016]

/**
 * Returns whether the operator refuses the content for good: it would refuse every message with the same
 * content.
 */
export const isOfContent = ({ code, category, permanent }: OperatorError): boolean =>
  category === 'template' && permanent && !TEMPLATE_STATES.includes(code)

/** A transient fault is tried again three times. */
const MESSAGE_WAITS_MS = [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS]

/** The first wait, the factor for each next wait, and the longest wait. */
const WAITS: Record<Exclude<Hold, 'message'>, [firstMs: number, factor: number, maxMs: number]> = {
  throttle: [SECOND_MS, 2, 5 * MINUTE_MS],
  pair: [4 * SECOND_MS, 4, 20 * MINUTE_MS],
  // Hours rather than short retries: the quality depends on how customers rated earlier messages.
  quality: [HOUR_MS, 2, 12 * HOUR_MS],
  unreachable: [SECOND_MS, 2, MINUTE_MS],
}

/** Returns how long to wait after the `before + 1`th pause in a row; undefined for no more waits. */
export function waitMs(hold: Exclude<Hold, 'message'>, before: number): number
export function waitMs(hold: Hold, before: number): number | undefined
export function waitMs(hold: Hold, before: number): number | undefined {
  if (hold === 'message') return MESSAGE_WAITS_MS[before]
  const [firstMs, factor, maxMs] = WAITS[hold]
  return Math.min(maxMs, firstMs * factor ** before)
}
