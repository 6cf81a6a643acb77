/** The sending numbers are remembered by their version (workspaces/operations/remembered-by-version.ts). */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import type { Tx, Unit } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { readNumbers } from '../../../platform/workspaces/operations/read-numbers.ts'

const customer = '+919812345678'

let parley: TestParley
/** Another client of the database, whose changes this process learns only from the version. */
let other: pg.Client
beforeAll(async () => {
  parley = await boot()
  other = new pg.Client(parley.databaseUrl)
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await parley.close()
})

const send = (shop: TestWorkspace, overrides: object = {}) =>
  shop.post('/send', { to: customer, type: 'text', text: 'It is on its way', ...overrides })

/** Creates a workspace whose number is remembered, and whose customer has just written. */
async function knownShop(): Promise<TestWorkspace> {
  const shop = await parley.workspace({ sandbox: true })
  await shop.inbound(customer, 'Hello')
  for (let i = 0; i < 2; i++) expect((await send(shop)).status).toBe(200)
  return shop
}
const setState = (by: Pick<pg.Client, 'query'>, shop: TestWorkspace, state: string) =>
  by.query('update phone_numbers set state = $2 where id = $1', [shop.phoneNumberId, state])

const numbersOf = async (tx: Tx, shop: TestWorkspace) =>
  (await readNumbers({ tx } as Unit, [shop.workspaceId])).get(shop.workspaceId) ?? []

test('a known workspace costs one read of its version', async () => {
  const shop = await knownShop()
  const queries: string[] = []
  await parley.system((tx) =>
    numbersOf(
      {
        ...tx,
        sql: (text, values) => {
          queries.push(text)
          return tx.sql(text, values)
        },
      },
      shop,
    ),
  )
  expect(queries).toHaveLength(1)
  expect(queries[0]).toContain('from reference_versions')
})

test('a number that another process disconnected or banned refuses the next send, and sends again once it works', async () => {
  const shop = await knownShop()
  await setState(other, shop, 'disconnected')
  expect(await send(shop)).toMatchObject({ status: 409, body: { error: 'sending_blocked' } })
  await setState(other, shop, 'number_banned')
  expect(await send(shop)).toMatchObject({ status: 409, body: { error: 'number_banned' } })
  await setState(other, shop, 'active')
  expect((await send(shop)).status).toBe(200)
})

test('a restriction that another process wrote applies to the next send', async () => {
  const shop = await knownShop()
  const write = (until: string | null) =>
    other.query('update phone_numbers set customer_initiated_blocked_until = $2 where id = $1', [
      shop.phoneNumberId,
      until,
    ])
  await write('9999-01-01')
  expect(await send(shop)).toMatchObject({ status: 409, body: { error: 'sending_blocked' } })
  await write(null)
  expect((await send(shop)).status).toBe(200)
})

test('a number that another process connected is found immediately, and a removed number is no longer found', async () => {
  const shop = await knownShop()
  const id = newId()
  await other.query(
    `insert into phone_numbers (workspace_id, id, number, display_name, operator, account_id, operator_id, token_sealed,
       app_secret_sealed, verify_token_hash, created_at)
     select workspace_id, $2::uuid, '+14155550199', 'Second', operator, account_id, $2::uuid::text, token_sealed, app_secret_sealed,
       verify_token_hash, created_at from phone_numbers where id = $1`,
    [shop.phoneNumberId, id],
  )
  const sendFromNumber = () => send(shop, { phoneNumberId: id })
  expect((await sendFromNumber()).body.error).toBe('outside_24h_window')
  expect(await send(shop, { to: '+14155550199' })).toMatchObject({ body: { error: 'cannot_send_to_self' } })
  await other.query('delete from phone_numbers where id = $1', [id])
  expect((await sendFromNumber()).body.error).toBe('invalid_reference')
})

test('a committed change is applied, and a change that was rolled back is not remembered', async () => {
  const shop = await knownShop()
  await other.query('begin')
  await setState(other, shop, 'disconnected')
  expect((await send(shop)).status).toBe(200)
  await other.query('commit')
  expect((await send(shop)).body.error).toBe('sending_blocked')

  const failed = parley.system(async (tx) => {
    await tx.sql(`update phone_numbers set state = 'active' where id = $1`, [shop.phoneNumberId])
    expect((await numbersOf(tx, shop))[0]!.state).toBe('active')
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  expect((await send(shop)).body.error).toBe('sending_blocked')
})
