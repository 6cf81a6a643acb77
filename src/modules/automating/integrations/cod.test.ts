/** Tests of cash on delivery: customers are asked to confirm their order (spec 6.3 order.cod_response). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { eventsOf } from '../../../../test/support/records.ts'
import { storeTemplate } from '../../../../test/support/templates.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  expect(await settings({})).toMatchObject({ status: 200 })
  await shop.inbound(ASHA, 'I have just ordered.')
})

const ASHA = '+919812345678'
const MEERA = '+919812345679'
const HOUR_SECONDS = 3_600

const settings = (cod: object) =>
  shop.call('PUT', '/integrations/simulator', { settings: { cod: { enabled: true, ...cod } } })

/** Makes the simulated shop report, and waits until the report is applied. */
async function report(more: Record<string, unknown> = {}): Promise<void> {
  const order = { store: 'shopify', type: 'order_placed', reference: '#1001', from: ASHA, cod: true, ...more }
  expect((await shop.post('/sandbox/simulate', { kind: 'order', ...order })).status).toBe(202)
  await shop.advance(5)
}
const questions = async (): Promise<Body[]> =>
  (await shop.get('/messages?direction=outbound')).body.messages.filter(
    ({ type }: Body) => type === 'interactive' || type === 'template',
  )
const orderOf = async (reference = '#1001'): Promise<Body> =>
  (await shop.get(`/orders?reference=${encodeURIComponent(reference)}`)).body.orders[0]
const codOf = async (reference?: string): Promise<Body> => (await orderOf(reference)).cod
const responses = async (): Promise<Body[]> =>
  (await eventsOf(parley, shop.workspaceId))
    .filter(({ name }) => name === 'order.cod_response')
    .map(({ data }) => data)
const tap = async (answer: 'yes' | 'no', from = ASHA): Promise<unknown> =>
  shop.inbound(from, '', {
    text: undefined,
    buttonId: `cod:${(await orderOf()).id}:${answer}`,
    title: answer,
  })

describe('questions', () => {
  test('are sent once, with two buttons', async () => {
    await report()
    await report()
    await report({ type: 'order_shipped', reference: '#9' })
    const [question, ...more] = await questions()
    expect(more).toEqual([])
    const { id } = await orderOf()
    expect(question.content.body.text).toContain('#1001')
    expect(question.content.action.buttons.map(({ reply }: Body) => reply.id)).toEqual([
      `cod:${id}:yes`,
      `cod:${id}:no`,
    ])
    expect(await codOf()).toMatchObject({ status: 'asked', askedAt: expect.any(String), answeredAt: null })
  })

  test.each([
    ['hi', 'कृपया अपने ऑर्डर', ['हाँ', 'नहीं'], 'हाँ'],
    ['ar', 'يُرجى تأكيد طلبك', ['نعم', 'لا'], 'نعم.'],
    ['es-MX', 'Confirme su pedido', ['Sí', 'No'], 'si'],
  ])('are asked and answered in the language of the contact: %s', async (language, start, titles, answer) => {
    await shop.patch(`/contacts/${ASHA}`, { language })
    await report()
    const [question] = await questions()
    expect(question.content.body.text).toContain(start)
    expect(question.content.action.buttons.map(({ reply }: Body) => reply.title)).toEqual(titles)
    await shop.inbound(ASHA, answer)
    expect(await responses()).toMatchObject([{ confirmed: true }])
  })

  test('are repeated once as a reminder', async () => {
    await settings({ remindAfterMinutes: 60, expireHours: 12 })
    await report()
    await shop.advance(HOUR_SECONDS)
    expect(await questions()).toHaveLength(2)
    await shop.advance(10 * HOUR_SECONDS)
    expect(await questions()).toHaveLength(2)
    await tap('yes')
    expect(await responses()).toHaveLength(1)
  })

  test('get no reminder after an answer', async () => {
    await settings({ remindAfterMinutes: 60 })
    await report()
    await tap('no')
    await shop.advance(2 * HOUR_SECONDS)
    expect(await questions()).toHaveLength(1)
  })

  test('are sent after the delay', async () => {
    await settings({ delayMinutes: 30 })
    await report()
    expect(await questions()).toEqual([])
    expect(await codOf()).toMatchObject({ status: 'waiting' })
    await shop.advance(30 * 60)
    expect(await questions()).toHaveLength(1)
  })

  test.each(['order_paid', 'order_cancelled'])('%s: no question is sent', async (type) => {
    await settings({ delayMinutes: 30 })
    await report()
    await report({ type })
    await shop.advance(HOUR_SECONDS)
    expect(await questions()).toEqual([])
    expect(await codOf()).toMatchObject({ status: 'dropped' })
  })

  test("aren't sent for an order that was canceled before it was reported as placed", async () => {
    await report({ type: 'order_cancelled' })
    await report()
    expect(await questions()).toEqual([])
    expect(await orderOf()).toMatchObject({ status: 'cancelled', cod: null })
  })

  test("aren't sent for an order paid by other means, or when turned off", async () => {
    await report({ cod: false })
    await settings({ enabled: false })
    await report({ reference: '#1002' })
    expect(await questions()).toEqual([])
    expect(await codOf()).toBeNull()
  })

  test('in a closed window use the template with order and total; without a template the order has the reason', async () => {
    await report({ from: MEERA })
    expect(await codOf()).toMatchObject({ status: 'failed', reason: expect.stringContaining('window') })
    await storeTemplate(parley, shop, {
      name: 'confirm_order',
      components: [
        {
          type: 'BODY',
          text: 'Hi {{1}}, please confirm {{2}} over {{3}}.',
          example: { body_text: [['Asha', '#1', '₹1']] },
        },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Yes' },
            { type: 'QUICK_REPLY', text: 'No' },
          ],
        },
      ],
    })
    const [{ id: templateId }] = (await shop.get('/templates')).body.templates
    expect(await settings({ templateId: shop.workspaceId })).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference', issues: [{ path: 'settings.cod.templateId' }] },
    })
    expect((await settings({ templateId })).status).toBe(200)
    await report({ from: MEERA, reference: '#1002' })
    const [template] = await questions()
    expect(template.type).toBe('template')
    const sent = JSON.stringify(template.content)
    for (const text of ['Asha Rao', '#1002', '2,310', `cod:${(await orderOf('#1002')).id}:yes`])
      expect(sent).toContain(text)
  })

  test('accept no answer after they expire', async () => {
    await settings({ expireHours: 2 })
    await report()
    await shop.advance(2 * HOUR_SECONDS + 60)
    expect(await codOf()).toMatchObject({ status: 'expired' })
    await tap('yes')
    await shop.inbound(ASHA, 'yes')
    expect(await responses()).toEqual([])
  })
})

describe('answers', () => {
  test('two taps fire one event; no means confirmed false', async () => {
    await report()
    await tap('no')
    await tap('yes')
    const order = await orderOf()
    const { conversations } = (await shop.get('/conversations')).body
    expect(await responses()).toEqual([
      {
        conversationId: conversations[0].id,
        contactId: order.contactId,
        reference: '#1001',
        confirmed: false,
      },
    ])
    expect(order.cod).toMatchObject({ status: 'disowned', answeredAt: expect.any(String) })
  })

  test('yes as the next message confirms; later, or among other words, it is a message', async () => {
    await report()
    await shop.inbound(ASHA, 'When does it come?')
    await shop.inbound(ASHA, 'yes')
    await report({ reference: '#1002' })
    await shop.inbound(ASHA, 'yes please, and one more')
    expect(await responses()).toEqual([])
    await report({ reference: '#1003' })
    await shop.inbound(ASHA, ' Yes! ')
    expect(await responses()).toMatchObject([{ reference: '#1003', confirmed: true }])
  })

  test('a word answers the last question; a button answers its own order', async () => {
    await report()
    await report({ reference: '#1002' })
    await shop.inbound(ASHA, 'no')
    await tap('yes')
    expect(await responses()).toMatchObject([
      { reference: '#1002', confirmed: false },
      { reference: '#1001', confirmed: true },
    ])
  })

  test("another customer's button is no answer", async () => {
    await report()
    await shop.inbound(MEERA, 'Hello')
    await tap('yes', MEERA)
    expect(await responses()).toEqual([])
  })

  test('a canceled order accepts no answer', async () => {
    await report()
    await report({ type: 'order_cancelled' })
    await tap('yes')
    expect(await responses()).toEqual([])
  })

  test('yes without a question is a message', async () => {
    await shop.inbound(ASHA, 'yes')
    expect(await responses()).toEqual([])
  })

  test('erasing a contact deletes the question', async () => {
    await report()
    expect((await shop.delete(`/contacts/${ASHA}`)).status).toBe(200)
    expect(await codOf()).toBeNull()
  })
})
