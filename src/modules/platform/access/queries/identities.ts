/** Every statement on accounts at the identity provider. */
import type { Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { AccountRow } from './accounts.ts'

/** Returns the account of a person at the provider, locked. */
export const findAccountByIdentity = async (
  tx: Tx,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<AccountRow | undefined> =>
  (
    await tx.sql<AccountRow>(
      `select a.* from account_identities i join accounts a on a.id = i.account_id
       where i.issuer = $1 and i.subject = $2 for update of a`,
      [issuer, subject],
    )
  )[0]

/** Links an account to a person at the provider; of two concurrent sign-ins, the first links. */
export const insertIdentity = (
  tx: Tx,
  row: { issuer: string; subject: string; accountId: string; createdAt: Date },
): Promise<number> =>
  tx.run(
    db
      .insertInto('accountIdentities')
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  )
