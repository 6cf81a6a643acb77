/** Consent and blocks are checked again just before a queued message is handed over. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import {
  accept,
  type CloudShop,
  cloudShop,
  numberIn,
  refuseWith,
  standInOperator,
} from '../../../../../test/support/stand-in-operator.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'
import { until } from '../../../../../test/support/until.ts'

const customer = '+919812345678'
const other = '+919812345679'

const queue = async (shop: TestWorkspace, to: string, overrides: object): Promise<string> => {
  const answer = await shop.post('/send', { to, ...overrides })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messageId
}
const messageOf = async (shop: TestWorkspace, id: string) => (await shop.get(`/messages/${id}`)).body.message
/** Returns the events about one message, oldest first: a skipped message has none (spec 3, 6.3). */
const eventsOf = async (shop: TestWorkspace, id: string) =>
  (await shop.get('/events?limit=100&events=message.status,message.failed')).body.events
    .filter((event: { data: { messageId: string } }) => event.data.messageId === id)
    .map((event: { event: string; data: { status?: string } }) => [event.event, event.data.status])
    .reverse()

const skippedFields = (skipReason: string) => ({
  status: 'skipped',
  skipReason,
  error: null,
  sentAt: null,
  failedAt: null,
  chanmid: null,
})

describe('in a sandbox', () => {
  let parley: TestParley
  let shop: TestWorkspace
  beforeAll(async () => {
    // This process has only the web role, so messages are handed over only when the sandbox's clock moves.
    parley = await boot({ env: { PARLEY_ROLES: 'web' } })
    shop = await parley.workspace({ sandbox: true })
  })
  afterAll(() => parley?.close())

  test('a queued message to a customer who opted out or was blocked meanwhile is skipped, with its reason and without message.failed', async () => {
    const phones = Array.from({ length: 4 }, (_, i) => `+91981234560${i}`)
    for (const phone of phones) await shop.inbound(phone, 'Hello')
    const [out, blocked, active] = phones
    const ids: string[] = []
    for (const to of phones) ids.push(await queue(shop, to, { type: 'text', text: 'It is on its way' }))
    await shop.patch(`/contacts/${out}`, { optInStatus: 'opted_out' })
    await shop.post(`/contacts/${blocked}/block`)
    await shop.patch(`/contacts/${active}`, { optInStatus: 'opted_out' })
    await shop.patch(`/contacts/${active}`, { optInStatus: 'opted_in' })
    await shop.advance(10)
    const messages = await Promise.all(ids.map((id) => messageOf(shop, id)))
    expect(messages.map((message) => message.status)).toEqual(['skipped', 'skipped', 'read', 'read'])
    expect(messages[0]).toMatchObject(skippedFields('opted_out'))
    expect(messages[1]).toMatchObject(skippedFields('blocked'))
    expect(messages[3].skipReason).toBeNull()
    expect(await eventsOf(shop, ids[0]!)).toEqual([])
    expect(await eventsOf(shop, ids[1]!)).toEqual([])
    const listed = (await shop.get('/messages?status=skipped')).body.messages
    expect(listed.map((message: { skipReason: string }) => message.skipReason)).toEqual([
      'blocked',
      'opted_out',
    ])
  })

  test('a message that the operator may already have reaches its own final state when its customer opts out', async () => {
    const to = '+919812345699'
    await shop.inbound(to, 'Hello')
    const id = await queue(shop, to, { type: 'text', text: 'It is on its way' })
    // Simulates a process that died before it received the operator's answer.
    await parley.system((tx) =>
      tx.sql('update messages set leased_until = $3 where workspace_id = $1 and id = $2', [
        shop.workspaceId,
        id,
        new Date(0),
      ]),
    )
    await shop.patch(`/contacts/${to}`, { optInStatus: 'opted_out' })
    await shop.advance(10)
    expect((await messageOf(shop, id)).status).toBe('read')
  })
})

describe('at the operator', () => {
  let operator: Awaited<ReturnType<typeof standInOperator>>
  let parley: TestParley
  let shop: CloudShop<TestWorkspace>
  beforeAll(async () => {
    operator = await standInOperator()
    parley = await boot({ env: operator.env })
    shop = await cloudShop(parley)
  })
  afterAll(async () => {
    await parley?.close()
    await operator?.close()
  })
  const arrived = () => operator.taken.filter((call) => numberIn(call.request.url) === shop.operatorId)

  test('a message that waited while its number was paused is not sent to a customer who wrote STOP meanwhile', async () => {
    await storeTemplate(parley, shop, {
      name: 'offer',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Lights for everybody.' }],
    })
    const template = { name: 'offer', language: { code: 'en_US' } }
    const offer = { type: 'template', payload: { type: 'template', template } }
    await shop.writesAll([customer, other])
    operator.answer(refuseWith(400, { code: 131048, message: 'Spam rate limit hit' }))
    const stopped = await queue(shop, customer, offer)
    const paused = async () =>
      (await shop.get('/phone-numbers')).body.phoneNumbers.some(
        (phoneNumber: { pausedUntil: string | null }) => phoneNumber.pausedUntil !== null,
      )
    await until(paused, 'the number pauses')
    // Queued during the pause, so that only the first message has been tried.
    await queue(shop, other, offer)
    const tried = arrived().length
    await shop.writes(customer, 'STOP')
    operator.answer(accept)
    await parley.system(async (tx) => {
      await tx.sql('update number_lanes set paused_until = null where workspace_id = $1', [shop.workspaceId])
      await tx.sql(
        "update messages set run_at = run_at - interval '2 hours' where workspace_id = $1 and run_at is not null",
        [shop.workspaceId],
      )
    })
    // The pause is also kept in memory.
    await parley.restart()
    await until(async () => (await messageOf(shop, stopped)).status === 'skipped', 'the message is skipped')
    expect(await messageOf(shop, stopped)).toMatchObject(skippedFields('opted_out'))
    expect(await eventsOf(shop, stopped)).toEqual([])
    await until(() => arrived().length > tried, 'the other message is sent')
    const recipients = arrived().map((call) => call.body.to)
    expect(recipients).toEqual([customer, other])
  })

  test('a message that the operator refuses immediately because its customer stopped marketing records the stop', async () => {
    const stopped = '+919812345670'
    await shop.writes(stopped)
    operator.answer(refuseWith(400, { code: 131050, message: 'User has stopped marketing messages' }))
    const id = await queue(shop, stopped, { type: 'text', text: 'Lights' })
    await until(async () => (await messageOf(shop, id)).status === 'failed', 'the message fails')
    operator.answer(accept)
    const { contact } = (await shop.get(`/contacts/${stopped}`)).body
    expect(contact).toMatchObject({ optInStatus: 'opted_out', optInSource: 'user_preferences' })
    const answer = await shop.patch(`/contacts/${stopped}`, { optInStatus: 'opted_in' })
    expect([answer.status, answer.body.error]).toEqual([409, 'contact_opted_out'])
  })
})
