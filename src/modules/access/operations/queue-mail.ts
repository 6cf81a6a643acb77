import type { Tx } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { insertMail } from '../queries/mails.ts'

/** The name by which the work on mails is woken. */
export const ACCOUNT_MAILS = 'account-mails'

/** `to` null: a mail that is queued and goes to nobody. */
export type AccountMail = { to: string | null; subject: string; lines: string[] }

/** Leaves a mail behind in the transaction of what it is about; it goes out whatever becomes of this process. */
export const queueMail = (
  tx: Tx,
  mail: AccountMail,
  { sealer, now, expiresAt }: { sealer: Sealer; now: Date; expiresAt: Date },
): Promise<unknown> =>
  insertMail(tx, { id: newId(), sealed: sealer.seal(JSON.stringify(mail)), expiresAt, createdAt: now })
