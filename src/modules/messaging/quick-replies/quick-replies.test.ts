import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace()
})
afterAll(() => parley.close())

const text = 'We are open from 10 to 7.'
const saved = async (client: TestWorkspace, shortcut: string) => {
  const answer = await client.post('/quick-replies', { shortcut, text })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.quickReply
}

describe('GET /quick-replies: saved replies', () => {
  test('newest first, cursor-paginated', async () => {
    const fresh = await parley.workspace()
    const created: string[] = []
    for (const shortcut of ['hours', 'price', 'where']) created.unshift((await saved(fresh, shortcut)).id)
    const ids = (body: Body) => body.quickReplies.map((quickReply: Body) => quickReply.id)
    expect(ids((await fresh.get('/quick-replies')).body)).toEqual(created)
    const first = (await fresh.get('/quick-replies?limit=2')).body
    expect(ids(first)).toEqual(created.slice(0, 2))
    const second = (await fresh.get(`/quick-replies?limit=2&cursor=${first.nextCursor}`)).body
    expect([ids(second), second.nextCursor]).toEqual([created.slice(2), null])
    expect((await (await parley.workspace()).get('/quick-replies')).body).toEqual({
      quickReplies: [],
      nextCursor: null,
    })
  })
})

describe('quick-reply writes', () => {
  test('a saved reply has a shortcut and a text', async () => {
    const reply = await saved(shop, 'hours')
    expect(Object.keys(reply)).toEqual(['id', 'shortcut', 'text', 'createdAt', 'updatedAt'])
    expect(reply).toMatchObject({ shortcut: 'hours', text })
    expect((await saved(shop, ' /नमस्ते ')).shortcut).toBe('नमस्ते')
  })

  test('a shortcut is unique in the workspace, ignoring case; 409 conflict names the reply that has it', async () => {
    const client = await parley.workspace()
    const [first, other] = [await saved(client, 'Preis-Größe'), await saved(client, 'other')]
    const conflict = { status: 409, body: { error: 'conflict', quickReplyId: first.id } }
    expect(await client.post('/quick-replies', { shortcut: '/preis-gröSSE', text })).toMatchObject({
      status: 201,
    })
    expect(await client.post('/quick-replies', { shortcut: 'PREIS-GRÖßE', text })).toMatchObject(conflict)
    expect(await client.patch(`/quick-replies/${other.id}`, { shortcut: 'preis-größe' })).toMatchObject(
      conflict,
    )
    const own = await client.patch(`/quick-replies/${first.id}`, { shortcut: 'PREIS-größe' })
    expect(own).toMatchObject({ status: 200, body: { quickReply: { shortcut: 'PREIS-größe' } } })
    expect((await shop.post('/quick-replies', { shortcut: 'Preis-Größe', text })).status).toBe(201)
  })

  test('concurrent duplicates with one shortcut store one reply', async () => {
    const client = await parley.workspace()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/quick-replies', { shortcut: 'duplicate', text })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test('PATCH changes the given fields and keeps the rest; an empty body changes nothing', async () => {
    const reply = await saved(shop, 'patched')
    const path = `/quick-replies/${reply.id}`
    const changed = (await shop.patch(path, { text: 'Closed today.' })).body.quickReply
    expect(changed).toMatchObject({ id: reply.id, shortcut: 'patched', text: 'Closed today.' })
    expect((await shop.patch(path, {})).body.quickReply).toEqual(changed)
  })

  test('DELETE removes it; a second time it is 404', async () => {
    const path = `/quick-replies/${(await saved(shop, 'gone')).id}`
    expect(await shop.delete(path)).toMatchObject({ status: 200, body: { ok: true, deleted: true } })
    for (const answer of [await shop.delete(path), await shop.patch(path, { text })])
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect((await shop.delete(`/quick-replies/${randomUUID()}`)).status).toBe(404)
    expect((await shop.delete('/quick-replies/hours')).status).toBe(404)
  })

  test('a bad field returns 400 naming it', async () => {
    const cases: [object, string][] = [
      [{ text }, 'shortcut'],
      [{ shortcut: 'x' }, 'text'],
      [{ shortcut: '', text }, 'shortcut'],
      [{ shortcut: 'two words', text }, 'shortcut'],
      [{ shortcut: 'x'.repeat(51), text }, 'shortcut'],
      [{ shortcut: 7, text }, 'shortcut'],
      [{ shortcut: 'x', text: '  ' }, 'text'],
      [{ shortcut: 'x', text: 'x'.repeat(4097) }, 'text'],
      [{ shortcut: 'x', text, title: 'x' }, 'title'],
    ]
    for (const [body, field] of cases) {
      const answer = await shop.post('/quick-replies', body)
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues[0].path).toBe(field)
    }
  })

  test('a workspace has at most 1,000', async () => {
    const full = await parley.workspace()
    await parley.system((tx) =>
      tx.sql(
        `insert into quick_replies (workspace_id, id, shortcut, shortcut_key, text, created_at, updated_at)
         select $1, gen_random_uuid(), n::text, n::text, 'x', $2, $2 from generate_series(1, 999) n`,
        [full.workspaceId, new Date()],
      ),
    )
    await saved(full, 'last')
    const answer = await full.post('/quick-replies', { shortcut: 'more', text })
    expect(answer).toMatchObject({ status: 409, body: { error: 'conflict' } })
  })
})
