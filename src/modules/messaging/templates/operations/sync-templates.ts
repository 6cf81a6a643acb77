import { isDeepStrictEqual } from 'node:util'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { isObject } from '../../../../core/values/storable.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import type { OperatorTemplate } from '../../../../operator/port.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import {
  type BusinessAccount,
  getBusinessAccount,
  listBusinessAccounts,
} from '../../../platform/workspaces/operations/business-accounts.ts'
import { keepSample } from '../jobs.ts'
import {
  deleteUnsyncedTemplates,
  insertTemplateRows,
  listTemplatesByKeyForUpdate,
  type TemplateKey,
  type TemplateRow,
  updateTemplateRows,
} from '../queries/templates.ts'
import { changed, statusOf, submitted } from './change-template.ts'
import { sampleSourceOf } from './header-media.ts'
import { readSampleTypes } from './keep-sample.ts'
import { numberFor } from './speak-for-account.ts'

/**
 * The counts of a synchronization: the operator's templates, and how many were new, changed, or removed here.
 */
export type SyncCounts = { synced: number; created: number; updated: number; removed: number }

/** More pages than any account has (docs/formats.md section 6.1: 6,000 templates). */
const MAX_PAGES = 200

/**
 * Synchronizes with the operator's templates (spec 4.10): page by page, each in its own transaction, and then
 * removes templates that no page had. An interrupted run does no harm, nor do two parallel ones.
 */
export async function syncTemplates(ctx: OutsideContext, connectionId?: string): Promise<SyncCounts> {
  const accounts = await ctx.transaction(async (unit) =>
    connectionId === undefined ? listBusinessAccounts(unit) : [await getBusinessAccount(unit, connectionId)],
  )
  const counts: SyncCounts = { synced: 0, created: 0, updated: 0, removed: 0 }
  for (const account of accounts) await syncAccount(ctx, account, counts)
  return counts
}

async function syncAccount(
  ctx: OutsideContext,
  { accountId, phoneNumberId }: BusinessAccount,
  counts: SyncCounts,
): Promise<void> {
  const number = await numberFor(ctx, phoneNumberId)
  const since = await ctx.transaction(async (unit) => unit.now)
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const answered = await ctx.outside.operator.listTemplates(number, { after, name: null })
    if (answered.kind !== 'done') throw operatorRefusal(answered)
    const { templates } = answered.value
    await ctx.transaction((unit) => storePage(unit, accountId, templates, counts))
    after = answered.value.after
    if (after === null) break
  }
  // In an incomplete list, no template can be considered missing.
  if (after === null)
    counts.removed += await ctx.transaction((unit) => removeUnsynced(unit, accountId, since))
}

/** Removes templates that no page had, for open pages too; returns how many. */
async function removeUnsynced(ctx: Context, accountId: string, since: Date): Promise<number> {
  const removedIds = await deleteUnsyncedTemplates(ctx, accountId, since)
  if (removedIds.length > 0) touch(ctx, { template: removedIds })
  return removedIds.length
}

async function storePage(
  ctx: Context,
  accountId: string,
  templates: OperatorTemplate[],
  counts: SyncCounts,
): Promise<void> {
  const reported = new Map(
    templates.flatMap((template) => {
      const status = statusOf(template.status) ?? 'pending'
      return status === 'deleted' ? [] : [[nameOf(template), { ...template, status }] as const]
    }),
  )
  if (reported.size === 0) return
  const keys: TemplateKey[] = [...reported.values()].map(({ name, language }) => ({
    workspaceId: ctx.workspace.id,
    accountId,
    name,
    language,
  }))
  const stored = await listTemplatesByKeyForUpdate(ctx.tx, keys)
  const knownNames = new Set(stored.map(nameOf))
  const rows = stored.map((row) => updatedRow(ctx, row, reported.get(nameOf(row))!))
  const fresh = keys
    .filter((key) => !knownNames.has(nameOf(key)))
    .map((key) => newRow(ctx, key, reported.get(nameOf(key))!))
  if (rows.length > 0) await updateTemplateRows(ctx.tx, rows)
  const inserted = fresh.length > 0 ? await insertTemplateRows(ctx.tx, fresh) : new Set<string>()
  counts.synced += reported.size
  counts.created += inserted.size
  const updated = rows.filter((row, i) => row.updatedAt !== stored[i]!.updatedAt)
  counts.updated += updated.length
  const changedIds = [...updated.map(({ id }) => id), ...inserted]
  if (changedIds.length > 0) touch(ctx, { template: changedIds })
  await keepSamples(ctx, [...rows, ...fresh.filter(({ id }) => inserted.has(id))], changedIds)
}

/** Copies the samples of new and changed templates, and those that are missing. */
async function keepSamples(ctx: Context, rows: TemplateRow[], changedIds: string[]): Promise<void> {
  const typeOf = await readSampleTypes(ctx, rows)
  const jobs = rows.flatMap((row) => {
    const source = sampleSourceOf(row)
    const isKept = typeOf(row) !== null && !changedIds.includes(row.id)
    return source === undefined || isKept ? [] : [{ ctx, payload: { templateId: row.id, source } }]
  })
  await enqueueAll(keepSample, jobs)
}

/** Removes sample links, which differ in each answer. */
function withoutHandles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHandles)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'header_handle')
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutHandles(inner)]))
}

type ReportedTemplate = Omit<OperatorTemplate, 'status'> & { status: TemplateRow['status'] }

const nameOf = ({ name, language }: { name: string; language: string }): string => `${language} ${name}`

const contentOf = ({
  id,
  status,
  category,
  components,
  quality,
  rejectedReason,
  parameterFormat,
}: ReportedTemplate) => ({
  metaTemplateId: id,
  status,
  category,
  components,
  quality,
  rejectedReason: status === 'rejected' ? rejectedReason : null,
  parameterFormat,
})

/** Returns our row updated from theirs; only differences count as a change. */
function updatedRow(ctx: Context, row: TemplateRow, template: ReportedTemplate): TemplateRow {
  const content = contentOf(template)
  const isSame = (Object.keys(content) as (keyof typeof content)[]).every((field) =>
    isDeepStrictEqual(withoutHandles(content[field]), withoutHandles(row[field])),
  )
  const after =
    isSame && row.submission === 'submitted' ? row : { ...changed(ctx, row, content), ...submitted }
  return { ...after, syncedAt: ctx.now }
}

/** Builds a row for an unknown template, without events, because its history is unknown. */
const newRow = (ctx: Context, key: TemplateKey, template: ReportedTemplate): TemplateRow => ({
  ...key,
  ...contentOf(template),
  ...submitted,
  id: newId(),
  syncedAt: ctx.now,
  statusReportedAt: null,
  categoryReportedAt: null,
  qualityReportedAt: null,
  componentsReportedAt: null,
  createdAt: ctx.now,
  updatedAt: ctx.now,
})
