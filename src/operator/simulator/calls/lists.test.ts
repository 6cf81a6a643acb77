// Reads the lists of the operator's API as third-party clients do: page by page, filtered, with fields.
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Body } from '../../../../test/support/boot.ts'
import { startSimulator } from '../start.ts'
import type { SimulatedObject } from '../store.ts'
import { changeTemplate } from '../stored-templates.ts'
import { createTimerStore } from '../timer-store.ts'

const [first, second, third] = ['106', '107', '108'].map((operatorId) => ({
  operatorId,
  accountId: '102',
  token: 'token-1',
  displayNumber: `15550${operatorId}`,
}))
let now = new Date('2026-06-01T09:30:00.000Z')
const store = createTimerStore({
  numbers: [first!, second!, third!],
  callbackUrl: 'http://127.0.0.1:9',
  appSecret: 's',
  clock: { now: () => now, monotonicMs: () => 0 },
  after: () => () => {},
})
let simulator: Awaited<ReturnType<typeof startSimulator>>
const ids: Record<string, string> = {}

async function call(method: string, path: string, body?: object, token = 'Bearer token-1') {
  const answer = await fetch(path.startsWith('http') ? path : `${simulator.url}${path}`, {
    method,
    headers: { authorization: token, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}

const body = (text: string) => [{ type: 'BODY', text }]
const optOut = { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Stop promotions' }] }

beforeAll(async () => {
  simulator = await startSimulator({ store, port: 0, host: '127.0.0.1' })
  const templates = [
    {
      name: 'order_ok',
      language: 'en_US',
      category: 'UTILITY',
      components: body('Your order is on its way.'),
    },
    { name: 'order_ok', language: 'hi', category: 'UTILITY', components: body('Rasta mein hai.') },
    {
      name: 'sale',
      language: 'en_US',
      category: 'MARKETING',
      components: [...body('Big sale today.'), optOut],
    },
    { name: 'spam', language: 'en_US', category: 'MARKETING', components: body('Buy now.') },
    { name: 'order_late', language: 'en_US', category: 'UTILITY', components: body('It comes tomorrow.') },
  ]
  for (const template of templates) {
    const { body: answer } = await call('POST', '/v24.0/102/message_templates', template)
    ids[`${template.name} ${template.language}`] = answer.id
    now = new Date(now.getTime() + 60_000)
  }
  await changeTemplate(store, first!, (await store.find(ids['order_ok hi']!)) as SimulatedObject, {
    event: 'PAUSED',
  })
  await changeTemplate(store, first!, (await store.find(ids['sale en_US']!)) as SimulatedObject, {
    quality: 'YELLOW',
  })
})
afterAll(async () => {
  store.close()
  await simulator.close()
})

const own = (data: Body[]) => data.filter(({ name }) => name !== 'hello_world')
const namesOf = (data: Body[]) => own(data).map(({ name, language }) => `${name} ${language}`)
const refusal = (message: unknown) => ({
  status: 400,
  body: { error: expect.objectContaining({ code: 100, message }) },
})

describe('paging', () => {
  test('`next` repeats the request with its version, filters, fields, and token, so a client needs no other data', async () => {
    const query = new URLSearchParams({ category: 'UTILITY', fields: 'name,language', limit: '2' })
    const page = (await call('GET', `/v23.0/102/message_templates?${query}`)).body
    const next = new URL(page.paging.next)
    expect(next.pathname).toBe('/v23.0/102/message_templates')
    expect(Object.fromEntries(next.searchParams)).toEqual({
      ...Object.fromEntries(query),
      access_token: 'token-1',
      after: page.paging.cursors.after,
    })
    const items = [...page.data]
    for (let url = page.paging.next; url !== undefined; ) {
      const answer = await call('GET', url, undefined, '')
      expect(answer.status).toBe(200)
      items.push(...answer.body.data)
      url = answer.body.paging?.next
    }
    expect(namesOf(items)).toEqual(['order_ok en_US', 'order_ok hi', 'order_late en_US'])
    expect(own(items).every((node) => Object.keys(node).toSorted().join() === 'id,language,name')).toBe(true)
  })

  test('`previous` leads back', async () => {
    const page = (await call('GET', '/v22.0/102/phone_numbers?limit=1&fields=id,status')).body
    const after = (await call('GET', page.paging.next)).body
    const previous = new URL(after.paging.previous)
    expect(previous.pathname).toBe('/v22.0/102/phone_numbers')
    expect((await call('GET', previous.href, undefined, '')).body.data).toEqual(page.data)
  })

  test('parameters of a body, which some libraries send with a GET, are repeated too', async () => {
    // `fetch` sends no body with a GET.
    const { body: answer } = await request(`${simulator.url}/v24.0/102/phone_numbers`, {
      method: 'GET',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: 'token-1', limit: 2, fields: 'id' }),
    })
    const page = (await answer.json()) as Body
    expect(page.data).toEqual([{ id: '106' }, { id: '107' }])
    expect((await call('GET', page.paging.next, undefined, '')).body.data).toEqual([{ id: '108' }])
  })

  test('blocked users and forms have the same paging', async () => {
    for (const edge of ['102/flows', '106/block_users']) {
      const page = (await call('GET', `/v24.0/${edge}?limit=1`)).body
      expect(page.paging?.next).toBeUndefined()
    }
  })
})

describe('filters of templates', () => {
  const listed = async (query: Record<string, string> | string) => {
    const answer = await call('GET', `/v24.0/102/message_templates?${new URLSearchParams(query)}`)
    expect(answer).toMatchObject({ status: 200 })
    return namesOf(answer.body.data)
  }

  test.each<[string, Record<string, string> | string, string[]]>([
    ['a JSON array', { status: '["PAUSED"]' }, ['order_ok hi']],
    ['a JSON array of several', { status: '["PAUSED","PENDING"]' }, ['order_ok hi']],
    ['a plain value', { status: 'REJECTED' }, ['spam en_US']],
    ['small letters', { category: 'marketing' }, ['sale en_US', 'spam en_US']],
    ['category', { category: '["MARKETING"]' }, ['sale en_US', 'spam en_US']],
    ['language', { language: '["hi"]' }, ['order_ok hi']],
    ['language with a hyphen', { language: '["en-US"]', name: 'order_ok' }, ['order_ok en_US']],
    ['brackets', 'language[]=hi&language[]=fr', ['order_ok hi']],
    ['numbered brackets', 'status[0]=PAUSED&status[1]=REJECTED', ['order_ok hi', 'spam en_US']],
    ['quality_score', { quality_score: '["YELLOW"]' }, ['sale en_US']],
    ['content', { content: 'TOMORROW' }, ['order_late en_US']],
    ['name', { name: 'order_ok' }, ['order_ok en_US', 'order_ok hi']],
    ['name_or_content, a name', { name_or_content: 'sale' }, ['sale en_US']],
    ['name_or_content, words', { name_or_content: 'on its way' }, ['order_ok en_US']],
    ['source', { source: 'AUTO_GENERATED' }, []],
    ['several at once', { category: 'MARKETING', status: '["APPROVED"]' }, ['sale en_US']],
    ['since', { since: '2026-06-01T09:34:00Z', category: 'UTILITY' }, ['order_ok hi', 'order_late en_US']],
    ['until', { until: String(Date.parse('2026-06-01T09:31:00Z') / 1000) }, ['order_ok en_US']],
  ])('%s', async (_what, query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  test('an unknown value is rejected with its name', async () => {
    const path = '/v24.0/102/message_templates?status='
    expect(await call('GET', `${path}["APPROVED","BLUE"]`)).toMatchObject(
      refusal(expect.stringMatching(/^\(#100\) Param status\[1\] must be one of \{APPROVED, .*REJECTED\}$/)),
    )
    expect(await call('GET', '/v24.0/102/message_templates?since=soon')).toMatchObject(
      refusal('(#100) Param since must be a unix timestamp or a date.'),
    )
  })

  test('`summary` counts', async () => {
    const names = 'total_count,message_template_count,message_template_limit,are_translations_complete'
    const summary = async (query: string) =>
      (await call('GET', `/v24.0/102/message_templates?${query}`)).body.summary
    const total = (await call('GET', '/v24.0/102/message_templates')).body.data.length
    expect(await summary(`summary=${names}&limit=1`)).toEqual({
      total_count: total,
      message_template_count: total,
      message_template_limit: 250,
      are_translations_complete: true,
    })
    expect(await summary('summary=total_count&status=["PAUSED"]')).toEqual({ total_count: 1 })
    expect(await summary('limit=1')).toBeUndefined()
    expect(await call('GET', '/v24.0/102/message_templates?summary=colour')).toMatchObject(
      refusal('(#100) Tried accessing nonexistent summary field (colour)'),
    )
  })
})

describe('filters of numbers', () => {
  const listed = async (query: Record<string, string>) =>
    (
      await call('GET', `/v24.0/102/phone_numbers?${new URLSearchParams({ fields: 'id', ...query })}`)
    ).body.data.map(({ id }: Body) => id)
  const filter = (field: string, operator: string, value: unknown) => ({
    filtering: JSON.stringify([{ field, operator, value }]),
  })

  test('`filtering` and `sort`, as declared', async () => {
    expect(await listed(filter('account_mode', 'EQUAL', 'SANDBOX'))).toEqual(['106', '107', '108'])
    expect(await listed(filter('account_mode', 'EQUAL', 'LIVE'))).toEqual([])
    expect(await listed(filter('is_official_business_account', 'EQUAL', 'false'))).toHaveLength(3)
    expect(await listed(filter('is_official_business_account', 'NOT_EQUAL', false))).toEqual([])
    expect(await listed(filter('messaging_limit_tier', 'IN', ['TIER_250']))).toHaveLength(3)
    expect(await listed({ sort: 'creation_time.desc' })).toEqual(['108', '107', '106'])
    expect(await listed({ sort: 'last_onboarded_time.asc' })).toEqual(['106', '107', '108'])
  })

  test.each<[Record<string, string>, string]>([
    [{ filtering: 'x' }, '(#100) Param filtering must be an array.'],
    [
      filter('colour', 'EQUAL', 'x'),
      '(#100) Param filtering[0][field] must be one of {account_mode, is_official_business_account, messaging_limit_tier}',
    ],
    [
      filter('account_mode', 'LIKE', 'x'),
      '(#100) Param filtering[0][operator] must be one of {EQUAL, NOT_EQUAL, IN, NOT_IN, CONTAIN, NOT_CONTAIN}',
    ],
    [
      { sort: 'name.asc' },
      '(#100) Param sort must be one of {creation_time.asc, creation_time.desc, last_onboarded_time.asc, last_onboarded_time.desc}',
    ],
  ])('%j is rejected', async (query, message) => {
    expect(await call('GET', `/v24.0/102/phone_numbers?${new URLSearchParams(query)}`)).toMatchObject(
      refusal(message),
    )
  })
})
