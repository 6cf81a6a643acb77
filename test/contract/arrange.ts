/** Creates a valid request for every endpoint: one row for each, the only table of its kind. */
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { setWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { automate, newLead } from '../support/automations.ts'
import { madeBooking, madeService, madeStaff, newCustomer, startIn } from '../support/bookings.ts'
import type { BootOptions, TestParley, TestWorkspace } from '../support/boot.ts'
import { jpegOf, makeFileHost } from '../support/post-files.ts'
import { photoId } from '../support/post-media.ts'
import { buyer, createAnsweredReview, paidInvoice, requested } from '../support/reviews.ts'
import { madeInvoice, madeQuotation, newLines, SELLER, sellsAs } from '../support/sales.ts'
import { equipSocial, newSocialCommentId, socialChatId, socialCommentId } from '../support/social-sandbox.ts'
import { standInAssistant } from '../support/stand-in-assistant.ts'
import { nameOf, type Prepared } from './requests.ts'

/** The host from which photos for posts are downloaded: that of the current test file. */
let host: Awaited<ReturnType<typeof makeFileHost>>

/**
 * The boot options of a test file that uses these requests; call it once at the top of the file. The rows'
 * webhook addresses are on this machine, where no program listens; every workspace has the photo network.
 */
export async function arranging(): Promise<BootOptions & { env: Record<string, string> }> {
  const own = await makeFileHost()
  host = own
  const assistant = await standInAssistant()
  assistant.says(JSON.stringify({ text: 'Yes, the blue one is in stock.' }))
  afterAll(() => Promise.all([own.close(), assistant.close()]))
  return {
    env: own.env,
    findAssistant: async () => ({
      url: assistant.url,
      apiKey: null,
      model: 'small',
      dailyLimit: 1_000,
      forAgents: true,
    }),
    equip: async (tx, workspaceId) => {
      await equipSocial(tx, workspaceId)
      await setWorkspace(tx, workspaceId, {
        modules: ['invoicing', 'bookings', 'reviews'],
        leadCapture: true,
      })
    },
  }
}

/**
 * Ends differently from every other text of the workspace; the document's examples omit the end
 * (record-examples.ts).
 */
const unique = (text: string): string => `${text}${randomInt(1e8, 1e9)}`

export const newPhone = (): string => `+9198${randomInt(10_000_000, 99_999_999)}`
const newSimulatedOrder = () => ({
  kind: 'order',
  store: 'shopify',
  type: 'order_placed',
  reference: unique('#'),
  from: newPhone(),
})
const newAddress = (): string => `https://127.0.0.1:9/${randomUUID()}`

const contactId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/contacts', { phone: newPhone(), displayName: 'Asha Rao' })).body.contact.id

/** A customer who has just messaged, so that the window is open. */
async function customer(shop: TestWorkspace): Promise<{ phone: string; conversationId: string }> {
  const phone = newPhone()
  await shop.inbound(phone, 'Is the blue one in stock?')
  const { body } = await shop.get('/conversations?limit=1')
  return { phone, conversationId: body.conversations[0].id }
}

const conversationId = async (shop: TestWorkspace): Promise<string> => (await customer(shop)).conversationId

const messageId = async (shop: TestWorkspace): Promise<string> => {
  const { phone } = await customer(shop)
  return (await shop.post('/send', { to: phone, type: 'text', text: 'Yes' })).body.messageId
}

const tagId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/tags', { name: unique('vip ') })).body.tag.id

const contactFieldId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/contact-fields', { key: unique('size '), type: 'text' })).body.contactField.id

/** For the sample form of every simulated account. */
const flowId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.get('/flows')).body.flows.find(({ name }: { name: string }) => name === 'Book a visit').id

const newFlow = () => ({
  name: unique('Visits '),
  screens: [{ title: 'Visit', fields: [{ name: 'day', kind: 'date', label: 'Day' }], button: 'Send' }],
})
const draftFlowId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/flows', newFlow())).body.flow.id

const newAutoReply = () => ({ kind: 'keyword', keywords: ['price'], reply: { text: 'From ₹100.' } })

const autoReplyId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/auto-replies', newAutoReply())).body.autoReply.id

const newBot = () => ({
  name: 'Menu',
  fallback: { text: 'Please tap a button.' },
  start: 'menu',
  nodes: [
    {
      id: 'menu',
      type: 'buttons',
      text: 'How can we help?',
      options: [{ id: 'person', title: 'Talk to us' }],
    },
  ],
})

const botId = async (shop: TestWorkspace): Promise<string> => (await shop.post('/bots', newBot())).body.bot.id

const segmentId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/segments', { name: unique('Regulars in Pune '), segment: { tags: ['vip'] } })).body
    .segment.id

const quickReplyId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/quick-replies', { shortcut: unique('hours-'), text: 'We open at ten.' })).body.quickReply
    .id

const macroId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/macros', { name: unique('Refund done '), actions: { priority: 'high' } })).body.macro.id

const teamId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/teams', { name: unique('Support '), memberIds: [shop.ownerId] })).body.team.id

const leadId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/leads', { phone: newPhone(), name: 'Asha Rao' })).body.lead.id

const taskId = async (shop: TestWorkspace): Promise<string> => {
  const body = { leadId: await leadId(shop), title: 'Call', dueAt: '2030-06-02T10:00:00Z' }
  return (await shop.post('/tasks', body)).body.task.id
}

const stageId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/pipeline/stages', { name: unique('Sample sent ') })).body.stage.id

const viewId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/views', { name: unique('Hot leads ') })).body.view.id

/** A submission at the capture link that needs attention. */
async function submissionId(shop: TestWorkspace): Promise<string> {
  await shop.call('POST', `/api/leads/capture/${shop.captureToken}`, {
    message: unique('Do you deliver to Pune? '),
  })
  return (await shop.get('/lead-submissions?limit=1')).body.submissions[0].id
}

const lostReasonId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/pipeline/lost-reasons', { label: unique('Too expensive ') })).body.lostReason.id

const menu = { fileBase64: Buffer.from('%PDF-1.4 menu').toString('base64'), filename: 'menu.pdf' }

const fileMessageId = async (shop: TestWorkspace): Promise<string> => {
  const { phone } = await customer(shop)
  const { id } = (await shop.post('/media', menu)).body
  const payload = { type: 'document', document: { id } }
  return (await shop.post('/send', { to: phone, type: 'document', payload })).body.messageId
}

const newTemplate = () => ({
  name: unique('order_ok_'),
  language: 'en_US',
  category: 'UTILITY',
  components: [
    {
      type: 'BODY',
      text: 'Hi {{1}}, your order {{2}} is on its way.',
      example: { body_text: [['Asha', '1001']] },
    },
  ],
})

const templateId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/templates', newTemplate())).body.template.id

/** A campaign to one customer who opted in, with a template that the sandbox has approved. */
export async function newBroadcast(shop: TestWorkspace): Promise<Record<string, unknown>> {
  const phone = newPhone()
  const { contact } = (await shop.post('/contacts', { phone, optInStatus: 'opted_in' })).body
  const name = unique('opening_hours_')
  const components = [{ type: 'BODY', text: 'The shop opens at ten.' }]
  const { phoneNumbers } = (await shop.get('/phone-numbers')).body
  const { wabaConnectionId } = phoneNumbers.find(
    (phoneNumber: { id: string }) => phoneNumber.id === shop.phoneNumberId,
  )
  const input = { name, language: 'en_US', category: 'UTILITY', components, wabaConnectionId }
  const { template } = (await shop.post('/templates', input)).body
  await shop.advance(10)
  return {
    name: 'Opening hours',
    templateId: template.id,
    phoneNumberId: shop.phoneNumberId,
    segment: { contactIds: [contact.id] },
  }
}

const broadcastId = async (shop: TestWorkspace, more: object = {}): Promise<string> =>
  (await shop.post('/broadcasts', { ...(await newBroadcast(shop)), ...more })).body.id

/** Returns a campaign that is sent. Few campaigns can be created in an hour. */
async function sentBroadcastId(shop: TestWorkspace): Promise<string> {
  const [sent] = (await shop.get('/broadcasts?status=completed')).body.broadcasts
  const id = sent?.id ?? (await broadcastId(shop, { sendNow: true }))
  await shop.advance(5)
  return id
}

const DAY_MS = 86_400_000

/** A post with one photo, scheduled for tomorrow. */
const newPost = async (shop: TestWorkspace) => {
  const { now } = (await shop.get('/sandbox/clock')).body
  return {
    kind: 'image',
    caption: 'New silks #handloom',
    media: [await photoId(shop)],
    action: 'schedule',
    scheduledAt: new Date(Date.parse(now) + DAY_MS).toISOString(),
  }
}
const postId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/social/posts', await newPost(shop))).body.post.id

const webhookId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/webhooks', { url: newAddress(), events: ['conversation.closed'] })).body.webhook.id

const deliveryId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post(`/webhooks/${await webhookId(shop)}/test`)).body.delivery.id

/**
 * Creates a sandbox that passes every gate: it has everything that endpoints need in addition to the plan.
 */
export const equippedSandbox = (parley: TestParley): Promise<TestWorkspace> =>
  parley.workspace({ sandbox: true })

/** A customer who has just messaged. */
const payingCustomer = async (shop: TestWorkspace): Promise<string> => (await customer(shop)).phone

const newPayment = (to: string) => ({
  to,
  referenceId: unique('ORD-'),
  items: [{ name: 'Kurta', quantity: 2, unitPaise: 22_000 }],
})

const paymentRequestId = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/payment-requests', newPayment(await payingCustomer(shop)))).body.paymentRequest.id

const invoiceId = async (shop: TestWorkspace, more: object = {}): Promise<string> =>
  (await madeInvoice(shop, { issue: true, ...more })).id

const quotationId = async (shop: TestWorkspace, more: object = {}): Promise<string> =>
  (await madeQuotation(shop, { issue: true, ...more })).id

const AUTOMATION = {
  name: 'Missed call',
  trigger: { event: 'call.missed' },
  actions: [
    { type: 'send_text', text: 'Sorry we missed you.' },
    { type: 'add_note', text: 'Called' },
  ],
}
const automationId = async (shop: TestWorkspace): Promise<string> =>
  (await automate(shop, { ...AUTOMATION, enabled: false })).id

type Arrange = (shop: TestWorkspace) => Prepared | Promise<Prepared>

export const ROWS: Record<string, Arrange> = {
  'GET /openapi.json': () => ({ path: '/openapi.json' }),
  'GET /me': () => ({ path: '/me' }),
  'GET /phone-numbers': () => ({ path: '/phone-numbers' }),
  'POST /phone-numbers/:id/history-sync': (shop) => ({
    path: `/phone-numbers/${shop.phoneNumberId}/history-sync`,
    body: {},
  }),
  'GET /team': () => ({ path: '/team' }),
  'POST /send': async (shop) => ({
    path: '/send',
    body: { to: (await customer(shop)).phone, type: 'text', text: 'Your order is on its way.' },
  }),
  'POST /send/preview': async (shop) => ({
    path: '/send/preview',
    body: { to: (await customer(shop)).phone, type: 'text', text: 'Your order is on its way.' },
  }),
  'POST /media': () => ({ path: '/media', body: menu }),
  'GET /messages': async (shop) => {
    await messageId(shop)
    return { path: '/messages' }
  },
  'GET /messages/:id': async (shop) => ({ path: `/messages/${await messageId(shop)}` }),
  'GET /messages/:id/trace': async (shop) => ({ path: `/messages/${await messageId(shop)}/trace` }),
  'GET /messages/:id/media': async (shop) => ({ path: `/messages/${await fileMessageId(shop)}/media` }),
  'GET /conversations': async (shop) => {
    await customer(shop)
    return { path: '/conversations' }
  },
  'GET /conversations/counts': async (shop) => {
    await customer(shop)
    return { path: '/conversations/counts' }
  },
  'GET /conversations/:id': async (shop) => ({ path: `/conversations/${await conversationId(shop)}` }),
  'PATCH /conversations/:id': async (shop) => ({
    path: `/conversations/${await conversationId(shop)}`,
    body: { state: 'resolved', priority: 'high' },
  }),
  'GET /conversations/:id/notes': async (shop) => {
    const path = `/conversations/${await conversationId(shop)}/notes`
    await shop.post(path, { body: 'Likes blue.' })
    return { path }
  },
  'GET /conversations/:id/changes': async (shop) => {
    const id = await conversationId(shop)
    await shop.patch(`/conversations/${id}`, { priority: 'urgent', state: 'resolved' })
    return { path: `/conversations/${id}/changes` }
  },
  'POST /conversations/:id/draft': async (shop) => ({
    path: `/conversations/${await conversationId(shop)}/draft`,
    body: { instruction: 'shorter' },
  }),
  'POST /conversations/:id/summary': async (shop) => ({
    path: `/conversations/${await conversationId(shop)}/summary`,
    body: { language: 'en' },
  }),
  'POST /conversations/:id/notes': async (shop) => ({
    path: `/conversations/${await conversationId(shop)}/notes`,
    body: { body: 'Likes blue.' },
  }),
  'POST /conversations': () => ({ path: '/conversations', body: { phone: newPhone() } }),
  'POST /conversations/:id/read': async (shop) => ({
    path: `/conversations/${await conversationId(shop)}/read`,
    body: { typing: true },
  }),
  'POST /conversations/take-next': async (shop) => {
    await customer(shop)
    return { path: '/conversations/take-next' }
  },
  'POST /conversations/:id/snooze': async (shop) => ({
    path: `/conversations/${await conversationId(shop)}/snooze`,
    body: { untilReply: true },
  }),
  'DELETE /conversations/:id/snooze': async (shop) => {
    const id = await conversationId(shop)
    await shop.post(`/conversations/${id}/snooze`, { untilReply: true })
    return { path: `/conversations/${id}/snooze` }
  },
  'POST /conversations/:id/unread': async (shop) => ({
    path: `/conversations/${await conversationId(shop)}/unread`,
  }),
  'GET /templates': async (shop) => {
    await templateId(shop)
    return { path: '/templates' }
  },
  'POST /templates': () => ({ path: '/templates', body: newTemplate() }),
  'GET /templates/:id': async (shop) => ({ path: `/templates/${await templateId(shop)}` }),
  'DELETE /templates/:id': async (shop) => ({ path: `/templates/${await templateId(shop)}` }),
  'POST /templates/lint': () => ({ path: '/templates/lint', body: newTemplate() }),
  'POST /templates/sync': async (shop) => {
    await templateId(shop)
    return { path: '/templates/sync', body: {} }
  },
  'POST /broadcasts/preview': async (shop) => ({
    path: '/broadcasts/preview',
    body: await newBroadcast(shop),
  }),
  'POST /segments/count': async (shop) => {
    await contactId(shop)
    return { path: '/segments/count', body: { segment: {} } }
  },
  'POST /broadcasts': async (shop) => ({ path: '/broadcasts', body: await newBroadcast(shop) }),
  'GET /broadcasts': async (shop) => {
    await broadcastId(shop)
    return { path: '/broadcasts' }
  },
  'GET /broadcasts/:id': async (shop) => ({ path: `/broadcasts/${await broadcastId(shop)}` }),
  'PATCH /broadcasts/:id': async (shop) => {
    // Few campaigns can be created in an hour.
    const [draft] = (await shop.get('/broadcasts?status=draft')).body.broadcasts
    return {
      path: `/broadcasts/${draft?.id ?? (await broadcastId(shop))}`,
      body: { scheduledAt: new Date(Date.now() + DAY_MS).toISOString() },
    }
  },
  'POST /broadcasts/:id/choose': async (shop) => {
    const { templateId: id, ...input } = await newBroadcast(shop)
    const variants = [{ templateId: id }, { templateId: id }]
    const test = { samplePercent: 1, decideBy: 'manual' }
    const created = await shop.post('/broadcasts', { ...input, variants, test, sendNow: true })
    await shop.advance(5)
    return { path: `/broadcasts/${created.body.id}/choose`, body: { variant: 'B' } }
  },
  'DELETE /broadcasts/:id': async (shop) => ({ path: `/broadcasts/${await broadcastId(shop)}` }),
  'POST /broadcasts/:id/start': async (shop) => ({
    path: `/broadcasts/${await broadcastId(shop)}/start`,
    body: { confirmNewRecipients: true },
  }),
  'POST /broadcasts/:id/pause': async (shop) => {
    const path = `/broadcasts/${await broadcastId(shop, { sendNow: true })}/pause`
    return { path }
  },
  'POST /broadcasts/:id/resume': async (shop) => {
    const path = `/broadcasts/${await broadcastId(shop, { sendNow: true })}`
    await shop.post(`${path}/pause`)
    return { path: `${path}/resume` }
  },
  'GET /broadcasts/:id/recipients': async (shop) => ({
    path: `/broadcasts/${await sentBroadcastId(shop)}/recipients`,
  }),
  'GET /broadcasts/:id/results': async (shop) => ({
    path: `/broadcasts/${await sentBroadcastId(shop)}/results`,
  }),
  'GET /search': async (shop) => {
    await contactId(shop)
    return { path: '/search?q=asha' }
  },
  'GET /contacts': async (shop) => {
    await contactId(shop)
    return { path: '/contacts' }
  },
  'POST /contacts': () => ({ path: '/contacts', body: { phone: newPhone(), displayName: 'Asha Rao' } }),
  'GET /contacts/:id': async (shop) => ({ path: `/contacts/${await contactId(shop)}` }),
  'GET /contacts/:id/overview': async (shop) => ({ path: `/contacts/${await contactId(shop)}/overview` }),
  'PATCH /contacts/:id': async (shop) => ({
    path: `/contacts/${await contactId(shop)}`,
    body: { tags: ['vip'] },
  }),
  'DELETE /contacts/:id': async (shop) => ({ path: `/contacts/${await contactId(shop)}` }),
  'POST /contacts/bulk': () => ({
    path: '/contacts/bulk',
    body: { contacts: [{ phone: newPhone(), displayName: 'Asha Rao' }, { phone: newPhone() }] },
  }),
  'POST /contacts/bulk-tags': async (shop) => ({
    path: '/contacts/bulk-tags',
    body: { contactIds: [await contactId(shop)], addTags: ['vip'] },
  }),
  'POST /contacts/:id/merge': async (shop) => ({
    path: `/contacts/${await contactId(shop)}/merge`,
    body: { from: await contactId(shop) },
  }),
  'POST /contacts/:id/block': async (shop) => ({ path: `/contacts/${await contactId(shop)}/block` }),
  'POST /contacts/:id/unblock': async (shop) => {
    const path = `/contacts/${await contactId(shop)}`
    await shop.post(`${path}/block`)
    return { path: `${path}/unblock` }
  },
  'GET /tags': async (shop) => {
    await tagId(shop)
    return { path: '/tags' }
  },
  'POST /tags': () => ({ path: '/tags', body: { name: unique('vip '), color: '#1f9d55' } }),
  'PATCH /tags/:id': async (shop) => ({
    path: `/tags/${await tagId(shop)}`,
    body: { name: unique('gold ') },
  }),
  'DELETE /tags/:id': async (shop) => ({ path: `/tags/${await tagId(shop)}` }),
  'GET /contact-fields': async (shop) => {
    await contactFieldId(shop)
    return { path: '/contact-fields' }
  },
  'POST /contact-fields': () => ({
    path: '/contact-fields',
    body: { key: unique('size '), type: 'select', options: ['S', 'M'] },
  }),
  'PATCH /contact-fields/:id': async (shop) => ({
    path: `/contact-fields/${await contactFieldId(shop)}`,
    body: { label: 'Shirt size' },
  }),
  'DELETE /contact-fields/:id': async (shop) => ({ path: `/contact-fields/${await contactFieldId(shop)}` }),
  'GET /analytics': () => ({ path: '/analytics?days=7' }),
  'GET /reports/volume': () => ({ path: '/reports/volume?from=2026-11-01&to=2026-11-02' }),
  'GET /reports/response-times': () => ({ path: '/reports/response-times?from=2026-11-01&to=2026-11-02' }),
  'GET /reports/resolution-times': () => ({
    path: '/reports/resolution-times?from=2026-11-01&to=2026-11-02',
  }),
  'GET /reports/satisfaction': () => ({ path: '/reports/satisfaction?from=2026-11-01&to=2026-11-02' }),
  'GET /reports/sales': () => ({ path: '/reports/sales?from=2026-11-01&to=2026-11-02' }),
  'GET /reports/campaigns': () => ({ path: '/reports/campaigns?from=2026-11-01&to=2026-11-02' }),
  'GET /flows': () => ({ path: '/flows' }),
  'POST /flows': () => ({ path: '/flows', body: newFlow() }),
  'GET /flows/:id': async (shop) => ({ path: `/flows/${await flowId(shop)}` }),
  'GET /flows/:id/answers': async (shop) => ({ path: `/flows/${await flowId(shop)}/answers` }),
  'GET /flows/:id/answers/summary': async (shop) => ({
    path: `/flows/${await flowId(shop)}/answers/summary`,
  }),
  'PATCH /flows/:id': async (shop) => ({
    path: `/flows/${await draftFlowId(shop)}`,
    body: { name: unique('Visits ') },
  }),
  'DELETE /flows/:id': async (shop) => ({ path: `/flows/${await draftFlowId(shop)}` }),
  'POST /flows/:id/publish': async (shop) => ({ path: `/flows/${await draftFlowId(shop)}/publish` }),
  'POST /flows/:id/deprecate': async (shop) => {
    const id = await draftFlowId(shop)
    await shop.post(`/flows/${id}/publish`, {})
    return { path: `/flows/${id}/deprecate` }
  },
  'POST /flows/:id/send': async (shop) => ({
    path: `/flows/${await flowId(shop)}/send`,
    body: { to: (await customer(shop)).phone, body: 'Tell us when it suits you.', cta: 'Book a visit' },
  }),
  'GET /activity': async (shop) => {
    await shop.delete(`/contacts/${await contactId(shop)}`)
    return { path: '/activity' }
  },
  'GET /segments': async (shop) => {
    await segmentId(shop)
    return { path: '/segments' }
  },
  'POST /segments': () => ({
    path: '/segments',
    body: { name: unique('Regulars in Pune '), segment: { tags: ['vip'] } },
  }),
  'GET /segments/:id': async (shop) => ({ path: `/segments/${await segmentId(shop)}` }),
  'PATCH /segments/:id': async (shop) => ({
    path: `/segments/${await segmentId(shop)}`,
    body: { name: unique('Regulars ') },
  }),
  'DELETE /segments/:id': async (shop) => ({ path: `/segments/${await segmentId(shop)}` }),
  'GET /quick-replies': async (shop) => {
    await quickReplyId(shop)
    return { path: '/quick-replies' }
  },
  'POST /quick-replies': () => ({
    path: '/quick-replies',
    body: { shortcut: unique('hours-'), text: 'We open at ten.' },
  }),
  'PATCH /quick-replies/:id': async (shop) => ({
    path: `/quick-replies/${await quickReplyId(shop)}`,
    body: { text: 'We open at nine.' },
  }),
  'DELETE /quick-replies/:id': async (shop) => ({ path: `/quick-replies/${await quickReplyId(shop)}` }),
  'GET /macros': async (shop) => {
    await macroId(shop)
    return { path: '/macros' }
  },
  'POST /macros': () => ({
    path: '/macros',
    body: { name: unique('Refund done '), actions: { addTags: ['refund'], assignee: 'me', resolve: true } },
  }),
  'PATCH /macros/:id': async (shop) => ({
    path: `/macros/${await macroId(shop)}`,
    body: { name: unique('Refund paid ') },
  }),
  'DELETE /macros/:id': async (shop) => ({ path: `/macros/${await macroId(shop)}` }),
  'POST /conversations/:id/run-macro': async (shop) => ({
    path: `/conversations/${await conversationId(shop)}/run-macro`,
    body: { macroId: await macroId(shop) },
  }),
  'GET /teams': async (shop) => {
    await teamId(shop)
    return { path: '/teams' }
  },
  'POST /teams': () => ({
    path: '/teams',
    body: { name: unique('Support '), assignment: 'round_robin', capacity: 10 },
  }),
  'GET /teams/:id': async (shop) => ({ path: `/teams/${await teamId(shop)}` }),
  'PATCH /teams/:id': async (shop) => ({
    path: `/teams/${await teamId(shop)}`,
    body: { name: unique('Sales ') },
  }),
  'DELETE /teams/:id': async (shop) => ({ path: `/teams/${await teamId(shop)}` }),
  'GET /teams/availability': () => ({ path: '/teams/availability' }),
  'POST /teams/availability': async (shop) => {
    await shop.post('/teams/availability', { available: true })
    return { path: '/teams/availability', body: { available: false } }
  },
  'GET /leads': async (shop) => {
    await leadId(shop)
    return { path: '/leads' }
  },
  'GET /leads/summary': async (shop) => {
    await leadId(shop)
    return { path: '/leads/summary' }
  },
  'POST /leads': () => ({ path: '/leads', body: { phone: newPhone(), name: 'Asha Rao', source: 'website' } }),
  'GET /leads/:id': async (shop) => ({ path: `/leads/${await leadId(shop)}` }),
  'PATCH /leads/:id': async (shop) => ({
    path: `/leads/${await leadId(shop)}`,
    body: { stage: 'Contacted', rating: 3 },
  }),
  'POST /leads/:id/notes': async (shop) => ({
    path: `/leads/${await leadId(shop)}/notes`,
    body: { body: 'Prefers calls after six.' },
  }),
  'GET /leads/:id/timeline': async (shop) => ({ path: `/leads/${await leadId(shop)}/timeline` }),
  'GET /lead-submissions': async (shop) => {
    await submissionId(shop)
    return { path: '/lead-submissions' }
  },
  'GET /lead-submissions/:id': async (shop) => ({ path: `/lead-submissions/${await submissionId(shop)}` }),
  'PATCH /lead-submissions/:id': async (shop) => ({
    path: `/lead-submissions/${await submissionId(shop)}`,
    body: { state: 'dismissed' },
  }),
  'POST /lead-submissions/:id/lead': async (shop) => ({
    path: `/lead-submissions/${await submissionId(shop)}/lead`,
    body: { phone: newPhone() },
  }),
  'GET /tasks': async (shop) => {
    await taskId(shop)
    return { path: '/tasks' }
  },
  'POST /tasks': async (shop) => ({
    path: '/tasks',
    body: { leadId: await leadId(shop), title: 'Call', dueAt: '2030-06-02T10:00:00Z' },
  }),
  'PATCH /tasks/:id': async (shop) => ({
    path: `/tasks/${await taskId(shop)}`,
    body: { status: 'done', outcome: 'Will pay on Friday' },
  }),
  'GET /pipeline': () => ({ path: '/pipeline' }),
  'POST /pipeline/stages': () => ({ path: '/pipeline/stages', body: { name: unique('Sample sent ') } }),
  'PATCH /pipeline/stages/:id': async (shop) => ({
    path: `/pipeline/stages/${await stageId(shop)}`,
    body: { color: '#0ea5e9' },
  }),
  'DELETE /pipeline/stages/:id': async (shop) => ({
    path: `/pipeline/stages/${await stageId(shop)}?moveTo=New`,
  }),
  'POST /pipeline/lost-reasons': () => ({
    path: '/pipeline/lost-reasons',
    body: { label: unique('Too expensive ') },
  }),
  'PATCH /pipeline/lost-reasons/:id': async (shop) => ({
    path: `/pipeline/lost-reasons/${await lostReasonId(shop)}`,
    body: { position: 0 },
  }),
  'DELETE /pipeline/lost-reasons/:id': async (shop) => ({
    path: `/pipeline/lost-reasons/${await lostReasonId(shop)}`,
  }),
  'GET /pipeline/assignment': () => ({ path: '/pipeline/assignment' }),
  'PATCH /pipeline/assignment': () => ({ path: '/pipeline/assignment', body: { mode: 'none' } }),
  'GET /views': async (shop) => {
    await viewId(shop)
    return { path: '/views' }
  },
  'POST /views': () => ({ path: '/views', body: { name: unique('Hot leads ') } }),
  'PATCH /views/:id': async (shop) => ({
    path: `/views/${await viewId(shop)}`,
    body: { name: unique('Open leads ') },
  }),
  'DELETE /views/:id': async (shop) => ({ path: `/views/${await viewId(shop)}` }),
  'GET /webhooks': async (shop) => {
    await webhookId(shop)
    return { path: '/webhooks' }
  },
  'POST /webhooks': () => ({
    path: '/webhooks',
    body: { url: newAddress(), events: ['conversation.closed'] },
  }),
  'GET /webhooks/events': () => ({ path: '/webhooks/events' }),
  'GET /webhooks/samples/:event': () => ({ path: '/webhooks/samples/contact.created' }),
  'PATCH /webhooks/:id': async (shop) => ({
    path: `/webhooks/${await webhookId(shop)}`,
    body: { active: false },
  }),
  'POST /webhooks/:id/rotate': async (shop) => ({ path: `/webhooks/${await webhookId(shop)}/rotate` }),
  'DELETE /webhooks/:id': async (shop) => ({ path: `/webhooks/${await webhookId(shop)}` }),
  'GET /webhooks/:id/deliveries': async (shop) => {
    const id = await webhookId(shop)
    await shop.post(`/webhooks/${id}/test`)
    return { path: `/webhooks/${id}/deliveries` }
  },
  'POST /webhooks/:id/test': async (shop) => ({ path: `/webhooks/${await webhookId(shop)}/test` }),
  'POST /webhooks/deliveries/:id/redeliver': async (shop) => ({
    path: `/webhooks/deliveries/${await deliveryId(shop)}/redeliver`,
  }),
  'GET /webhooks/deliveries/:id/signature': async (shop) => ({
    path: `/webhooks/deliveries/${await deliveryId(shop)}/signature`,
  }),
  'POST /webhooks/:id/replay': async (shop) => ({
    path: `/webhooks/${await webhookId(shop)}/replay`,
    body: { from: '2026-01-01T00:00:00Z' },
  }),
  'POST /sandbox/events': () => ({ path: '/sandbox/events', body: { event: 'conversation.closed' } }),
  'GET /events': async (shop) => {
    await contactId(shop)
    return { path: '/events' }
  },
  'GET /social/conversations': async (shop) => {
    await socialChatId(shop)
    return { path: '/social/conversations' }
  },
  'GET /social/conversations/:id/messages': async (shop) => ({
    path: `/social/conversations/${await socialChatId(shop)}/messages`,
  }),
  'PATCH /social/conversations/:id': async (shop) => ({
    path: `/social/conversations/${await socialChatId(shop)}`,
    body: { leadId: await leadId(shop) },
  }),
  'POST /social/send': async (shop) => ({
    path: '/social/send',
    body: { conversationId: await socialChatId(shop), text: 'It is, in blue and in red.' },
  }),
  'GET /social/comments': async (shop) => {
    await socialCommentId(shop)
    return { path: '/social/comments' }
  },
  'POST /social/comments/:id/reply': async (shop) => ({
    path: `/social/comments/${await socialCommentId(shop)}/reply`,
    body: { text: 'We have sent you the details.' },
  }),
  'POST /social/comments/:id/private-reply': async (shop) => ({
    path: `/social/comments/${await newSocialCommentId(shop)}/private-reply`,
    body: { text: 'It is 450 with delivery.' },
  }),
  'POST /social/comments/:id/hide': async (shop) => ({
    path: `/social/comments/${await socialCommentId(shop)}/hide`,
    body: { hidden: true },
  }),
  'POST /social/media': () => ({ path: '/social/media', body: { url: host.serve(jpegOf()), for: 'image' } }),
  'POST /social/media/upload': () => ({
    path: '/social/media/upload',
    body: { fileBase64: jpegOf().toString('base64') },
  }),
  'GET /social/posts': async (shop) => {
    await postId(shop)
    return { path: '/social/posts' }
  },
  'POST /social/posts': async (shop) => ({ path: '/social/posts', body: await newPost(shop) }),
  'GET /social/posts/recent': () => ({ path: '/social/posts/recent' }),
  'GET /social/posts/:id': async (shop) => ({ path: `/social/posts/${await postId(shop)}` }),
  'PATCH /social/posts/:id': async (shop) => {
    const { now } = (await shop.get('/sandbox/clock')).body
    const scheduledAt = new Date(Date.parse(now) + 2 * DAY_MS).toISOString()
    return { path: `/social/posts/${await postId(shop)}`, body: { scheduledAt } }
  },
  'DELETE /social/posts/:id': async (shop) => {
    const { post } = (await shop.post('/social/posts', { kind: 'image', caption: 'An idea' })).body
    return { path: `/social/posts/${post.id}` }
  },
  'POST /social/posts/:id/cancel': async (shop) => ({ path: `/social/posts/${await postId(shop)}/cancel` }),
  'GET /social/insights': () => ({ path: '/social/insights?days=28' }),
  'POST /sandbox/inbound': () => ({ path: '/sandbox/inbound', body: { from: newPhone(), text: 'Hello' } }),
  'POST /payment-requests': async (shop) => ({
    path: '/payment-requests',
    body: newPayment(await payingCustomer(shop)),
  }),
  'GET /payment-requests': async (shop) => {
    await paymentRequestId(shop)
    return { path: '/payment-requests' }
  },
  'GET /payment-requests/:id': async (shop) => ({
    path: `/payment-requests/${await paymentRequestId(shop)}`,
  }),
  'POST /payment-requests/:id/cancel': async (shop) => ({
    path: `/payment-requests/${await paymentRequestId(shop)}/cancel`,
  }),
  'GET /invoices': async (shop) => {
    await invoiceId(shop)
    return { path: '/invoices' }
  },
  'GET /invoices/:id': async (shop) => ({ path: `/invoices/${await invoiceId(shop)}` }),
  'GET /automations': async (shop) => {
    await automationId(shop)
    return { path: '/automations' }
  },
  'POST /automations': () => ({ path: '/automations', body: AUTOMATION }),
  'POST /automations/test': () => ({ path: '/automations/test', body: { automation: AUTOMATION } }),
  'GET /automations/:id': async (shop) => ({ path: `/automations/${await automationId(shop)}` }),
  'PATCH /automations/:id': async (shop) => ({
    path: `/automations/${await automationId(shop)}`,
    body: { enabled: false },
  }),
  'DELETE /automations/:id': async (shop) => ({ path: `/automations/${await automationId(shop)}` }),
  'GET /automations/:id/results': async (shop) => ({
    path: `/automations/${await automationId(shop)}/results`,
  }),
  'GET /automations/:id/runs': async (shop) => {
    const { id } = await automate(shop, { trigger: { event: 'lead.created' } })
    await newLead(shop, { phone: newPhone() })
    await shop.advance(1)
    await shop.patch(`/automations/${id}`, { enabled: false })
    return { path: `/automations/${id}/runs` }
  },
  'GET /business-hours': () => ({ path: '/business-hours' }),
  'PUT /business-hours': () => ({
    path: '/business-hours',
    body: { timeZone: 'Asia/Kolkata', weekly: [{ day: 1, from: '10:00', to: '18:00' }] },
  }),
  'GET /auto-replies': async (shop) => {
    await autoReplyId(shop)
    return { path: '/auto-replies' }
  },
  'POST /auto-replies': () => ({ path: '/auto-replies', body: newAutoReply() }),
  'GET /auto-replies/counts': async (shop) => {
    await autoReplyId(shop)
    return { path: '/auto-replies/counts' }
  },
  'POST /auto-replies/preview': async (shop) => {
    await autoReplyId(shop)
    return { path: '/auto-replies/preview', body: { text: 'What is the price?', customerName: 'Asha Rao' } }
  },
  'POST /auto-replies/test': () => ({
    path: '/auto-replies/test',
    body: { match: 'regex', keywords: ['order #?\\d{4,8}'], text: 'Where is order #4711?' },
  }),
  'GET /auto-replies/:id': async (shop) => ({ path: `/auto-replies/${await autoReplyId(shop)}` }),
  'PATCH /auto-replies/:id': async (shop) => ({
    path: `/auto-replies/${await autoReplyId(shop)}`,
    body: { enabled: false },
  }),
  'DELETE /auto-replies/:id': async (shop) => ({ path: `/auto-replies/${await autoReplyId(shop)}` }),
  'GET /bots': async (shop) => {
    await botId(shop)
    return { path: '/bots' }
  },
  'POST /bots': () => ({ path: '/bots', body: newBot() }),
  'GET /bots/:id': async (shop) => ({ path: `/bots/${await botId(shop)}` }),
  'PATCH /bots/:id': async (shop) => ({ path: `/bots/${await botId(shop)}`, body: { name: 'Main menu' } }),
  'DELETE /bots/:id': async (shop) => ({ path: `/bots/${await botId(shop)}` }),
  'POST /bots/:id/test': async (shop) => ({
    path: `/bots/${await botId(shop)}/test`,
    body: { turns: [{ text: 'menu' }, { option: 'person' }] },
  }),
  'GET /bots/:id/results': async (shop) => ({ path: `/bots/${await botId(shop)}/results` }),
  'GET /bots/:id/requests': async (shop) => ({ path: `/bots/${await botId(shop)}/requests` }),
  'POST /bots/:id/test-request': async (shop) => ({
    path: `/bots/${await botId(shop)}/test-request`,
    body: {
      node: {
        id: 'order',
        type: 'request',
        url: `${newAddress()}/{{answers.order}}`,
        save: [{ path: 'order.status', saveTo: 'answers.status' }],
      },
      answers: { order: '4711' },
    },
  }),
  'GET /sales-settings': () => ({ path: '/sales-settings' }),
  'PUT /sales-settings': () => ({ path: '/sales-settings', body: { seller: SELLER, taxScheme: 'regular' } }),
  'GET /review-settings': () => ({ path: '/review-settings' }),
  'PUT /review-settings': () => ({ path: '/review-settings', body: { alertAt: 2, everyDays: 7 } }),
  'POST /review-requests': async (shop) => {
    const { id } = await paidInvoice(shop)
    return { path: '/review-requests', body: { about: 'invoice', subjectId: id, via: 'link' } }
  },
  'POST /review-requests/:id/link': async (shop) => {
    const { invoice } = await buyer(shop)
    return { path: `/review-requests/${(await requested(shop, invoice.id)).id}/link` }
  },
  'GET /review-requests': async (shop) => {
    await createAnsweredReview(shop)
    return { path: '/review-requests' }
  },
  'GET /reviews': async (shop) => {
    await createAnsweredReview(shop)
    return { path: '/reviews' }
  },
  'GET /reviews/summary': async (shop) => {
    await createAnsweredReview(shop)
    return { path: '/reviews/summary?by=month' }
  },
  'GET /reviews/:id': async (shop) => ({ path: `/reviews/${(await createAnsweredReview(shop)).id}` }),
  'GET /rating-settings': () => ({ path: '/rating-settings' }),
  'PUT /rating-settings': () => ({ path: '/rating-settings', body: { enabled: true, delayMinutes: 5 } }),
  'GET /ratings': () => ({ path: '/ratings?days=7' }),
  'GET /billing': () => ({ path: '/billing' }),
  'GET /wallet': () => ({ path: '/wallet' }),
  'GET /costs': () => ({ path: '/costs' }),
  'GET /rates': () => ({ path: '/rates' }),
  'GET /sales-invoices': async (shop) => {
    await invoiceId(shop)
    return { path: '/sales-invoices' }
  },
  'POST /sales-invoices': async (shop) => {
    await sellsAs(shop)
    return { path: '/sales-invoices', body: { lines: newLines(), issue: true } }
  },
  'POST /sales-invoices/preview': () => ({ path: '/sales-invoices/preview', body: { lines: newLines() } }),
  'GET /sales-invoices/:id': async (shop) => ({ path: `/sales-invoices/${await invoiceId(shop)}` }),
  'PATCH /sales-invoices/:id': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop, { issue: false })}`,
    body: { notes: 'Wrapped.' },
  }),
  'DELETE /sales-invoices/:id': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop, { issue: false })}`,
  }),
  'POST /sales-invoices/:id/issue': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop, { issue: false })}/issue`,
  }),
  'POST /sales-invoices/:id/revise': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop)}/revise`,
    body: { notes: 'Wrapped.' },
  }),
  'POST /sales-invoices/:id/payments': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop)}/payments`,
    body: { amountMinor: 100, method: 'cash' },
  }),
  'POST /sales-invoices/:id/payments/:paymentId/void': async (shop) => {
    const path = `/sales-invoices/${await invoiceId(shop)}/payments`
    const { payment } = (await shop.post(path, { amountMinor: 100, method: 'cash' })).body
    return { path: `${path}/${payment.id}/void`, body: { reason: 'It was for another.' } }
  },
  'POST /sales-invoices/:id/cancel': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop)}/cancel`,
    body: { reason: 'Issued twice.' },
  }),
  'POST /sales-invoices/:id/convert': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop, { kind: 'proforma' })}/convert`,
  }),
  'GET /sales-invoices/:id/payments/:paymentId': async (shop) => {
    const path = `/sales-invoices/${await invoiceId(shop)}/payments`
    const { payment } = (await shop.post(path, { amountMinor: 100, method: 'cash' })).body
    return { path: `${path}/${payment.id}` }
  },
  'GET /sales-invoices/:id/credit-notes': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop)}/credit-notes`,
  }),
  'POST /sales-invoices/:id/credit-notes': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop)}/credit-notes`,
    body: { amountMinor: 100, reason: 'It came back.' },
  }),
  'GET /sales-invoices/:id/credit-notes/:noteId': async (shop) => {
    const path = `/sales-invoices/${await invoiceId(shop)}/credit-notes`
    const { creditNote } = (await shop.post(path, { amountMinor: 100, reason: 'It came back.' })).body
    return { path: `${path}/${creditNote.id}` }
  },
  'POST /sales-invoices/:id/link': async (shop) => ({
    path: `/sales-invoices/${await invoiceId(shop)}/link`,
  }),
  'POST /sales-invoices/:id/send': async (shop) => {
    const id = await invoiceId(shop)
    await shop.inbound('+919812345670', 'May I have the bill?')
    return { path: `/sales-invoices/${id}/send`, body: { via: 'chat', to: '+919812345670' } }
  },
  'GET /quotations': async (shop) => {
    await quotationId(shop)
    return { path: '/quotations' }
  },
  'POST /quotations': async (shop) => {
    await sellsAs(shop)
    return { path: '/quotations', body: { lines: newLines(), issue: true } }
  },
  'GET /quotations/:id': async (shop) => ({ path: `/quotations/${await quotationId(shop)}` }),
  'PATCH /quotations/:id': async (shop) => ({
    path: `/quotations/${await quotationId(shop, { issue: false })}`,
    body: { notes: 'Wrapped.' },
  }),
  'DELETE /quotations/:id': async (shop) => ({
    path: `/quotations/${await quotationId(shop, { issue: false })}`,
  }),
  'POST /quotations/:id/issue': async (shop) => ({
    path: `/quotations/${await quotationId(shop, { issue: false })}/issue`,
  }),
  'POST /quotations/:id/accept': async (shop) => ({
    path: `/quotations/${await quotationId(shop)}/accept`,
    body: { version: 1 },
  }),
  'POST /quotations/:id/decline': async (shop) => ({
    path: `/quotations/${await quotationId(shop)}/decline`,
    body: { reason: 'Too late for us.' },
  }),
  'POST /quotations/:id/revise': async (shop) => ({
    path: `/quotations/${await quotationId(shop)}/revise`,
    body: { notes: 'Wrapped.' },
  }),
  'POST /quotations/:id/cancel': async (shop) => ({
    path: `/quotations/${await quotationId(shop)}/cancel`,
    body: { reason: 'The prices have changed.' },
  }),
  'POST /quotations/:id/convert': async (shop) => ({
    path: `/quotations/${await quotationId(shop)}/convert`,
    body: { kind: 'invoice', issue: true },
  }),
  'POST /quotations/:id/link': async (shop) => ({ path: `/quotations/${await quotationId(shop)}/link` }),
  'POST /quotations/:id/send': async (shop) => ({
    path: `/quotations/${await quotationId(shop)}/send`,
    body: { via: 'link' },
  }),
  'GET /booking-services': async (shop) => {
    await madeService(shop)
    return { path: '/booking-services' }
  },
  'POST /booking-services': () => ({
    path: '/booking-services',
    body: { name: 'Haircut', durationMinutes: 45 },
  }),
  'PATCH /booking-services/:id': async (shop) => ({
    path: `/booking-services/${(await madeService(shop)).id}`,
    body: { priceMinor: 60_000 },
  }),
  'DELETE /booking-services/:id': async (shop) => ({
    path: `/booking-services/${(await madeService(shop)).id}`,
  }),
  'GET /booking-staff': async (shop) => {
    await madeStaff(shop)
    return { path: '/booking-staff' }
  },
  'POST /booking-staff': () => ({ path: '/booking-staff', body: { name: 'Meera' } }),
  'PATCH /booking-staff/:id': async (shop) => ({
    path: `/booking-staff/${(await madeStaff(shop)).id}`,
    body: { active: false },
  }),
  'DELETE /booking-staff/:id': async (shop) => ({ path: `/booking-staff/${(await madeStaff(shop)).id}` }),
  'GET /booking-settings': () => ({ path: '/booking-settings' }),
  'PUT /booking-settings': () => ({ path: '/booking-settings', body: { holdMinutes: 20 } }),
  'POST /booking-settings/link': () => ({ path: '/booking-settings/link' }),
  'POST /bookings/:id/invoice': async (shop) => {
    const { id } = await madeService(shop, { priceMinor: 60_000 })
    return { path: `/bookings/${(await madeBooking(shop, { serviceId: id })).id}/invoice` }
  },
  'POST /bookings/:id/link': async (shop) => ({ path: `/bookings/${(await madeBooking(shop)).id}/link` }),
  'GET /bookings/slots': async (shop) => {
    const { id } = await madeService(shop)
    return { path: `/bookings/slots?serviceId=${id}&from=${startIn(30)}&to=${startIn(30, 4)}` }
  },
  'GET /bookings': async (shop) => {
    await madeBooking(shop)
    return { path: '/bookings' }
  },
  'POST /bookings': async (shop) => ({
    path: '/bookings',
    body: { serviceId: (await madeService(shop)).id, startAt: startIn(30), ...newCustomer() },
  }),
  'GET /bookings/:id': async (shop) => ({ path: `/bookings/${(await madeBooking(shop)).id}` }),
  'PATCH /bookings/:id': async (shop) => ({
    path: `/bookings/${(await madeBooking(shop)).id}`,
    body: { startAt: startIn(31) },
  }),
  'GET /integrations': () => ({ path: '/integrations' }),
  'GET /integrations/:name': () => ({ path: '/integrations/simulator' }),
  'PUT /integrations/:name': () => ({
    path: '/integrations/simulator',
    body: { settings: { createLeads: true, cod: { enabled: true } } },
  }),
  'DELETE /integrations/:name': async (shop) => {
    await shop.call('PUT', '/integrations/simulator', { settings: { country: 'IN' } })
    return { path: '/integrations/simulator' }
  },
  'POST /integrations/:name/test': () => ({ path: '/integrations/simulator/test' }),
  'GET /integrations/:name/deliveries': async (shop) => {
    await shop.post('/sandbox/simulate', newSimulatedOrder())
    await shop.advance(1)
    return { path: '/integrations/simulator/deliveries' }
  },
  'GET /orders': async (shop) => {
    await shop.post('/sandbox/simulate', newSimulatedOrder())
    await shop.advance(1)
    return { path: '/orders' }
  },
  'POST /sandbox/simulate': () => ({ path: '/sandbox/simulate', body: newSimulatedOrder() }),
  'GET /sandbox/clock': () => ({ path: '/sandbox/clock' }),
  'POST /sandbox/clock': () => ({ path: '/sandbox/clock', body: { advanceSeconds: 60 } }),
}

/** Returns a valid request for the endpoint `value` in `shop` (a sandbox), about its own new record. */
export async function arrange(value: Endpoint, shop: TestWorkspace): Promise<Prepared> {
  const row = ROWS[nameOf(value)]
  if (!row) throw new Error(`test/contract/arrange.ts has no row for ${nameOf(value)}`)
  return row(shop)
}
