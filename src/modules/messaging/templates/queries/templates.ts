import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { db, isOneOf, recordTexts } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { TemplateStatus } from '../schema.ts'

/** A component in the operator's format. */
export type Component = Record<string, unknown>

/** A stored template. */
export type TemplateRow = Omit<
  Selectable<Tables['templates']>,
  'components' | 'status' | 'parameterFormat' | 'submission'
> & {
  components: Component[]
  status: TemplateStatus
  parameterFormat: 'POSITIONAL' | 'NAMED'
  submission: 'submitting' | 'unconfirmed' | 'submitted'
}

/** The fields that identify a template at the operator. */
export type TemplateKey = { workspaceId: string; accountId: string; name: string; language: string }

/** The columns of a template and their types for jsonb_to_recordset. */
const COLUMN_TYPES = {
  workspace_id: 'uuid',
  id: 'uuid',
  account_id: 'text',
  name: 'text',
  language: 'text',
  category: 'text',
  status: 'text',
  meta_template_id: 'text',
  parameter_format: 'text',
  components: 'jsonb',
  rejected_reason: 'text',
  quality: 'text',
  submission: 'text',
  attempt: 'uuid',
  submitting_until: 'timestamptz',
  synced_at: 'timestamptz',
  status_reported_at: 'timestamptz',
  category_reported_at: 'timestamptz',
  quality_reported_at: 'timestamptz',
  components_reported_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
}
const FIXED = ['workspace_id', 'id', 'account_id', 'name', 'language', 'created_at']
const { columns: COLUMNS, record: RECORD, writtenBack: WRITTEN_BACK } = recordTexts(COLUMN_TYPES, FIXED)

const record = (row: TemplateRow): Record<keyof typeof COLUMN_TYPES, unknown> => ({
  workspace_id: row.workspaceId,
  id: row.id,
  account_id: row.accountId,
  name: row.name,
  language: row.language,
  category: row.category,
  status: row.status,
  meta_template_id: row.metaTemplateId,
  parameter_format: row.parameterFormat,
  components: row.components,
  rejected_reason: row.rejectedReason,
  quality: row.quality,
  submission: row.submission,
  attempt: row.attempt,
  submitting_until: row.submittingUntil,
  synced_at: row.syncedAt,
  status_reported_at: row.statusReportedAt,
  category_reported_at: row.categoryReportedAt,
  quality_reported_at: row.qualityReportedAt,
  components_reported_at: row.componentsReportedAt,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})

const selectByKeys = (lock: string): string =>
  `select t.* from (
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
       as w (workspace_id, account_id, name, language) order by workspace_id, name, language, account_id
   ) wanted cross join lateral (
     select * from templates where templates.workspace_id = wanted.workspace_id
       and templates.name = wanted.name and templates.language = wanted.language
       and templates.account_id = wanted.account_id limit 1 ${lock}
   ) t`
const BY_KEY = selectByKeys('')
const BY_KEY_FOR_UPDATE = selectByKeys('for no key update')

const keyColumns = (keys: TemplateKey[]) => [
  keys.map((key) => key.workspaceId),
  keys.map((key) => key.accountId),
  keys.map((key) => key.name),
  keys.map((key) => key.language),
]

/** Lists the templates of these names, of all workspaces in the transaction. */
export const listTemplatesByKey = (tx: Tx, keys: TemplateKey[]): Promise<TemplateRow[]> =>
  tx.sql<TemplateRow>(BY_KEY, keyColumns(keys))

/** Lists the same templates, locked in a fixed order. */
export const listTemplatesByKeyForUpdate = (tx: Tx, keys: TemplateKey[]): Promise<TemplateRow[]> =>
  tx.sql<TemplateRow>(BY_KEY_FOR_UPDATE, keyColumns(keys))

/** Lists the workspace's templates that have a form in a button. */
export const listFormTemplateRows = (
  ctx: Context,
): Promise<Pick<TemplateRow, 'accountId' | 'name' | 'language' | 'components'>[]> =>
  ctx.tx.sql(
    `select account_id, name, language, components from templates
     where workspace_id = $1 and components @> '[{"buttons": [{"type": "FLOW"}]}]' order by name, language, account_id`,
    [ctx.workspace.id],
  )

/** The key of a template in a report: the operator's id, or name and language while the id is unknown. */
export type ReportedKey = { workspaceId: string; metaTemplateId: string; name: string; language: string }

/** Lists the templates of reports, locked in a fixed order. */
export const listReportedTemplatesForUpdate = (tx: Tx, keys: ReportedKey[]): Promise<TemplateRow[]> =>
  tx.sql<TemplateRow>(
    `select t.* from (
       select distinct wanted.workspace_id, found.id
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
         as wanted (workspace_id, meta_template_id, name, language)
       cross join lateral (
         (select id from templates where templates.workspace_id = wanted.workspace_id
            and templates.meta_template_id = wanted.meta_template_id)
         union all
         (select id from templates where templates.workspace_id = wanted.workspace_id
            and templates.name = wanted.name and templates.language = wanted.language)
       ) found
       order by wanted.workspace_id, found.id
     ) ids cross join lateral (
       select * from templates where templates.workspace_id = ids.workspace_id and templates.id = ids.id
       limit 1 for no key update
     ) t`,
    [
      keys.map((key) => key.workspaceId),
      keys.map((key) => key.metaTemplateId),
      keys.map((key) => key.name),
      keys.map((key) => key.language),
    ],
  )

/** Inserts templates with free names and returns their ids; the others already exist. */
export async function insertTemplateRows(tx: Tx, rows: TemplateRow[]): Promise<Set<string>> {
  const inserted = await tx.sql<Pick<TemplateRow, 'id'>>(
    `insert into templates (${COLUMNS})
     select ${COLUMNS} from jsonb_to_recordset($1::jsonb) as r (${RECORD})
     order by workspace_id, name, language, account_id
     on conflict do nothing returning id`,
    [JSON.stringify(rows.map(record))],
  )
  return new Set(inserted.map((row) => row.id))
}

/** Updates rows that the transaction has locked, found by their key. */
export async function updateTemplateRows(tx: Tx, rows: TemplateRow[]): Promise<void> {
  await tx.sql(
    `insert into templates (${COLUMNS}) select ${COLUMNS} from jsonb_to_recordset($1::jsonb) as r (${RECORD})
     on conflict (workspace_id, id) do update set ${WRITTEN_BACK}`,
    [JSON.stringify(rows.map(record))],
  )
}

/** Returns a template by our id or the operator's. */
export const findTemplateRow = (
  ctx: Context,
  column: 'id' | 'metaTemplateId',
  value: string,
): Promise<TemplateRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('templates')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where(column, '=', value)
      .orderBy('id', 'desc')
      .limit(1),
  ) as Promise<TemplateRow | undefined>

/** Deletes templates by id, of all workspaces in the transaction; returns how many. */
export async function deleteTemplateRows(
  tx: Tx,
  keys: { workspaceId: string; id: string }[],
): Promise<number> {
  const deleted = await tx.sql(
    `delete from templates t using unnest($1::uuid[], $2::uuid[]) as r (workspace_id, id)
     where t.workspace_id = r.workspace_id and t.id = r.id returning t.id`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.id)],
  )
  return deleted.length
}

/**
 * Deletes templates that were not in the operator's list, which was read from `since` on, except for those
 * being submitted. Returns their ids.
 */
export async function deleteUnsyncedTemplates(
  ctx: Context,
  accountId: string,
  since: Date,
): Promise<string[]> {
  const deleted = await ctx.tx.sql<Pick<TemplateRow, 'id'>>(
    `delete from templates where workspace_id = $1 and account_id = $2 and synced_at < $3 and created_at < $3
       and (submission <> 'submitting' or submitting_until < $3) returning id`,
    [ctx.workspace.id, accountId, since],
  )
  return deleted.map(({ id }) => id)
}

export type TemplateListing = {
  limit: number
  cursor?: string | undefined
  ids?: string[] | undefined
  status?: TemplateStatus | undefined
  category?: string | undefined
  language?: string | undefined
  name?: string | undefined
  /** LIKE pattern for a part of the name. */
  pattern?: string | undefined
}

/** Lists one row more than `limit`, newest first. */
export const listTemplateRows = (ctx: Context, listing: TemplateListing): Promise<TemplateRow[]> => {
  const { limit, cursor, ids, status, category, language, name, pattern } = listing
  return ctx.tx.all(
    db
      .selectFrom('templates')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .$if(ids !== undefined, (query) => query.where(isOneOf(ids!)))
      .$if(status !== undefined, (query) => query.where('status', '=', status!))
      .$if(category !== undefined, (query) => query.where('category', '=', category!))
      .$if(language !== undefined, (query) => query.where('language', '=', language!))
      .$if(name !== undefined, (query) => query.where('name', '=', name!))
      .$if(pattern !== undefined, (query) => query.where('name', 'like', pattern!))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  ) as Promise<TemplateRow[]>
}
