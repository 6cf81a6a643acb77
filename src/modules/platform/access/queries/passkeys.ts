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
  tx.all(db.selectFrom('passkeys').selectAll().where('accountId', '=', accountId).orderBy('id'))

/** Returns a passkey, locked because its counter is compared next. */
export const findPasskeyForUpdate = (tx: Tx, credentialId: Buffer): Promise<PasskeyRow | undefined> =>
  tx.first(db.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).forUpdate())

export const hasPasskeys = async (tx: Tx, accountId: string): Promise<boolean> =>
  (await tx.first(db.selectFrom('passkeys').select('id').where('accountId', '=', accountId).limit(1))) !==
  undefined

export const updatePasskeyUse = (tx: Tx, id: string, counter: number, now: Date): Promise<number> =>
  tx.run(db.updateTable('passkeys').set({ counter, lastUsedAt: now }).where('id', '=', id))

export const deletePasskey = async (tx: Tx, accountId: string, id: string): Promise<boolean> =>
  (await tx.run(db.deleteFrom('passkeys').where('accountId', '=', accountId).where('id', '=', id))) > 0

/** Deletes all passkeys of an account and returns how many there were. */
export const deletePasskeys = (tx: Tx, accountId: string): Promise<number> =>
  tx.run(db.deleteFrom('passkeys').where('accountId', '=', accountId))
