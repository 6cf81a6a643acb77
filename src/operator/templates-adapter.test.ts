// Tests an account's templates through every adapter, against the simulator over HTTP.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCloudOperator } from './cloud/operator.ts'
import { readWebhook } from './cloud/reports.ts'
import type { NewOperatorTemplate, Operator, OperatorNumber, Report } from './port.ts'
import { startSimulator } from './simulator/start.ts'
import { changeTemplate } from './simulator/stored-templates.ts'
import { createTimerStore, type TimerStore } from './simulator/timer-store.ts'

const adapters: [string, () => Operator][] = [['cloud', createCloudOperator]]

const simulated = {
  operatorId: '106000000000001',
  accountId: '102000000000001',
  token: 'token-1',
  displayNumber: '15550100',
}

const order: NewOperatorTemplate = {
  name: 'order_ok',
  language: 'en_US',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [
    { type: 'BODY', text: 'Hi {{1}}, your order is ready.', example: { body_text: [['Asha']] } },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Thanks' }] },
  ],
  ttlSeconds: null,
}
const sale: NewOperatorTemplate = {
  ...order,
  name: 'sale',
  category: 'MARKETING',
  components: [{ type: 'BODY', text: 'Our sale is on' }],
}

describe.each(adapters)("the %s adapter's templates against the simulator", (_, createOperator) => {
  let now: Date
  let due: { at: number; run: () => void }[]
  let reports: Report[]
  let arrived: () => void
  let store: TimerStore
  let simulator: Awaited<ReturnType<typeof startSimulator>>
  let receiver: ReturnType<typeof createServer>
  let operator: Operator
  let number: OperatorNumber

  beforeEach(async () => {
    now = new Date('2026-06-01T09:30:00.000Z')
    due = []
    reports = []
    arrived = () => {}
    receiver = createServer((req, res) => {
      const chunks: Buffer[] = []
      req.on('data', (chunk: Buffer) => chunks.push(chunk))
      req.on('end', () => {
        res.end()
        reports.push(
          ...readWebhook(JSON.parse(Buffer.concat(chunks).toString())).flatMap((webhook) => webhook.reports),
        )
        arrived()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    store = createTimerStore({
      numbers: [simulated],
      callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      appSecret: 'app-secret',
      clock: { now: () => now, monotonicMs: () => 0 },
      after: (ms, run) => {
        const timer = { at: now.getTime() + ms, run }
        due.push(timer)
        return () => {
          due = due.filter((other) => other !== timer)
        }
      },
    })
    simulator = await startSimulator({ store, port: 0, host: '127.0.0.1' })
    operator = createOperator()
    number = { id: 'number-1', operator: 'simulator', baseUrl: simulator.url, ...simulated }
  })

  afterEach(async () => {
    store.close()
    await operator.close()
    await simulator.close()
    receiver.closeAllConnections()
    receiver.close()
  })

  /** Advances the time and waits for the reports that are due. */
  async function pass(ms: number, count: number): Promise<Report[]> {
    now = new Date(now.getTime() + ms)
    const ready = due.filter((timer) => timer.at <= now.getTime())
    due = due.filter((timer) => timer.at > now.getTime())
    for (const timer of ready) timer.run()
    while (reports.length < count)
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    return reports.splice(0, count)
  }

  async function created(template: NewOperatorTemplate): Promise<string> {
    const answered = await operator.createTemplate(number, template)
    if (answered.kind !== 'done') throw new Error(JSON.stringify(answered))
    expect(answered.value).toEqual({
      id: expect.stringMatching(/^\d{15}$/),
      status: 'PENDING',
      category: template.category,
    })
    return answered.value.id
  }

  async function listed(name: string | null = null) {
    const answered = await operator.listTemplates(number, { after: null, name })
    if (answered.kind !== 'done') throw new Error(JSON.stringify(answered))
    // Every account also has the operator's sample.
    expect(name !== null || answered.value.templates[0]?.name === 'hello_world').toBe(true)
    return answered.value.templates.slice(name === null ? 1 : 0)
  }

  test('a template is pending until it is approved a few seconds later', async () => {
    const id = await created(order)
    expect(await listed()).toEqual([
      {
        id,
        name: 'order_ok',
        language: 'en_US',
        status: 'PENDING',
        category: 'UTILITY',
        parameterFormat: 'POSITIONAL',
        components: order.components,
        quality: 'UNKNOWN',
        rejectedReason: null,
      },
    ])
    expect(await pass(3000, 1)).toEqual([
      {
        kind: 'template_status',
        templateId: id,
        name: 'order_ok',
        language: 'en_US',
        event: 'APPROVED',
        category: 'UTILITY',
        reason: null,
        accountId: simulated.accountId,
        at: expect.any(Date),
      },
    ])
    expect(await listed()).toMatchObject([{ id, status: 'APPROVED' }])
  })

  test('marketing without a way to opt out is rejected with a reason', async () => {
    const id = await created(sale)
    expect(await pass(3000, 1)).toMatchObject([
      { templateId: id, event: 'REJECTED', reason: expect.any(String) },
    ])
    expect(await listed()).toMatchObject([{ status: 'REJECTED', rejectedReason: expect.any(String) }])
  })

  test('the same name and language again is rejected with code 100, subcode 2388024', async () => {
    await created(order)
    expect(await operator.createTemplate(number, order)).toMatchObject({
      kind: 'refused',
      error: { code: 100, subcode: 2388024, details: expect.stringContaining('already') },
    })
    await created({ ...order, language: 'hi' })
  })

  test('a violation of the rules is rejected with a readable text', async () => {
    const components = [{ type: 'BODY', text: '{{1}} is ready', example: { body_text: [['A']] } }]
    expect(await operator.createTemplate(number, { ...order, components })).toMatchObject({
      kind: 'refused',
      error: { code: 100, subcode: 2388299, title: 'Leading or trailing parameters not allowed' },
    })
  })

  test('lists continue after the last page, and can be filtered by name', async () => {
    for (let i = 0; i < 100; i++) await created({ ...order, name: `order_${i}` })
    const first = await operator.listTemplates(number, { after: null, name: null })
    if (first.kind !== 'done') throw new Error('refused')
    expect(first.value.templates).toHaveLength(100)
    const second = await operator.listTemplates(number, { after: first.value.after, name: null })
    expect(second).toMatchObject({ kind: 'done', value: { templates: [{ name: 'order_99' }], after: null } })
    expect((await listed('order_77')).map((template) => template.name)).toEqual(['order_77'])
  })

  test('one language is deleted by its id, all languages by the name', async () => {
    const id = await created(order)
    await created({ ...order, language: 'hi' })
    await created({ ...order, language: 'mr' })
    expect(await operator.deleteTemplate(number, { name: 'order_ok', id })).toMatchObject({ kind: 'done' })
    expect((await listed()).map((template) => template.language)).toEqual(['hi', 'mr'])
    expect(await operator.deleteTemplate(number, { name: 'order_ok', id: null })).toMatchObject({
      kind: 'done',
    })
    expect(await listed()).toEqual([])
    expect(await operator.deleteTemplate(number, { name: 'order_ok', id: null })).toMatchObject({
      kind: 'refused',
      error: { code: 100, subcode: 2593002 },
    })
  })

  test('a sample of a header becomes a handle', async () => {
    const bytes = Buffer.from('%PDF-1.7 not much of one')
    const answered = await operator.uploadTemplateSample(number, {
      filename: 'bill of may.pdf',
      mimeType: 'application/pdf',
      sizeBytes: bytes.length,
      stream: () => Readable.from([bytes]),
    })
    expect(answered).toEqual({ kind: 'done', value: { handle: expect.stringMatching(/^4:/) } })
  })

  test('later changes are reported: paused, reinstated, another category, quality', async () => {
    const id = await created(order)
    await pass(3000, 1)
    const change = async (...args: [Parameters<typeof changeTemplate>[3]]) => {
      const template = await store.find(id)
      await changeTemplate(store, simulated, template as NonNullable<typeof template>, args[0])
      return (await pass(0, 1))[0]
    }
    expect(await change({ event: 'PAUSED', reason: 'NONE' })).toMatchObject({ event: 'PAUSED' })
    expect(await listed()).toMatchObject([{ status: 'PAUSED' }])
    expect(await change({ event: 'REINSTATED' })).toMatchObject({ event: 'REINSTATED' })
    expect(await listed()).toMatchObject([{ status: 'APPROVED' }])
    expect(await change({ category: 'MARKETING', impending: true })).toMatchObject({ kind: 'unrecognized' })
    expect(await listed()).toMatchObject([{ category: 'UTILITY' }])
    expect(await change({ category: 'MARKETING' })).toMatchObject({
      kind: 'template_category',
      previousCategory: 'UTILITY',
      newCategory: 'MARKETING',
    })
    expect(await listed()).toMatchObject([{ category: 'MARKETING' }])
    expect(await change({ quality: 'RED' })).toMatchObject({ kind: 'template_quality', quality: 'RED' })
  })

  test('an expired token is a refusal, and a dead address means not sent', async () => {
    expect(await operator.createTemplate({ ...number, token: 'other' }, order)).toMatchObject({
      kind: 'refused',
      error: { code: 190 },
    })
    expect(await operator.createTemplate({ ...number, baseUrl: 'http://127.0.0.1:1' }, order)).toMatchObject({
      kind: 'not_sent',
    })
  })
})

test("the operator's published list is understood", async () => {
  const fixture = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../test/fixtures/template-components/operator', name))
  const server = createServer((req, res) =>
    res.end(fixture(req.method === 'POST' ? 'create.answer.json' : 'list.answer.json')),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const operator = createCloudOperator()
  const number: OperatorNumber = {
    id: 'number-1',
    operator: 'cloud',
    ...simulated,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  try {
    const answered = await operator.listTemplates(number, { after: null, name: null })
    expect(answered).toMatchObject({
      kind: 'done',
      value: {
        // Cursors without a next: this is the last page.
        after: null,
        templates: [
          {
            id: '1192339204654487',
            name: 'hello_world',
            language: 'en_US',
            status: 'APPROVED',
            quality: 'UNKNOWN',
          },
          {
            id: '920070352646140',
            name: '2023_april_promo',
            parameterFormat: 'POSITIONAL',
            rejectedReason: null,
          },
        ],
      },
    })
    expect(await operator.createTemplate(number, order)).toEqual({
      kind: 'done',
      value: { id: '1689556908129832', status: 'PENDING', category: 'UTILITY' },
    })
  } finally {
    await operator.close()
    server.close()
  }
})
