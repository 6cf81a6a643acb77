/** Every statement on mails to accounts. */
import type { Selectable } from 'kysely'
import type { Query, Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type StoredMail = Selectable<Tables['accountMails']>
export type MailRow = Pick<StoredMail, 'id' | 'sealed' | 'expiresAt'>

export const insertMail = (
  tx: Tx,
  { id, sealed, expiresAt, createdAt }: MailRow & Pick<StoredMail, 'createdAt'>,
): Promise<unknown> =>
  tx.run(db.insertInto('accountMails').values({ id, sealed, runAt: createdAt, expiresAt, createdAt }))

/**
 * Claims due mails. If the process dies, the mail is due again later; each wait is twice the last, up to 60
 * times the first.
 */
export const claimMails = (
  query: Query,
  { now, firstWaitSeconds, limit }: { now: Date; firstWaitSeconds: number; limit: number },
): Promise<MailRow[]> =>
  query<MailRow>(
    `update account_mails m
     set attempts = m.attempts + 1, run_at = after_ms($1, least(power(2, m.attempts), 60) * $2 * 1000)
     from (select id from account_mails where run_at <= $1 order by run_at limit $3 for update skip locked) due
     where m.id = due.id returning m.id, m.sealed, m.expires_at`,
    [now, firstWaitSeconds, limit],
  )

export const deleteMail = (query: Query, id: string): Promise<unknown> =>
  query('delete from account_mails where id = $1', [id])
