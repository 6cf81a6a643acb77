/** Phone numbers and email addresses that an owner hides from roles (DECISIONS.md "Hidden numbers and email addresses"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type Client, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { type Browser, DASHBOARD, signIn, signInByLink } from '../../../../test/support/sessions.ts'

const PHONE = '+919812345642'
const MASKED = '+91••••••••42'
const EMAIL = 'asha.rao@example.com'

let parley: TestParley
let shop: TestWorkspace
let owner: Browser
let agent: Client
let contactId: string
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  owner = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
  agent = await shop.as('agent', { memberId: shop.ownerId })
  contactId = (await shop.post('/contacts', { phone: PHONE, displayName: 'Asha Rao' })).body.contact.id
})

const hide = async (roles: string[], by = owner) => {
  const answer = await by.patch(`${DASHBOARD}/workspace`, { detailsHiddenFrom: roles })
  await parley.caughtUp()
  return answer
}

describe('the setting', () => {
  test('is off at first, belongs to the owner, and never names admins', async () => {
    const settings = (await owner.get(`${DASHBOARD}/workspace`)).body.workspace
    expect(settings.detailsHiddenFrom).toEqual([])
    const admin = await signIn(parley, shop, 'admin')
    expect(await hide(['agent'], admin)).toMatchObject({ status: 403, body: { required: 'owner' } })
    expect(await hide(['admin'])).toMatchObject({ status: 400 })
    const saved = await hide(['agent', 'viewer', 'agent'].slice(0, 2))
    expect(saved.body.workspace.detailsHiddenFrom).toEqual(['viewer', 'agent'])
    expect((await shop.get('/activity?kind=workspace.changed&limit=1')).body.activity[0].data).toEqual({
      changed: ['detailsHiddenFrom'],
    })
  })

  test('masks for keys and members of the role, and for no others', async () => {
    await hide(['agent'])
    const path = `/contacts/${contactId}`
    const shown = async (by: Pick<Client, 'get'>) => (await by.get(path)).body.contact.phone
    expect(await shown(agent)).toBe(MASKED)
    expect(await shown(await signIn(parley, shop, 'agent'))).toBe(MASKED)
    expect(await shown(await shop.as('viewer'))).toBe(PHONE)
    expect(await shown(await signIn(parley, shop, 'admin'))).toBe(PHONE)
    await hide([])
    expect(await shown(agent)).toBe(PHONE)
  })

  test('a repeated request is masked as the caller is now: the stored answer is whole', async () => {
    const options = { idempotencyKey: randomUUID() }
    const body = { phone: '+919812300009', displayName: 'Ravi' }
    const first = await agent.post('/contacts', body, options)
    expect(first.body.contact.phone).toBe('+919812300009')
    await hide(['agent'])
    const replay = await agent.post('/contacts', body, options)
    expect(replay.headers['idempotent-replayed']).toBe('true')
    expect(replay.body.contact.phone).toBe('+91••••••••09')
    await hide([])
    expect((await agent.post('/contacts', body, options)).text).toBe(first.text)
  })
})

describe('a caller from whom details are hidden', () => {
  beforeEach(() => hide(['agent', 'viewer']))

  test('finds a customer by the whole number only, so that a search reveals no digit', async () => {
    await shop.post('/leads', { phone: PHONE, name: 'Asha Rao', email: EMAIL })
    const contacts = async (text: string) =>
      (await agent.get(`/contacts?search=${encodeURIComponent(text)}`)).body.contacts.length
    const leads = async (text: string) =>
      (await agent.get(`/leads?q=${encodeURIComponent(text)}`)).body.leads.length
    for (const whole of [PHONE, '919812345642', '98123 45642'])
      expect([await contacts(whole), await leads(whole)], whole).toEqual([1, 1])
    for (const part of ['+9198123', '45642', '9812345', '42 asha', '642'])
      expect([await contacts(part), await leads(part)], part).toEqual([0, 0])
    expect([await contacts('rao'), await leads('asha')]).toEqual([1, 1])
    expect([await leads(EMAIL), await leads('asha.r'), await leads('example')]).toEqual([1, 0, 0])
    const found = (await agent.get(`/search?q=${encodeURIComponent(PHONE)}`)).body.results
    expect(found).toContainEqual(expect.objectContaining({ kind: 'contact', snippet: MASKED }))
    expect((await agent.get('/search?q=98123')).body.results).toEqual([])
    expect((await agent.get(`/conversations?search=98123`)).body.conversations).toEqual([])
  })

  test.each(['contains', 'starts'])('may not filter leads by a part of a number: %s', async (op) => {
    for (const field of ['phone', 'email']) {
      const conditions = [{ field, op, value: '98' }]
      const filter = encodeURIComponent(JSON.stringify({ conditions }))
      expect(await agent.get(`/leads?filter=${filter}`)).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'filter.conditions[0].op' }] },
      })
      expect(await agent.post('/views', { name: randomUUID(), filter: { conditions } })).toMatchObject({
        status: 400,
      })
      expect((await shop.get(`/leads?filter=${filter}`)).status).toBe(200)
    }
    expect(await agent.get('/leads?sort=phone')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'sort' }] },
    })
    const whole = encodeURIComponent(
      JSON.stringify({ conditions: [{ field: 'phone', op: 'eq', value: PHONE }] }),
    )
    expect((await agent.get(`/leads?filter=${whole}`)).status).toBe(200)
  })

  test('writes to a new number, and to a known customer by contact:<id>', async () => {
    await shop.inbound(PHONE, 'Is it in stock?')
    const send = (to: string) => agent.post('/send', { to, type: 'text', text: 'Yes' })
    const sent = await send(`contact:${contactId}`)
    expect(sent.status, sent.text).toBe(200)
    const [message] = (await shop.get(`/messages?phone=${encodeURIComponent(PHONE)}`)).body.messages
    expect(message).toMatchObject({ id: sent.body.messageId, direction: 'outbound' })
    expect((await send(PHONE)).status).toBe(200)
    expect(await send(`contact:${randomUUID()}`)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'to' }] },
    })
    expect(await send(MASKED)).toMatchObject({ status: 400, body: { issues: [{ path: 'to' }] } })
    const lead = await agent.post('/leads', { phone: `contact:${contactId}` })
    expect(lead.body.lead).toMatchObject({ contactId, phone: '91••••••••42' })
    const started = await agent.post('/conversations', { phone: '+919812300077' })
    expect(started.body.conversation.contact.phone).toBe('+91••••••••77')
  })

  test("another workspace's contact is no address", async () => {
    const other = await parley.workspace({ sandbox: true })
    const { id } = (await other.post('/contacts', { phone: '+919812300055' })).body.contact
    const answer = await agent.post('/send', { to: `contact:${id}`, type: 'text', text: 'Hi' })
    const unknown = await agent.post('/send', { to: `contact:${randomUUID()}`, type: 'text', text: 'Hi' })
    expect([answer.status, answer.body.error]).toEqual([unknown.status, unknown.body.error])
    expect(answer.text).not.toContain('919812300055')
  })

  test('adds a missing address, but changes no stored one', async () => {
    const { id } = (await shop.post('/leads', { phone: PHONE })).body.lead
    expect((await agent.patch(`/leads/${id}`, { email: EMAIL })).body.lead.email).toBe('a•••@example.com')
    expect(await agent.patch(`/leads/${id}`, { email: 'other@example.com' })).toMatchObject({
      status: 403,
      body: { error: 'forbidden', required: 'admin' },
    })
    expect(await agent.patch(`/leads/${id}`, { email: null })).toMatchObject({ status: 403 })
    expect((await agent.patch(`/leads/${id}`, { rating: 4 })).status).toBe(200)
    expect((await shop.get(`/leads/${id}`)).body.lead.email).toBe(EMAIL)
  })

  test('a masked value never replaces the real one', async () => {
    const answer = await agent.patch(`/contacts/${contactId}`, { phone: MASKED })
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'phone' }] } })
    const attributes = { mail: 'a•••@example.com' }
    expect(await agent.patch(`/contacts/${contactId}`, { attributes })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'attributes.mail' }] },
    })
  })

  test('reads masked numbers in events, and the refusals of its requests show none', async () => {
    await shop.post('/leads', { phone: PHONE, email: EMAIL })
    for (const path of ['/events', '/webhooks/samples/lead.created']) {
      const { text } = await agent.get(path)
      expect(text).not.toContain('9812345642')
      expect(text).not.toContain(EMAIL)
    }
    const refused = await agent.post('/leads', { phone: `${PHONE} or not`, stage: 'Nowhere' })
    expect(refused.text).not.toContain('9812345642')
  })
})
