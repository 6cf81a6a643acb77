/** Limits the emails that one person can cause another to receive, counted by address. */
import { HOUR_MS, later } from '../../../../core/clock.ts'
import type { Tx } from '../../../../core/context.ts'
import { sha256 } from '../../../../core/values/digest.ts'
import { emailKey } from '../../../../database/sql/email-key.ts'
import { countInWindow } from '../queries/failures.ts'

const MAX_MAILS_AN_HOUR = 3

/**
 * Counts an email of the kind to the address, and returns false if the limit is reached. `now` is real time,
 * not a sandbox's.
 */
export const mayMail = async (
  tx: Tx,
  kind: 'reset' | 'invitation' | 'confirmation',
  email: string,
  now: Date,
): Promise<boolean> =>
  countInWindow(tx, sha256(`${kind} ${await emailKey(tx, email)}`), '', {
    now,
    windowStart: later(now, -HOUR_MS),
    max: MAX_MAILS_AN_HOUR,
  })
