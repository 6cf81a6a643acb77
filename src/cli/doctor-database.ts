import type { Selectable } from 'kysely'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { DEFAULT_CELL } from '../core/values/cell.ts'
import { maskPhone } from '../core/values/phone.ts'
import { DatabaseClient } from '../database/client.ts'
import {
  describeChangedMigrations,
  describeRequiredVersions,
  type MigrationHistory,
  queryOf,
  readHistory,
} from '../database/migrate.ts'
import { SCHEMA_ADVICE, schemaDifferences } from '../database/schema-parts.ts'
import type { Tables } from '../database/sql/tables.ts'
import { requireTenantRole } from '../database/tenant-role.ts'
import { countSealed, describeUnopened, hasSealedValues } from '../startup/sealed-secrets.ts'
import { describeLostKey, findSecretKey, keyPath } from '../startup/secret-key.ts'
import { type Check, failed, ok, runCheck, warning } from './doctor-check.ts'
import { checkStoredFiles } from './doctor-files.ts'
import { checkGateways } from './doctor-gateways.ts'
import { checkMoves } from './doctor-moves.ts'

const noticeableSkewMilliseconds = 1000
const harmfulSkewMilliseconds = 10_000

/** Runs all checks of the database at `url`. */
export async function checkDatabase(url: string, config: Config): Promise<Check[]> {
  const client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const version = await checkVersion(client, config)
    const skew = await runCheck('clock', () => checkClock(client))
    const history = await readHistory(queryOf(client))
    const changed = history.changed.map((name) => failed('migrations', describeChangedMigrations([name])))
    if (history.pending.length > 0)
      return [
        version,
        ...skew,
        ...changed,
        failed('migrations', `not applied: ${history.pending.join(', ')}. Run "parley migrate"`),
      ]
    return [
      version,
      ...skew,
      ...changed,
      ...checkHistory(history),
      ...(await runCheck('tables', () => checkSchema(client, history))),
      ...(await runCheck('row-level security', () => checkTenancy(client))),
      ...(await runCheck('secret key', () => checkSecretKey(client, config))),
      ...(await runCheck('numbers', () => checkNumbers(client))),
      ...(await runCheck('stored files', () => checkStoredFiles(client, config))),
      ...(await runCheck('payment gateways', () => checkGateways(url, config, findSecretKey(config)))),
      ...(await runCheck('log', () => checkLog(client))),
      ...(await runCheck('jobs', () => checkJobs(client))),
      ...(await runCheck('moves', () => checkMoves(client))),
    ]
  } finally {
    await client.end()
  }
}

/** During an upgrade, the previous version keeps running with a newer database. */
function checkHistory({ later, unknown, changed, adopted, requiredVersions }: MigrationHistory): Check[] {
  if (requiredVersions.length > 0) return [failed('migrations', describeRequiredVersions(requiredVersions))]
  const checks: Check[] = []
  if (later.length > 0)
    checks.push(
      warning(
        'migrations',
        `the database is newer than this version: it has ${later.join(', ')}. Upgrade Parley on this machine`,
      ),
    )
  if (unknown.length > 0)
    checks.push(
      warning(
        'migrations',
        `the database has ${unknown.join(', ')}, which this version doesn't know. Install the version that applied ` +
          `${unknown.length === 1 ? 'it' : 'them'}`,
      ),
    )
  if (checks.length > 0 || changed.length > 0) return checks
  if (adopted.length === 0) return [ok('migrations', 'up to date, and the files match their checksums')]
  return [
    ok(
      'migrations',
      `up to date. The files ${adopted[0]} to ${adopted.at(-1)} can't be compared: this database applied ` +
        'them before Parley kept checksums, or a change was accepted',
    ),
  ]
}

/** Compares the schema with the result of this version's migrations; a newer database may have other tables. */
async function checkSchema(client: pg.Client, { later }: MigrationHistory): Promise<Check[]> {
  if (later.length > 0) return []
  const differences = await schemaDifferences(queryOf(client))
  if (differences.length === 0) return [ok('tables', 'match the migrations')]
  return differences.map(({ text, isHarmless }) =>
    isHarmless ? warning('tables', text) : failed('tables', `${text}. ${SCHEMA_ADVICE}`),
  )
}

// A version that is too old was refused when the database was opened.
async function checkVersion(client: pg.Client, { cell }: Config): Promise<Check> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const detail = `PostgreSQL ${rows[0]?.server_version}`
  return ok('database', cell === DEFAULT_CELL ? detail : `${detail}, cell ${cell}`)
}

async function checkClock(client: pg.Client): Promise<Check[]> {
  const before = systemClock.now().getTime()
  const { rows } = await client.query<{ at: string }>(
    'select extract(epoch from clock_timestamp()) * 1000 as at',
  )
  const after = systemClock.now().getTime()
  const skew = Math.round(Number(rows[0]?.at) - (before + after) / 2)
  const detail = `the database's clock differs by ${skew} ms`
  if (Math.abs(skew) >= harmfulSkewMilliseconds) return [failed('clock', detail)]
  return [Math.abs(skew) >= noticeableSkewMilliseconds ? warning('clock', detail) : ok('clock', detail)]
}

// Checks the database itself, not the migrations: someone may have changed roles or policies since.
async function checkTenancy(client: pg.Client): Promise<Check[]> {
  const name = 'row-level security'
  const role = await client.query(
    "select 1 from pg_roles where rolname = 'parley_tenant' and not rolsuper and not rolbypassrls",
  )
  if (role.rowCount === 0)
    return [failed(name, 'the role parley_tenant is missing or can bypass row-level security')]
  const unprotected = await client.query<{ relname: string }>(
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace and not c.relrowsecurity
       and not c.relispartition and has_table_privilege('parley_tenant', c.oid, 'select') order by 1`,
  )
  if (unprotected.rows.length > 0)
    return [
      failed(
        name,
        `tables without row-level security: ${unprotected.rows.map(({ relname }) => relname).join(', ')}`,
      ),
    ]
  await requireTenantRole(client)
  await client.query("begin; set local role parley_tenant; set local parley.workspaces = ''")
  try {
    const result = await client.query<{ visible: boolean }>(
      'select exists (select from workspaces) as visible',
    )
    if (result.rows[0]?.visible)
      return [failed(name, 'a transaction without a workspace can read workspaces')]
  } finally {
    await client.query('rollback')
  }
  return [ok(name, 'active for the tenant role')]
}

async function checkSecretKey(client: pg.Client, config: Config): Promise<Check[]> {
  const name = 'secret key'
  const key = findSecretKey(config)
  if (key === undefined)
    return (await hasSealedValues(client))
      ? [failed(name, describeLostKey(config))]
      : [ok(name, `nothing is encrypted yet. Parley creates ${keyPath(config)} at the first start`)]
  const counts = await countSealed(client, key)
  if (counts.length === 0) return [ok(name, 'nothing is encrypted with it yet')]
  const unopened = describeUnopened(counts)
  if (unopened.length === 0) return [ok(name, 'decrypts all stored secrets')]
  return [
    failed(
      name,
      `can't decrypt ${unopened.join(', ')}. Set the key that encrypted them, or enter them again`,
    ),
  ]
}

/** Checks that the logs have partitions for today and tomorrow, and that no row is outside the daily partitions. */
async function checkLog(client: pg.Client): Promise<Check[]> {
  const { rows } = await client.query<{ missing: string | null; strays: boolean }>(
    `select (select string_agg(part, ', ' order by part)
             from (select log || '_' || to_char((now() at time zone 'UTC') + ahead * interval '1 day', 'YYYYMMDD') as part
                   from unnest(array['deliveries', 'events']) as log, generate_series(0, 1) as ahead) as parts
             where to_regclass(part) is null) as missing,
            exists (select from events_other) or exists (select from deliveries_other) as strays`,
  )
  const { missing, strays } = rows[0]!
  if (missing !== null)
    return [
      warning('log', `partitions are missing: ${missing}. A worker creates them. Check that one is running`),
    ]
  return [
    strays
      ? warning('log', 'rows are outside the daily partitions: a partition was missing, or a clock is wrong')
      : ok('log', 'partitions for today and tomorrow exist'),
  ]
}

type JobRow = Selectable<Tables['jobs']>
type FailedJobs = Pick<JobRow, 'name'> & {
  count: string
  last: string
  error: JobRow['lastError']
}

/** Counts the jobs that were set aside after their last attempt, by kind. */
async function checkJobs(client: pg.Client): Promise<Check[]> {
  const { rows } = await client.query<FailedJobs>(
    `select name, count(*) as count, to_char(max(failed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last,
            left((array_agg(last_error order by failed_at desc))[1], 200) as error
     from jobs where failed_at is not null group by name order by name`,
  )
  if (rows.length === 0) return [ok('jobs', 'no failed jobs')]
  return rows.map(({ name, count, last, error }) =>
    warning('jobs', `${count} ${name} jobs failed permanently, the last at ${last}: ${error}`),
  )
}

type NumberRow = Selectable<Tables['phoneNumbers']>
type TroubledNumber = Pick<NumberRow, 'id' | 'number'> & {
  trouble: string
  reason: NumberRow['stateReason']
  waiting: string
}

async function checkNumbers(client: pg.Client): Promise<Check[]> {
  const { rows } = await client.query<TroubledNumber>(
    `select n.id, n.number, n.state_reason as reason, 'is ' || n.state as trouble,
            (select count(*) from messages m where m.workspace_id = n.workspace_id and m.phone_number_id = n.id
               and m.run_at is not null) as waiting
     from phone_numbers n where n.state <> 'active'
     union all
     select n.id, n.number, l.pause_reason, 'is paused until ' || to_char(l.paused_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
            (select count(*) from messages m where m.workspace_id = n.workspace_id and m.phone_number_id = n.id
               and m.run_at is not null)
     from phone_numbers n join number_lanes l on l.workspace_id = n.workspace_id and l.phone_number_id = n.id
     where n.state = 'active' and l.paused_until > $1
     order by 1`,
    [systemClock.now()],
  )
  if (rows.length === 0) return [ok('numbers', 'no number is blocked')]
  return rows.map(({ id, number, trouble, reason, waiting }) =>
    warning(
      'numbers',
      `${maskPhone(number)} (${id}) ${trouble}, ${waiting} messages are waiting${reason === null ? '' : `: ${reason}`}`,
    ),
  )
}
