/** A message that fails because of its template updates the template's state (docs/formats.md section 4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../../test/support/campaigns.ts'
import {
  accept,
  type CloudShop,
  cloudShop,
  receipt,
  refuseWith,
  standInOperator,
  type Taken,
} from '../../../../../test/support/stand-in-operator.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'
import { until } from '../../../../../test/support/until.ts'

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

const asha = '+919812345678'
const template = { name: 'order_ok', language: { code: 'en_US' } }
const order = { to: asha, type: 'template', payload: { type: 'template', template } }
const TROUBLES = [
  [132015, 'paused'],
  [132016, 'disabled'],
] as const
const trouble = (code: number) => ({ code, title: 'Template trouble', message: 'Template trouble' })

/** Creates a shop with an approved template of which a version in another language exists. */
async function opened(): Promise<CloudShop<TestWorkspace>> {
  const shop = await cloudShop(parley)
  for (const language of ['en_US', 'hi'])
    await storeTemplate(parley, shop, { language, components: [{ type: 'BODY', text: 'It is on its way.' }] })
  return shop
}
const statesOf = async (shop: TestWorkspace) =>
  Object.fromEntries(
    (await shop.get('/templates')).body.templates.map((template: { language: string; status: string }) => [
      template.language,
      template.status,
    ]),
  )
async function sent(shop: TestWorkspace): Promise<string> {
  const answer = await shop.post('/send', order)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messageId
}
/** Returns the operator's id of a message, once it has one. */
const handedOver = (shop: TestWorkspace, id: string): Promise<string> =>
  until(async () => (await shop.get(`/messages/${id}`)).body.message.chanmid ?? false, 'the operator has it')
const waitForEnd = (shop: TestWorkspace, id: string, as: string) =>
  until(async () => (await shop.get(`/messages/${id}`)).body.message.status === as, `the campaign is ${as}`)

describe.each(TROUBLES)('%i', (code, status) => {
  test(`as the answer to a send: the stored template is ${status}, and the next send fails`, async () => {
    const shop = await opened()
    operator.answerFor(shop.operatorId, refuseWith(400, trouble(code)))
    await waitForEnd(shop, await sent(shop), 'failed')
    expect(await statesOf(shop)).toEqual({ en_US: status, hi: 'approved' })
    expect(await shop.post('/send', order)).toMatchObject({
      status: 400,
      body: { error: 'meta_error', code },
    })
  })

  test(`in a later receipt: the stored template is ${status}`, async () => {
    const shop = await opened()
    operator.answerFor(shop.operatorId, accept)
    const id = await sent(shop)
    const chanmid = await handedOver(shop, id)
    await shop.operatorSays(receipt('failed', { chanmid }, [trouble(code)]))
    await shop.settled()
    expect(await statesOf(shop)).toEqual({ en_US: status, hi: 'approved' })
  })
})

test('a template state that the operator reported after the failure is kept', async () => {
  const shop = await opened()
  operator.answerFor(shop.operatorId, accept)
  const id = await sent(shop)
  const chanmid = await handedOver(shop, id)
  const failed = receipt('failed', { chanmid }, [trouble(132015)])
  for (const event of ['PAUSED', 'REINSTATED']) {
    await shop.operatorSaysOf('message_template_status_update', {
      event,
      // Too big for a JavaScript number, so the name identifies the template.
      message_template_id: 2 ** 60,
      message_template_name: 'order_ok',
      message_template_language: 'en_US',
    })
    await shop.settled()
  }
  await shop.operatorSays(failed)
  await shop.settled()
  await waitForEnd(shop, id, 'failed')
  expect(await statesOf(shop)).toEqual({ en_US: 'approved', hi: 'approved' })
})

test('a campaign stops handing over its messages: it pauses by itself and gives the reason', async () => {
  const shop = await cloudShop(parley)
  const campaigns = await campaignsOf(parley, shop)
  await makeContacts(shop, 70, { optInStatus: 'opted_in' })
  const held: Taken[] = []
  let isFirst = true
  operator.answerFor(shop.operatorId, (call) => {
    if (!isFirst) return void held.push(call)
    isFirst = false
    return refuseWith(400, trouble(132015))(call)
  })
  const { id } = (await campaigns.create({ phoneNumberId: shop.cloudNumberId, sendNow: true })).body
  await until(async () => (await campaigns.of(id)).counts.failed > 0, 'the first one fails')
  await until(async () => (await campaigns.of(id)).status === 'paused', 'the campaign pauses')
  expect((await campaigns.of(id)).pausedReason).toBe('The template is paused.')
  operator.answerFor(shop.operatorId, accept)
  for (const call of held) accept(call)
})

test.each([10, 200, 131005])(
  '%i: a campaign whose template lacks a permission pauses and waits; its number keeps sending other messages',
  async (code) => {
    const shop = await cloudShop(parley)
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 30, { optInStatus: 'opted_in' })
    await shop.writes(asha)
    const refuseForPermission = refuseWith(403, { code, message: 'Permission denied' })
    operator.answerFor(shop.operatorId, (call) =>
      call.body.type === 'template' ? refuseForPermission(call) : accept(call),
    )
    const segment = { optInStatus: 'opted_in' }
    const { id } = (await campaigns.create({ phoneNumberId: shop.cloudNumberId, segment, sendNow: true }))
      .body
    const pauses = () =>
      until(async () => (await campaigns.of(id)).status === 'paused', 'the campaign pauses')
    await pauses()
    expect((await campaigns.of(id)).pausedReason).toBe(
      `The operator rejected the campaign's messages: Permission denied (${code}).`,
    )
    const answer = await shop.post('/send', { to: asha, type: 'text', text: 'Hi' })
    expect(answer.status, answer.text).toBe(200)
    await handedOver(shop, answer.body.messageId)
    operator.answerFor(shop.operatorId, accept)
    expect((await shop.post(`/broadcasts/${id}/resume`)).status).toBe(200)
    await until(async () => {
      const { messages } = (await shop.get('/messages?status=queued&limit=100')).body
      return (
        messages.length > 0 &&
        messages.every((message: { chanmid: string | null }) => message.chanmid !== null)
      )
    }, 'all messages were sent')
    expect((await campaigns.of(id)).counts.failed).toBe(0)
    const { phoneNumbers } = (await shop.get('/phone-numbers')).body
    const own = phoneNumbers.find((phoneNumber: { id: string }) => phoneNumber.id === shop.cloudNumberId)
    expect(own).toMatchObject({ state: 'active' })
  },
)

test.each([132000, 132001, 132007, 132068, 131063, 134102])(
  '%i: a campaign whose content the operator refuses pauses after a few messages, until a member resumes it',
  async (code) => {
    const shop = await cloudShop(parley)
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 70, { optInStatus: 'opted_in' })
    operator.answerFor(shop.operatorId, refuseWith(400, trouble(code)))
    const { id } = (await campaigns.create({ phoneNumberId: shop.cloudNumberId, sendNow: true })).body
    await until(async () => (await campaigns.of(id)).status === 'paused', 'the campaign pauses')
    expect((await campaigns.of(id)).pausedReason).toBe(
      `The operator rejected the campaign's messages: Template trouble (${code}).`,
    )
    await until(async () => (await campaigns.of(id)).counts.failed > 0, 'the first one fails')
    expect((await campaigns.of(id)).counts.failed).toBeLessThan(10)
  },
)

test.each([
  ['PAUSED', 'The template is paused.'],
  ['DELETED', 'The template was deleted.'],
])('%s by the operator, a campaign whose fan-out is done pauses too', async (event, pausedReason) => {
  const shop = await cloudShop(parley)
  const campaigns = await campaignsOf(parley, shop)
  await makeContacts(shop, 70, { optInStatus: 'opted_in' })
  const held: Taken[] = []
  operator.answerFor(shop.operatorId, (call) => void held.push(call))
  const { id } = (await campaigns.create({ phoneNumberId: shop.cloudNumberId, sendNow: true })).body
  await until(async () => (await campaigns.of(id)).status === 'completed', 'the fan-out is done')
  const { template } = (await shop.get(`/templates/${campaigns.templateId}`)).body
  await shop.operatorSaysOf('message_template_status_update', {
    event,
    message_template_id: template.metaTemplateId,
    message_template_name: template.name,
    message_template_language: template.language,
  })
  await until(async () => (await campaigns.of(id)).status === 'paused', 'the campaign pauses')
  expect((await campaigns.of(id)).pausedReason).toBe(pausedReason)
  operator.answerFor(shop.operatorId, accept)
  for (const call of held) accept(call)
})
