/** PATCH /broadcasts/{id}, and the campaigns of a period (spec 4.10; DECISIONS.md "Moving a campaign"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../../test/support/campaigns.ts'
import { DAY_MS, HOUR_MS } from '../../../../core/clock.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

async function arrange() {
  const shop = await parley.workspace({ sandbox: true })
  const campaigns = await campaignsOf(parley, shop)
  await makeContacts(shop, 3, { optInStatus: 'opted_in' })
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
  const move = (id: string, scheduledAt: string) => shop.patch(`/broadcasts/${id}`, { scheduledAt })
  return { shop, campaigns, inHours, move }
}

test('a scheduled campaign is moved earlier and later, and starts at its new time', async () => {
  const { shop, campaigns, inHours, move } = await arrange()
  const { id } = (await campaigns.create({ scheduledAt: inHours(48) })).body
  const later = inHours(72)
  expect((await move(id, later)).body.broadcast).toMatchObject({ status: 'scheduled', scheduledAt: later })
  const earlier = inHours(2)
  await move(id, earlier)
  const repeated = await move(id, earlier)
  expect(repeated.body.broadcast).toMatchObject({ status: 'scheduled', scheduledAt: earlier })
  const { activity } = (await shop.get('/activity?kind=broadcast.scheduled')).body
  expect(activity.map((entry: Body) => entry.data.scheduledAt).slice(0, 2)).toEqual([earlier, later])
  await shop.advance(HOUR_MS / 1000)
  expect((await campaigns.of(id)).status).toBe('scheduled')
  await shop.advance(HOUR_MS / 1000 + 60)
  expect(await campaigns.of(id)).toMatchObject({ status: 'completed', counts: { sent: 3 } })
})

test('a draft gets a time; a campaign that started, and a time in the past, are refused', async () => {
  const { shop, campaigns, inHours, move } = await arrange()
  const { id } = (await campaigns.create()).body
  const past = await move(id, inHours(-1))
  expect([past.status, past.body.issues[0].path]).toEqual([400, 'scheduledAt'])
  expect((await move(id, inHours(1))).body.broadcast.status).toBe('scheduled')
  await shop.post(`/broadcasts/${id}/start`)
  const started = await move(id, inHours(2))
  expect([started.status, started.body.error]).toEqual([409, 'conflict'])
})

test('the gates are checked for the new time: a follow-up does not move before its earliest time', async () => {
  const { shop, campaigns, inHours, move } = await arrange()
  const first = (await campaigns.create({ sendNow: true })).body
  await shop.advance(60)
  const { id } = (await campaigns.create({ followUpOf: first.id, scheduledAt: inHours(48) })).body
  const refused = await move(id, inHours(3))
  expect([refused.status, refused.body.error]).toEqual([409, 'follow_up_too_soon'])
  expect((await move(id, inHours(30))).status).toBe(200)
})

test('GET /broadcasts with from and to returns the campaigns that start in a period', async () => {
  const { shop, campaigns, inHours } = await arrange()
  const now = (await campaigns.create({ sendNow: true })).body
  const soon = (await campaigns.create({ scheduledAt: inHours(24) })).body
  const later = (await campaigns.create({ scheduledAt: inHours(24 * 20) })).body
  await campaigns.create()
  const list = async (fromHours: number, toHours: number): Promise<string[]> =>
    (
      await shop.get(
        `/broadcasts?from=${encodeURIComponent(inHours(fromHours))}&to=${encodeURIComponent(inHours(toHours))}`,
      )
    ).body.broadcasts.map(({ id }: Body) => id)
  expect(await list(-1, 48)).toEqual([soon.id, now.id])
  expect(await list(2, (20 * DAY_MS) / HOUR_MS + 1)).toEqual([later.id, soon.id])
})
