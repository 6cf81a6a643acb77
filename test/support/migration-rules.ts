/**
 * Changes that a migration may not make while the previous version still works on the same tables
 * (docs/decisions/migrations.md).
 */

const RULES: [pattern: RegExp, why: string][] = [
  [/^drop table\b/, 'the old version still reads the table: drop it a release later'],
  [/^(truncate|delete from)\b/, 'the old version still reads the rows'],
  [/^alter table .*\bdrop (column|constraint)\b/, 'the old version still uses it: drop it a release later'],
  [/^alter (table|type|function|view|sequence) .*\brename\b/, 'the old version knows the old name only'],
  [
    /^alter table .*\balter (column )?\w+ (set data )?type\b/,
    'it rewrites the table under a lock: add a column',
  ],
  [
    /^alter table .*\bset not null\b/,
    'it reads the whole table under a lock: add a check, not valid, and validate it',
  ],
  [
    /^alter table .*\badd (column )?(if not exists )?(?!constraint)\w+ (?=.*\bnot null\b)(?!.*\bdefault\b)/,
    'the old version inserts without the column: give it a default',
  ],
  [
    /^alter table .*\badd (constraint \w+ )?(check|foreign key|unique|primary key)\b(?!.*\bnot valid\b)/,
    'it reads the whole table under a lock: add it not valid, and validate it in a migration of its own',
  ],
  [
    /^create (unique )?index (?!concurrently)/,
    'it keeps all writes out while it is made: create it concurrently, alone in its file',
  ],
  [
    /^create trigger\b/,
    'the old version does not know of it: say on the line before why it bears it (-- bears:)',
  ],
  [/^(vacuum|cluster|reindex|lock table)\b/, 'it keeps others out'],
]

/**
 * Returns the statements of a file in lower case, without comments, with empty quoted bodies and single
 * spaces.
 */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$body$$')
    .replace(/^.*-- bears:.*\n(.*\n?)/gm, '')
    .replace(/--[^\n]*/g, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' ').toLowerCase())
    .filter((statement) => statement !== '')
}

/** The mark of a migration that removes something, which versions before this one do not survive. */
const OLDEST_VERSION = /^-- oldest version: \d+\.\d+\.\d+$/m
const REMOVALS = /^(drop table|alter table .*\bdrop (column|constraint))\b/

/** Returns the table that a statement changes, if it names a table. */
const tableOf = (statement: string): string | undefined =>
  /^(?:alter table|drop table|truncate)(?: if exists)?(?: only)? (\w+)/.exec(statement)?.[1] ??
  /^create (?:unique )?(?:index|trigger) .*?\bon (\w+)/.exec(statement)?.[1]

/**
 * Returns the errors of a migration after a release. A migration may do anything with tables that it creates
 * itself.
 */
export function faultsOfMigration(sql: string): string[] {
  const statements = statementsOf(sql)
  const own = new Set(
    statements.flatMap((statement) => /^create table (?:if not exists )?(\w+)/.exec(statement)?.[1] ?? []),
  )
  const faults = statements.flatMap((statement) => {
    if (own.has(tableOf(statement) ?? '')) return []
    if (REMOVALS.test(statement) && OLDEST_VERSION.test(sql)) return []
    return RULES.filter(([pattern]) => pattern.test(statement)).map(
      ([, reason]) => `${statement.slice(0, 60)}: ${reason}`,
    )
  })
  const concurrent = statements.some((statement) => /^create (unique )?index concurrently\b/.test(statement))
  return concurrent && statements.length > 1
    ? [...faults, 'an index that is made concurrently has to be alone in its file']
    : faults
}
