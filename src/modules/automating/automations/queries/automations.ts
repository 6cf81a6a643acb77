/** Every statement on automations. */
import type { Selectable } from 'kysely'
import type { Context, Query } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { Action, Conditions } from '../action-schema.ts'
import type { Trigger } from '../schema.ts'

type StoredAutomation = Selectable<Tables['automations']>
export type AutomationRow = Pick<
  StoredAutomation,
  | 'id'
  | 'name'
  | 'enabled'
  | 'trigger'
  | 'conditions'
  | 'actions'
  | 'names'
  | 'secretSealed'
  | 'disabledReason'
  | 'createdAt'
  | 'updatedAt'
> & {
  trigger: Trigger
  conditions: Conditions
  actions: Action[]
  names: Record<string, string>
}

export type Stats = Pick<Selectable<Tables['automationStates']>, 'done' | 'skipped' | 'failed' | 'lastRunAt'>

const COLUMNS = `a.id, a.name, a.enabled, a.trigger, a.conditions, a.actions, a.names, a.secret_sealed, a.disabled_reason, a.created_at,
  a.updated_at`
const STATS = 's.done, s.skipped, s.failed, s.last_run_at'
const WITH_STATES = `automations a join automation_states s on s.workspace_id = a.workspace_id and s.automation_id = a.id`

/** The columns that find an automation by its trigger. */
const startColumns = (trigger: Trigger) => [
  'event' in trigger ? trigger.event : null,
  'event' in trigger && trigger.includeImports,
  'schedule' in trigger,
  'idle' in trigger ? trigger.idle.side : null,
  'idle' in trigger ? trigger.idle.minutes : null,
]

const valuesOf = (ctx: Context, row: AutomationRow): unknown[] => [
  ctx.workspace.id,
  row.id,
  row.name,
  row.enabled,
  JSON.stringify(row.trigger),
  JSON.stringify(row.conditions),
  JSON.stringify(row.actions),
  ...startColumns(row.trigger),
  JSON.stringify(row.names),
  row.secretSealed,
  row.disabledReason,
  row.createdAt,
  row.updatedAt,
]

export async function insertAutomation(ctx: Context, row: AutomationRow): Promise<void> {
  await ctx.tx.sql(
    `insert into automations (workspace_id, id, name, enabled, trigger, conditions, actions, event, include_imports, scheduled,
                              idle_side, idle_minutes, names, secret_sealed, disabled_reason, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    valuesOf(ctx, row),
  )
  await ctx.tx.run(
    db.insertInto('automationStates').values({ workspaceId: ctx.workspace.id, automationId: row.id }),
  )
}

export const updateAutomationRow = (ctx: Context, row: AutomationRow): Promise<unknown> =>
  ctx.tx.sql(
    `update automations set name = $3, enabled = $4, trigger = $5, conditions = $6, actions = $7, event = $8, include_imports = $9,
       scheduled = $10, idle_side = $11, idle_minutes = $12, names = $13, secret_sealed = $14, disabled_reason = $15,
       created_at = $16, updated_at = $17
     where workspace_id = $1 and id = $2`,
    valuesOf(ctx, row),
  )

/** Deletes an automation. Its waiting runs end at their next step; the others are kept for 30 days. */
export const deleteAutomationRow = async (ctx: Context, id: string): Promise<void> => {
  await ctx.tx.run(
    db
      .deleteFrom('automationStates')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('automationId', '=', id),
  )
  await ctx.tx.run(
    db.deleteFrom('automations').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id),
  )
}

export const countAutomations = async (ctx: Context): Promise<number> =>
  (await ctx.tx.first(
    db
      .selectFrom('automations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspaceId', '=', ctx.workspace.id),
  ))!.count

/** Returns all automations of the workspace, newest first. A workspace has few. */
export const listAutomationRows = (ctx: Context): Promise<(AutomationRow & Stats)[]> =>
  ctx.tx.sql(`select ${COLUMNS}, ${STATS} from ${WITH_STATES} where a.workspace_id = $1 order by a.id desc`, [
    ctx.workspace.id,
  ])

export const findAutomationRow = async (
  ctx: Context,
  id: string,
): Promise<(AutomationRow & Stats) | undefined> =>
  (
    await ctx.tx.sql<AutomationRow & Stats>(
      `select ${COLUMNS}, ${STATS} from ${WITH_STATES} where a.workspace_id = $1 and a.id = $2`,
      [ctx.workspace.id, id],
    )
  )[0]

/** Returns an automation, locked until the transaction ends. */
export const findAutomationForUpdate = async (
  ctx: Context,
  id: string,
): Promise<(AutomationRow & Stats) | undefined> =>
  (
    await ctx.tx.sql<AutomationRow & Stats>(
      `select ${COLUMNS}, ${STATS} from ${WITH_STATES} where a.workspace_id = $1 and a.id = $2 for update of a`,
      [ctx.workspace.id, id],
    )
  )[0]

/** Returns automations by id. Deleted automations are absent. */
export const listAutomationsById = async (
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, AutomationRow>> =>
  new Map(
    (
      await ctx.tx.sql<AutomationRow>(
        `select ${COLUMNS} from automations a where a.workspace_id = $1 and a.id = any($2::uuid[])`,
        [ctx.workspace.id, ids],
      )
    ).map((row) => [row.id, row]),
  )

/** Turns an automation off with a reason. Returns false if it is already off. */
export const disableAutomation = async (ctx: Context, id: string, reason: string): Promise<boolean> =>
  (
    await ctx.tx.sql(
      `update automations set enabled = false, disabled_reason = $3, updated_at = $4
       where workspace_id = $1 and id = $2 and enabled returning id`,
      [ctx.workspace.id, id, reason, ctx.now],
    )
  ).length > 0

/** Returns the events that workspaces listen to, for these ids or for all. */
export const listListeners = (
  query: Query,
  ids: readonly string[] | undefined,
): Promise<(Pick<StoredAutomation, 'workspaceId'> & { events: string[] })[]> =>
  query(
    `select workspace_id, array_agg(distinct event) as events from automations
     where enabled and event is not null ${ids ? 'and workspace_id = any($1::uuid[])' : ''} group by workspace_id`,
    ids ? [ids] : [],
  )
