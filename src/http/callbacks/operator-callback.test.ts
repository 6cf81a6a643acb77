/**
 * The operator's callback (docs/formats.md section 1): verified over the received bytes, stored, and
 * answered.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../../../test/support/operator-webhooks.ts'
import { signWebhook } from '../../operator/webhook-signature.ts'

let parley: TestParley
let shop: TestWorkspace
let number: ConnectedNumber

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace()
  number = await connectNumber(parley, shop)
})
afterAll(() => parley.close())

const timestamp = String(Math.floor(Date.now() / 1000))
const change = (of: ConnectedNumber, id: string, from = '919812345678', body = 'Hi') => ({
  field: 'messages',
  value: {
    metadata: { phone_number_id: of.operatorId, display_phone_number: of.displayNumber },
    messages: [{ from, id, timestamp, type: 'text', text: { body } }],
  },
})
const post = (text: string, signature: string) =>
  parley.anonymous.post(`/api/operator/${shop.workspaceId}`, text, {
    headers: { 'x-hub-signature-256': signature },
  })
const stored = async (ids: string[]): Promise<number> =>
  (
    await parley.system((tx) =>
      tx.sql('select 1 from messages where workspace_id = $1 and chanmid = any($2::text[])', [
        shop.workspaceId,
        ids,
      ]),
    )
  ).length

test('a body of 3 MB with a thousand updates in many entries is accepted, and each update applied', async () => {
  const ids = Array.from({ length: 1000 }, (_, i) => `wamid.many.${i}`)
  const entry = Array.from({ length: 10 }, (_, e) => ({
    id: number.accountId,
    changes: ids
      .slice(e * 100, e * 100 + 100)
      .map((id, i) => change(number, id, `91980${1_000_000 + e * 100 + i}`, 'x'.repeat(2_700))),
  }))
  await number.reportBody({ object: 'whatsapp_business_account', entry })
  expect(await stored(ids)).toBe(1000)
})

test('a thousand messages in one change are applied too', async () => {
  const ids = Array.from({ length: 1000 }, (_, i) => `wamid.one.${i}`)
  await number.report('messages', {
    messages: ids.map((id) => ({ from: '919812345678', id, timestamp, type: 'text', text: { body: id } })),
  })
  expect(await stored(ids)).toBe(1000)
})

test("a body larger than the operator's limit is rejected", async () => {
  const text = JSON.stringify({ entry: [], padding: 'x'.repeat(5_000_000) })
  expect(await post(text, signWebhook(text, number.appSecret))).toMatchObject({ status: 413 })
})

test('bytes that were changed in transit are rejected', async () => {
  const text = JSON.stringify({
    entry: [{ id: number.accountId, changes: [change(number, 'wamid.forged')] }],
  })
  const signature = signWebhook(text, number.appSecret)
  expect((await post(text.replace('Hi', 'Ho'), signature)).status).toBe(403)
  expect((await post(text, signature.replace('sha256=', 'sha1='))).status).toBe(403)
  expect((await post(text, '')).status).toBe(403)
})

test('a signed body that is not JSON is a 400, and any JSON is accepted', async () => {
  for (const [text, status] of [
    ['{', 400],
    ['{'.repeat(200_000), 400],
    [`\n {"entry":[],"padding":"${'x'.repeat(200_000)}"}\r\n`, 200],
    ['null', 200],
    ['[]', 200],
    ['{"entry":{"changes":7}}', 200],
    ['{"entry":[{"id":1,"time":"now","changes":[{"field":null,"value":[]},null]}]}', 200],
    [`{"entry":[{"changes":[{"field":"x","value":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}]}]}`, 200],
    ['{"entry":[{"changes":[{"field":"\\u0000","value":{"\\ud800":"\\u0000"}}]}]}', 200],
    [`{"entry":[{"changes":[{"field":"\\u0000","value":{"\\ud800":"${'\\u0000'.repeat(40_000)}"}}]}]}`, 200],
  ] as const)
    expect((await post(text, signWebhook(text, number.appSecret))).status, text.slice(0, 80)).toBe(status)
  await number.report('messages', { messages: [] })
})

// A big body is stored unparsed and split afterwards; the result must be the same.
const SIZES = [
  ['small', ''],
  ['big', 'x'.repeat(200_000)],
] as const

test.each(SIZES)(
  'our secret does not authorize a report for a number of another workspace (a %s body)',
  async (_, padding) => {
    const neighbor = await parley.workspace()
    const otherNumber = await connectNumber(parley, neighbor)
    const text = JSON.stringify({
      entry: [{ id: otherNumber.accountId, changes: [change(otherNumber, 'wamid.theirs')] }],
      padding,
    })
    expect((await post(text, signWebhook(text, number.appSecret))).status).toBe(200)
    await number.report('messages', { messages: [] })
    expect(await stored(['wamid.theirs'])).toBe(0)
    expect((await neighbor.get('/messages')).body.messages).toEqual([])
  },
)

test.each(SIZES)(
  'numbers of one app share their secret: each gets its own messages (a %s body)',
  async (size, padding) => {
    const sister = await connectNumber(parley, shop, {
      accountId: number.accountId,
      appSecret: number.appSecret,
    })
    await number.reportBody({
      entry: [{ id: number.accountId, changes: [change(number, `wamid.mine.${size}`, '919812345699')] }],
      padding,
    })
    const text = JSON.stringify({
      entry: [{ id: number.accountId, changes: [change(sister, `wamid.hers.${size}`, '919812345699')] }],
      padding,
    })
    expect((await post(text, signWebhook(text, number.appSecret))).status).toBe(200)
    await number.report('messages', { messages: [] })
    const message = async (id: string): Promise<Body> => (await shop.get(`/messages/${id}`)).body.message
    expect((await message(`wamid.mine.${size}`)).phoneNumberId).toBe(number.phoneNumberId)
    expect((await message(`wamid.hers.${size}`)).phoneNumberId).toBe(sister.phoneNumberId)
  },
)
