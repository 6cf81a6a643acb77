/**
 * The connection to the database breaks right after the service has written that hand-overs begin
 * (docs/reliability.md rows 6 and 7).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { cloudShop, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

/** Only the statement that begins the calls of messages contains this text. */
const BEGINS = 'm.run_at <= $3 and m.leased_until is null and'
const asha = '+919812345678'

let operator: Awaited<ReturnType<typeof standInOperator>>
let database: TestDatabase
let proxy: Awaited<ReturnType<typeof databaseProxy>>
let parley: TestParley
beforeAll(async () => {
  operator = await standInOperator()
  database = await createTestDatabase()
  proxy = await databaseProxy(database.url)
  parley = await boot({ databaseUrl: proxy.url, env: operator.env })
})
afterAll(async () => {
  await parley?.close()
  await proxy?.close()
  await operator?.close()
  await database?.drop()
})

test('messages whose calls had not begun still go out immediately, each once', async () => {
  const shop = await cloudShop(parley)
  await shop.writes(asha)
  let lost = 0
  proxy.corrupt((request) => {
    if (lost > 0 || !request.includes(BEGINS)) return undefined
    lost++
    return { part: 'answer', after: 0, ending: 'close' }
  })
  const texts = ['one', 'two', 'three']
  for (const text of texts)
    expect(await shop.post('/send', { to: asha, type: 'text', text })).toMatchObject({ status: 200 })
  await until(() => operator.taken.length >= texts.length, 'the operator has the messages')
  expect(lost).toBe(1)
  expect(operator.taken.map(({ body }) => body.text.body)).toEqual(texts)
  const sent = await until(async () => {
    const { messages } = (await shop.get('/messages?direction=outbound')).body
    return messages.every(({ chanmid }: Body) => chanmid !== null) && messages
  }, 'the answers are recorded')
  expect(sent).toHaveLength(texts.length)
})
