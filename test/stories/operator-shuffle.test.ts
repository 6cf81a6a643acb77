/**
 * The operator repeats its updates and does not keep their order (docs/formats.md section 1). For any order,
 * repetition, and grouping, and with two processes that apply updates concurrently, a shop ends in the same
 * state and emits the same events.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../support/operator-webhooks.ts'
import { until } from '../support/until.ts'

type Update = { field: string; value: object; time?: number }

// Within the hour, so that windows open. Receipts for our messages come after the messages were stored, and
// not too far in the future.
const START = Math.floor(Date.now() / 1000) - 3600
const RECEIPTS = 3600 + 240
const timestampOf = (seconds: number): string => String(START + seconds)
const ASHA = '919812345678'
const RAVI = '919812345679'

const message = (id: string, seconds: number, more: object, from = ASHA): Update => ({
  field: 'messages',
  value: {
    contacts: [{ wa_id: from, profile: { name: `${from} at ${seconds}` } }],
    messages: [{ from, id, timestamp: timestampOf(seconds), ...more }],
  },
})
const messageFrom = (id: string, seconds: number, body: string, from = ASHA): Update =>
  message(id, seconds, { type: 'text', text: { body } }, from)
const editFrom = (id: string, seconds: number, originalId: string, body: string): Update =>
  message(id, seconds, {
    type: 'edit',
    edit: { original_message_id: originalId, message: { type: 'text', text: { body } } },
  })
const status = (id: string, name: string, seconds: number, more: object = {}): Update => ({
  field: 'messages',
  value: {
    statuses: [{ id, status: name, timestamp: timestampOf(RECEIPTS + seconds), recipient_id: ASHA, ...more }],
  },
})
const call = (id: string, event: string, seconds: number, more: object = {}): Update => ({
  field: 'calls',
  value: {
    contacts: [{ wa_id: ASHA, profile: { name: `${ASHA} at ${seconds}` } }],
    calls: [{ id, from: ASHA, event, timestamp: timestampOf(seconds), direction: 'USER_INITIATED', ...more }],
  },
})
const preferenceFrom = (wa_id: string, value: string, seconds: number): Update => ({
  field: 'user_preferences',
  value: {
    user_preferences: [{ wa_id, category: 'marketing_messages', value, timestamp: START + seconds }],
  },
})
const account = (event: object, seconds: number): Update => ({
  field: 'account_update',
  value: event,
  time: START + seconds,
})
const pricing = { pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' } }
const form = { name: 'flow', body: 'Sent', response_json: '{"flow_token":"t","rating":"4"}' }

/** A message that the shop typed in the phone app before the rest. */
const OURS: Update[] = ['o1', 'o2', 'o3'].map((id) => ({
  field: 'smb_message_echoes',
  value: {
    message_echoes: [
      { to: ASHA, id: `wamid.${id}`, timestamp: timestampOf(0), type: 'text', text: { body: id } },
    ],
  },
}))

const UPDATES: Update[] = [
  messageFrom('wamid.1', 10, 'First'),
  messageFrom('wamid.2', 20, 'Second'),
  messageFrom('wamid.3', 15, 'Hello', RAVI),
  editFrom('wamid.1a', 11, 'wamid.1', 'First, once edited'),
  editFrom('wamid.1b', 12, 'wamid.1', 'First, edited again'),
  editFrom('wamid.2a', 21, 'wamid.2', 'Second, edited'),
  message('wamid.2b', 22, { type: 'revoke', revoke: { original_message_id: 'wamid.2' } }),
  message('wamid.4', 30, { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: form } }),
  message('wamid.7', 35, { type: 'reaction', reaction: { message_id: 'wamid.2', emoji: '👍' } }),
  message('wamid.8', 5, {
    type: 'text',
    text: { body: 'I saw your advertisement' },
    referral: { source_type: 'ad', source_id: '1', source_url: 'https://example.com' },
  }),
  messageFrom('wamid.5', 40, 'STOP', RAVI),
  messageFrom('wamid.6', 41, 'START', RAVI),
  preferenceFrom(ASHA, 'stop', 50),
  preferenceFrom(ASHA, 'resume', 51),
  preferenceFrom('919812345670', 'resume', 60),
  preferenceFrom('919812345670', 'stop', 61),
  status('wamid.o1', 'delivered', 2, pricing),
  status('wamid.o1', 'read', 3),
  status('wamid.o2', 'sent', 1, pricing),
  status('wamid.o2', 'delivered', 2),
  status('wamid.o3', 'failed', 2, { errors: [{ code: 131026, title: 'Message undeliverable' }] }),
  call('wacid.1', 'connect', 70),
  call('wacid.1', 'terminate', 80, { status: 'COMPLETED' }),
  call('wacid.2', 'connect', 90),
  call('wacid.2', 'terminate', 99, { status: 'COMPLETED', start_time: timestampOf(91), duration: 8 }),
  account({ event: 'ACCOUNT_OFFBOARDED' }, 100),
  account({ event: 'ACCOUNT_RECONNECTED' }, 110),
  account({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }, 120),
  {
    field: 'phone_number_quality_update',
    value: { event: 'FLAGGED', current_limit: 'TIER_2K' },
    time: START,
  },
  {
    field: 'phone_number_quality_update',
    value: { event: 'UNFLAGGED', current_limit: 'TIER_10K' },
    time: START + 9,
  },
]

let parley: TestParley
let duplicate: TestParley
beforeAll(async () => {
  parley = await boot()
  duplicate = await boot({ databaseUrl: parley.databaseUrl })
})
afterAll(async () => {
  await duplicate.close()
  await parley.close()
})

const bodyOf = (number: ConnectedNumber, updates: Update[]) => ({
  object: 'whatsapp_business_account',
  entry: updates.map(({ field, value, time }) => ({
    id: number.accountId,
    time,
    changes: [
      {
        field,
        value: {
          ...(field === 'account_update'
            ? {}
            : field === 'phone_number_quality_update'
              ? { display_phone_number: number.displayNumber }
              : {
                  metadata: {
                    phone_number_id: number.operatorId,
                    display_phone_number: number.displayNumber,
                  },
                }),
          ...value,
        },
      },
    ],
  })),
})

/** Reports all `batches` to a new shop concurrently, and waits until they are applied. */
async function live(batches: Update[][]): Promise<[TestWorkspace, ConnectedNumber]> {
  const shop = await parley.workspace()
  const number = await connectNumber(parley, shop)
  await number.reportBody(bodyOf(number, OURS))
  const answers = await Promise.all(batches.map((batch) => number.post(bodyOf(number, batch))))
  expect(answers.map((answer) => answer.status)).toEqual(batches.map(() => 200))
  await until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ waiting: number }>(
        'select count(*)::int as waiting from operator_updates where workspace_id = $1',
        [shop.workspaceId],
      ),
    )
    return row?.waiting === 0
  }, 'all updates were applied')
  return [shop, number]
}

/** Returns the state of a shop without its own ids and times of receipt. */
async function snapshotOf(shop: TestWorkspace, number: ConnectedNumber) {
  const { events } = (await shop.get('/events?limit=100')).body
  const { contacts } = (await shop.get('/contacts')).body
  const { messages } = (await shop.get('/messages?limit=100')).body
  const { conversations } = (await shop.get('/conversations')).body
  const { phoneNumbers } = (await shop.get('/phone-numbers')).body
  const sortRows = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  const facts = events
    // Which states in between were reported depends on the order of arrival; the last state is always
    // reported.
    .filter(({ event, data }: Body) => event !== 'message.status' || data.status !== 'delivered')
    .map(({ event, data }: Body) => [
      event,
      data.chanmid ?? data.callId ?? data.phone ?? data.contact?.phone ?? data.fields,
      data.status,
      data.content,
    ])
  return {
    events: sortRows(facts),
    contacts: sortRows(
      contacts.map((contact: Body) => [
        contact.phone,
        contact.displayName,
        contact.optInStatus,
        contact.lastSeenAt,
        // If STOP is applied after a later START, the opt-in's source is the text of the STOP.
        contact.phone === `+${RAVI}` || contact.optInSource,
      ]),
    ),
    messages: sortRows(
      messages.map((message: Body) => [
        message.chanmid,
        message.status,
        message.content,
        message.originalContent,
        [
          message.editedAt,
          message.deletedAt,
          message.sentAt,
          message.deliveredAt,
          message.readAt,
          message.failedAt,
        ],
        message.pricing,
        message.error,
      ]),
    ),
    conversations: sortRows(
      conversations.map((conversation: Body) => [
        conversation.contact.phone,
        conversation.windowExpiresAt,
        conversation.lastMessageAt,
        conversation.freeEntryExpiresAt,
        conversation.unreadCount,
      ]),
    ),
    number: phoneNumbers
      .filter(({ id }: Body) => id === number.phoneNumberId)
      .map(({ state, stateReason, quality, messagingLimit }: Body) => ({
        state,
        stateReason,
        quality,
        messagingLimit,
      })),
  }
}

/** Generates any order of all updates, some repeated, split into bodies. */
const someWay = fc
  .tuple(
    fc.shuffledSubarray(UPDATES, { minLength: UPDATES.length }),
    fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 12 }),
    fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }),
  )
  .map(([order, repetitions, sizes]) => {
    const remaining = [...order]
    for (const [index, position] of repetitions)
      remaining.splice(position % (remaining.length + 1), 0, UPDATES[index % UPDATES.length]!)
    const bodies: Update[][] = []
    for (let i = 0; remaining.length > 0; i++) bodies.push(remaining.splice(0, sizes[i % sizes.length]))
    return bodies
  })

test('an edit that one process applies while another still stores its message is not lost', async () => {
  const shop = await parley.workspace()
  const number = await connectNumber(parley, shop)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // Updates about the number are applied last: a locked number delays the message before them.
  const locking = parley.system(async (tx) => {
    await tx.sql('select from phone_numbers where id = $1 for update', [number.phoneNumberId])
    await held
  })
  const quality = UPDATES.find(({ field }) => field === 'phone_number_quality_update')!
  await number.post(bodyOf(number, [messageFrom('wamid.slow', 10, 'First'), quality]))
  const waiting = async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ all: number; free: number }>(
        `select count(*) as all, (select count(*) from (
           select from operator_updates where workspace_id = $1 for update skip locked) rows) as free
         from operator_updates where workspace_id = $1`,
        [shop.workspaceId],
      ),
    )
    return row
  }
  await until(async () => (await waiting())!.free === 0, 'one process is storing the message')
  await number.post(bodyOf(number, [editFrom('wamid.edit', 11, 'wamid.slow', 'Edited')]))
  // Only the other process can apply it, after it has passed the edit.
  const neighbor = await parley.workspace()
  await (await connectNumber(parley, neighbor)).report('messages', { messages: [] })
  expect(await waiting()).toEqual({ all: 2, free: 1 })
  release()
  await locking
  await until(async () => (await waiting())!.all === 0, 'both processes are done')
  expect((await shop.get('/messages')).body.messages).toMatchObject([
    { chanmid: 'wamid.slow', content: { body: 'Edited' }, originalContent: { body: 'First' } },
  ])
})

test('updates in any order, repeated, at two processes concurrently, end in the same state and the same events', async () => {
  const inOrder = await snapshotOf(...(await live(UPDATES.map((update) => [update]))))
  expect(inOrder.number).toMatchObject([
    { state: 'number_banned', quality: 'unknown', messagingLimit: 'TIER_10K' },
  ])
  expect(inOrder.events.filter((event) => event.includes('call.missed'))).toHaveLength(1)
  await fc.assert(
    fc.asyncProperty(someWay, async (bodies) => {
      expect(await snapshotOf(...(await live(bodies)))).toEqual(inOrder)
    }),
    { numRuns: 12, endOnFailure: true },
  )
})
