import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

let lastNumber = 9852300000
/** Creates a customer who has just written. */
async function customer(): Promise<string> {
  const phone = `+91${++lastNumber}`
  await shop.inbound(phone, 'Hello')
  return phone
}

const reported = async (): Promise<Body[]> =>
  parley.system((tx) =>
    tx.sql<{ data: Body }>(
      "select data from events where workspace_id = $1 and name = 'contact.updated' order by id",
      [shop.workspaceId],
    ),
  )
const blockedAtOperator = async (): Promise<string[]> => {
  const rows = await parley.system((tx) =>
    tx.sql<{ user: string }>(
      `select value -> 'user' ->> 'wa_id' as user from simulator_objects where workspace_id = $1 and kind = 'blocked'`,
      [shop.workspaceId],
    ),
  )
  return rows.map((row) => row.user)
}

describe('POST /contacts/{id}/block and /unblock', () => {
  test('the operator blocks the customer, and contact.updated lists blocked as changed, once', async () => {
    const phone = await customer()
    const before = (await reported()).length
    const first = await shop.post(`/contacts/${phone}/block`)
    expect(first).toMatchObject({ status: 200, body: { contact: { phone, blocked: true } } })
    expect(await blockedAtOperator()).toContain(phone.slice(1))
    expect((await shop.post(`/contacts/${first.body.contact.id}/block`)).body).toEqual(first.body)
    const news = (await reported()).slice(before)
    expect(news).toHaveLength(1)
    expect(news[0].data).toMatchObject({ phone, changed: ['blocked'], blocked: true, via: 'api' })
    expect(await shop.post('/send', { to: phone, type: 'text', text: 'Hi' })).toMatchObject({ status: 409 })

    const lifted = await shop.post(`/contacts/${phone}/unblock`)
    expect(lifted).toMatchObject({ status: 200, body: { contact: { blocked: false } } })
    expect(await blockedAtOperator()).not.toContain(phone.slice(1))
    expect((await shop.post(`/contacts/${phone}/unblock`)).body).toEqual(lifted.body)
    expect((await reported()).slice(before)).toHaveLength(2)
    expect((await shop.post('/send', { to: phone, type: 'text', text: 'Hi' })).status).toBe(200)
  })

  test('twenty concurrent requests block once', async () => {
    const phone = await customer()
    const before = (await reported()).length
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.post(`/contacts/${phone}/block`)))
    expect(answers.filter(({ status, body }) => status !== 200 || !body.contact.blocked)).toEqual([])
    expect((await reported()).slice(before)).toHaveLength(1)
  })

  test('a customer without a number is blocked by user id', async () => {
    await shop.inbound('chan:IN.block.1', 'Hello')
    expect(await shop.post('/contacts/chan:IN.block.1/block')).toMatchObject({
      status: 200,
      body: { contact: { blocked: true } },
    })
  })

  test('a retry with its idempotency key gets the first answer', async () => {
    const phone = await customer()
    const first = await shop.post(`/contacts/${phone}/block`, undefined, { idempotencyKey: 'block' })
    await shop.post(`/contacts/${phone}/unblock`)
    const repeated = await shop.post(`/contacts/${phone}/block`, undefined, { idempotencyKey: 'block' })
    expect(repeated.text).toBe(first.text)
    expect((await shop.get(`/contacts/${phone}`)).body.contact.blocked).toBe(false)
  })

  test('erasing a contact deletes its block too', async () => {
    const phone = await customer()
    await shop.post(`/contacts/${phone}/block`)
    await shop.delete(`/contacts/${phone}`)
    const rows = await parley.system((tx) =>
      tx.sql(
        `select b.contact_id from contact_blocks b left join contacts c on c.workspace_id = b.workspace_id and c.id = b.contact_id
         where b.workspace_id = $1 and c.id is null`,
        [shop.workspaceId],
      ),
    )
    expect(rows).toEqual([])
  })

  test('a missing contact, or a contact of another workspace, returns 404', async () => {
    const foreign = (await (await parley.workspace()).post('/contacts', { phone: '+919852399999' })).body
      .contact
    for (const id of [foreign.id, crypto.randomUUID(), 'nonsense'])
      expect(await shop.post(`/contacts/${id}/block`)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })
  })

  test("a workspace without a number can't block: 409", async () => {
    const withoutOperator = await parley.workspace()
    await withoutOperator.post('/contacts', { phone: '+919852388888' })
    expect(await withoutOperator.post('/contacts/+919852388888/block')).toMatchObject({
      status: 409,
      body: { error: 'sending_blocked' },
    })
  })
})

describe("when the operator doesn't block the customer", () => {
  let answer: { status: number; body: object } | 'hang up'
  let requests: { method: string | undefined; body: Body }[] = []
  const operator = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      requests.push({ method: req.method, body: JSON.parse(Buffer.concat(chunks).toString()) })
      if (answer === 'hang up') req.socket.destroy()
      else
        res.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    })
  })
  let real: TestParley
  let store: TestWorkspace

  beforeAll(async () => {
    await new Promise<void>((resolve) => operator.listen(0, '127.0.0.1', resolve))
    const { port } = operator.address() as AddressInfo
    real = await boot({ env: { PARLEY_OPERATOR_URL: `http://127.0.0.1:${port}` } })
    store = await real.workspace({ sandbox: true })
    // Move the sandbox's number to the operator that this test simulates.
    await real.system((tx) =>
      tx.sql("update phone_numbers set operator = 'cloud' where workspace_id = $1", [store.workspaceId]),
    )
  })
  afterAll(async () => {
    await real.close()
    operator.close()
  })

  const contact = async (): Promise<string> =>
    (await store.post('/contacts', { phone: `+91${++lastNumber}` })).body.contact.id

  test("the response has the operator's code and text, with the reason for this user, and nothing changes", async () => {
    const id = await contact()
    answer = {
      status: 400,
      body: {
        messaging_product: 'whatsapp',
        block_users: {
          added_users: [],
          failed_users: [
            {
              input: 'x',
              errors: [
                {
                  code: 139100,
                  message: 'No message within 24 hours',
                  error_data: { details: 'The user has not written within 24 hours.' },
                },
              ],
            },
          ],
        },
        error: {
          message: '(#139100) Failed to block/unblock some users',
          type: 'OAuthException',
          code: 139100,
        },
      },
    }
    const refused = await store.post(`/contacts/${id}/block`, undefined, { idempotencyKey: 'one' })
    expect(refused).toMatchObject({ status: 400, body: { error: 'meta_error', code: 139100 } })
    expect(refused.body.message).toContain('The user has not written within 24 hours.')
    expect((await store.get(`/contacts/${id}`)).body.contact.blocked).toBe(false)
    expect((await store.post(`/contacts/${id}/block`, undefined, { idempotencyKey: 'one' })).text).toBe(
      refused.text,
    )
  })

  test("a broken connection returns 429 with Retry-After and isn't stored: the same request can be sent again", async () => {
    const id = await contact()
    answer = 'hang up'
    requests = []
    const response = await store.post(`/contacts/${id}/block`, undefined, { idempotencyKey: 'two' })
    expect(response).toMatchObject({ status: 429, body: { error: 'meta_error' } })
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    answer = {
      status: 200,
      body: { messaging_product: 'whatsapp', block_users: { added_users: [{ input: 'x' }] } },
    }
    const repeated = await store.post(`/contacts/${id}/block`, undefined, { idempotencyKey: 'two' })
    expect(repeated).toMatchObject({ status: 200, body: { contact: { blocked: true } } })
    await store.post(`/contacts/${id}/unblock`)
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE'])
    expect(requests[2]!.body).toEqual({
      messaging_product: 'whatsapp',
      block_users: [{ user: repeated.body.contact.phone }],
    })
  })
})
