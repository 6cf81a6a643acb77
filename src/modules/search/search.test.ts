import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  await shop.post('/contacts', { phone: '+919812300001', displayName: 'Asha Rao' })
  await shop.post('/leads', { phone: '+919812300002', name: 'Ashok Rao' })
  await shop.post('/templates', {
    name: 'rao_notice',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'The shop opens at ten.' }],
  })
})
afterAll(() => parley?.close())

const found = async (q: string, by: Pick<TestWorkspace, 'get'> = shop): Promise<string[]> => {
  const { status, body, text } = await by.get(`/search?q=${encodeURIComponent(q)}`)
  expect(status, text).toBe(200)
  return body.results.map((one: Body) => `${one.kind} ${one.title}`)
}

test('a few letters find what has them, whatever it is', async () => {
  expect(await found('rao')).toEqual([
    'contact Ashok Rao',
    'contact Asha Rao',
    'lead Ashok Rao',
    'template rao_notice',
  ])
  expect(await found('9812300001')).toEqual(['contact Asha Rao'])
  expect(await found('nobody at all')).toEqual([])
  expect(await found('  ')).toEqual([])
  const [one] = (await shop.get('/search?q=asha%20rao')).body.results
  expect(one).toEqual({
    kind: 'contact',
    id: expect.any(String),
    title: 'Asha Rao',
    snippet: '+919812300001',
    at: expect.any(String),
  })
})

test('each kind is found by its scope alone, in the own workspace', async () => {
  expect(await found('rao', await shop.as('viewer', { scopes: ['crm:read'] }))).toEqual(['lead Ashok Rao'])
  expect(await found('rao', await shop.as('viewer', { scopes: ['analytics:read'] }))).toEqual([])
  expect(await found('rao', await parley.workspace())).toEqual([])
})
