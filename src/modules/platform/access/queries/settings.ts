/** Every statement on a workspace's security and on members' preferences. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { db, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { ABSOLUTE_DAYS, IDLE_DAYS } from './sessions.ts'

export type Security = Omit<Selectable<Tables['workspaceSecurity']>, 'workspaceId'>

const UNCHANGED: Security = { requireSecondFactor: false, idleDays: IDLE_DAYS, absoluteDays: ABSOLUTE_DAYS }

export const findSecurity = async (tx: Tx, workspaceId: string): Promise<Security> =>
  (await tx.first(
    db
      .selectFrom('workspaceSecurity')
      .select(['requireSecondFactor', 'idleDays', 'absoluteDays'])
      .where('workspaceId', '=', workspaceId),
  )) ?? UNCHANGED

export const upsertSecurity = (
  tx: Tx,
  workspaceId: string,
  { requireSecondFactor, idleDays, absoluteDays }: Security,
): Promise<number> => {
  const written = { requireSecondFactor, idleDays, absoluteDays }
  return tx.run(
    db
      .insertInto('workspaceSecurity')
      .values({ workspaceId, ...written })
      .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(written)),
  )
}

type Preferences = Record<string, unknown>

/** Returns preferences, locked so that two concurrent patches are both kept. */
export const findPreferencesForUpdate = async (
  ctx: Context,
  memberId: string,
): Promise<Preferences | undefined> =>
  (
    await ctx.tx.first(
      db
        .selectFrom('memberPreferences')
        .select('preferences')
        .$narrowType<{ preferences: Preferences }>()
        .where('workspaceId', '=', ctx.workspace.id)
        .where('memberId', '=', memberId)
        .forUpdate(),
    )
  )?.preferences

/** Creates a member's empty row, so that the first concurrent patches also have a row to lock. */
export const insertNoPreferences = (ctx: Context, memberId: string): Promise<number> =>
  ctx.tx.run(
    db
      .insertInto('memberPreferences')
      .values({ workspaceId: ctx.workspace.id, memberId, preferences: '{}', updatedAt: ctx.now })
      .onConflict((conflict) => conflict.columns(['workspaceId', 'memberId']).doNothing()),
  )

export const updatePreferences = (
  ctx: Context,
  memberId: string,
  preferences: Preferences,
): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('memberPreferences')
      .set({ preferences: json(preferences), updatedAt: ctx.now })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('memberId', '=', memberId),
  )
