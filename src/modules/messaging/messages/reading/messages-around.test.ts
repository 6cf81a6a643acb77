import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
/** Messages of one chat, the oldest first; another chat's messages are between them. */
let ids: string[]

const ASHA = '+919812300001'
const RAVI = '+919812300002'

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  for (let i = 1; i <= 7; i++) {
    await shop.post('/sandbox/inbound', { from: ASHA, text: `asha ${i}` })
    await shop.post('/sandbox/inbound', { from: RAVI, text: `ravi ${i}` })
  }
  await shop.advance(1)
  const { body } = await shop.get(`/messages?phone=${encodeURIComponent(ASHA)}`)
  ids = body.messages.map((message: Body) => message.id).reverse()
})
afterAll(() => parley?.close())

const idsOf = (body: Body): string[] => body.messages.map((message: Body) => message.id)

test('messages around a message are from its chat, as many before as after it, newest first', async () => {
  const { status, body } = await shop.get(`/messages?around=${ids[3]}&limit=3`)
  expect(status).toBe(200)
  expect(idsOf(body)).toEqual([ids[4], ids[3], ids[2]])
  const older = await shop.get(`/messages?phone=${encodeURIComponent(ASHA)}&cursor=${body.nextCursor}`)
  expect(idsOf(older.body)).toEqual([ids[1], ids[0]])
})

test('at either end of the chat the page is filled from the other side', async () => {
  const newest = (await shop.get(`/messages?around=${ids[6]}&limit=3`)).body
  expect(idsOf(newest)).toEqual([ids[6], ids[5], ids[4]])
  const oldest = (await shop.get(`/messages?around=${ids[0]}&limit=5`)).body
  expect(idsOf(oldest)).toEqual([ids[2], ids[1], ids[0]])
  expect(oldest.nextCursor).toBeNull()
})

test('around excludes other filters, and requires a message of the workspace', async () => {
  const mixed = await shop.get(`/messages?around=${ids[0]}&status=sent`)
  expect(mixed.body).toMatchObject({ error: 'invalid', issues: [{ path: 'around' }] })
  const foreign = await parley.workspace({ sandbox: true })
  expect((await foreign.get(`/messages?around=${ids[0]}`)).status).toBe(404)
})

test('messages are listed by id, with the other filters', async () => {
  const idsQuery = `ids=${ids[5]},${ids[1]},${shop.workspaceId}`
  expect(idsOf((await shop.get(`/messages?${idsQuery}`)).body)).toEqual([ids[5], ids[1]])
  expect(idsOf((await shop.get(`/messages?${idsQuery}&direction=outbound`)).body)).toEqual([])
  expect(idsOf((await shop.get(`/messages?${idsQuery}&phone=${encodeURIComponent(RAVI)}`)).body)).toEqual([])
  const first = (await shop.get(`/messages?${idsQuery}&limit=1`)).body
  expect(idsOf(first)).toEqual([ids[5]])
  expect(idsOf((await shop.get(`/messages?${idsQuery}&cursor=${first.nextCursor}`)).body)).toEqual([ids[1]])
})
