/** Adapts rows to the target: secrets are sealed with its key, and members get its accounts. */
import type pg from 'pg'
import { SEALED_VERSION, type Sealer } from '../../core/sealing.ts'
import { quoted } from '../../database/stored-tables.ts'
import { type Adapt, ARRIVED } from './copy-rows.ts'
import { sealedColumns } from './moved-tables.ts'

/**
 * The answer to a retry whose stored answer can't be read in another installation. The effect of the first request is there, so
 * it must not happen again.
 */
const UNREADABLE_ANSWER = JSON.stringify({
  error: 'conflict',
  message:
    'The first request with this Idempotency-Key was answered before the workspace moved. Its answer is no longer readable. Read the result instead.',
})

/** Opens a value with the source's key, and seals it with the target's. A value that the key doesn't open stays as it is. */
function reseal(value: Buffer, { from, to }: { from: Sealer; to: Sealer }): Buffer {
  try {
    return to.seal(from.open(value))
  } catch {
    return value
  }
}

async function resealColumn(
  client: pg.Client,
  column: string,
  sealers: { from: Sealer; to: Sealer },
): Promise<void> {
  const { rows } = await client.query<{ place: string; value: Buffer }>(
    `select ctid::text as place, ${quoted(column)} as value from ${ARRIVED} where ${quoted(column)} is not null`,
  )
  for (const { place, value } of rows)
    await client.query(`update ${ARRIVED} set ${quoted(column)} = $2 where ctid = $1::tid`, [
      place,
      reseal(value, sealers),
    ])
}

/** Replaces stored answers that only the source's key opens. */
const replaceAnswers = (client: pg.Client): Promise<unknown> =>
  client.query(
    `update ${ARRIVED} set status = 409, answer = convert_to($1, 'UTF8')
     where octet_length(answer) > 0 and get_byte(answer, 0) = $2`,
    [UNREADABLE_ANSWER, SEALED_VERSION],
  )

/** Gives members the accounts of the target. */
const setAccounts = (client: pg.Client, accounts: ReadonlyMap<string, string>): Promise<unknown> =>
  client.query(
    `update ${ARRIVED} a set account_id = (
       select m.target_id from unnest($1::uuid[], $2::uuid[]) as m (source_id, target_id) where m.source_id = a.account_id)`,
    [[...accounts.keys()], [...accounts.values()]],
  )

/**
 * Returns the function that adapts arrived rows. `accounts`: the account of the target for each account of the source, as far as
 * one was found; a member without one must be invited again. `sealers`: null if both sides have the same key.
 */
export const rowAdapter =
  (accounts: ReadonlyMap<string, string>, sealers: { from: Sealer; to: Sealer } | null): Adapt =>
  async (client, table) => {
    if (table.name === 'members') await setAccounts(client, accounts)
    if (sealers === null) return
    if (table.name === 'idempotency_keys') await replaceAnswers(client)
    for (const column of sealedColumns(table.name)) await resealColumn(client, column, sealers)
  }
