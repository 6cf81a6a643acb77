/** Nobody's mailbox is filled by somebody else: what an address is mailed because somebody named it is counted. */
import { HOUR_MS, later } from '../../../core/clock.ts'
import type { Tx } from '../../../core/context.ts'
import { sha256 } from '../../../core/digest.ts'
import { emailKey } from '../../../core/email-key.ts'
import { countInWindow } from '../queries/failures.ts'

const MAX_MAILS_AN_HOUR = 3

/** Counts a mail of the kind to the address, at a moment of real time; false where it is not to be sent. */
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
