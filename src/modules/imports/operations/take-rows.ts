/** One batch of rows: taken in by the operations that the API has for them, or rehearsed. */
import type { Context } from '../../../core/context.ts'
import { contactLimitReached, readContactRoom } from '../../contacts/operations/contact-room.ts'
import { saveContacts } from '../../contacts/operations/save-contacts.ts'
import { captureLeads } from '../../crm/operations/capture-leads.ts'
import {
  deleteFileRows,
  type FileRow,
  type ImportRow,
  listPhonesCreated,
  type RowResult,
  updateFileRows,
} from '../queries.ts'
import { mappedContact, mappedLead, phoneOfRow, type RowReading } from './mapped-rows.ts'
import { declaredFields } from './read-imports.ts'
import { rehearse } from './rehearse.ts'
import { type RowOutcome, takeTogether } from './take-together.ts'

async function readingOf(ctx: Context, { mapping, constants }: ImportRow): Promise<RowReading> {
  const declared = await declaredFields(ctx)
  const { timezone, countryCode } = ctx.workspace
  const types = new Map(declared.map(({ key, type }) => [key, type]))
  return { mapping: mapping ?? {}, constants: constants ?? {}, timezone, countryCode, types }
}

function takeIn(ctx: Context, kind: ImportRow['kind'], rows: FileRow[], reading: RowReading) {
  const read = rows.map(({ cells, fault }) => ({ values: cells, ...(fault === null ? {} : { fault }) }))
  return kind === 'leads'
    ? takeTogether(
        read,
        (cells) => mappedLead(cells, reading),
        (bodies) => captureLeads(bodies.map((body) => ({ ctx, body, via: 'import', form: null }))),
      )
    : takeTogether(
        read,
        (cells) => mappedContact(cells, reading),
        (bodies) => saveContacts(bodies.map((body) => ({ ctx, body, addTags: true }))),
      )
}

const resultsOf = (rows: FileRow[], outcomes: RowOutcome[], reading: RowReading): RowResult[] =>
  rows.map(({ number, cells }, i) => {
    const outcome = outcomes[i]!
    const phone = phoneOfRow(cells, reading)
    if (typeof outcome === 'object') return { number, outcome: 'refused', phone, reason: outcome.refused }
    return { number, outcome: outcome === 'created' ? 'created' : 'updated', phone, reason: null }
  })

/** Rows whose contact was erased meanwhile are gone: the batch is done again without them. */
const expectAll = (rows: number, touched: number): void => {
  if (rows !== touched) throw new Error('rows of the file were erased meanwhile')
}

/** Takes a batch in: rows that were refused stay with their reason, the others go. */
export async function takeRows(ctx: Context, row: ImportRow, rows: FileRow[]): Promise<RowResult[]> {
  const reading = await readingOf(ctx, row)
  const outcomes = await takeIn({ ...ctx, via: 'import' }, row.kind, rows, reading)
  const results = resultsOf(rows, outcomes, reading)
  const refused = results.filter(({ outcome }) => outcome === 'refused')
  const taken = results.filter(({ outcome }) => outcome !== 'refused').map(({ number }) => number)
  expectAll(refused.length, await updateFileRows(ctx, row.id, refused))
  expectAll(taken.length, await deleteFileRows(ctx, row.id, taken))
  return results
}

/** How many contacts count against the limit; nothing is counted where there is none. */
const countPeople = async (ctx: Context): Promise<number> =>
  (await readContactRoom(ctx, [ctx.workspace])).get(ctx.workspace.id)?.contacts ?? 0

/** Says what taking a batch in would come to, after the rows before it; and how many new people it would store. */
export async function rehearseRows(
  ctx: Context,
  row: ImportRow,
  rows: FileRow[],
): Promise<{ results: RowResult[]; people: number }> {
  const reading = await readingOf(ctx, row)
  const { contactLimit } = ctx.workspace
  // The people of the batches before, which were taken back, have their places.
  const workspace =
    contactLimit === null
      ? ctx.workspace
      : { ...ctx.workspace, contactLimit: Math.max(0, contactLimit - row.people) }
  const { outcomes, people } = await rehearse(ctx, async (trial) => {
    const before = await countPeople(trial)
    const done = await takeIn({ ...trial, via: 'import', workspace }, row.kind, rows, reading)
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

/** Those of the batch whom an earlier batch would have stored. */
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
