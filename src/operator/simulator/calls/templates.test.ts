import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Body } from '../../../../test/support/boot.ts'
import { startSimulator } from '../start.ts'
import { createTimerStore } from '../timer-store.ts'

const number = { operatorId: '106', accountId: '102', token: 'token-1', displayNumber: '15550100' }
let now = new Date('2026-06-01T09:30:00.000Z')
const store = createTimerStore({
  numbers: [number],
  callbackUrl: 'http://127.0.0.1:9',
  appSecret: 's',
  clock: { now: () => now, monotonicMs: () => 0 },
  after: () => () => {},
})
let simulator: Awaited<ReturnType<typeof startSimulator>>

beforeAll(async () => {
  simulator = await startSimulator({ store, port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  store.close()
  await simulator.close()
})

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${simulator.url}/v24.0/${path}`, {
    method,
    headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}
const list = async (query = ''): Promise<Body[]> =>
  (await call('GET', `102/message_templates${query}`)).body.data
let created = 0
const order = (more: object = {}) => ({
  name: `order_${++created}`,
  language: 'en_US',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Your order is on its way.' }],
  ...more,
})
const create = (more: object = {}) => call('POST', '102/message_templates', order(more))

test("a new account has the operator's sample template, which can't be deleted", async () => {
  const [sample, ...rest] = await list()
  expect(rest).toEqual([])
  expect(sample).toMatchObject({
    id: expect.stringMatching(/^\d+$/),
    name: 'hello_world',
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [{ type: 'HEADER', format: 'TEXT' }, { type: 'BODY' }, { type: 'FOOTER' }],
  })
  expect((await call('GET', sample.id)).body).toMatchObject({ name: 'hello_world', status: 'APPROVED' })
  const hello = { name: 'hello_world', language: { code: 'en_US' } }
  const message = { messaging_product: 'whatsapp', to: '919812345678', type: 'template', template: hello }
  expect((await call('POST', '106/messages', message)).status).toBe(200)
  const refused = { status: 400, body: { error: { code: 100, error_user_title: expect.any(String) } } }
  expect(await call('DELETE', '102/message_templates?name=hello_world')).toMatchObject(refused)
  expect(await call('POST', sample.id, { category: 'MARKETING' })).toMatchObject(refused)
  expect(await create({ name: 'hello_world' })).toMatchObject({ body: { error: { error_subcode: 2388024 } } })
  expect(await list()).toEqual([sample])
})

test('a category may be written in letters of any case', async () => {
  const { body } = await create({ category: 'marketing' })
  expect(body).toMatchObject({ status: 'PENDING', category: 'MARKETING' })
  expect((await call('POST', body.id, { category: 'Utility' })).status).toBe(200)
  expect((await call('GET', body.id)).body.category).toBe('UTILITY')
  expect((await create({ category: 'news' })).body.error.message).toBe(
    '(#100) Param category must be one of {MARKETING, UTILITY, AUTHENTICATION}',
  )
})

test('an edit leaves unnamed parts unchanged', async () => {
  const { body } = await create({ message_send_ttl_seconds: 600, sub_category: 'order_status' })
  now = new Date(now.getTime() + 60_000)
  await call('POST', body.id, { components: [{ type: 'BODY', text: 'It is here.' }] })
  const fields = 'message_send_ttl_seconds,sub_category,last_updated_time'
  expect((await call('GET', `${body.id}?fields=${fields}`)).body).toEqual({
    id: body.id,
    message_send_ttl_seconds: 600,
    sub_category: 'ORDER_STATUS',
    last_updated_time: now.getTime() / 1000,
  })
})

test('settings of the wrong type are rejected', async () => {
  expect((await create({ message_send_ttl_seconds: 'long' })).body.error.message).toBe(
    '(#100) Param message_send_ttl_seconds must be an integer.',
  )
  expect((await create({ sub_category: 'NEWS' })).body.error.message).toMatch(
    /^\(#100\) Param sub_category must be one of \{/,
  )
})

test('a copy from the template library is not available', async () => {
  const { name, language, category } = order()
  const copy = { name, language, category, library_template_name: 'delivery_update_1' }
  expect((await call('POST', '102/message_templates', copy)).body.error).toMatchObject({
    code: 100,
    message: '(#100) The template library is not available in the sandbox.',
  })
})

test('several templates are deleted by their ids', async () => {
  const ids = [(await create()).body.id, (await create()).body.id]
  const keptId = (await create()).body.id
  expect(await call('DELETE', `102/message_templates?hsm_ids=${JSON.stringify(ids)}`)).toMatchObject({
    status: 200,
  })
  const left = (await list()).map(({ id }) => id)
  expect(left).toContain(keptId)
  expect(left).not.toContain(ids[0])
  expect(left).not.toContain(ids[1])
})
