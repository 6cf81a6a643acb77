/**
 * Copies a workspace in rounds while it runs. Each round reads one snapshot of the source; after it, the target has exactly the
 * rows of this snapshot.
 */
import type pg from 'pg'
import { quoted } from '../../database/stored-tables.ts'
import type { CopyContext } from './copy-rows.ts'
import { copyAll, copyChanged, inLoading, replaceBuckets } from './copy-rows.ts'
import {
  countRows,
  type Digests,
  differingBuckets,
  ofWorkspace,
  readDigests,
  readSourceDigests,
  type SourceDigests,
} from './digests.ts'
import { type MovedTable, WORKSPACES } from './moved-tables.ts'

export type Rounds = {
  /** Copies everything into a target without rows of the workspace. Returns the transaction up to which rows are copied. */
  first(): Promise<string>
  /**
   * Copies the changes since that transaction. `content`: compares all values of all rows afterwards; otherwise the keys of all
   * rows and the values of the changed rows.
   */
  next(since: string, options: { content: boolean }): Promise<string>
  /** The number of rows in the target, after a round. */
  countRows(): { tables: number; rows: number }
}

export type RoundsOptions = Omit<CopyContext, 'adapt'> & {
  tables: readonly MovedTable[]
  /** Called inside the snapshot of each round, before its rows are copied. */
  prepare(): Promise<CopyContext['adapt']>
  say(line: string): void
}

/** Attempts to make a table equal. Retention of the target may delete rows in between. */
const MAX_ATTEMPTS = 5

export function openRounds(options: RoundsOptions): Rounds {
  const { source, target, workspaceId } = options
  // The row of the workspace is written with the switch.
  const tables = options.tables.filter(({ name }) => name !== WORKSPACES)
  /** The digests of the target's keys after the last round; missing if unknown. */
  const known = new Map<string, Digests>()

  const inRound = async (work: (context: CopyContext) => Promise<void>): Promise<string> => {
    await source.query('begin isolation level repeatable read read only')
    try {
      const { rows } = await source.query<{ xmin: string }>(
        'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
      )
      await makeLogDays(source, target)
      await work({ source, target, workspaceId, adapt: await options.prepare() })
      return rows[0]!.xmin
    } finally {
      await source.query('rollback').catch(() => {})
    }
  }

  /** Compares a table, and replaces the rows that differ. */
  const makeEqual = async (
    context: CopyContext,
    table: MovedTable,
    { content, ofSource }: { content: boolean; ofSource: Digests },
  ): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const ofTarget = await readDigests(target, table, { workspaceId, content })
      const differing = differingBuckets(ofSource, ofTarget)
      if (differing.length === 0) return
      if (attempt === MAX_ATTEMPTS)
        throw new Error(
          `The rows of ${table.name} differ after the copy. Nothing was switched. Run the command again.`,
        )
      await replaceBuckets(context, table, differing)
    }
  }

  /** Copies the changed rows. Returns whether the target's keys are then known to be those of the source. */
  const catchUp = async (
    context: CopyContext,
    table: MovedTable,
    isChanged: string,
    { digests, changed, content }: SourceDigests,
  ): Promise<boolean> => {
    const before = known.get(table.name)
    if (changed === 0) return before !== undefined && differingBuckets(digests, before).length === 0
    const copied = await copyChanged(context, table, isChanged)
    if (copied.content !== content)
      throw new Error(
        `The changed rows of ${table.name} differ after the copy. Nothing was switched. Run the command again.`,
      )
    return before !== undefined && differingBuckets(digests, sum(before, copied.added)).length === 0
  }

  return {
    first: () =>
      inRound(async (context) => {
        for (const table of tables) {
          const rows = await copyAll(context, table)
          if (rows > 100_000) options.say(`copied ${table.name}: ${rows} rows`)
        }
      }),
    next: (since, { content }) =>
      inRound(async (context) => {
        const isChanged = `age(t.xmin) <= age('${since}'::xid8::xid)`
        for (const table of tables) {
          const ofSource = await readSourceDigests(source, table, { workspaceId, isChanged })
          const isKnown = await catchUp(context, table, isChanged, ofSource)
          if (content) {
            const ofContent = await readDigests(source, table, { workspaceId, content })
            await makeEqual(context, table, { content, ofSource: ofContent })
          } else if (!isKnown) await makeEqual(context, table, { content, ofSource: ofSource.digests })
          known.set(table.name, ofSource.digests)
        }
      }),
    countRows: () => ({
      tables: [...known.values()].filter((digests) => digests.size > 0).length,
      rows: [...known.values()].reduce((sum, digests) => sum + countRows(digests), 0),
    }),
  }
}

/** Adds up digests of keys, which are a count and a sum. */
function sum(digests: Digests, addition: Digests): Digests {
  const total = new Map(digests)
  for (const [bucket, digest] of addition) {
    const [count, hash] = (total.get(bucket) ?? '0 0').split(' ').map(BigInt)
    const [added, addedHash] = digest.split(' ').map(BigInt)
    total.set(bucket, `${count! + added!} ${hash! + addedHash!}`)
  }
  return total
}

/** Creates the partitions of the log that the source has and the target lacks. */
async function makeLogDays(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ log: string; day: string }>(
    `select parent.relname as log, right(part.relname, 8) as day
     from pg_inherits i join pg_class part on part.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
     where parent.relnamespace = current_schema()::regnamespace and parent.relname in ('events', 'deliveries')
       and part.relname ~ '_[0-9]{8}$' order by 2, 1`,
  )
  for (const { log, day } of rows) await target.query('select make_log_day($1, $2::date)', [log, day])
}

/** Deletes all rows of the workspace from the target, which has not received it. Its fenced row stays. */
export async function clearTarget(
  target: pg.Client,
  tables: readonly MovedTable[],
  workspaceId: string,
): Promise<void> {
  for (const table of tables)
    if (table.name !== WORKSPACES)
      await inLoading(target, () =>
        target.query(`delete from ${quoted(table.name)} t where ${ofWorkspace(table, workspaceId)}`),
      )
}
