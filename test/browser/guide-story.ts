/** The shop that the pictures of the guides show: its team, customers, leads, and documents. */
import { later, systemClock } from '../../src/core/clock.ts'
import { addMember } from '../../src/modules/platform/workspaces/operations/workspace-members.ts'
import type { Answered, Body, Client, TestParley, TestWorkspace } from '../support/boot.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import type { Receiver } from '../support/receiver.ts'
import { SELLER, sellsAs } from '../support/sales.ts'
import { type Browser as Session, signInByLink } from '../support/sessions.ts'

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
/** Monday to Wednesday. */
const FIRST_DAYS = [1, 2, 3]
/** 9:30 in India. */
const OPENING_HOUR_UTC = 4

export const NAME = 'Blue Lotus Sarees'
const ASHA = '+919812345678'
const NISHA = '+919812345671'
/** The simulated operator doesn't deliver to this number. */
const UNREACHABLE = '+12125550126'

/**
 * Starts on the next Monday, Tuesday, or Wednesday morning, so that the story has two working days. They are
 * less than 7 days ahead: ids have the real time, and the event log drops ids older than 7 days.
 */
export function storyClock(): MovingClock {
  const clock = movingClock()
  const now = systemClock.now()
  const start = new Date(now)
  start.setUTCHours(OPENING_HOUR_UTC, 0, 0, 0)
  while (start <= now || !FIRST_DAYS.includes(start.getUTCDay())) start.setUTCDate(start.getUTCDate() + 1)
  clock.aheadMs = start.getTime() - now.getTime()
  return clock
}

async function done(answer: Promise<Answered>): Promise<Body> {
  const { status, body, text } = await answer
  if (status >= 300) throw new Error(`answered ${status}: ${text}`)
  return body
}

const ORDER_UPDATE = [
  { type: 'HEADER', format: 'TEXT', text: 'Your order' },
  {
    type: 'BODY',
    text: 'Hello {{1}}, your order {{2}} is ready. You can collect it from our shop until Saturday, or we send it to you.',
    example: { body_text: [['Asha', 'BL-1042']] },
  },
  { type: 'FOOTER', text: 'Blue Lotus Sarees, Pune' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'I will come' },
      { type: 'QUICK_REPLY', text: 'Please send it' },
    ],
  },
]
const WEDDING_SILKS = [
  { type: 'BODY', text: 'Our new wedding silks arrive on Friday. See them first, with tea.' },
  { type: 'FOOTER', text: 'Reply STOP to opt out' },
]

const RECIPIENTS = [
  'Ishita Roy',
  'Kavya Reddy',
  'Manoj Pillai',
  'Neha Joshi',
  'Omkar Sawant',
  'Pooja Verma',
  'Rhea Thomas',
  'Sunil Kumar',
]
const NEW_RECIPIENTS = ['Aditi Rane', 'Bina Shetty', 'Chetan Gokhale', 'Deepa Nambiar']

/** Sends a campaign whose results differ, and adds customers whom another campaign would reach first. */
async function runCampaign(shop: TestWorkspace, client: Client, templateId: string): Promise<string> {
  const contact = (displayName: string, phone: string, more: object) => ({ displayName, phone, ...more })
  const phoneOf = (at: number) => `+9190000000${at}`
  const reached = { tags: ['regular', 'wedding'], optInStatus: 'opted_in' }
  await done(
    client.post('/contacts/bulk', {
      contacts: [
        contact('Lata Kulkarni', UNREACHABLE, { tags: ['regular'], optInStatus: 'opted_in' }),
        contact('Tanvi Mehta', phoneOf(60), { tags: reached.tags, optInStatus: 'opted_out' }),
        ...RECIPIENTS.map((name, at) => contact(name, phoneOf(10 + at), reached)),
        ...NEW_RECIPIENTS.map((name, at) => contact(name, phoneOf(30 + at), { tags: ['wedding'] })),
      ],
    }),
  )
  const { id } = await done(
    client.post('/broadcasts', {
      name: 'Wedding preview',
      templateId,
      phoneNumberId: shop.phoneNumberId,
      segment: { tags: ['regular'] },
      sendNow: true,
    }),
  )
  await shop.advance(MINUTE_S)
  return id
}

const LEADS = [
  ['Farah Sheikh', '919812345682', 'fair', 'Contacted', 42_000, 4, ['wedding'], 'Arjun Nair'],
  ['Vikram Shah', '919812345679', 'website', 'Contacted', 6_400, 2, ['silk'], 'Arjun Nair'],
  ['Gauri Patil', '919812345684', 'walk-in', 'Qualified', 12_300, 3, [], 'Meera Iyer'],
  ['Ananya Bose', '919812345683', 'fair', 'Qualified', 65_000, 5, ['wedding', 'silk'], 'Divya Shah'],
  ['Tara Joshi', '919812345685', 'website', 'Proposal', 28_000, 4, ['wedding'], 'Divya Shah'],
  ['Rohan Desai', '919812345674', 'website', 'New', 9_200, 3, ['gifts'], null],
  ['Priya Kulkarni', '919812345681', 'fair', 'New', 0, 0, [], null],
] as const

/** Hours are from the opening on the first day. */
const TASKS = [
  ['919812345682', 'call', 'Send photos of the bridal silks', 8, 'normal'],
  ['919812345679', 'message', 'Confirm the address in Nagpur', 7, 'normal'],
  ['919812345684', 'call', 'Ask for her measurements', 27, 'normal'],
  ['919812345683', 'visit', 'Meet at the shop', 31, 'normal'],
  ['919812345685', 'message', 'Send the price list', 49, 'low'],
] as const

export type GuideStory = {
  shop: TestWorkspace
  session: Session
  /** Ids of what the pages show. */
  ids: {
    asha: string
    nisha: string
    lead: string
    campaign: string
    bot: string
    invoice: string
    quotation: string
    webhook: string
  }
}

/** Plays a day and the next morning; at the end it is about 9:55. */
export async function playStory(
  parley: TestParley,
  clock: MovingClock,
  receiver: Receiver,
): Promise<GuideStory> {
  const opening = clock.now()
  const at = (hours: number): string => later(opening, hours * HOUR_S * 1_000).toISOString()
  const shop = await parley.workspace({
    sandbox: true,
    name: NAME,
    timezone: 'Asia/Kolkata',
    ownerName: 'Meera Iyer',
    ownerEmail: 'meera@bluelotus.example',
  })
  const { workspaceId } = shop
  await shop.set({ modules: ['invoicing'] })
  const session = await signInByLink(parley, { workspaceId, memberId: shop.ownerId }, clock.now())
  // The service's clock moves too: signatures have its time, and not the sandbox's.
  const wait = async (minutes: number) => {
    clock.aheadMs += minutes * MINUTE_S * 1_000
    await shop.advance(1)
  }

  // The team, its endpoint, and its templates.
  const join = async (name: string, role: 'agent' | 'admin'): Promise<Session> => {
    const email = `${name.split(' ')[0]!.toLowerCase()}@bluelotus.example`
    const { memberId } = await parley.system((tx) =>
      addMember(tx, { workspaceId, email, name, role }, clock.now()),
    )
    return signInByLink(parley, { workspaceId, memberId }, clock.now())
  }
  const arjun = await join('Arjun Nair', 'agent')
  await join('Divya Shah', 'admin')
  const invited = { email: 'kabir@bluelotus.example', name: 'Kabir Khan', role: 'viewer' }
  await done(session.post('/api/dashboard/members', invited))
  const events = ['message.received', 'lead.created', 'invoice.issued']
  const { webhook } = await done(session.post('/webhooks', { url: receiver.url, events }))
  const { phoneNumbers } = await done(session.get('/phone-numbers'))
  const { wabaConnectionId } = phoneNumbers[0]
  const template = async (name: string, category: string, components: object[]): Promise<string> =>
    (await done(session.post('/templates', { name, category, language: 'en', components, wabaConnectionId })))
      .template.id
  await template('order_update', 'UTILITY', ORDER_UPDATE)
  const weddingSilks = await template('wedding_silks', 'MARKETING', WEDDING_SILKS)
  await wait(1)
  for (const name of ['regular', 'silk', 'wedding', 'gifts']) await session.post('/tags', { name })

  // The first day: a campaign, leads with tasks, and two chats.
  const campaign = await runCampaign(shop, session, weddingSilks)
  const chats = new Map<string, string>()
  const customer = async (phone: string, name: string, text: string) => {
    await shop.inbound(phone, text, { name })
    if (chats.has(phone)) return
    const { conversations } = await done(shop.get(`/conversations?search=${encodeURIComponent(name)}`))
    chats.set(phone, conversations[0].id)
  }
  const answer = async (phone: string, text: string, by: Client = session) => {
    await done(by.post('/send', { to: phone, type: 'text', text }))
    await done(by.post(`/conversations/${chats.get(phone)}/read`))
    await wait(1)
  }
  await customer(NISHA, 'Nisha Gupta', 'Can you keep the green Banarasi for me?')
  await answer(NISHA, 'Of course, until Saturday.')
  for (const [name, phone, source, stage, dealValue, rating, tags, owner] of LEADS) {
    await done(session.post('/leads', { name, phone, source, dealValue, rating, tags }))
    await done(session.patch(`/leads/${phone}`, { owner, ...(stage === 'New' ? {} : { stage }) }))
  }
  for (const [leadId, type, title, hours, priority] of TASKS)
    await done(session.post('/tasks', { leadId, type, title, dueAt: at(hours), priority }))
  await wait(4 * 60)
  await customer('+919812345679', 'Vikram Shah', 'Do you deliver to Nagpur?')
  await answer('+919812345679', 'We do, in 3 to 5 days.', arjun)

  // The second day: Asha buys a saree, and other customers write.
  await wait(20 * 60)
  await customer('+919812345674', 'Rohan Desai', 'Do you have silk scarves for gifts?')
  await customer('+919812345674', 'Rohan Desai', 'I need four by Friday.')
  await wait(3)
  await customer('+919812345680', 'فاطمة الزهراء', 'متى يفتح المتجر؟')
  await wait(8)
  await customer(ASHA, 'Asha Rao', 'Hello! Is the blue Paithani from your window still in stock?')
  await wait(1)
  await answer(ASHA, 'Hello Asha, yes, in two shades of blue.')
  await wait(1)
  receiver.answer(500)
  await customer(ASHA, 'Asha Rao', 'Lovely. Does it come with a blouse piece?')
  receiver.answer(200)
  await answer(ASHA, 'It does, 80 cm, unstitched. Shall I reserve one for you?')
  await wait(1)
  const asha = chats.get(ASHA)!
  await done(arjun.patch(`/conversations/${asha}`, { assignedAgentId: shop.ownerId }))
  const { lead } = await done(
    session.post('/leads', {
      name: 'Asha Rao',
      phone: ASHA,
      source: 'website',
      attributes: { city: 'Pune' },
    }),
  )
  await done(session.patch(`/leads/${lead.id}`, { owner: 'Meera Iyer', tags: ['regular', 'silk'] }))
  await wait(1)
  await done(session.patch(`/leads/${lead.id}`, { dealValue: 18_500, rating: 5 }))
  const note = "Wants the blue Paithani for her sister's wedding."
  await done(session.post(`/leads/${lead.id}/notes`, { body: note }))
  await wait(1)
  const task = { leadId: lead.id, type: 'other', title: 'Reserve the blue Paithani', priority: 'high' }
  await done(session.post('/tasks', { ...task, dueAt: at(28) }))
  await done(
    session.post('/tasks', { leadId: lead.id, type: 'call', title: 'Call about the blouse', dueAt: at(51) }),
  )
  await customer(ASHA, 'Asha Rao', "Yes please. I'll come tomorrow afternoon.")
  await done(
    session.post(`/conversations/${asha}/notes`, {
      body: 'Regular customer. Prefers silk, ordered for a wedding in May.',
    }),
  )
  await done(session.post(`/conversations/${asha}/read`))
  const { contact } = (await done(session.get(`/conversations/${asha}`))).conversation
  await done(
    session.patch(`/contacts/${contact.id}`, { tags: ['regular', 'silk'], attributes: { city: 'Pune' } }),
  )
  // A session would have to confirm its identity again.
  await done(shop.post(`/webhooks/${webhook.id}/rotate`))
  await wait(2)
  await customer('+919812345677', 'Sana Khan', 'Is the shop open on Saturday?')
  await customer('+919812345677', 'Sana Khan', 'I can come to the shop on Saturday at 4.')
  await done(session.patch(`/conversations/${chats.get('+919812345677')}`, { priority: 'urgent' }))

  const bot = await buildBot(session)
  const documents = await writeDocuments(session, at(24).slice(0, 10))
  await wait(1)
  const nisha = chats.get(NISHA)!
  return {
    shop,
    session,
    ids: { asha, nisha, lead: lead.id, campaign, webhook: webhook.id, bot, ...documents },
  }
}

async function buildBot(client: Client): Promise<string> {
  const { bot } = await done(
    client.post('/bots', {
      name: 'Front desk',
      entry: { keywords: ['menu'] },
      fallback: { text: 'Sorry, I did not understand. Please tap a button, or answer the question.' },
      start: 'menu',
      nodes: [
        {
          id: 'menu',
          type: 'buttons',
          text: 'Hello. How can we help?',
          options: [
            { id: 'hours', title: 'Opening hours', next: 'day' },
            { id: 'person', title: 'Talk to us', next: 'person' },
          ],
        },
        {
          id: 'day',
          type: 'ask',
          text: 'For which day?',
          kind: 'date',
          saveTo: 'answers.day',
          next: 'hours',
        },
        { id: 'hours', type: 'message', text: 'On {{answers.day}} we are open from 10 to 7.' },
        { id: 'person', type: 'handover', note: 'Wants to talk to a person.' },
      ],
    }),
  )
  return bot.id
}

/** Issues an invoice with a part payment, and drafts a quotation for a customer in another state. */
async function writeDocuments(client: Session, today: string) {
  const address = { line1: '12 Laxmi Road', city: 'Pune', state: 'Maharashtra', postalCode: '411030' }
  await sellsAs(client, { seller: { ...SELLER, legalName: NAME, address } })
  const silk = { hsn: '5007', taxRate: 5 }
  const { invoice } = await done(
    client.post('/sales-invoices', {
      customer: {
        name: 'Asha Rao',
        phone: ASHA,
        billingAddress: { line1: '4 Prabhat Road', city: 'Pune', state: 'Maharashtra', postalCode: '411004' },
      },
      lines: [
        { ...silk, description: 'Paithani saree, blue', quantity: 1, unitMinor: 1_650_000 },
        { ...silk, description: 'Blouse piece', quantity: 1, unitMinor: 120_000 },
      ],
      issue: true,
    }),
  )
  await done(
    client.post(`/sales-invoices/${invoice.id}/payments`, {
      amountMinor: 500_000,
      method: 'upi',
      reference: '512345678901',
      paidOn: today,
    }),
  )
  const { quotation } = await done(
    client.post('/quotations', {
      customer: {
        name: 'Ananya Bose',
        phone: '+919812345683',
        email: 'ananya@example.com',
        billingAddress: { line1: '7 Rua de Ourem', city: 'Panaji', state: 'Goa', postalCode: '403001' },
      },
      lines: [
        { ...silk, description: 'Bridal silk saree', quantity: 2, unitMinor: 2_400_000 },
        { ...silk, description: 'Silk dupatta', quantity: 4, unitMinor: 350_000 },
      ],
    }),
  )
  return { invoice: invoice.id as string, quotation: quotation.id as string }
}
