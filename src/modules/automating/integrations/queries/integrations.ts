/** SQL for the integrations of workspaces. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import { db, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { Name } from '../schema.ts'

export type IntegrationRow = Omit<
  Selectable<Tables['integrations']>,
  'name' | 'settings' | 'connectedAt' | 'updatedAt'
> & {
  name: Exclude<Name, 'razorpay' | 'photo'>
  settings: Record<string, unknown>
}

const COLUMNS =
  'workspace_id, name, settings, secrets_sealed, intake_token, shop_id, last_event_at, last_error'

export const listIntegrationRows = (
  query: Query | Tx['sql'],
  workspaceId: string,
): Promise<IntegrationRow[]> =>
  query<IntegrationRow>(`select ${COLUMNS} from integrations where workspace_id = $1 order by name`, [
    workspaceId,
  ])

export const findIntegrationRow = async (
  query: Query | Tx['sql'],
  workspaceId: string,
  name: string,
): Promise<IntegrationRow | undefined> =>
  (
    await query<IntegrationRow>(`select ${COLUMNS} from integrations where workspace_id = $1 and name = $2`, [
      workspaceId,
      name,
    ])
  )[0]

/** Returns the integration whose address ends in this token, in any workspace. */
export const findIntegrationByToken = async (
  query: Query,
  token: string,
): Promise<IntegrationRow | undefined> =>
  (await query<IntegrationRow>(`select ${COLUMNS} from integrations where intake_token = $1`, [token]))[0]

/** Connects it, or replaces its settings. Its address stays. */
export const upsertIntegration = (
  ctx: Context,
  row: Pick<IntegrationRow, 'name' | 'settings' | 'secretsSealed' | 'intakeToken' | 'shopId'>,
): Promise<unknown> =>
  ctx.tx.sql(
    `insert into integrations (workspace_id, name, settings, secrets_sealed, intake_token, shop_id, connected_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict (workspace_id, name) do update set
       settings = excluded.settings, secrets_sealed = excluded.secrets_sealed, shop_id = excluded.shop_id,
       intake_token = coalesce(integrations.intake_token, excluded.intake_token),
       last_error = null, updated_at = excluded.updated_at`,
    [ctx.workspace.id, row.name, json(row.settings), row.secretsSealed, row.intakeToken, row.shopId, ctx.now],
  )

/** Deletes it. Returns whether it existed. */
export const deleteIntegrationRow = async (ctx: Context, name: string): Promise<boolean> =>
  (await ctx.tx.run(
    db.deleteFrom('integrations').where('workspaceId', '=', ctx.workspace.id).where('name', '=', name),
  )) > 0

/** Stores the error of the last request; null if it succeeded. */
export const setLastError = (ctx: Context, name: string, error: string | null): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('integrations')
      .set({ lastError: error })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('name', '=', name)
      .where('lastError', 'is distinct from', error),
  )

/** Records that reports of these integrations were accepted. */
export const noteEvents = (ctx: Context, names: string[]): Promise<unknown> =>
  ctx.tx.sql(
    'update integrations set last_event_at = $3 where workspace_id = $1 and name = any($2::text[])',
    [ctx.workspace.id, names, ctx.now],
  )
