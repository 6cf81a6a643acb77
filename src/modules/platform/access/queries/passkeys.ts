/** Every statement on passkeys. */
import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type PasskeyRow = Selectable<Tables['passkeys']>

/** Stores a passkey unless it is already stored. Returns how many were stored. */
export const insertPasskey = (tx: Tx, row: Insertable<Tables['passkeys']>): Promise<number> =>
  tx.run(
    db
      .insertInto('passkeys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  )

export const listPasskeys = (tx: Tx, accountId: string): Promise<PasskeyRow[]> =>
  tx.all<PasskeyRow>(db.selectFrom('passkeys').selectAll().where('accountId', '=', accountId).orderBy('id'))

/** Returns a passkey, locked because its counter is compared next. */
export const findPasskeyForUpdate = (tx: Tx, credentialId: Buffer): Promise<PasskeyRow | undefined> =>
  tx.first<PasskeyRow>(
    db.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).forUpdate(),
  )

export const hasPasskeys = async (tx: Tx, accountId: string): Promise<boolean> =>
  (await tx.sql('select 1 from passkeys where account_id = $1 limit 1', [accountId])).length > 0

export const updatePasskeyUse = (tx: Tx, id: string, counter: number, now: Date): Promise<unknown[]> =>
  tx.sql('update passkeys set counter = $2, last_used_at = $3 where id = $1', [id, counter, now])

export const deletePasskey = async (tx: Tx, accountId: string, id: string): Promise<boolean> =>
  (await tx.sql('delete from passkeys where account_id = $1 and id = $2 returning 1', [accountId, id]))
    .length > 0

/** Deletes all passkeys of an account and returns how many there were. */
export const deletePasskeys = async (tx: Tx, accountId: string): Promise<number> =>
  (await tx.sql('delete from passkeys where account_id = $1 returning 1', [accountId])).length
