/**
 * Every webhook that the operator documents, and its effect. Each is reported to a new shop, signed, through
 * the callback; `before` lists the earlier reports to the shop.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../support/operator-webhooks.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/operator')
const read = (path: string): Body => JSON.parse(readFileSync(join(FOLDER, path), 'utf8'))

type Outcome = {
  /** Returns the shop's messages without those of `before`, newest first. */
  messages?: object[]
  /** Returns the names of the events without those of `before`, oldest first. */
  events?: string[]
  /** Returns the data of the last event. */
  last?: object
  contacts?: object[]
  number?: object
  /** Returns the updates without an effect. */
  unread?: string[]
}
type Case = Outcome & { before?: object }

/** A message that the shop typed in the phone app: the simplest outbound message with a given id. */
const shopMessage = (id: string, to = '972987654321') => ({
  field: 'smb_message_echoes',
  value: { message_echoes: [{ to, id, timestamp: '1600000000', type: 'text', text: { body: 'Hello' } }] },
})
const customerMessage = (id: string, message: object, from = '972987654321') => ({
  field: 'messages',
  value: { messages: [{ from, id, timestamp: '1600000000', ...message }] },
})
const text = { type: 'text', text: { body: 'Hi' } }

const news = ['contact.created', 'message.received']
const inbound = (type: string, more: object = {}): Case => ({
  events: news,
  messages: [{ direction: 'inbound', type, status: null, ...more }],
})
const unreadFields = (...fields: string[]): Case => ({ unread: fields })
const disconnected: Case = { number: { state: 'disconnected', stateReason: expect.any(String) } }
const active: Case = { number: { state: 'active', stateReason: null } }
const nothing: Case = {}

const testName = { displayName: 'Test Name', phone: '+972987654321' }
const OUR_FILE = expect.stringMatching(/^[0-9a-f-]{36}$/)
const file = (more: object) => ({ content: { id: OUR_FILE, ...more } })
const context = { from: '972123456789' }
const receipt = (status: string, more: Outcome = {}): Case => ({
  before: shopMessage('wamid.xyzxyz'),
  events: ['message.status'],
  last: { status, errors: [] },
  ...more,
})
const answers = {
  comment_text: 'Comment Text',
  delivery_rating: '4',
  purchase_rating: '2',
  recommend_radio: '0',
  cs_rating: '0',
}
const flow: Case = {
  ...inbound('interactive', { content: { type: 'nfm_reply' } }),
  events: [...news, 'flow.completed'],
  last: { fields: answers },
}
const BSUID = 'US.13491208655302741918'

const PYWA: Record<string, Record<string, Case>> = {
  account_update: {
    account_deleted: disconnected,
    // Reported as ended at the moment at which it began.
    account_restriction: unreadFields('account_update'),
    account_violation: unreadFields('account_update'),
    ad_account_linked: unreadFields('account_update'),
    authentication_international_eligibility: unreadFields('account_update'),
    account_disabled: active,
    mm_api_for_wa_terms_of_service: unreadFields('account_update'),
    partner_added: unreadFields('account_update'),
    partner_app_installed: active,
    partner_app_uninstalled: disconnected,
    partner_led_business_verification_status: unreadFields('account_update'),
    partner_removed: disconnected,
    partner_removed_wa_app_disconnection: disconnected,
    primary_business_location_set: unreadFields('account_update'),
    pricing_tiering_update: unreadFields('account_update'),
    account_offboarded: disconnected,
    account_reconnected: active,
  },
  call_connect: {
    business_initiated: unreadFields('calls.business'),
    user_initiated: { events: ['contact.created'], contacts: [{ ...testName, userId: BSUID }] },
  },
  call_permission_update: {
    accept: inbound('interactive', {
      content: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
      replyTo: 'wamid.y==',
    }),
    reject: inbound('interactive', { content: { call_permission_reply: { response: 'reject' } } }),
  },
  call_status: { call_status: unreadFields('calls.statuses') },
  call_terminate: { call_terminate: unreadFields('calls.business') },
  callback_button: {
    button: inbound('interactive', {
      content: { type: 'button_reply', button_reply: { id: 'callback_data', title: 'title' } },
      replyTo: 'wamid.xyzxyz',
    }),
    quick_reply: inbound('button', {
      content: { payload: 'callback_data', text: 'title' },
      replyTo: 'wamid.xyzxyz==',
    }),
    quick_reply_without_context: inbound('button', { context: null, replyTo: null }),
  },
  callback_selection: {
    callback: inbound('interactive', { content: { list_reply: { id: 'callback_data', title: 'title' } } }),
    description: inbound('interactive', { content: { list_reply: { description: 'description' } } }),
  },
  deleted_message: {
    revoke: {
      before: customerMessage('<ORIGINAL_WHATSAPP_MESSAGE_ID>', text),
      messages: [{ type: 'text', content: {}, deletedAt: '2023-10-11T16:53:43.000Z' }],
    },
  },
  edited_message: {
    image: {
      before: customerMessage('wamid.HBgLMTQxMjU1NTA4MjkVAgASGBQzQUNCNjk5RDUwNUZGMUZEM0VBRAA=', {
        type: 'image',
        image: { id: '1', mime_type: 'image/jpeg', caption: 'Image caption' },
      }),
      messages: [
        {
          type: 'image',
          ...file({ caption: 'Updated image caption' }),
          originalContent: { id: OUR_FILE, caption: 'Image caption' },
          editedAt: '2025-06-13T22:42:55.000Z',
          deletedAt: null,
        },
      ],
    },
  },
  flow_completion: { completion: flow, without_flow_token: flow },
  message: {
    text: {
      ...inbound('text', { content: { body: 'Body Text' }, context: null }),
      contacts: [{ ...testName, userId: BSUID }],
    },
    image: inbound('image', file({ mime_type: 'image/jpeg', sha256: '4654+8g=' })),
    media_with_url: inbound('image', file({ mime_type: 'image/jpeg' })),
    video: inbound('video', { ...file({ caption: 'caption' }), context: { forwarded: true } }),
    document: inbound('document', file({ filename: 'filename.pdf', caption: 'caption' })),
    audio: inbound('audio', file({})),
    voice: inbound('audio', file({ voice: true })),
    static_sticker: inbound('sticker', file({ animated: false })),
    animated_sticker: inbound('sticker', file({ animated: true })),
    reaction: inbound('reaction', { content: { emoji: expect.any(String) } }),
    unreaction_empty: inbound('reaction', { content: { message_id: expect.any(String) } }),
    unreaction_no_emoji: inbound('reaction', { content: { message_id: expect.any(String) } }),
    current_location: inbound('location', { content: { latitude: expect.any(Number) } }),
    chosen_location: inbound('location', { content: { name: expect.any(String) } }),
    contacts: inbound('contacts', {
      content: { contacts: [{ name: { formatted_name: 'Chandler Bing' } }, {}, {}] },
    }),
    order: inbound('order', { content: { catalog_id: '354160437058781', product_items: [{}, {}, {}] } }),
    unsupported: inbound('unsupported', { content: {}, error: { code: 131051 } }),
    unsupported_with_type: inbound('unsupported', { content: { type: 'pool' }, error: { code: 131051 } }),
    reply: inbound('text', { replyTo: 'wamid.xyzxyz==', context: { ...context, id: 'wamid.xyzxyz==' } }),
    forwarded: inbound('text', { context: { forwarded: true }, replyTo: null }),
    forwarded_many_times: inbound('text', { context: { frequently_forwarded: true } }),
    interactive_message_with_err: inbound('interactive', { content: {}, error: { code: 131000 } }),
    referral: inbound('text', { context: { referral: { source_id: 'ADID', headline: 'AD_TITLE' } } }),
  },
  message_status: {
    sent: {
      before: shopMessage('wamid.xyzxyz'),
      messages: [{ status: 'sent', pricing: { category: 'service', billable: true, model: 'CBP' } }],
    },
    delivered: receipt('delivered', { messages: [{ deliveredAt: expect.any(String), readAt: null }] }),
    read: receipt('read', { messages: [{ status: 'read' }] }),
    played: receipt('read'),
    failed: {
      before: shopMessage('wamid.xyzxyz'),
      events: ['message.status', 'message.failed'],
      messages: [{ status: 'failed', error: { code: 130472, permanent: true } }],
    },
    with_tracker: { before: shopMessage('wamid.xyzxyz'), messages: [{ status: 'sent' }] },
    group: nothing,
  },
  outgoing_message: {
    text: {
      events: ['contact.created'],
      last: { source: 'smb_echo', phone: '+972987654321' },
      messages: [{ direction: 'outbound', status: 'sent', content: { body: 'Test message' } }],
    },
    delete: {
      before: shopMessage('wamid.zzzzzz'),
      messages: [{ content: {}, deletedAt: expect.any(String) }],
    },
    edit: {
      before: shopMessage('wamid.zzzzzz'),
      messages: [{ content: { body: 'Text was edited' }, originalContent: { body: 'Hello' } }],
    },
  },
  system: {
    phone_number_change: {
      before: customerMessage('wamid.before', text),
      contacts: [{ phone: '+972912345678' }],
      messages: [{}],
    },
    identity_change: unreadFields('messages.system.customer_identity_changed'),
  },
  // Templates that the shop doesn't have; the tests of templates cover updates about existing templates.
  template_category_update: { marketing: nothing },
  template_components_update: { element: nothing },
  template_quality_update: { yellow: nothing },
  template_status_update: { approved: nothing, rejected: nothing },
  user_marketing_preferences: {
    resume: {
      events: ['contact.created'],
      last: { source: 'user_preferences', phone: '+16505551234' },
      contacts: [{ optInStatus: 'opted_in', optInSource: 'user_preferences' }],
    },
    signup: { events: ['contact.created'], contacts: [{ optInStatus: 'opted_in' }] },
  },
}

const pablo = { phone: '+16505551234', userId: BSUID, username: 'pablomorales', displayName: 'Pablo M.' }
const sheena = { phone: '+16505551234', displayName: 'Sheena Nelson', userId: null }
const statusOfPhoneMessage = (status: string): Case => ({
  before: shopMessage('wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQUFERjg0NDEzNDdFODU3MUMxMAA=', '16505551234'),
  events: ['message.status'],
  last: { status },
})
const FILES: Record<string, Case> = {
  'bsuid/business_username_updates': { number: { username: 'lucky_shrub' } },
  'bsuid/call_connect_user_initiated': { events: ['contact.created'], contacts: [pablo] },
  // A member answered the call, so it has a duration.
  'bsuid/call_terminate_user_initiated': { events: ['contact.created'] },
  'bsuid/contacts_shared_vcard': {
    ...inbound('contacts', { content: { contacts: [{ origin: 'other', vcard: expect.any(String) }] } }),
    contacts: [{ ...pablo, phone: `chan:${BSUID}` }],
  },
  'bsuid/derived_incoming_text_bsuid_only': {
    ...inbound('text', { content: { body: 'Hi, no number shared' } }),
    contacts: [{ ...pablo, phone: `chan:${BSUID}` }],
  },
  // It names a group: nothing about groups is stored.
  'bsuid/incoming_text_phone_and_bsuid': nothing,
  'bsuid/smb_message_echoes_bsuid': {
    events: ['contact.created'],
    last: { source: 'smb_echo', phone: `chan:${BSUID}`, username: 'realsheenanelson' },
    messages: [{ direction: 'outbound', status: 'sent', content: { body: 'Your order has shipped!' } }],
  },
  'bsuid/status_delivered_bsuid_only': statusOfPhoneMessage('delivered'),
  'bsuid/status_delivered_phone_and_bsuid': statusOfPhoneMessage('delivered'),
  'bsuid/status_failed_131049': {
    before: shopMessage('wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI0QUQ2MjA4NEYyRkExNjMyREUA', '16505551234'),
    events: ['message.status', 'message.failed'],
    last: { errorCode: 131049, permanent: false, retryable: true },
  },
  'bsuid/system_user_changed_user_id': {
    before: customerMessage('wamid.before', text, '16505551234'),
    contacts: [{ phone: '+16505559876', userId: 'US.20837465019283746501' }],
  },
  'bsuid/template_category_update_impending': unreadFields('template_category_update'),
  'bsuid/user_id_update': {
    before: customerMessage('wamid.before', text, '16505551234'),
    contacts: [{ phone: '+16505551234', userId: 'US.20837465019283746501' }],
  },
  'bsuid/user_preferences_bsuid': {
    events: ['contact.created'],
    last: { source: 'user_preferences' },
    contacts: [{ phone: `chan:${BSUID}`, optInStatus: 'opted_out', optInSource: 'user_preferences' }],
  },
  'meta-openapi/button-message': {
    ...inbound('button', { content: { payload: 'Unsubscribe', text: 'Unsubscribe' } }),
    contacts: [{ ...sheena, optInStatus: 'opted_out' }],
  },
  'meta-openapi/contact-sharing-message': inbound('contacts', {
    content: { contacts: [{ org: { company: 'Google' } }] },
  }),
  'meta-openapi/group-create-message': nothing,
  'meta-openapi/group-remove-participants': nothing,
  'meta-openapi/group-settings-update': nothing,
  'meta-openapi/image-message': inbound('image', file({ caption: 'Taj Mahal' })),
  'meta-openapi/interactive-button-reply-message': inbound('interactive', {
    content: { button_reply: { id: 'cancel-button', title: 'Cancel' } },
  }),
  'meta-openapi/interactive-list-reply-message': inbound('interactive', {
    content: { list_reply: { id: 'priority_express', description: 'Next Day to 2 Days' } },
  }),
  'meta-openapi/location-message': inbound('location', { content: { name: 'Philz Coffee' } }),
  'meta-openapi/order-message': inbound('order', { content: { product_items: [{ quantity: 2 }, {}] } }),
  'meta-openapi/reaction-message': inbound('reaction', { content: { emoji: '\u{1F44D}' } }),
  'meta-openapi/system-message': {
    before: customerMessage('wamid.before', text, '16505551234'),
    contacts: [{ phone: '+12195555358' }],
  },
  'meta-openapi/text-message-from-click-to-whatsapp-ad': inbound('text', {
    context: { referral: { source_type: 'ad', headline: 'Chat with us' } },
  }),
  'meta-openapi/text-message-with-context-product-inquiry': inbound('text', {
    context: { referred_product: { catalog_id: '194836987003835', product_retailer_id: 'di9ozbzfi4' } },
  }),
  'meta-openapi/text-message': { ...inbound('text'), contacts: [sheena] },
  'meta-openapi/unsupported-message': inbound('unsupported', { error: { code: 131051 } }),
  'payments-in/status_captured': unreadFields('messages.statuses.payment'),
  'payments-in/status_captured_with_refund': unreadFields('messages.statuses.payment'),
  'payments-in/status_pending_attempt_failed': unreadFields('messages.statuses.payment'),
  'payments-in/status_pending_attempt_pending': unreadFields('messages.statuses.payment'),
}

const CASES: [string, Body, Case][] = [
  ...Object.entries(PYWA).flatMap(([name, cases]) => {
    const bodies = read(`pywa/${name}.json`)
    return Object.entries(cases).map(([part, expected]): [string, Body, Case] => [
      `${name}.${part}`,
      bodies[part],
      expected,
    ])
  }),
  ...Object.entries(FILES).map(([name, expected]): [string, Body, Case] => [
    name,
    read(`${name}.json`),
    expected,
  ]),
]

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const eventsOf = async (shop: TestWorkspace): Promise<Body[]> =>
  (await shop.get('/events?limit=100')).body.events.toReversed()

/** Returns what clients see in the shop: its number, contacts, messages, and the events not in `knownIds`. */
async function readShop(shop: TestWorkspace, number: ConnectedNumber, knownIds: string[]) {
  const events = (await eventsOf(shop)).filter(({ id }) => !knownIds.includes(id))
  const [numbers, contacts, messages] = await Promise.all([
    shop.get('/phone-numbers'),
    shop.get('/contacts'),
    shop.get('/messages'),
  ])
  const unreadRows = await parley.system((tx) =>
    tx.sql<{ fields: string[] }>('select fields from unread_updates where workspace_id = $1', [
      shop.workspaceId,
    ]),
  )
  return {
    events: events.map(({ event }) => event),
    last: events.at(-1)?.data,
    contacts: contacts.body.contacts,
    messages: messages.body.messages,
    number: numbers.body.phoneNumbers.find(({ id }: Body) => id === number.phoneNumberId),
    unread: unreadRows.flatMap(({ fields }) => fields),
  }
}

test('every example has an expected effect', () => {
  const stated = new Set(CASES.map(([name]) => name))
  const pywa = readdirSync(join(FOLDER, 'pywa'))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => Object.keys(read(`pywa/${name}`)).map((key) => `${name.slice(0, -5)}.${key}`))
  const files = ['bsuid', 'meta-openapi', 'payments-in'].flatMap((folder) =>
    readdirSync(join(FOLDER, folder))
      .filter((name) => name.endsWith('.json'))
      .map((name) => `${folder}/${name.slice(0, -5)}`),
  )
  expect([...pywa, ...files].filter((name) => !stated.has(name))).toEqual([])
})

test.each(CASES)('%s', async (_name, body, expected) => {
  const shop = await parley.workspace()
  const number = await connectNumber(parley, shop)
  const { before, events = [], unread: aside = [], ...rest } = expected
  if (before) {
    const { field, value } = before as { field: string; value: object }
    await number.report(field, value)
  }
  const knownIds = (await eventsOf(shop)).map(({ id }) => id)
  await number.reportBody(body)
  expect(await readShop(shop, number, knownIds)).toMatchObject({ events, unread: aside, ...rest })
  // The operator repeats the update: nothing changes, nothing is reported again.
  const first = await readShop(shop, number, knownIds)
  await number.reportBody(body)
  const twice = await readShop(shop, number, knownIds)
  expect({ ...twice, unread: first.unread }).toEqual(first)
  // The operator's address of a file is not shown to clients.
  expect(JSON.stringify([first.messages, first.last])).not.toContain('lookaside')
})
