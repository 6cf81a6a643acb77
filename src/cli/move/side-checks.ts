/** The conditions of a move: versions, rights, keys, tables, and processes of both sides. */
import { EARLIER_LISTENER } from '../../database/changes.ts'
import { countSealed, describeUnopened } from '../../startup/sealed-secrets.ts'
import { listMovedTables, type MovedTable } from './moved-tables.ts'
import type { Side } from './sides.ts'

/** Throws unless both sides have the same tables. */
export async function requireSameVersion(
  source: readonly string[],
  target: readonly string[],
  names: { source: string; target: string },
): Promise<void> {
  const missing = source.filter((name) => !target.includes(name))
  const extra = target.filter((name) => !source.includes(name))
  if (missing.length > 0)
    throw new Error(
      `${names.target} has an older version than ${names.source}: it lacks ${missing.join(', ')}. Upgrade it first.`,
    )
  if (extra.length > 0)
    throw new Error(
      `${names.target} has a newer version than ${names.source}: it has ${extra.join(', ')}. Upgrade ${names.source} first.`,
    )
}

const NOT_ALLOWED = '42501'

/** Throws unless the user of the target may load rows without the triggers, which would count every row again. */
export async function requireLoadingRight({ client }: Side): Promise<void> {
  try {
    await client.query('begin; set local session_replication_role = replica')
  } catch (error) {
    await client.query('rollback')
    if ((error as { code?: string }).code !== NOT_ALLOWED) throw error
    const { rows } = await client.query<{ user: string }>('select quote_ident(current_user) as user')
    throw new Error(
      `The database user ${rows[0]?.user} of the new cell can't load rows without the triggers. ` +
        `As a superuser, run: grant set on parameter session_replication_role to ${rows[0]?.user}`,
    )
  }
  await client.query('rollback')
}

/** Throws if the key of a side can't decrypt its secrets: they would be lost in the new cell. */
export async function requireKey({ client }: Side, secretKey: string, name: string): Promise<void> {
  const counts = await countSealed(client, secretKey)
  const unopened = describeUnopened(counts)
  if (unopened.length > 0 && counts.every((count) => count.unopened === count.rows))
    throw new Error(`${name} can't decrypt the secrets in the database: ${unopened.join(', ')}.`)
}

/** Returns the tables that move. Throws if a table of the source differs in the target. */
export async function listTables(source: Side, target: Side): Promise<MovedTable[]> {
  const [tables, targetTables] = [
    await listMovedTables(source.client),
    await listMovedTables(target.client),
  ].map((list) => new Map(list.map((table) => [table.name, table])))
  for (const [name, table] of tables!)
    if (JSON.stringify(table) !== JSON.stringify(targetTables!.get(name)))
      throw new Error(`The table ${name} differs between the cells. Run "parley doctor" in both.`)
  return [...tables!.values()]
}

/** Throws if a process of version 1.0.0 works in the database: it would ignore the pause, and work in both cells. */
export async function requireNewProcesses({ client, cell }: Side): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = $1`,
    [EARLIER_LISTENER],
  )
  if (rows[0]!.count > 0)
    throw new Error(
      `A process of an earlier version works in the database of the cell ${cell}. Upgrade all processes first.`,
    )
}
