/** Every statement on hosted signups of numbers. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Query, Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { SharedNumber } from '../../../../operator/signup-port.ts'

/** The last step that is done. */
type SignupStep =
  | 'opened'
  | 'returned'
  | 'exchanged'
  | 'choosing'
  | 'chosen'
  | 'subscribed'
  | 'registered'
  | 'connected'
  | 'cancelled'
  | 'failed'

export const SIGNUP_PROBLEMS = ['expired', 'refused', 'no_number', 'elsewhere', 'no_answer', 'pin'] as const
export type SignupProblem = (typeof SIGNUP_PROBLEMS)[number]

export type SignupRow = Omit<Selectable<Tables['numberSignups']>, 'step' | 'problem' | 'numbers'> & {
  step: SignupStep
  problem: SignupProblem | null
  numbers: SharedNumber[]
}
type SignupKey = Pick<SignupRow, 'workspaceId' | 'id'>

const ofKey = ({ workspaceId, id }: SignupKey) =>
  db.selectFrom('numberSignups').selectAll().where('workspaceId', '=', workspaceId).where('id', '=', id)

export const findSignup = (tx: Tx, key: SignupKey): Promise<SignupRow | undefined> =>
  tx.first(ofKey(key)) as Promise<SignupRow | undefined>

export const findSignupForUpdate = (tx: Tx, key: SignupKey): Promise<SignupRow | undefined> =>
  tx.first(ofKey(key).forUpdate()) as Promise<SignupRow | undefined>

/** Lists the newest signups of a member. */
export const listSignupRows = (
  tx: Tx,
  { workspaceId, memberId, limit }: { workspaceId: string; memberId: string; limit: number },
): Promise<SignupRow[]> =>
  tx.all(
    db
      .selectFrom('numberSignups')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('memberId', '=', memberId)
      .orderBy('id', 'desc')
      .limit(limit),
  ) as Promise<SignupRow[]>

export const insertSignup = (tx: Tx, row: Insertable<Tables['numberSignups']>): Promise<number> =>
  tx.run(db.insertInto('numberSignups').values(row))

/** Changes a signup and returns it. */
export const updateSignup = (
  tx: Tx,
  { workspaceId, id }: SignupKey,
  patch: Updateable<Tables['numberSignups']>,
): Promise<SignupRow> =>
  tx.first(
    db
      .updateTable('numberSignups')
      .set(patch)
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .returningAll(),
  ) as Promise<SignupRow>

export const deleteSignup = (tx: Tx, { workspaceId, id }: SignupKey): Promise<number> =>
  tx.run(db.deleteFrom('numberSignups').where('workspaceId', '=', workspaceId).where('id', '=', id))

export const deleteExpiredSignups = async (query: Query, now: Date, max: number): Promise<number> =>
  (
    await query(
      `delete from number_signups s using (
         select workspace_id, id from number_signups where expires_at <= $1 order by expires_at limit $2) old
       where s.workspace_id = old.workspace_id and s.id = old.id returning 1`,
      [now, max],
    )
  ).length
