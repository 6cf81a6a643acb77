/**
 * Limits failed sign-ins: five in 15 minutes for one account from one address, then waits that double; 30 an
 * hour from one address. An unknown email counts the same way, so that the answers don't reveal who has an
 * account.
 */
import { HOUR_MS, later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { sha256 } from '../../../../core/values/digest.ts'
import { emailKey } from '../../../../database/sql/email-key.ts'
import {
  countFailure,
  countInWindow,
  deleteFailures,
  findFailures,
  setWait,
  uncountFailure,
} from '../queries/failures.ts'

const FREE_FAILURES = 5
const WINDOW_MS = 15 * MINUTE_MS
const FIRST_WAIT_MS = MINUTE_MS
const MAX_WAIT_MS = HOUR_MS
const MAX_OF_ADDRESS = 30
const ALL_OF_ADDRESS = Buffer.alloc(0)

/**
 * The subject of the attempt (`password` of an email, `code` of an account), and the sender: an IPv6 network
 * counts as one sender.
 */
export type Attempt = { subject: Buffer; sender: string }

export const passwordAttempt = async (tx: Tx, email: string, sender: string): Promise<Attempt> => ({
  subject: sha256(`password ${await emailKey(tx, email)}`),
  sender,
})

/** There are few codes, so a caller who knows the password has five attempts, from all addresses together. */
export const codeAttempt = (accountId: string): Attempt => ({
  subject: sha256(`code ${accountId}`),
  sender: '',
})

const FAILED = (seconds: number): string =>
  `Too many failed sign-ins. Try again in ${seconds} s, or use a link or a passkey.`

const secondsUntil = (until: Date, now: Date): number =>
  Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))

function refuseUntil(until: Date, now: Date, formatMessage = FAILED): never {
  const retryAfterSeconds = secondsUntil(until, now)
  return refuse('rate_limited', formatMessage(retryAfterSeconds), {
    retryAfterSeconds,
  })
}

/**
 * Counts an attempt as failed before its check and returns the number of failures. `succeed` reverts it.
 * Refuses `rate_limited` during a wait.
 */
export async function beginAttempt(tx: Tx, { subject, sender }: Attempt, now: Date): Promise<number> {
  const counted = await countFailure(tx, subject, sender, { now, forgetBefore: later(now, -WINDOW_MS) })
  if (!counted) {
    const { waitUntil } = (await findFailures(tx, subject, sender)) ?? {}
    return refuseUntil(waitUntil ?? later(now, FIRST_WAIT_MS), now)
  }
  const excess = counted.failures - FREE_FAILURES
  if (excess >= 0)
    await setWait(tx, subject, sender, later(now, Math.min(FIRST_WAIT_MS * 2 ** excess, MAX_WAIT_MS)))
  return counted.failures
}

/** Counts one attempt of a sender in the sender's hour. Refuses `rate_limited` after 30. */
async function countInHour(
  tx: Tx,
  subject: Buffer,
  sender: string,
  now: Date,
  formatMessage = FAILED,
): Promise<void> {
  const windowStart = later(now, -HOUR_MS)
  if (await countInWindow(tx, subject, sender, { now, windowStart, max: MAX_OF_ADDRESS })) return
  const { firstAt } = (await findFailures(tx, subject, sender)) ?? {}
  refuseUntil(later(firstAt ?? now, HOUR_MS), now, formatMessage)
}

/** Counts a sign-in from an address, for any account. */
export const countAtAddress = (tx: Tx, sender: string, now: Date): Promise<void> =>
  countInHour(tx, ALL_OF_ADDRESS, sender, now)

const RESETS = sha256('resets')

/** Counts a password reset request from an address, for any email. */
export const countReset = (tx: Tx, sender: string, now: Date): Promise<void> =>
  countInHour(tx, RESETS, sender, now, (seconds) => `Too many reset requests. Try again in ${seconds} s.`)

/** Reverts the count of an attempt that succeeded. */
export async function succeed(tx: Tx, { subject, sender }: Attempt): Promise<void> {
  await deleteFailures(tx, subject, sender)
  if (sender !== '') await uncountFailure(tx, ALL_OF_ADDRESS, sender)
}
