import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { makeReceivers } from '../../../../../test/support/receiver.ts'
import { EVENTS } from '../../../../catalog.ts'
import { SCREEN_CHANGED } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let shop: TestWorkspace
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
  shop = await parley.workspace({ sandbox: true })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

type Change = { touched: Record<string, string[]> }
/** Returns all changes of screens in the log since `after`. */
async function changesOf(work: () => Promise<unknown>): Promise<Record<string, string[]>> {
  const ids = () =>
    parley.system((tx) =>
      tx.sql<{ id: string; data: Change }>(
        'select id, data from events where workspace_id = $1 and name = $2 order by id',
        [shop.workspaceId, SCREEN_CHANGED],
      ),
    )
  const before = (await ids()).length
  await work()
  const touchedIds: Record<string, string[]> = {}
  for (const { data } of (await ids()).slice(before))
    for (const [kind, newIds] of Object.entries(data.touched))
      touchedIds[kind] = [...(touchedIds[kind] ?? []), ...newIds]
  return touchedIds
}
const done = async (answer: Promise<{ status: number; text: string; body: Body }>): Promise<Body> => {
  const { status, text, body } = await answer
  expect(status, text).toBeLessThan(300)
  return body
}

test('changes without their own event are recorded for the screens that show them', async () => {
  await shop.inbound('+919812300001', 'Hello')
  const { id } = (await shop.get('/conversations')).body.conversations[0]
  const path = `/conversations/${id}`
  const operations = [
    () => done(shop.patch(path, { assignedAgentId: shop.ownerId })),
    () => done(shop.post(`${path}/notes`, { body: 'Likes blue.' })),
    () => done(shop.post(`${path}/read`)),
    () => done(shop.post(`${path}/unread`)),
  ]
  for (const work of operations) expect(await changesOf(work)).toEqual({ conversation: [id] })

  const { lead } = await done(shop.post('/leads', { phone: '+919812300002', name: 'Ravi' }))
  const { task } = await done(
    shop.post('/tasks', { leadId: lead.id, title: 'Call', dueAt: '2030-06-02T10:00:00Z' }),
  )
  expect(await changesOf(() => done(shop.patch(`/leads/${lead.id}`, { rating: 4 })))).toEqual({
    lead: [lead.id],
  })
  expect(await changesOf(() => done(shop.post(`/leads/${lead.id}/notes`, { body: 'Asked' })))).toEqual({
    lead: [lead.id],
  })
  expect(await changesOf(() => done(shop.patch(`/tasks/${task.id}`, { title: 'Call again' })))).toEqual({
    task: [task.id],
    lead: [lead.id],
  })
  expect(await changesOf(() => done(shop.patch(`/tasks/${task.id}`, { title: 'Call again' })))).toEqual({})
  for (const [path, body, kind, key] of [
    ['/tags', { name: 'gold' }, 'tag', 'tag'],
    ['/quick-replies', { shortcut: 'hi', text: 'Hello' }, 'quickReply', 'quickReply'],
    ['/contact-fields', { key: 'size', type: 'text' }, 'contactField', 'contactField'],
    ['/pipeline/stages', { name: 'Visit' }, 'pipeline', 'stage'],
    ['/views', { name: 'Mine' }, 'view', 'view'],
    ['/segments', { name: 'Gold', segment: { tags: ['gold'] } }, 'segment', 'segment'],
  ] as const) {
    let answerBody: Body
    const changedIds = await changesOf(async () => {
      answerBody = await done(shop.post(path, body))
    })
    expect(changedIds, path).toEqual({ [kind]: [answerBody[key].id] })
  }
})

test('a send by a key records no change: its states have events', async () => {
  await shop.inbound('+919812300003', 'Hello')
  const send = () => done(shop.post('/send', { to: '+919812300003', type: 'text', text: 'Hi' }))
  expect(await changesOf(send)).toEqual({})
})

test('it is never listed, subscribed to, replayed or delivered, not even to an endpoint of all events', async () => {
  const receiver = await receivers.open()
  const { webhook } = await done(shop.post('/webhooks', { url: receiver.url }))
  const { lead } = await done(shop.post('/leads', { phone: '+919812300004' }))
  await done(shop.patch(`/leads/${lead.id}`, { rating: 5 }))
  await done(shop.post('/contacts', { phone: '+919812300005' }))
  await receiver.wait(2)
  const delivered = (await shop.get(`/webhooks/${webhook.id}/deliveries`)).body.deliveries
  expect(delivered.map((event: Body) => event.event).sort()).toEqual(['contact.created', 'lead.created'])
  await done(
    shop.post(`/webhooks/${webhook.id}/replay`, { from: '2026-01-01T00:00:00Z', event: 'lead.created' }),
  )
  const first = (await shop.get('/events?limit=100')).body.events
  const after = (await shop.get(`/events?after=${first.at(-1).id}&limit=100`)).body.events
  for (const event of [...first, ...after]) expect(event.event).not.toBe(SCREEN_CHANGED)
  for (const answer of [
    await shop.post('/webhooks', { url: `${receiver.url}/other`, events: [SCREEN_CHANGED] }),
    await shop.get(`/events?events=${SCREEN_CHANGED}`),
    await shop.post('/sandbox/events', { event: SCREEN_CHANGED }),
    await shop.post(`/webhooks/${webhook.id}/replay`, {
      from: '2026-01-01T00:00:00Z',
      event: SCREEN_CHANGED,
    }),
  ])
    expect(answer.status).toBe(400)
  expect((await shop.get(`/webhooks/samples/${SCREEN_CHANGED}`)).status).toBe(404)
  expect((await shop.get('/webhooks/events')).text).not.toContain(SCREEN_CHANGED)
})

test.each(EVENTS.map((kind) => [kind.name, kind] as const))('%s declares which ids it changes', (_, kind) => {
  const exampleIds = Object.values(kind.touches(kind.example as never)).flat()
  expect(exampleIds.length).toBeGreaterThan(0)
  for (const id of exampleIds) expect(isUuid(id as string)).toBe(true)
  // The event of an erased contact has only ids, and fewer of them.
  expect(() => kind.touches({} as never)).not.toThrow()
})
