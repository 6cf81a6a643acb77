/** Every statement on a workspace's security and on members' preferences. */
import type { Context, Tx } from '../../../../core/context.ts'
import { json } from '../../../../database/sql/sql.ts'
import { ABSOLUTE_DAYS, IDLE_DAYS } from './sessions.ts'

export type Security = { requireSecondFactor: boolean; idleDays: number; absoluteDays: number }

const UNCHANGED: Security = { requireSecondFactor: false, idleDays: IDLE_DAYS, absoluteDays: ABSOLUTE_DAYS }

export const findSecurity = async (tx: Tx, workspaceId: string): Promise<Security> =>
  (
    await tx.sql<Security>(
      'select require_second_factor, idle_days, absolute_days from workspace_security where workspace_id = $1',
      [workspaceId],
    )
  )[0] ?? UNCHANGED

export const upsertSecurity = (tx: Tx, workspaceId: string, security: Security): Promise<unknown[]> =>
  tx.sql(
    `insert into workspace_security (workspace_id, require_second_factor, idle_days, absolute_days) values ($1, $2, $3, $4)
     on conflict (workspace_id) do update set require_second_factor = excluded.require_second_factor,
       idle_days = excluded.idle_days, absolute_days = excluded.absolute_days`,
    [workspaceId, security.requireSecondFactor, security.idleDays, security.absoluteDays],
  )

type Preferences = Record<string, unknown>

/** Returns preferences, locked so that two concurrent patches are both kept. */
export const findPreferencesForUpdate = async (
  ctx: Context,
  memberId: string,
): Promise<Preferences | undefined> =>
  (
    await ctx.tx.sql<{ preferences: Preferences }>(
      'select preferences from member_preferences where workspace_id = $1 and member_id = $2 for update',
      [ctx.workspace.id, memberId],
    )
  )[0]?.preferences

/** Creates a member's empty row, so that the first concurrent patches also have a row to lock. */
export const insertNoPreferences = (ctx: Context, memberId: string): Promise<unknown[]> =>
  ctx.tx.sql(
    `insert into member_preferences (workspace_id, member_id, preferences, updated_at) values ($1, $2, '{}', $3)
     on conflict (workspace_id, member_id) do nothing`,
    [ctx.workspace.id, memberId, ctx.now],
  )

export const updatePreferences = (
  ctx: Context,
  memberId: string,
  preferences: Preferences,
): Promise<unknown[]> =>
  ctx.tx.sql(
    `update member_preferences set preferences = $3, updated_at = $4 where workspace_id = $1 and member_id = $2`,
    [ctx.workspace.id, memberId, json(preferences), ctx.now],
  )
