/** Imports or rehearses one batch of rows. */
import type { Context } from '../../../../core/context.ts'
import { contactLimitReached, readContactRoom } from '../../../messaging/contacts/operations/contact-room.ts'
import {
  deleteFileRows,
  type FileRow,
  type ImportRow,
  listPhonesCreated,
  type RowResult,
  updateFileRows,
} from '../queries.ts'
import type { RowReading } from './field-values.ts'
import type { RowOutcome } from './import-batch.ts'
import { takeIn } from './import-rows.ts'
import { numberOfRow } from './mapped-rows.ts'
import { declaredFields } from './read-imports.ts'
import { rehearse } from './rehearse.ts'
import { rowReading } from './row-reading.ts'

const readingOf = async (ctx: Context, row: ImportRow): Promise<RowReading> =>
  rowReading({
    columns: row.columns,
    evidence: row.evidence ?? [],
    mapping: row.mapping ?? {},
    constants: row.constants ?? {},
    countryColumn: row.choices?.countryColumn,
    formats: row.choices?.formats,
    declared: await declaredFields(ctx),
    workspace: ctx.workspace,
    now: ctx.now,
  })

const takeBatch = (ctx: Context, { kind }: ImportRow, rows: FileRow[], reading: RowReading) =>
  takeIn({ ...ctx, via: 'import' }, rows, { kind: kind ?? 'contacts', reading, addTags: true })

const resultsOf = (rows: FileRow[], outcomes: RowOutcome[], reading: RowReading): RowResult[] =>
  rows.map(({ number, cells }, i) => {
    const outcome = outcomes[i]!
    const found = numberOfRow(cells, reading)
    const phone = 'phone' in found ? found.phone : null
    if (typeof outcome === 'object') return { number, outcome: 'refused', phone, reason: outcome.refused }
    return { number, outcome: outcome === 'created' ? 'created' : 'updated', phone, reason: null }
  })

/**
 * Throws if rows are gone because their contact was erased meanwhile. The batch then runs again without them.
 */
const expectAll = (rows: number, touchedRows: number): void => {
  if (rows !== touchedRows) throw new Error('rows of the file were erased during the import')
}

/** Imports a batch. Refused rows stay with their reason, the others are deleted. */
export async function takeRows(ctx: Context, row: ImportRow, rows: FileRow[]): Promise<RowResult[]> {
  const reading = await readingOf(ctx, row)
  const outcomes = await takeBatch(ctx, row, rows, reading)
  const results = resultsOf(rows, outcomes, reading)
  const refusedRows = results.filter(({ outcome }) => outcome === 'refused')
  const importedRows = results.filter(({ outcome }) => outcome !== 'refused').map(({ number }) => number)
  expectAll(refusedRows.length, await updateFileRows(ctx, row.id, refusedRows))
  expectAll(importedRows.length, await deleteFileRows(ctx, row.id, importedRows))
  return results
}

/** Returns the number of contacts if the workspace has a limit. Counts nothing otherwise. */
const countPeople = async (ctx: Context): Promise<number> =>
  (await readContactRoom(ctx, [ctx.workspace])).get(ctx.workspace.id)?.contacts ?? 0

/**
 * Returns the result of importing a batch after the previous rows, and the number of new people it would
 * store.
 */
export async function rehearseRows(
  ctx: Context,
  row: ImportRow,
  rows: FileRow[],
): Promise<{ results: RowResult[]; people: number }> {
  const reading = await readingOf(ctx, row)
  const { contactLimit } = ctx.workspace
  // The people of previous batches, which were rolled back, count toward the limit.
  const workspace =
    contactLimit === null
      ? ctx.workspace
      : { ...ctx.workspace, contactLimit: Math.max(0, contactLimit - row.people) }
  const { outcomes, people } = await rehearse(ctx, async (trial) => {
    const before = await countPeople(trial)
    const done = await takeBatch({ ...trial, workspace }, row, rows, reading)
    await Promise.all(trial.closing)
    return { outcomes: done, people: (await countPeople(trial)) - before }
  })
  const results = resultsOf(rows, outcomes, reading)
  const full = contactLimitReached(workspace).message
  const before = await seenBefore(ctx, row, { results, full })
  let repeated = 0
  for (const result of results) {
    if (before.has(result.phone) && (result.outcome === 'created' || result.reason === full)) {
      if (result.outcome === 'created') repeated++
      Object.assign(result, { outcome: 'updated', reason: null })
    } else if (result.reason === full) result.reason = contactLimitReached(ctx.workspace).message
  }
  expectAll(results.length, await updateFileRows(ctx, row.id, results))
  return { results, people: Math.max(0, people - repeated) }
}

/** Returns the people of the batch whom a previous batch would have stored. */
async function seenBefore(
  ctx: Context,
  row: ImportRow,
  { results, full }: { results: RowResult[]; full: string },
): Promise<Set<string | null>> {
  const phones = results.flatMap(({ outcome, phone, reason }) =>
    (outcome === 'created' || reason === full) && phone !== null ? [phone] : [],
  )
  if (phones.length === 0) return new Set()
  return new Set(await listPhonesCreated(ctx, row.id, { before: row.done, phones }))
}
