/** The results of templates (DECISIONS.md "Results"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../test/support/campaigns.ts'
import { openAsService } from '../../../../test/support/open-database.ts'
import type { OpenDatabase } from '../../../database/database.ts'
import { RESULT_DAYS } from './operations/read-results.ts'
import { resultsSource } from './work/results-source.ts'

let parley: TestParley
let database: OpenDatabase
beforeAll(async () => {
  parley = await boot()
  database = openAsService(parley.databaseUrl)
})
afterAll(async () => {
  await database.close()
  await parley.close()
})

const UNREACHABLE = '+14155550126'
const LIMITED = '+14155550149'
const NOTHING = { sent: 0, delivered: 0, read: 0, failed: 0, topFailure: null }
const DAY_SECONDS = 86_400

const templatesOf = async (shop: TestWorkspace): Promise<Body[]> =>
  (await shop.get('/templates?limit=100')).body.templates
const resultsOf = async (shop: TestWorkspace, name: string): Promise<Body> =>
  (await templatesOf(shop)).find((template) => template.name === name)!.results

/** Sends a campaign to three customers, of whom two get nothing, and one message from the same template. */
async function shopWithMessages() {
  const shop = await parley.workspace({ sandbox: true })
  const campaigns = await campaignsOf(parley, shop)
  await makeContacts(shop, 1, { optInStatus: 'opted_in' })
  for (const phone of [UNREACHABLE, LIMITED]) await shop.post('/contacts', { phone, optInStatus: 'opted_in' })
  const created = await campaigns.create({ sendNow: true })
  expect(created.status, created.text).toBe(201)
  const { templateName: name } = await campaigns.of(created.body.id)
  await shop.advance(60)
  const single = await shop.post('/send', {
    to: '+919812345678',
    type: 'template',
    payload: { type: 'template', template: { name, language: 'en_US' } },
  })
  expect(single.status, single.text).toBe(200)
  await shop.advance(60)
  return { shop, name: name as string }
}

test('GET /templates returns the messages of the last 30 days, from campaigns and single sends', async () => {
  const { shop, name } = await shopWithMessages()
  const results = await resultsOf(shop, name)
  const total = (await shop.get('/analytics')).body.total.messages
  expect(results).toMatchObject({
    sent: total.sent,
    delivered: total.delivered,
    read: total.read,
    failed: total.failed,
  })
  expect(results).toMatchObject({ delivered: 2, read: 2, failed: 2 })
  for (const template of await templatesOf(shop))
    if (template.name !== name) expect(template.results).toEqual(NOTHING)
})

test('the most frequent error of failed messages is named, and one template returns the same', async () => {
  const { shop, name } = await shopWithMessages()
  const { topFailure } = await resultsOf(shop, name)
  expect(topFailure).toMatchObject({ count: 1, code: 131026, title: expect.any(String) })
  const template = (await templatesOf(shop)).find((candidate) => candidate.name === name)!
  const { body } = await shop.get(`/templates/${template.id}`)
  expect(body.template.results).toEqual(template.results)
})

test('results stay the same when the differences of transactions are added to their days', async () => {
  const { shop, name } = await shopWithMessages()
  const before = await resultsOf(shop, name)
  while ((await resultsSource({ database }).runDue({})) > 0);
  const left = await parley.system((tx) =>
    tx.sql('select 1 from template_deltas where workspace_id = $1', [shop.workspaceId]),
  )
  expect(left).toEqual([])
  expect(await resultsOf(shop, name)).toEqual(before)
})

test('messages count on the day of sending, and not after 30 days', async () => {
  const { shop, name } = await shopWithMessages()
  await shop.advance((RESULT_DAYS - 1) * DAY_SECONDS)
  expect(await resultsOf(shop, name)).toMatchObject({ delivered: 2, failed: 2 })
  await shop.advance(DAY_SECONDS)
  expect(await resultsOf(shop, name)).toEqual(NOTHING)
})

test('another language of the same name has its own results', async () => {
  const { shop, name } = await shopWithMessages()
  const original = (await templatesOf(shop)).find((template) => template.name === name)!
  const further = await shop.post('/templates', {
    name,
    language: 'hi',
    category: original.category,
    components: original.components,
  })
  expect(further.status, further.text).toBe(200)
  expect(further.body.template.results).toEqual(NOTHING)
  expect((await shop.get(`/templates/${further.body.template.id}`)).body.template.results).toEqual(NOTHING)
})
