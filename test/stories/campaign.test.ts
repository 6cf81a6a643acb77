// A campaign to new recipients: five days, a thousand a day, while customers answer, opt out, and buy.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { campaignsOf, makeContacts } from '../support/campaigns.ts'
import { eventsOf } from '../support/records.ts'

const DAY = 86_400
const A_DAY = 1_000
const NEW_RECIPIENTS = 4_300
const KNOWN = 60

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true, plan: 'unlimited' })
})
afterAll(() => parley.close())

/** Contacts as an import creates them, none of whom has ever messaged. */
const newRecipients = (count: number) =>
  parley.system((tx) =>
    tx.sql(
      `insert into contacts (workspace_id, id, phone, created_at, updated_at)
       select $1, ('0197a1b2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '+9180' || lpad(n::text, 8, '0'), $2, $2
       from generate_series(1, $3::int) n`,
      [shop.workspaceId, new Date(), count],
    ),
  )

test('a gradual campaign runs for five days, respects opt-outs meanwhile, and ends once', async () => {
  const campaigns = await campaignsOf(parley, shop)
  await makeContacts(shop, KNOWN, { optInStatus: 'opted_in' })
  await newRecipients(NEW_RECIPIENTS)

  const unconfirmed = await campaigns.create({ sendNow: true })
  expect(unconfirmed.body).toMatchObject({
    error: 'new_recipients_unconfirmed',
    newRecipients: NEW_RECIPIENTS,
  })
  const response = await campaigns.create({ sendNow: true, confirmNewRecipients: true })
  expect(response.body).toMatchObject({
    status: 'running',
    audience: { matched: NEW_RECIPIENTS + KNOWN, willSend: NEW_RECIPIENTS + KNOWN, suppressed: 0 },
    newRecipients: NEW_RECIPIENTS,
  })
  const { id } = response.body

  // On the first day all known contacts, and as many new recipients as the daily limit allows.
  await shop.advance(120)
  const first = await campaigns.of(id)
  expect(first).toMatchObject({
    status: 'running',
    counts: { recipients: NEW_RECIPIENTS + KNOWN, queued: A_DAY + KNOWN, waiting: NEW_RECIPIENTS - A_DAY },
  })
  expect(first.progress).toBe(Math.floor((100 * (A_DAY + KNOWN)) / (NEW_RECIPIENTS + KNOWN)))

  // A recipient whose turn has not come opts out.
  const waiting = [...(await campaigns.people(id, '&status=waiting')).values()]
  await shop.inbound(waiting.at(-1)!.phone, 'STOP')

  for (let day = 2; day <= 4; day++) {
    await shop.advance(DAY)
    expect((await campaigns.of(id)).counts).toMatchObject({ queued: day * A_DAY + KNOWN })
  }
  await shop.advance(DAY)
  const last = await campaigns.of(id)
  expect(last).toMatchObject({
    status: 'completed',
    progress: 100,
    counts: {
      recipients: NEW_RECIPIENTS + KNOWN,
      waiting: 0,
      queued: NEW_RECIPIENTS + KNOWN - 1,
      skipped: 1,
    },
  })
  const messages = await parley.system((tx) =>
    tx.sql<{ people: number; messages: number }>(
      `select count(*) as messages, count(distinct contact_id) as people from messages
       where workspace_id = $1 and broadcast_id = $2`,
      [shop.workspaceId, id],
    ),
  )
  expect(messages).toEqual([{ people: NEW_RECIPIENTS + KNOWN - 1, messages: NEW_RECIPIENTS + KNOWN - 1 }])
  const reported = (await eventsOf(parley, shop.workspaceId)).filter(
    ({ name }) => name === 'broadcast.completed',
  )
  expect(reported).toHaveLength(1)
  expect(reported[0]!.data).toMatchObject({
    broadcastId: id,
    recipients: NEW_RECIPIENTS + KNOWN,
    totals: { queued: NEW_RECIPIENTS + KNOWN - 1, skipped: 1, failed: 0 },
  })
  const { activity } = (await shop.get('/activity?kind=broadcast.new_recipients_confirmed')).body
  expect(activity).toHaveLength(1)
  expect(activity[0].data).toEqual({ broadcastId: id, name: 'Lights', newRecipients: NEW_RECIPIENTS })
})
