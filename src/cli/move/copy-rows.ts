/** Copies rows of one table from a snapshot of the source into the target. */
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { copyIn, copyOut } from '../../database/copy.ts'
import { quoted } from '../../database/stored-tables.ts'
import { type Digests, inBuckets, ofWorkspace, readContent, readDigests } from './digests.ts'
import { columnList, type MovedTable } from './moved-tables.ts'

/** The temporary table with the rows that have arrived. */
export const ARRIVED = 'arrived_rows'

/** Changes rows that have arrived before they replace those of the target: secrets, accounts. */
export type Adapt = (client: pg.Client, table: MovedTable) => Promise<void>

export type CopyContext = {
  source: pg.Client
  target: pg.Client
  workspaceId: string
  adapt: Adapt
}

/** Loads without the triggers: their earlier results are in the other tables. */
export const WITHOUT_TRIGGERS = 'set local session_replication_role = replica'

export async function inLoading<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(`begin; ${WITHOUT_TRIGGERS}`)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw explained(error)
  }
}

/** Explains that the target has a value of this workspace already. */
function explained(error: unknown): unknown {
  const { code, table, constraint, detail } = error as {
    code?: string
    table?: string
    constraint?: string
    detail?: string
  }
  if (code !== '23505') return error
  return new Error(
    `Another workspace of the new cell has the same value in ${table} (${constraint}): ${detail ?? ''} Nothing was switched.`,
  )
}

const sameKey = ({ key }: MovedTable, row: string, other: string): string =>
  key.length === 0
    ? 'true'
    : key.map(({ name }) => `${row}.${quoted(name)} = ${other}.${quoted(name)}`).join(' and ')

/** Streams the rows of the condition (on `t`) out of the source. */
const readRows = ({ source, workspaceId }: CopyContext, table: MovedTable, condition: string): Readable =>
  copyOut(
    source,
    `copy (select ${columnList(table.columns, 't.')} from ${quoted(table.name)} t
           where ${ofWorkspace(table, workspaceId)} and ${condition}) to stdout`,
  ).bytes

/** Writes rows into a table of the target; returns how many. */
const writeRows = (
  target: pg.Client,
  { columns }: MovedTable,
  into: string,
  bytes: AsyncIterable<Buffer>,
): Promise<number> => copyIn(target, `copy ${into} (${columnList(columns)}) from stdin`, bytes)

/** Streams the rows of the condition (on `t`) into the table of the rows that have arrived. */
const copyToArrived = (context: CopyContext, table: MovedTable, condition: string): Promise<number> =>
  writeRows(context.target, table, ARRIVED, readRows(context, table, condition))

/** Creates the empty temporary table for rows of this table. */
const makeArrived = (target: pg.Client, { name, columns }: MovedTable): Promise<unknown> =>
  target.query(
    `create temp table ${ARRIVED} on commit drop as select ${columnList(columns)} from ${quoted(name)} with no data`,
  )

/** One transaction of the target writes about this much: while it runs, the readers of events wait for it. */
const TRANSACTION_BYTES = 4 * 1024 * 1024

/** Copies all rows of a table into a target that has none of them. Returns how many. */
export async function copyAll(context: CopyContext, table: MovedTable): Promise<number> {
  const bytes = readRows(context, table, 'true')
  try {
    return await writeAll(context, table, bytes[Symbol.asyncIterator]())
  } finally {
    bytes.destroy()
  }
}

/** Writes all rows of a table into a target that has none of them, in several transactions. Returns how many. */
export async function writeAll(
  context: Pick<CopyContext, 'target' | 'adapt'>,
  table: MovedTable,
  chunks: AsyncIterator<Buffer>,
): Promise<number> {
  let rows = 0
  for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next())
    rows += await copyPiece(context, table, takeBytes(chunk.value, chunks))
  return rows
}

/** Returns the first chunk, and the next ones up to the size of a transaction. A chunk has whole rows. */
async function* takeBytes(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  for (let length = first.length; length < TRANSACTION_BYTES; ) {
    const chunk = await chunks.next()
    if (chunk.done) return
    length += chunk.value.length
    yield chunk.value
  }
}

const copyPiece = (
  { target, adapt }: Pick<CopyContext, 'target' | 'adapt'>,
  table: MovedTable,
  bytes: AsyncIterable<Buffer>,
): Promise<number> =>
  inLoading(target, async () => {
    if (table.changed.length === 0) return writeRows(target, table, quoted(table.name), bytes)
    await makeArrived(target, table)
    const rows = await writeRows(target, table, ARRIVED, bytes)
    await adapt(target, table)
    await insertArrived(target, table)
    return rows
  })

const insertArrived = (target: pg.Client, { name, columns }: MovedTable): Promise<unknown> =>
  target.query(
    `insert into ${quoted(name)} (${columnList(columns)}) select ${columnList(columns)} from ${ARRIVED}`,
  )

/**
 * Replaces changed rows. Returns the sum of their content in the target, and the digests of the rows that the target did not
 * have before.
 */
export const copyChanged = (
  context: CopyContext,
  table: MovedTable,
  isChanged: string,
): Promise<{ content: string; added: Digests }> =>
  inLoading(context.target, async () => {
    const { target, workspaceId } = context
    const name = quoted(table.name)
    await makeArrived(target, table)
    await copyToArrived(context, table, isChanged)
    await context.adapt(target, table)
    await target.query(`analyze ${ARRIVED}`)
    const itsRow = `o where o.${table.workspaceColumn} = '${workspaceId}' and ${sameKey(table, 'o', 't')}`
    const added = await readDigests(target, table, {
      workspaceId,
      content: false,
      from: `${ARRIVED} t where not exists (select from ${name} ${itsRow})`,
    })
    // Deleted first, so that no row meets the earlier state of another.
    await target.query(
      `delete from ${name} t using ${ARRIVED} a where ${ofWorkspace(table, workspaceId)} and ${sameKey(table, 't', 'a')}`,
    )
    await insertArrived(target, table)
    const content = await readContent(
      target,
      table,
      `${ARRIVED} a join ${name} t on ${ofWorkspace(table, workspaceId)} and ${sameKey(table, 't', 'a')}`,
    )
    return { content, added }
  })

/** Replaces all rows of these buckets: those that were deleted at the source are gone after it. */
export const replaceBuckets = (context: CopyContext, table: MovedTable, buckets: number[]): Promise<void> =>
  inLoading(context.target, async () => {
    const { target, workspaceId } = context
    const condition = inBuckets(table, buckets)
    await makeArrived(target, table)
    await copyToArrived(context, table, condition)
    await context.adapt(target, table)
    await target.query(
      `delete from ${quoted(table.name)} t where ${ofWorkspace(table, workspaceId)} and ${condition}`,
    )
    await insertArrived(target, table)
  })
