import { afterAll, beforeAll, expect, test } from 'vitest'
import { automate, newLead, runsOf } from '../../../../../test/support/automations.ts'
import { type Body, boot, type Client, type TestParley } from '../../../../../test/support/boot.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const resultsOf = async (shop: Client, id: string): Promise<Body> =>
  (await shop.get(`/automations/${id}/results`)).body.results

const WARM = { match: 'all', conditions: [{ field: 'lead.rating', op: 'gte', value: 4 }] }

test('results count the runs that reached each step, stopped, were left out, and failed there, with the reasons', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await shop.post('/tags', { name: 'vip' })
  const { id } = await automate(shop, {
    trigger: { event: 'lead.created' },
    conditions: { conditions: [{ field: 'lead.rating', op: 'gte', value: 2 }] },
    actions: [
      { type: 'stop_if', conditions: WARM },
      { type: 'send_text', text: 'Hello' },
      { type: 'add_tags', tags: ['vip'], on: 'lead' },
    ],
  })
  for (const rating of [1, 2, 3, 4]) await newLead(shop, { rating })
  await runsOf(shop, id, 4)
  expect(await resultsOf(shop, id)).toMatchObject({
    runs: 4,
    limited: false,
    done: 3,
    skipped: 1,
    failed: 0,
    active: 0,
    notStarted: 1,
    notStartedReasons: [{ reason: "Its conditions didn't match.", count: 1 }],
    otherSteps: 0,
    steps: [
      { action: 'stop_if', reached: 3, done: 2, stopped: 1, skipped: 0, failed: 0, active: 0 },
      { action: 'send_text', reached: 2, done: 0, skipped: 2, skippedReasons: [{ count: 2 }] },
      { action: 'add_tags', reached: 2, done: 2, skippedReasons: [], failedReasons: [] },
    ],
  })
  await shop.delete(`/tags/${(await shop.get('/tags')).body.tags[0].id}`)
  await newLead(shop, { rating: 2 })
  await runsOf(shop, id, 5)
  const { failed, steps } = await resultsOf(shop, id)
  expect({ failed, last: steps[2] }).toMatchObject({
    failed: 1,
    last: {
      reached: 3,
      done: 2,
      failed: 1,
      failedReasons: [{ reason: expect.stringContaining('vip'), count: 1 }],
    },
  })
})

test('a run that waits is at its step, and one that was turned off ended before the next', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const { id } = await automate(shop, {
    trigger: { event: 'lead.created' },
    actions: [
      { type: 'wait', minutes: 60 },
      { type: 'add_note', text: 'ran', on: 'lead' },
    ],
  })
  await newLead(shop)
  const waiting = await until(async () => {
    const results = await resultsOf(shop, id)
    return results.steps[0].active === 1 ? results : undefined
  }, 'a run that waits')
  expect(waiting).toMatchObject({
    active: 1,
    steps: [{ reached: 1, active: 1, done: 0 }, { reached: 0 }],
  })
  await shop.patch(`/automations/${id}`, { enabled: false })
  await shop.post('/sandbox/clock', { advanceSeconds: 2 * 3_600 })
  await runsOf(shop, id)
  expect(await resultsOf(shop, id)).toMatchObject({
    active: 0,
    skipped: 1,
    notStarted: 0,
    steps: [
      { reached: 1, active: 0, done: 1 },
      { reached: 1, skipped: 1, skippedReasons: [{ reason: 'The automation was turned off.', count: 1 }] },
    ],
  })
})

test('runs with other steps than today are counted apart, and results end after 30 days', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const note = { type: 'add_note', text: 'ran', on: 'lead' }
  const { id } = await automate(shop, { trigger: { event: 'lead.created' }, actions: [note] })
  await newLead(shop)
  await runsOf(shop, id)
  await shop.patch(`/automations/${id}`, { actions: [{ type: 'wait', minutes: 5 }, note] })
  expect(await resultsOf(shop, id)).toMatchObject({
    runs: 1,
    done: 1,
    otherSteps: 1,
    steps: [{ reached: 0 }, { reached: 0 }],
  })
  await shop.post('/sandbox/clock', { advanceSeconds: 31 * 86_400 })
  expect(await resultsOf(shop, id)).toMatchObject({ runs: 0, done: 0, otherSteps: 0 })
})
