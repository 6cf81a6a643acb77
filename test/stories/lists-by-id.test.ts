/** Lists can be filtered by ids: pages use it to read rows again after a change notification. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBroadcast } from '../contract/arrange.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
let other: TestWorkspace

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  other = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

const id = async (
  response: Promise<{ status: number; body: Body; text: string }>,
  key?: string,
): Promise<string> => {
  const { status, body, text } = await response
  expect(status, text).toBeLessThan(300)
  return (key === undefined ? body : body[key]).id
}

/** Creates three of each kind and returns their ids. */
const MAKERS: Record<string, (shop: TestWorkspace, n: number) => Promise<string>> = {
  contacts: (shop, n) => id(shop.post('/contacts', { phone: `+91981230001${n}` }), 'contact'),
  leads: (shop, n) => id(shop.post('/leads', { phone: `+91981230002${n}` }), 'lead'),
  tasks: async (shop, n) => {
    const leadId = await id(shop.post('/leads', { phone: `+91981230003${n}` }), 'lead')
    return id(shop.post('/tasks', { leadId, title: 'Call', dueAt: '2030-06-02T10:00:00Z' }), 'task')
  },
  templates: (shop, n) =>
    id(
      shop.post('/templates', {
        name: `notice_${n}`,
        language: 'en_US',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'The shop opens at ten.' }],
      }),
      'template',
    ),
  broadcasts: async (shop) => id(shop.post('/broadcasts', await newBroadcast(shop))),
}

test.each(Object.entries(MAKERS))('%s by id', async (noun, make) => {
  const ids: string[] = []
  for (const n of [1, 2, 3]) ids.push(await make(shop, n))
  const foreign = await make(other, 4)
  const listIds = async (query: string): Promise<string[]> => {
    const { status, body, text } = await shop.get(`/${noun}?${query}`)
    expect(status, text).toBe(200)
    if ('total' in body) expect(body.total).toBe(body[noun].length)
    return body[noun].map((item: Body) => item.id).sort()
  }
  const [first, second, third] = ids as [string, string, string]
  expect(await listIds(`ids=${third},${first.toUpperCase()},${foreign}`)).toEqual([first, third].sort())
  expect(await listIds(`ids=${foreign}`)).toEqual([])
  expect(await listIds(`ids=${second}`)).toEqual([second])
  for (const ids of ['', 'abc', `${first},`])
    expect((await shop.get(`/${noun}?ids=${ids}`)).body).toMatchObject({
      error: 'invalid',
      issues: [{ path: 'ids' }],
    })
  expect(
    (await shop.get(`/${noun}?ids=${Array.from({ length: 101 }, () => crypto.randomUUID()).join()}`)).status,
  ).toBe(400)
})
