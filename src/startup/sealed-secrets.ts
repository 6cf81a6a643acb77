/**
 * Lists everything sealed with the secret key, and checks whether a key opens it: for a start, `parley
 * doctor`, and `parley backup`.
 */
import type pg from 'pg'
import { createSealer } from '../core/sealing.ts'

/**
 * Each sealed column with its name for readers. Excludes answers kept for retries: they are also sealed with
 * the caller's API key, and are deleted after a day.
 */
export const SEALED_COLUMNS = {
  'phone_numbers.token_sealed': 'operator tokens of numbers',
  'phone_numbers.app_secret_sealed': 'app secrets of numbers',
  'number_signups.code_sealed': 'codes of numbers that are being connected',
  'number_signups.token_sealed': 'operator tokens of numbers that are being connected',
  'number_signups.pin_sealed': 'PINs of numbers that are being connected',
  'social_accounts.token_sealed': 'tokens of photo network accounts',
  'social_accounts.app_secret_sealed': 'app secrets of photo network accounts',
  'webhook_endpoints.secret_sealed': 'signing secrets of webhook endpoints',
  'webhook_endpoints.old_secret_sealed': 'earlier signing secrets of webhook endpoints',
  'webhook_endpoints.headers_sealed': 'own headers of webhook endpoints',
  'payment_gateways.key_secret_sealed': 'keys of payment gateways',
  'payment_gateways.webhook_secret_sealed': 'webhook secrets of payment gateways',
  'integrations.secrets_sealed': 'secrets of integrations',
  'automations.secret_sealed': 'signing secrets of automations',
  'bot_versions.headers_sealed': 'headers of requests of bots',
  'history_imports.secret_sealed': 'tokens of running imports',
  'push_subscriptions.target_sealed': 'browsers with push notifications',
  'accounts.totp_sealed': 'second factors of accounts',
  'accounts.totp_pending_sealed': 'second factors that are being set up',
  'account_mails.sealed': 'emails that wait to be sent',
} as const

type SealedColumn = keyof typeof SEALED_COLUMNS

/** The number of values in one column, and those that a key does not open; empty columns are omitted. */
export type SealedCount = { column: SealedColumn; what: string; rows: number; unopened: number }

const PAGE = 1_000

async function* readSealedValues(client: pg.ClientBase, column: SealedColumn): AsyncGenerator<Buffer> {
  const [table, name] = column.split('.')
  await client.query(
    `declare sealed_secrets cursor for select ${name} as sealed from ${table} where ${name} is not null`,
  )
  for (;;) {
    const { rows } = await client.query<{ sealed: Buffer }>(`fetch ${PAGE} from sealed_secrets`)
    for (const { sealed } of rows) yield sealed
    if (rows.length < PAGE) break
  }
  await client.query('close sealed_secrets')
}

/** Returns the columns that exist: a database of an older version may lack some. */
async function listExistingColumns(client: pg.ClientBase): Promise<SealedColumn[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped`,
  )
  const names = new Set(rows.map(({ name }) => name))
  return (Object.keys(SEALED_COLUMNS) as SealedColumn[]).filter((column) => names.has(column))
}

/** Returns the columns with a value. One message asks for all columns, because most have none. */
async function listFilledColumns(client: pg.ClientBase): Promise<SealedColumn[]> {
  const columns = await listExistingColumns(client)
  if (columns.length === 0) return []
  const questions = columns.map((column) => {
    const [table, name] = column.split('.')
    return `select 1 from ${table} where ${name} is not null limit 1`
  })
  // The driver returns a list of results for several statements.
  const results = [await client.query(questions.join('; '))].flat()
  return columns.filter((_column, place) => results[place]?.rowCount)
}

/**
 * Counts the sealed values, and those that `secretKey` does not open. Runs inside the transaction of
 * `client`.
 */
async function countSealedIn(client: pg.ClientBase, secretKey: string): Promise<SealedCount[]> {
  const sealer = createSealer(secretKey)
  const counts: SealedCount[] = []
  for (const column of await listFilledColumns(client)) {
    const count = { column, what: SEALED_COLUMNS[column], rows: 0, unopened: 0 }
    for await (const sealed of readSealedValues(client, column)) {
      count.rows += 1
      try {
        sealer.open(sealed)
      } catch {
        count.unopened += 1
      }
    }
    if (count.rows > 0) counts.push(count)
  }
  return counts
}

/** Counts in a new transaction, or in the open one. */
export async function countSealed(client: pg.ClientBase, secretKey: string): Promise<SealedCount[]> {
  await client.query('begin read only')
  try {
    return await countSealedIn(client, secretKey)
  } finally {
    await client.query('rollback')
  }
}

/** Counts inside a transaction that is already open, such as a backup's snapshot. */
export const countSealedWithin = countSealedIn

/** Returns whether anything is sealed: then a new key would make it unreadable. */
export const hasSealedValues = async (client: pg.ClientBase): Promise<boolean> =>
  (await listFilledColumns(client)).length > 0

/**
 * Describes the values that cannot be opened: `3 of 4 operator tokens of numbers
 * (phone_numbers.token_sealed)`.
 */
export const describeUnopened = (counts: SealedCount[]): string[] =>
  counts
    .filter(({ unopened }) => unopened > 0)
    .map(({ column, what, rows, unopened }) => `${unopened} of ${rows} ${what} (${column})`)
