import type { Tx } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { insertMail } from '../queries/mails.ts'

/** The name of the work source that sends the mails. */
export const ACCOUNT_MAILS = 'account-mails'

/** With `to` null, the mail is queued but not sent. */
export type AccountMail = {
  to: string | null
  subject: string
  lines: string[]
  html?: string
  /** The address that stops mails of this kind. */
  stopUrl?: string
}

/** Queues a mail in the caller's transaction, so that the mail is sent even if this process stops. */
export const queueMail = (
  tx: Tx,
  mail: AccountMail,
  { sealer, now, expiresAt }: { sealer: Sealer; now: Date; expiresAt: Date },
): Promise<unknown> =>
  insertMail(tx, { id: newId(), sealed: sealer.seal(JSON.stringify(mail)), expiresAt, createdAt: now })
