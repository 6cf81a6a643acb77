/** Tests of merges while other operations change the same contacts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { deadlocksIn } from '../../../../test/support/deadlocks.ts'
import { until } from '../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

let last = 0
const freshNumber = () => `+9198723${String(++last).padStart(5, '0')}`
const merge = (kept: string, from: string) => shop.post(`/contacts/${kept}/merge`, { from })

test('two concurrent merges of the same contacts, in either direction, leave one contact', async () => {
  for (let round = 0; round < 8; round++) {
    const [a, b] = [freshNumber(), freshNumber()]
    for (const phone of [a, b]) await shop.post('/leads', { phone, tags: [phone] })
    const answers = await Promise.all([merge(a, b), merge(b, a), merge(a, b)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const [first, other] = await Promise.all(
      [a, b].map(async (ref) => (await shop.get(`/leads/${ref}`)).body.lead),
    )
    expect(first.id).toBe(other.id)
    expect(first).toMatchObject({ tags: expect.arrayContaining([a, b]), captureCount: 2 })
    expect(new Set(answers.map(({ body }) => body.contact.id)).size).toBe(1)
  }
})

test('concurrent merges lose and duplicate no sent message, received message or capture, and deadlocks are rare', async () => {
  const before = await deadlocksIn(parley)
  const kept = freshNumber()
  await shop.inbound(kept, 'Hello')
  const sent: string[] = []
  const merged: string[] = []
  const texts = new Set<string>()
  const rounds = 12
  for (let round = 0; round < rounds; round++) {
    const from = freshNumber()
    merged.push(from)
    await shop.inbound(from, `Hello from ${from}`)
    await shop.post('/leads', { phone: from })
    const sends = [kept, from, kept, from].map(async (to, i) => {
      const answer = await shop.post('/send', { to, type: 'text', text: `${round}.${i}` })
      expect(answer.status, answer.text).toBe(200)
      sent.push(answer.body.messageId)
      texts.add(`${round}.${i}`)
    })
    const others = [
      shop.inbound(kept, `in ${round}`),
      shop.inbound(from, `also in ${round}`),
      shop.patch(`/contacts/${kept}`, { attributes: { round } }),
      shop.post('/leads', { phone: kept, note: `note ${round}` }),
    ]
    const answers = await Promise.all([merge(kept, from), ...sends, ...others])
    expect((answers[0] as Body).status, JSON.stringify((answers[0] as Body).body)).toBe(200)
  }
  const contact = (await shop.get(`/contacts/${kept}`)).body.contact
  for (const from of merged) expect((await shop.get(`/contacts/${from}`)).body.contact.id).toBe(contact.id)
  const { conversations } = (await shop.get(`/conversations?search=${kept.slice(1)}`)).body
  expect(conversations).toHaveLength(1)
  // One first message, then three messages from customers and four from us per round.
  await until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ count: number; strays: number }>(
        `select count(*) filter (where conversation_id = $2)::int as count,
                count(*) filter (where contact_id <> $3 or conversation_id <> $2)::int as strays
         from messages where workspace_id = $1`,
        [shop.workspaceId, conversations[0].id, contact.id],
      ),
    )
    return row!.count === 1 + rounds * 7 && row!.strays === 0
  }, 'every message is in the one chat')
  const outbound = (
    await shop.get(`/messages?phone=${encodeURIComponent(kept)}&direction=outbound&limit=100`)
  ).body.messages
  expect(new Set(outbound.map((message: Body) => message.text))).toEqual(texts)
  const lead = (await shop.get(`/leads/${kept}`)).body.lead
  expect(lead.captureCount).toBe(rounds * 2)
  expect((await deadlocksIn(parley)) - before).toBeLessThan(rounds)
})

test('a merge and a concurrent erasure leave one contact or none, and no data of the erased contact', async () => {
  for (let round = 0; round < 8; round++) {
    const [a, b] = [freshNumber(), freshNumber()]
    for (const phone of [a, b]) await shop.inbound(phone, `Hello from ${phone}`)
    const ids = await Promise.all(
      [a, b].map(async (ref) => (await shop.get(`/contacts/${ref}`)).body.contact.id),
    )
    const [merging, erasing] = await Promise.all([merge(ids[0], ids[1]), shop.delete(`/contacts/${ids[1]}`)])
    expect([200, 404]).toContain(merging!.status)
    expect(erasing!.status).toBe(200)
    const left = await parley.system((tx) =>
      tx.sql<{ count: number }>(
        `select (select count(*) from contacts where workspace_id = $1 and id = any ($2::uuid[]))
              + (select count(*) from messages m where workspace_id = $1 and contact_id = any ($2::uuid[])
                 and not exists (select from contacts c where c.workspace_id = $1 and c.id = m.contact_id)) * 100 as count`,
        [shop.workspaceId, ids],
      ),
    )
    // If the merge ran first, erasing by the old id deletes both. If the erasure ran first, the other contact
    // is left.
    expect(Number(left[0]!.count)).toBe(merging!.status === 200 ? 0 : 1)
  }
})
