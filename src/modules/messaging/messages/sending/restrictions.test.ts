/** Accounts that the operator restricts from beginning conversations, or from answering. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { campaignsOf } from '../../../../../test/support/campaigns.ts'
import {
  accept,
  cloudShop,
  numberIn,
  refuseWith,
  standInOperator,
} from '../../../../../test/support/stand-in-operator.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'
import { until } from '../../../../../test/support/until.ts'
import { newId } from '../../../../core/ids.ts'
import { insertUpdates } from '../intake/queries/updates.ts'

const BUSINESS = 'RESTRICTED_BIZ_INITIATED_MESSAGING'
const CUSTOMER = 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING'
const HOUR = 3600
const knownCustomer = '+919812345678'
const outsider = '+919812345679'

const restriction = (...info: [type: string, expiration: number | undefined][]) => ({
  event: 'ACCOUNT_RESTRICTION',
  restriction_info: info.map(([restriction_type, expiration]) => ({
    restriction_type,
    ...(expiration === undefined ? {} : { expiration }),
  })),
})
const text = { type: 'text', text: 'It is on its way' }
const template = {
  type: 'template',
  payload: { type: 'template', template: { name: 'offer', language: { code: 'en_US' } } },
}
const storeOffer = (parley: TestParley, shop: TestWorkspace) =>
  storeTemplate(parley, shop, {
    name: 'offer',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Lights for everybody.' }],
  })
const send = (shop: TestWorkspace, to: string, content: object) => shop.post('/send', { to, ...content })
const sendAccepted = async (shop: TestWorkspace, to: string, content: object): Promise<string> => {
  const answer = await send(shop, to, content)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messageId
}
const numberOf = async (shop: TestWorkspace, id = shop.phoneNumberId): Promise<Body> =>
  (await shop.get('/phone-numbers')).body.phoneNumbers.find((phoneNumber: Body) => phoneNumber.id === id)
const messageOf = async (shop: TestWorkspace, id: string) => (await shop.get(`/messages/${id}`)).body.message
const BLOCKED = { status: 409, body: { error: 'sending_blocked' } }

describe('in a sandbox, whose clock can be moved', () => {
  let parley: TestParley
  beforeAll(async () => {
    // This process has only the web role, so messages are handed over only when the sandbox's clock moves.
    parley = await boot({ env: { PARLEY_ROLES: 'web' } })
  })
  afterAll(() => parley?.close())

  /** Creates a shop with one customer who has just written. */
  async function opened(): Promise<TestWorkspace> {
    const shop = await parley.workspace({ sandbox: true })
    await storeOffer(parley, shop)
    await shop.inbound(knownCustomer, 'Hello')
    return shop
  }
  /** Returns seconds since 1970 in the shop's time, `seconds` from now. */
  const inSeconds = async (shop: TestWorkspace, seconds: number): Promise<number> =>
    Math.floor(Date.parse((await shop.get('/sandbox/clock')).body.now) / 1000) + seconds
  /** Reports a change of the shop's account; queued messages are not touched. */
  async function reportChange(shop: TestWorkspace, value: object): Promise<void> {
    await parley.system((tx) =>
      insertUpdates(tx.sql, [
        {
          workspaceId: shop.workspaceId,
          id: newId(),
          phoneNumberId: shop.phoneNumberId!,
          sender: null,
          body: { field: 'account_update', value },
          reference: null,
          runAt: new Date(),
          receivedAt: new Date(),
        },
      ]),
    )
    // All earlier reports are applied first.
    const answer = await shop.post('/sandbox/inbound', { from: '+919812345600', text: 'Hi' })
    expect(answer.status, answer.text).toBe(202)
  }

  test('templates that start a conversation are rejected, replies are sent, and the restriction ends by itself', async () => {
    const shop = await opened()
    const end = await inSeconds(shop, 2 * HOUR)
    await reportChange(shop, restriction([BUSINESS, end], ['RESTRICTED_ADD_PHONE_NUMBER_ACTION', end]))
    const until = new Date(end * 1000).toISOString()
    expect(await numberOf(shop)).toMatchObject({
      state: 'active',
      restrictions: [{ messages: 'business_initiated', until }],
    })
    const refused = await send(shop, outsider, template)
    expect(refused).toMatchObject(BLOCKED)
    expect(refused.body.message).toContain(until)
    const campaigns = await campaignsOf(parley, shop, { name: 'lights' })
    expect(await campaigns.create({ sendNow: true })).toMatchObject(BLOCKED)
    await sendAccepted(shop, knownCustomer, text)
    await sendAccepted(shop, knownCustomer, template)
    // Refusals for other reasons keep their own code.
    expect((await send(shop, outsider, text)).body.error).toBe('outside_24h_window')

    await shop.advance(HOUR)
    expect(await send(shop, outsider, template)).toMatchObject(BLOCKED)
    await shop.advance(HOUR)
    expect(await numberOf(shop)).toMatchObject({ state: 'active', restrictions: [] })
    await sendAccepted(shop, outsider, template)
    expect((await campaigns.create({ confirmNewRecipients: true })).status).toBe(201)
  })

  test('a restriction of answers refuses only answers', async () => {
    const shop = await opened()
    await reportChange(shop, restriction([CUSTOMER, await inSeconds(shop, HOUR)]))
    for (const content of [text, template])
      expect(await send(shop, knownCustomer, content)).toMatchObject(BLOCKED)
    await sendAccepted(shop, outsider, template)
    expect(await numberOf(shop)).toMatchObject({ restrictions: [{ messages: 'customer_initiated' }] })
    await shop.advance(HOUR)
    await sendAccepted(shop, knownCustomer, text)
  })

  test('both together refuse all messages, each until its own end', async () => {
    const shop = await opened()
    await reportChange(
      shop,
      restriction([BUSINESS, await inSeconds(shop, 3 * HOUR)], [CUSTOMER, await inSeconds(shop, HOUR)]),
    )
    expect(await send(shop, knownCustomer, text)).toMatchObject(BLOCKED)
    expect(await send(shop, outsider, template)).toMatchObject(BLOCKED)
    await shop.advance(HOUR)
    await sendAccepted(shop, knownCustomer, text)
    expect(await send(shop, outsider, template)).toMatchObject(BLOCKED)
    await shop.advance(2 * HOUR)
    await sendAccepted(shop, outsider, template)
  })

  test('a messaging restriction without details refuses all messages; an expired restriction refuses none', async () => {
    const shop = await opened()
    await reportChange(shop, restriction([BUSINESS, (await inSeconds(shop, 0)) - HOUR]))
    await sendAccepted(shop, outsider, template)
    // Ends this message: otherwise it would be tried every five minutes of the year below.
    await shop.advance(10)
    await reportChange(shop, restriction(['RESTRICTED_ALL_MESSAGING', undefined]))
    expect(await numberOf(shop)).toMatchObject({
      restrictions: [
        { messages: 'business_initiated', until: null },
        { messages: 'customer_initiated', until: null },
      ],
    })
    expect(await send(shop, knownCustomer, text)).toMatchObject(BLOCKED)
    await shop.advance(365 * 86_400)
    expect(await send(shop, outsider, template)).toMatchObject(BLOCKED)
    await reportChange(shop, { event: 'ACCOUNT_RECONNECTED' })
    await sendAccepted(shop, outsider, template)
  })

  test('queued messages go on if they may; the others wait, or fail if the restriction lasts too long', async () => {
    const shop = await opened()
    const [answer, beginning] = [
      await sendAccepted(shop, knownCustomer, text),
      await sendAccepted(shop, outsider, template),
    ]
    await reportChange(shop, restriction([BUSINESS, await inSeconds(shop, HOUR)]))
    await shop.advance(10)
    expect(await messageOf(shop, answer)).toMatchObject({ status: 'read' })
    expect(await messageOf(shop, beginning)).toMatchObject({ status: 'queued' })
    await shop.advance(HOUR)
    expect(await messageOf(shop, beginning)).toMatchObject({ status: 'read' })

    const refusedLater = await sendAccepted(shop, outsider, template)
    await reportChange(shop, restriction([BUSINESS, await inSeconds(shop, 7 * 24 * HOUR)]))
    await shop.advance(10)
    expect(await messageOf(shop, refusedLater)).toMatchObject({
      status: 'failed',
      sentAt: null,
      error: { code: 0, title: 'Sending blocked', details: 'sending_blocked', retryable: true },
    })
  })

  test('a message that waited for the end of a restriction is sent as an answer once its customer writes', async () => {
    const shop = await opened()
    const id = await sendAccepted(shop, outsider, template)
    await reportChange(shop, restriction([BUSINESS, await inSeconds(shop, 20 * HOUR)]))
    await shop.advance(10)
    expect(await messageOf(shop, id)).toMatchObject({ status: 'queued' })
    await shop.inbound(outsider, 'Hello')
    await shop.advance(600)
    expect(await messageOf(shop, id)).toMatchObject({ status: 'read' })
  })
})

describe('at the operator', () => {
  let operator: Awaited<ReturnType<typeof standInOperator>>
  let parley: TestParley
  beforeAll(async () => {
    operator = await standInOperator()
    parley = await boot({ env: operator.env })
  })
  afterAll(async () => {
    await parley?.close()
    await operator?.close()
  })
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
  /** Returns how many of the shop's messages are being handed over. */
  const calling = (shop: TestWorkspace): Promise<number> =>
    parley.system(async (tx) => {
      const [found] = await tx.sql<{ count: number }>(
        'select count(*)::int from messages where workspace_id = $1 and leased_until is not null',
        [shop.workspaceId],
      )
      return found!.count
    })

  async function opened() {
    const shop = await cloudShop(parley)
    await storeOffer(parley, shop)
    await shop.writes(knownCustomer)
    const arrived = () => operator.taken.filter((call) => numberIn(call.request.url) === shop.operatorId)
    const restricted = async (...info: Parameters<typeof restriction>) => {
      await shop.operatorSaysOf('account_update', restriction(...info))
      await shop.settled()
    }
    /** Simulates that the number's next check is due, with this answer of the operator. */
    const checked = async (body: object) => {
      operator.saysOfNumber(shop.operatorId, 200, body)
      await parley.system((tx) =>
        tx.sql('update number_lanes set check_due_at = $2 where workspace_id = $1', [
          shop.workspaceId,
          new Date(),
        ]),
      )
      parley.wake()
    }
    return { shop, arrived, restricted, checked, number: () => numberOf(shop, shop.cloudNumberId) }
  }

  test('of a backlog, answers are sent; messages that begin a conversation wait, without delaying others', async () => {
    const { shop, arrived, restricted } = await opened()
    operator.answerFor(shop.operatorId, refuseWith(400, { code: 131048, message: 'Spam rate limit hit' }))
    const beginning = await sendAccepted(shop, outsider, template)
    const answers = [
      await sendAccepted(shop, knownCustomer, text),
      await sendAccepted(shop, knownCustomer, template),
    ]
    await until(async () => (await numberOf(shop, shop.cloudNumberId)).pausedUntil !== null, 'it pauses')
    await until(async () => (await calling(shop)) === 0, 'the calls from before the pause are finished')
    const tried = arrived().length
    await restricted([BUSINESS, inSeconds(2 * HOUR)])
    operator.answerFor(shop.operatorId, accept)
    const comes = (seconds: number) =>
      parley.system(async (tx) => {
        await tx.sql('update number_lanes set paused_until = null where workspace_id = $1', [
          shop.workspaceId,
        ])
        await tx.sql(
          `update messages set run_at = run_at - $2 * interval '1 second'
           where workspace_id = $1 and run_at is not null and leased_until is null`,
          [shop.workspaceId, seconds],
        )
      })
    await comes(2 * HOUR)
    // The pause is also kept in memory.
    await parley.restart()
    await until(() => arrived().length === tried + 2, 'the answers are sent')
    // Each message has its own wait if it was tried before the pause.
    expect(
      arrived()
        .slice(tried)
        .map((call) => call.body.biz_opaque_callback_data)
        .sort(),
    ).toEqual(answers.toSorted())
    expect(await messageOf(shop, beginning)).toMatchObject({ status: 'queued' })
    await parley.system((tx) =>
      tx.sql('update phone_numbers set business_initiated_blocked_until = $2 where workspace_id = $1', [
        shop.workspaceId,
        new Date(),
      ]),
    )
    await comes(HOUR)
    await until(() => arrived().length === tried + 3, 'the other one goes')
    expect(arrived().at(-1)!.body.biz_opaque_callback_data).toBe(beginning)
  })

  test('a message refused with 368 blocks the number until the operator reports the extent of its restriction', async () => {
    const { shop, restricted, number } = await opened()
    operator.answerFor(shop.operatorId, refuseWith(403, { code: 368, message: 'Temporarily blocked' }))
    await sendAccepted(shop, outsider, template)
    await until(async () => (await number()).state === 'sending_blocked', 'the number is blocked')
    expect(await send(shop, knownCustomer, text)).toMatchObject(BLOCKED)
    operator.answerFor(shop.operatorId, accept)
    await restricted([BUSINESS, inSeconds(HOUR)])
    expect(await number()).toMatchObject({ state: 'active', stateReason: null })
    await sendAccepted(shop, knownCustomer, text)
    expect(await send(shop, outsider, template)).toMatchObject(BLOCKED)
  })

  test('older reports of a restriction change nothing', async () => {
    const { shop, restricted, number } = await opened()
    const end = inSeconds(HOUR)
    await restricted([BUSINESS, end])
    await parley.system(async (tx) => {
      await insertUpdates(tx.sql, [
        {
          workspaceId: shop.workspaceId,
          id: newId(),
          phoneNumberId: shop.cloudNumberId,
          sender: null,
          body: { field: 'account_update', value: restriction([BUSINESS, inSeconds(9 * HOUR)]) },
          reference: null,
          runAt: new Date(),
          receivedAt: new Date(Date.now() - 60_000),
        },
      ])
    })
    await shop.settled()
    expect((await number()).restrictions).toEqual([
      { messages: 'business_initiated', until: new Date(end * 1000).toISOString() },
    ])
  })

  test('when checked, the operator reports RESTRICTED for a number that may only answer, until it recovers', async () => {
    const { shop, checked, number } = await opened()
    await checked({ status: 'RESTRICTED', health_status: { can_send_message: 'LIMITED' } })
    await until(async () => (await number()).restrictions.length > 0, 'the number was checked')
    expect(await number()).toMatchObject({
      state: 'active',
      restrictions: [{ messages: 'business_initiated', until: null }],
    })
    await sendAccepted(shop, knownCustomer, text)
    expect(await send(shop, outsider, template)).toMatchObject(BLOCKED)
    await checked({ status: 'CONNECTED', health_status: { can_send_message: 'AVAILABLE' } })
    await until(async () => (await number()).restrictions.length === 0, 'the number is active again')
    await sendAccepted(shop, outsider, template)
  })

  test('when checked, it reports BLOCKED for an account with a known restriction: answers are sent until the restriction ends', async () => {
    const { shop, restricted, checked, number } = await opened()
    await restricted([BUSINESS, inSeconds(HOUR)])
    await checked({
      status: 'CONNECTED',
      quality_rating: 'RED',
      health_status: { can_send_message: 'BLOCKED' },
    })
    await until(async () => (await number()).quality === 'red', 'the number was checked')
    expect(await number()).toMatchObject({ state: 'active', restrictions: [{}] })
    await checked({
      status: 'CONNECTED',
      quality_rating: 'GREEN',
      health_status: { can_send_message: 'AVAILABLE' },
    })
    await until(async () => (await number()).quality === 'green', 'the number was checked')
    // A reported end is kept, because the state of one number does not contain it.
    expect(await number()).toMatchObject({ state: 'active', restrictions: [{}] })
    await sendAccepted(shop, knownCustomer, text)
  })
})
