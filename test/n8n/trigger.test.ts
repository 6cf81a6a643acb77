/** The trigger of the n8n node with deliveries of a real Parley. */
import { createHmac } from 'node:crypto'
import type { IDataObject } from 'n8n-workflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ParleyTrigger } from '../../n8n/src/nodes/ParleyTrigger/ParleyTrigger.node.ts'
import { EVENTS } from '../../src/catalog.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { makeTrigger, type Trigger } from '../support/n8n/trigger.ts'
import { makeReceivers, type Received, type Receiver } from '../support/receiver.ts'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

type Started = {
  shop: TestWorkspace
  receiver: Receiver
  trigger: Trigger
  make: (stored?: IDataObject) => Trigger
}

/** A sandbox and an n8n whose trigger is at the receiver's address. */
async function start(parameters: IDataObject = { events: ['message.received'] }): Promise<Started> {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open()
  const make = (stored: IDataObject = {}): Trigger =>
    makeTrigger({ baseUrl: `${parley.url}/`, apiKey: shop.key }, receiver.url, parameters, stored)
  return { shop, receiver, trigger: make(), make }
}

/** Activates the trigger, and returns the delivery of a customer's message. */
async function deliver({ shop, receiver, trigger }: Started, text = 'Is it open?'): Promise<Received> {
  await trigger.activate()
  await shop.inbound('+919812345801', text)
  return (await receiver.wait(1))[0]!
}

const webhooksOf = async (shop: TestWorkspace) => (await shop.get('/webhooks')).body.webhooks

describe('registration', () => {
  test('an activation registers the address for the chosen events, and a deactivation removes it', async () => {
    const { shop, trigger, receiver } = await start({ events: ['message.received', 'lead.created'] })
    await trigger.activate()
    expect(await webhooksOf(shop)).toEqual([
      expect.objectContaining({
        url: receiver.url,
        events: ['message.received', 'lead.created'],
        state: 'active',
      }),
    ])
    await trigger.deactivate()
    expect(await webhooksOf(shop)).toEqual([])
    expect(trigger.stored.endpoints).toEqual({})
    await trigger.deactivate()
  })

  test('every event, including later ones, is one choice', async () => {
    const { shop, trigger } = await start({ events: ['*'] })
    await trigger.activate()
    expect((await webhooksOf(shop))[0].events).toBeNull()
  })

  test('a repeated activation changes nothing', async () => {
    const { shop, trigger } = await start()
    for (const _ of [1, 2, 3]) await trigger.activate()
    expect(await webhooksOf(shop)).toHaveLength(1)
  })

  test('an n8n that stopped before it stored its registration uses the address again, with a new secret', async () => {
    const started = await start()
    await started.trigger.activate()
    const trigger = started.make()
    const delivery = await deliver({ ...started, trigger })
    expect(await webhooksOf(started.shop)).toHaveLength(1)
    expect((await trigger.receive(delivery)).items).toHaveLength(1)
  })

  test('another choice of events, and an address that a person paused, are put right', async () => {
    const { shop, trigger, make } = await start()
    await trigger.activate()
    const [{ id }] = await webhooksOf(shop)
    await shop.patch(`/webhooks/${id}`, { events: ['lead.created'], active: false })
    await make(trigger.stored).activate()
    expect(await webhooksOf(shop)).toEqual([
      expect.objectContaining({ id, events: ['message.received'], state: 'active' }),
    ])
  })

  test('an address that a person deleted is registered again', async () => {
    const { shop, trigger, make } = await start()
    await trigger.activate()
    const [{ id }] = await webhooksOf(shop)
    await shop.delete(`/webhooks/${id}`)
    await make(trigger.stored).activate()
    expect(await webhooksOf(shop)).toHaveLength(1)
    await make(trigger.stored).deactivate()
    expect(await webhooksOf(shop)).toHaveLength(0)
  })

  test.each([
    ['live', true],
    ['sandbox', false],
  ])('a trigger for %s workspaces does not start with a key of another kind', async (workspace, sandbox) => {
    const shop = await parley.workspace({ sandbox })
    const parameters = { events: ['message.received'], workspace }
    const receiver = await receivers.open()
    const trigger = makeTrigger({ baseUrl: parley.url, apiKey: shop.key }, receiver.url, parameters)
    await expect(trigger.activate()).rejects.toThrow('The key of this credential belongs to')
    expect(await webhooksOf(shop)).toEqual([])
  })

  test("an address that Parley refuses is an error in Parley's words", async () => {
    const shop = await parley.workspace({ sandbox: true })
    const url = 'http://localhost:5678/webhook/1'
    const trigger = makeTrigger({ baseUrl: parley.url, apiKey: shop.key }, url, {
      events: ['message.received'],
    })
    await expect(trigger.activate()).rejects.toMatchObject({
      message: expect.stringContaining('https'),
      description: expect.stringContaining('/docs/errors#'),
      httpCode: '400',
    })
  })
})

describe('deliveries', () => {
  test('a delivery starts the workflow with the event', async () => {
    const started = await start()
    const delivery = await deliver(started)
    const { status, items } = await started.trigger.receive(delivery)
    expect([status, items]).toEqual([200, [{ json: delivery.body }]])
    expect(items[0]!.json).toMatchObject({
      event: 'message.received',
      data: { content: { body: 'Is it open?' } },
    })
  })

  test('a repeated delivery is accepted and starts nothing, also after a restart of n8n', async () => {
    const started = await start()
    const delivery = await deliver(started)
    await started.trigger.receive(delivery)
    const { stored } = started.trigger
    for (const trigger of [started.trigger, started.make(JSON.parse(JSON.stringify(stored)))])
      expect(await trigger.receive(delivery)).toEqual({ status: 200, items: [] })
  })

  test('a repeated delivery starts nothing, also if n8n did not store the first', async () => {
    const started = await start()
    const delivery = await deliver(started)
    const before = JSON.parse(JSON.stringify(started.trigger.stored))
    await started.trigger.receive(delivery)
    expect(await started.make(before).receive(delivery)).toEqual({ status: 200, items: [] })
  })

  test('a delivery that could not start the workflow starts it when it is repeated', async () => {
    const started = await start()
    const delivery = await deliver(started)
    const before = JSON.parse(JSON.stringify(started.trigger.stored))
    expect((await started.trigger.receive(delivery, 500)).status).toBe(500)
    expect((await started.make(before).receive(delivery)).items).toHaveLength(1)
  })

  test('a manual redelivery of a known event starts nothing', async () => {
    const started = await start()
    const first = await deliver(started)
    await started.trigger.receive(first)
    const [{ id }] = await webhooksOf(started.shop)
    const { deliveries } = (await started.shop.get(`/webhooks/${id}/deliveries`)).body
    await started.shop.post(`/webhooks/deliveries/${deliveries[0].id}/redeliver`)
    const again = (await started.receiver.wait(2))[1]!
    expect(again.body.id).toBe(first.body.id)
    expect(await started.trigger.receive(again)).toEqual({ status: 200, items: [] })
  })

  test('n8n stores at most 500 ids of events', async () => {
    const started = await start()
    const delivery = await deliver(started)
    started.trigger.stored.seen = Array.from({ length: 700 }, (_, i) => String(i))
    await started.trigger.receive(delivery)
    const seen = started.trigger.stored.seen as string[]
    expect([seen.length, seen.at(-1)]).toEqual([500, delivery.body.id])
  })

  test('an event that the workflow does not listen to starts nothing', async () => {
    const started = await start()
    await started.trigger.activate()
    const [{ id }] = await webhooksOf(started.shop)
    await started.shop.post(`/webhooks/${id}/test`)
    const [ping] = await started.receiver.wait(1)
    expect(await started.trigger.receive(ping!)).toEqual({ status: 200, items: [] })
  })

  test('after a rotation, both signatures of a delivery are checked', async () => {
    const started = await start()
    await started.trigger.activate()
    const [{ id }] = await webhooksOf(started.shop)
    await started.shop.post(`/webhooks/${id}/rotate`)
    const delivery = await deliver(started)
    expect(String(delivery.headers['x-webhook-signature'])).toContain(',')
    expect((await started.trigger.receive(delivery)).items).toHaveLength(1)
  })

  test('a long text with letters of many scripts keeps its signature', async () => {
    const started = await start()
    const text = 'नमस्ते 👋🏽 '.repeat(280)
    const delivery = await deliver(started, text)
    const { items } = await started.trigger.receive(delivery)
    expect(items[0]!.json.data.content.body).toBe(text)
  })
})

describe('requests of others', () => {
  const signed = (secret: string, raw: string, timestamp: number): Pick<Received, 'headers' | 'raw'> => ({
    raw,
    headers: {
      'x-webhook-timestamp': String(timestamp),
      'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')}`,
    },
  })
  const nowSeconds = (): number => Math.floor(Date.now() / 1_000)
  const bodyOf = (id: string): string =>
    JSON.stringify({ id, event: 'message.received', createdAt: new Date().toISOString(), data: {} })
  const secretOf = ({ stored }: Trigger): string =>
    Object.values(stored.endpoints as Record<string, { secret: string }>)[0]!.secret

  test('a changed body, a missing signature, and a wrong one get 401 and start nothing', async () => {
    const started = await start()
    const { headers, raw } = await deliver(started)
    const { 'x-webhook-signature': _, ...unsigned } = headers
    const forged = [
      { headers, raw: raw.replace('open', 'shut') },
      { headers, raw: `${raw} ` },
      { headers, raw: '' },
      { headers: unsigned, raw },
      { headers: { ...headers, 'x-webhook-signature': 'sha256=00' }, raw },
      { headers: { ...headers, 'x-webhook-signature': `sha256=${'0'.repeat(64)}` }, raw },
      { headers: { ...headers, 'x-webhook-timestamp': '' }, raw },
      { headers: { ...headers, 'x-webhook-timestamp': '1' }, raw },
      signed('whsec_other', raw, nowSeconds()),
    ]
    for (const request of forged)
      expect(await started.trigger.receive(request)).toEqual({ status: 401, items: [] })
    expect((await started.trigger.receive({ headers, raw })).items).toHaveLength(1)
  })

  test.each([
    [-200, 200],
    [200, 200],
    [-400, 401],
    [400, 401],
  ])('a signature of %i seconds from now gets %i', async (offset, status) => {
    const { trigger } = await start()
    await trigger.activate()
    const request = signed(secretOf(trigger), bodyOf(`${offset}`), nowSeconds() + offset)
    expect((await trigger.receive(request)).status).toBe(status)
  })

  test('a body of 5 MB is checked over all its bytes', async () => {
    const { trigger } = await start()
    await trigger.activate()
    const raw = JSON.stringify({ ...JSON.parse(bodyOf('big')), data: { text: 'é'.repeat(2_500_000) } })
    const request = signed(secretOf(trigger), raw, nowSeconds())
    expect((await trigger.receive({ ...request, raw: `${raw.slice(0, -2)}x}` })).status).toBe(401)
    expect((await trigger.receive(request)).items).toHaveLength(1)
  })

  test('a trigger that is not registered accepts nothing', async () => {
    const started = await start()
    const delivery = await deliver(started)
    expect(await started.make().receive(delivery)).toEqual({ status: 401, items: [] })
  })
})

test('the trigger offers every event of the catalog', () => {
  const { properties } = new ParleyTrigger().description
  const events = properties.find(({ name }) => name === 'events')!.options as { value: string }[]
  expect(events.map(({ value }) => value).sort()).toEqual(['*', ...EVENTS.map(({ name }) => name)].sort())
})
