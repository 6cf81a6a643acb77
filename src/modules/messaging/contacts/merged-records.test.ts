/** Tests of records of later modules after a merge of two contacts (DECISIONS.md "Merges"). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automate, runsOf } from '../../../../test/support/automations.ts'
import { madeBooking, madeService } from '../../../../test/support/bookings.ts'
import { type Body, boot, type TestParley } from '../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../test/support/campaigns.ts'
import { order, pay } from '../../../../test/support/payments.ts'
import { madeInvoice } from '../../../../test/support/sales.ts'
import { DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

let last = 0
const freshNumber = () => `+9198735${String(++last).padStart(5, '0')}`
type Person = { id: string; phone: string; chatId: string }

/** Creates a shop with two customers who wrote, the kept contact first. */
async function begin(modules: string[] = []) {
  const shop = await parley.workspace({ sandbox: true, plan: 'unlimited' })
  if (modules.length > 0) await shop.set({ modules })
  const people: Person[] = []
  for (const phone of [freshNumber(), freshNumber()]) {
    await shop.inbound(phone, 'Hello')
    const { conversations } = (await shop.get(`/conversations?search=${phone.slice(1)}`)).body
    people.push({ id: conversations[0].contact.id, phone, chatId: conversations[0].id })
  }
  const [kept, merged] = people as [Person, Person]
  const merge = async () => {
    const answer = await shop.post(`/contacts/${kept.id}/merge`, { from: merged.id })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  return { shop, kept, merged, merge }
}

describe('Records of the merged contact', () => {
  test('invoices and bookings belong to the kept contact, and endpoints accept the old ids', async () => {
    const { shop, kept, merged, merge } = await begin(['invoicing', 'bookings'])
    const invoice = await madeInvoice(shop, { contactId: merged.id })
    const service = await madeService(shop)
    const booking = await madeBooking(shop, { serviceId: service.id, phone: merged.phone, name: 'Asha' })
    await merge()
    const shown = (await shop.get(`/sales-invoices/${invoice.id}`)).body.invoice
    expect(shown.contactId).toBe(kept.id)
    expect((await shop.get(`/bookings/${booking.id}`)).body.booking.customer.contactId).toBe(kept.id)
    for (const id of [kept.id, merged.id]) {
      const { invoices } = (await shop.get(`/sales-invoices?contactId=${id}`)).body
      expect(invoices.map((invoice: Body) => invoice.id)).toEqual([invoice.id])
      const { bookings } = (await shop.get(`/bookings?contactId=${id}`)).body
      expect(bookings.map((booking: Body) => booking.id)).toEqual([booking.id])
    }
    expect((await madeInvoice(shop, { contactId: merged.id })).contactId).toBe(kept.id)
    expect((await shop.post('/conversations', { contactId: merged.id })).body.conversation.id).toBe(
      kept.chatId,
    )
  })

  test('an open payment request is paid once, and counts for the kept lead', async () => {
    const { shop, kept, merged, merge } = await begin()
    await shop.post('/leads', { phone: kept.phone })
    await shop.post('/leads', { phone: merged.phone })
    const request = (await shop.post('/payment-requests', order({ to: merged.phone }))).body.paymentRequest
    await shop.advance(5)
    await merge()
    await pay(parley, shop, request.id)
    const paid = (await shop.get(`/payment-requests/${request.id}`)).body.paymentRequest
    expect(paid).toMatchObject({ status: 'paid', contactId: kept.id, conversationId: kept.chatId })
    expect((await shop.get(`/leads/${kept.phone}`)).body.lead.paidTotal).toBe(paid.totalPaise / 100)
  })

  test("a teammate's drafts in both chats are joined", async () => {
    const { shop, kept, merged, merge } = await begin()
    const asha = await signIn(parley, shop, 'agent')
    const ravi = await signIn(parley, shop, 'agent')
    const draft = (text: string) => ({ text, mode: 'reply', files: [] })
    await asha.put(`${DASHBOARD}/drafts/${kept.chatId}`, draft('Yes,'))
    await asha.put(`${DASHBOARD}/drafts/${merged.chatId}`, draft('we have it'))
    await ravi.put(`${DASHBOARD}/drafts/${merged.chatId}`, draft('On Friday'))
    await merge()
    for (const id of [kept.chatId, merged.chatId]) {
      expect((await asha.get(`${DASHBOARD}/drafts/${id}`)).body.text).toBe('Yes,\n\nwe have it')
      expect((await ravi.get(`${DASHBOARD}/drafts/${id}`)).body.text).toBe('On Friday')
    }
  })

  test('ratings of both chats stay in the totals, and no customer is asked again', async () => {
    const { shop, kept, merged, merge } = await begin()
    await shop.call('PUT', '/rating-settings', { enabled: true })
    for (const [person, score] of [
      [kept, 5],
      [merged, 3],
    ] as const) {
      await shop.patch(`/conversations/${person.chatId}`, { state: 'resolved' })
      await shop.advance(1)
      await shop.inbound(person.phone, '', {
        text: undefined,
        listId: `rating:${score}`,
        title: String(score),
      })
    }
    await merge()
    await shop.patch(`/conversations/${kept.chatId}`, { state: 'resolved' })
    await shop.advance(60)
    expect((await shop.get('/ratings?days=7')).body).toMatchObject({ asked: 2, rated: 2, average: 4 })
  })

  test('segments and saved views that name the contact or its lead name the kept one, once', async () => {
    const { shop, kept, merged, merge } = await begin()
    const leads = await Promise.all(
      [kept, merged].map(async ({ phone }) => (await shop.post('/leads', { phone })).body.lead.id),
    )
    const segment = (
      await shop.post('/segments', { name: 'Two', segment: { contactIds: [merged.id, kept.id] } })
    ).body.segment
    const view = (
      await shop.post('/views', {
        page: 'leads',
        name: 'One',
        shared: true,
        filter: { conditions: [{ field: 'contactId', op: 'eq', value: merged.id }] },
      })
    ).body.view
    await merge()
    expect((await shop.get(`/segments/${segment.id}`)).body.segment.segment.contactIds).toEqual([kept.id])
    const { views } = (await shop.get('/views?page=leads')).body
    expect(JSON.stringify(views.find((item: Body) => item.id === view.id))).toContain(kept.id)
    expect((await shop.get(`/leads/${leads[1]}`)).body.lead.id).toBe(leads[0])
    const recreated = await shop.post('/segments', { name: 'Again', segment: { contactIds: [merged.id] } })
    expect(recreated.body.segment.segment.contactIds).toEqual([kept.id])
  })

  test('a waiting automation continues with the kept contact', async () => {
    const { shop, kept, merged, merge } = await begin()
    await shop.post('/leads', { phone: kept.phone })
    const { id } = await automate(shop, {
      trigger: { event: 'lead.created' },
      actions: [
        { type: 'wait', minutes: 10 },
        { type: 'add_note', text: 'Ask how it went', on: 'lead' },
      ],
    })
    await shop.post('/leads', { phone: merged.phone })
    await until(
      async () => (await shop.get(`/automations/${id}/runs`)).body.runs.length === 1,
      'the campaign has started',
    )
    await merge()
    await shop.advance(900)
    const [run] = await runsOf(shop, id)
    expect(run).toMatchObject({ status: 'done' })
    const { entries } = (await shop.get(`/leads/${kept.phone}/timeline`)).body
    expect(entries.filter((entry: Body) => entry.data.body === 'Ask how it went')).toHaveLength(1)
  })
})

describe('Campaigns and merges', () => {
  test("a campaign that processed the merged contact doesn't process the kept contact again, and completes", async () => {
    const shop = await parley.workspace({ sandbox: true })
    const campaigns = await campaignsOf(parley, shop)
    const ids = await makeContacts(shop, 30, { optInStatus: 'opted_in' })
    const created = await campaigns.create({ sendNow: true, confirmNewRecipients: true })
    expect(created.status, created.text).toBeLessThan(300)
    const campaignId = created.body.id
    const isFinished = async () => (await campaigns.of(campaignId)).status === 'completed'
    await shop.advance(60)
    await until(isFinished, 'the campaign is completed')
    // The campaign has processed the first contact, which merges into the last contact that it has yet to
    // process.
    await parley.system(async (tx) => {
      await tx.sql('delete from broadcast_recipients where workspace_id = $1 and contact_id = $2', [
        shop.workspaceId,
        ids[29],
      ])
    })
    await shop.post(`/contacts/${ids[29]}/merge`, { from: ids[0] })
    await parley.system(async (tx) => {
      await tx.sql(
        `insert into broadcast_stretches (workspace_id, broadcast_id, after_id, until_id) values ($1, $2, $3, $4)`,
        [shop.workspaceId, campaignId, ids[28], 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
      )
      await tx.sql(
        `update broadcasts set status = 'running', walked = false, completed_at = null, sending = true, run_at = now() where workspace_id = $1 and id = $2`,
        [shop.workspaceId, campaignId],
      )
    })
    parley.wake()
    await shop.advance(600)
    await until(isFinished, 'the campaign is completed again')
    const people = await campaigns.people(campaignId)
    expect(people.get(ids[29]!)).toMatchObject({ contactId: ids[29] })
    expect(people.has(ids[0]!)).toBe(false)
  })

  test('marketing messages to either contact count for the person', async () => {
    const { shop, kept, merged, merge } = await begin()
    const campaigns = await campaignsOf(parley, shop)
    for (const [i, person] of [kept, merged].entries())
      await campaigns.create({
        name: `Lights ${i}`,
        sendNow: true,
        segment: { contactIds: [person.id] },
        confirmNewRecipients: true,
      })
    await shop.advance(60)
    await merge()
    const third = await campaigns.create({ name: 'Third', segment: { contactIds: [kept.id] } })
    expect(third.body.audience).toEqual({ matched: 1, willSend: 0, suppressed: 1 })
  })
})
