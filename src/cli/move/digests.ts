/**
 * Compares the rows of a workspace in two databases. The rows of a table are divided into buckets by the hash of their key, so
 * that a difference leads to few rows.
 */
import type pg from 'pg'
import { quoted } from '../../database/stored-tables.ts'
import type { MovedTable } from './moved-tables.ts'

const BUCKETS = 4_096

/** The digest of each bucket with rows. */
export type Digests = Map<number, string>

/** The SQL condition of the rows of the workspace. */
export const ofWorkspace = ({ workspaceColumn }: MovedTable, workspaceId: string): string =>
  `t.${workspaceColumn} = '${workspaceId}'`

/** The hash of a row's key, as SQL. Almost every key is an id. */
const keyHash = ({ key }: MovedTable): string => {
  if (key.length === 0) return '0::bigint'
  const columns = key.map(({ name }) => `t.${quoted(name)}`)
  return key.length === 1 && key[0]?.type === 'uuid'
    ? `uuid_hash_extended(${columns[0]}, 0)`
    : `hash_record_extended(row(${columns.join(', ')}), 0)`
}

const bucketOf = (table: MovedTable): string => `(${keyHash(table)} & ${BUCKETS - 1})`

/** The condition of the rows in these buckets. */
export const inBuckets = (table: MovedTable, buckets: readonly number[]): string =>
  `${bucketOf(table)} = any ('{${buckets.join(',')}}')`

/** The hash of all values that must be the same on both sides. */
const contentHash = ({ columns, changed }: MovedTable): string =>
  `hashtextextended(row(${columns
    .filter((column) => !changed.includes(column))
    .map((column) => `t.${quoted(column)}`)
    .join(', ')})::text, 0)`

/** The digest of the rows of a table, by bucket: of their keys or, with `content`, of all values. */
export async function readDigests(
  client: pg.ClientBase,
  table: MovedTable,
  { workspaceId, content, from }: { workspaceId: string; content: boolean; from?: string },
): Promise<Digests> {
  const { rows } = await client.query<{ bucket: string; digest: string }>(
    `select ${bucketOf(table)} as bucket,
            count(*) || ' ' || sum(${content ? contentHash(table) : keyHash(table)}) as digest
     from ${from ?? `${quoted(table.name)} t where ${ofWorkspace(table, workspaceId)}`} group by 1`,
  )
  return new Map(rows.map(({ bucket, digest }) => [Number(bucket), digest]))
}

/** The rows of a table at the source: digests of all keys, and the changed rows with their content. */
export type SourceDigests = { digests: Digests; changed: number; content: string }

/** Reads the digests of all keys, and of the content of the rows that `isChanged` selects, in one pass. */
export async function readSourceDigests(
  client: pg.ClientBase,
  table: MovedTable,
  { workspaceId, isChanged }: { workspaceId: string; isChanged: string },
): Promise<SourceDigests> {
  const { rows } = await client.query<{ bucket: string; digest: string; changed: string; content: string }>(
    `select ${bucketOf(table)} as bucket, count(*) || ' ' || sum(${keyHash(table)}) as digest,
            count(*) filter (where ${isChanged}) as changed,
            coalesce(sum(${contentHash(table)}) filter (where ${isChanged}), 0)::text as content
     from ${quoted(table.name)} t where ${ofWorkspace(table, workspaceId)} group by 1`,
  )
  return {
    digests: new Map(rows.map(({ bucket, digest }) => [Number(bucket), String(digest)])),
    changed: rows.reduce((sum, row) => sum + Number(row.changed), 0),
    content: String(rows.reduce((sum, row) => sum + BigInt(row.content), 0n)),
  }
}

/** The sum of the content of rows, to compare with that of the changed rows. */
export async function readContent(client: pg.ClientBase, table: MovedTable, from: string): Promise<string> {
  const { rows } = await client.query<{ content: string }>(
    `select coalesce(sum(${contentHash(table)}), 0)::text as content from ${from}`,
  )
  return rows[0]!.content
}

/** Returns the buckets whose digests differ. */
export const differingBuckets = (source: Digests, target: Digests): number[] =>
  [...new Set([...source.keys(), ...target.keys()])].filter(
    (bucket) => source.get(bucket) !== target.get(bucket),
  )

/** Returns the number of rows in the digests. */
export const countRows = (digests: Digests): number =>
  [...digests.values()].reduce((sum, digest) => sum + Number(digest.split(' ')[0]), 0)
