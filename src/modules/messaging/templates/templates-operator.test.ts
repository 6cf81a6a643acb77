// Templates of a real number: the state after lost answers of the operator, and the changes by its webhooks.

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  boot,
  clientOf,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../../../../test/support/boot.ts'
import { makeAuthority } from '../../../../test/support/certificates.ts'
import { type ConnectedNumber, connectNumber } from '../../../../test/support/operator-webhooks.ts'
import { until } from '../../../../test/support/until.ts'
import { checkDatabase } from '../../../cli/doctor-database.ts'
import { SCREEN_CHANGED } from '../../../core/event.ts'
import { createSealer } from '../../../core/sealing.ts'
import { startSimulator } from '../../../operator/simulator/start.ts'
import type { SimulatedNumber } from '../../../operator/simulator/store.ts'
import { listTemplates } from '../../../operator/simulator/stored-templates.ts'
import { createTimerStore } from '../../../operator/simulator/timer-store.ts'
import { setPhoneNumber } from '../../platform/workspaces/operations/number-credentials.ts'

/**
 * The fate of a call: it passes, its answer is lost, the call itself is lost, it waits, or it gets another
 * answer.
 */
type Fault =
  | 'pass'
  | 'lose answer'
  | 'lose call'
  | { until: Promise<void> }
  | { status: number; body: unknown; headers?: Record<string, string> }

let simulator: Awaited<ReturnType<typeof startSimulator>>
let line: Server
let samples: Server
let folder: string
let faults: Record<string, Fault[]> = {}
const store = createTimerStore({
  numbers: [],
  callbackUrl: () => null,
  appSecret: '',
  // The tests report webhooks themselves.
  after: () => () => {},
})
let env: Record<string, string>
let parley: TestParley
let shop: TestWorkspace
let number: ConnectedNumber
let simulated: SimulatedNumber

/** Forwards calls between the service and the simulated operator. */
async function carry(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  const fault = faults[req.method ?? '']?.shift() ?? 'pass'
  if (fault === 'lose call') return void res.destroy()
  if (typeof fault === 'object' && 'status' in fault)
    return void res.writeHead(fault.status, fault.headers).end(JSON.stringify(fault.body))
  // The host header stays, so that links of the operator lead back through this proxy.
  const { connection: _connection, ...headers } = req.headers
  const answer = await request(`${simulator.url}${req.url}`, {
    method: req.method as 'GET',
    headers,
    body: chunks.length > 0 ? Buffer.concat(chunks) : null,
  })
  const text = await answer.body.text()
  if (fault === 'lose answer') return void res.destroy()
  if (typeof fault === 'object') await fault.until
  res.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(text)
}

beforeAll(async () => {
  simulator = await startSimulator({ store, port: 0, host: '127.0.0.1' })
  line = createServer((req, res) => void carry(req, res).catch(() => res.destroy()))
  line.listen(0, '127.0.0.1')
  const authority = await makeAuthority()
  folder = await mkdtemp(join(tmpdir(), 'parley-samples-'))
  await writeFile(join(folder, 'ca.pem'), authority.ca)
  samples = createSecureServer(await authority.issue('localhost'), (req, res) => {
    if (req.url === '/a.png') res.writeHead(200, { 'content-type': 'image/png' }).end('not much of a picture')
    else if (req.url === '/a.txt') res.writeHead(200, { 'content-type': 'text/plain' }).end('words')
    else res.writeHead(404).end()
  })
  samples.listen(0, '127.0.0.1')
  for (const server of [line, samples]) if (!server.listening) await once(server, 'listening')
  env = {
    PARLEY_OPERATOR_URL: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    PARLEY_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
    PARLEY_EGRESS_CA: join(folder, 'ca.pem'),
  }
  parley = await boot({ env })
})
afterAll(async () => {
  await parley.close()
  store.close()
  await simulator.close()
  for (const server of [line, samples]) {
    server.closeAllConnections()
    server.close()
  }
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  faults = {}
  shop = await parley.workspace()
  number = await connectNumber(parley, shop)
  simulated = { ...number, token: 'operator-token' }
  store.numbers.push(simulated)
})

const order = {
  name: 'order_ok',
  language: 'en_US',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hi {{1}}, your order is ready.', example: { body_text: [['Asha']] } }],
}
// Ignores the operator's sample template, which all accounts have and no test changes.
const isOwnTemplate = ({ name }: { name: unknown }) => name !== 'hello_world'
const atOperator = async () =>
  (await listTemplates(store, simulated)).filter(({ value }) => isOwnTemplate(value as { name: unknown }))
const stored = async () => (await shop.get('/templates')).body.templates.filter(isOwnTemplate)
const reported = async () =>
  (await shop.get('/events?limit=100')).body.events
    .map(({ event, data }: { event: string; data: unknown }) => ({ event, data }))
    .reverse()

describe('POST /templates, when the operator', () => {
  test('accepts it and its answer is lost: it is found there, once', async () => {
    faults = { POST: ['lose answer'] }
    const { status, body } = await shop.post('/templates', order)
    expect([status, body.template.status]).toEqual([200, 'pending'])
    expect(await atOperator()).toMatchObject([{ id: body.template.metaTemplateId }])
  })

  test('accepts it and then stops answering: unknown at first, and a retry does not submit it again', async () => {
    faults = { POST: ['lose answer'], GET: ['lose call'] }
    const first = await shop.post('/templates', order, { idempotencyKey: 'one' })
    expect([first.status, first.body.error]).toEqual([429, 'meta_error'])
    expect(await stored()).toMatchObject([{ status: 'pending', metaTemplateId: null }])
    const { status, body } = await shop.post('/templates', order, { idempotencyKey: 'one' })
    expect(status).toBe(200)
    expect(await atOperator()).toMatchObject([{ id: body.template.metaTemplateId }])
    expect(await stored()).toHaveLength(1)
  })

  test('did not receive it: a retry submits it', async () => {
    faults = { POST: ['lose call'] }
    expect((await shop.post('/templates', order)).status).toBe(429)
    expect(await atOperator()).toEqual([])
    expect((await shop.post('/templates', order)).status).toBe(200)
    expect(await atOperator()).toHaveLength(1)
  })

  test('refuses it: meta_error with its code and text, and nothing is stored', async () => {
    const error = {
      message: 'Invalid parameter',
      code: 100,
      error_subcode: 2388293,
      error_user_title: 'Ratio',
      error_user_msg: 'Too many variables for its length.',
    }
    faults = { POST: [{ status: 400, body: { error } }] }
    const { status, body } = await shop.post('/templates', order)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'meta_error', code: 100 })
    expect(body.message).toContain('Too many variables for its length.')
    expect(await stored()).toEqual([])
    expect((await shop.post('/templates', order)).status).toBe(200)
  })

  test('throttles: 429 with Retry-After, and nothing is stored', async () => {
    const error = { message: '(#80007) Rate limit issues', code: 80007 }
    faults = { POST: [{ status: 400, body: { error }, headers: { 'retry-after': '7' } }] }
    const { status, body, headers } = await shop.post('/templates', order)
    expect([status, body.error, body.code, headers['retry-after']]).toEqual([429, 'meta_error', 80007, '7'])
    expect(await stored()).toEqual([])
  })

  test('already has it from elsewhere: conflict, naming the template, which is now stored', async () => {
    const url = `${simulator.url}/${number.accountId}/message_templates`
    const headers = { authorization: 'Bearer operator-token', 'content-type': 'application/json' }
    await request(url, { method: 'POST', headers, body: JSON.stringify(order) }).then(({ body }) =>
      body.dump(),
    )
    const { status, body } = await shop.post('/templates', order)
    expect([status, body.error]).toEqual([409, 'conflict'])
    expect((await shop.get(`/templates/${body.id}`)).body.template).toMatchObject({
      name: 'order_ok',
      metaTemplateId: (await atOperator())[0]?.id,
    })
  })

  test('is slow: the name is reserved meanwhile, and concurrent duplicates get a conflict', async () => {
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    faults = { POST: [{ until: held }] }
    const first = shop.post('/templates', order)
    await until(async () => (await atOperator()).length === 1, 'the operator has it')
    const duplicate = await shop.post('/templates', order)
    expect([duplicate.status, duplicate.body.error]).toEqual([409, 'conflict'])
    expect((await shop.delete(`/templates/${duplicate.body.id}`)).status).toBe(409)
    go()
    expect((await first).body.template.id).toBe(duplicate.body.id)
    expect(await atOperator()).toHaveLength(1)
  })

  test("is slow, and after two minutes a retry gets the key: the retry's answer is final, and the first request commits nothing more", async () => {
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    faults = { POST: [{ until: held }] }
    const idempotencyKey = 'superseded'
    const first = shop.post('/templates', order, { idempotencyKey })
    await until(async () => (await atOperator()).length === 1, 'the operator has it')
    await parley.system((tx) =>
      tx.sql(
        "update idempotency_keys set started_at = started_at - interval '2 minutes' where workspace_id = $1",
        [shop.workspaceId],
      ),
    )
    const elsewhere = await boot({ env: { ...env, PARLEY_ROLES: 'web' }, databaseUrl: parley.databaseUrl })
    onTestFinished(() => elsewhere.close())
    const retry = await clientOf(elsewhere.url, shop.key).post('/templates', order, { idempotencyKey })
    expect([retry.status, retry.body.error]).toEqual([409, 'conflict'])
    go()
    expect(await first).toMatchObject({ status: 409, body: { error: 'idempotency_key_in_progress' } })
    expect(await stored()).toMatchObject([{ status: 'pending', metaTemplateId: null }])
    expect(await shop.post('/templates', order, { idempotencyKey })).toMatchObject({
      text: retry.text,
      headers: { 'idempotent-replayed': 'true' },
    })
  })

  test('decides before its answer arrives: the decision is kept, announced once', async () => {
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    faults = { POST: [{ until: held }] }
    const first = shop.post('/templates', order)
    await until(async () => (await atOperator()).length === 1, 'the operator has it')
    const [template] = await atOperator()
    await number.report('message_template_status_update', statusOf(template!.id, 'APPROVED'))
    go()
    expect((await first).body.template).toMatchObject({ status: 'approved', metaTemplateId: template!.id })
    expect(await reported()).toMatchObject([{ event: 'template.approved' }])
  })

  test('has it, and the process crashed before recording it: the next request finds it there', async () => {
    const { template } = (await shop.post('/templates', order)).body
    await expireSubmission()
    const { status, body } = await shop.post('/templates', order)
    expect(status).toBe(200)
    expect(body.template).toMatchObject({ id: template.id, metaTemplateId: template.metaTemplateId })
    expect(await atOperator()).toHaveLength(1)
  })
})

describe('the result of a submission whose request has ended is read from the operator in the background', () => {
  /** Simulates that the reservation of the name has expired. */
  const letReservationExpire = () =>
    parley.system(async (tx) => {
      await tx.sql(
        "update templates set submitting_until = created_at where workspace_id = $1 and submission = 'submitting'",
        [shop.workspaceId],
      )
      await tx.sql(
        "update jobs set run_at = created_at where workspace_id = $1 and name = 'settleTemplate'",
        [shop.workspaceId],
      )
    })
  const countJobs = async () =>
    (
      await parley.system((tx) =>
        tx.sql<{ count: number }>(
          "select count(*)::int as count from jobs where workspace_id = $1 and name = 'settleTemplate'",
          [shop.workspaceId],
        ),
      )
    )[0]!.count
  const waitForCheck = () => until(async () => (await countJobs()) === 0, 'the operator was called')

  test('its answer was lost and the operator has it: it is stored, and its approval announced', async () => {
    faults = { POST: ['lose answer'], GET: ['lose call'] }
    expect((await shop.post('/templates', order)).status).toBe(429)
    const [template] = await atOperator()
    await store.keep(simulated, {
      ...template!,
      value: { ...template!.value, status: 'APPROVED', decidedAt: new Date(0).toISOString() },
    })
    await letReservationExpire()
    await waitForCheck()
    expect(await stored()).toMatchObject([{ status: 'approved', metaTemplateId: template!.id }])
    expect(await reported()).toMatchObject([{ event: 'template.approved' }])
  })

  test('the process crashed before it recorded the answer: the template is stored', async () => {
    const { template } = (await shop.post('/templates', order)).body
    await expireSubmission()
    await letReservationExpire()
    await waitForCheck()
    expect(await stored()).toMatchObject([{ id: template.id, metaTemplateId: template.metaTemplateId }])
  })

  test('it never arrived: the name is free again', async () => {
    faults = { POST: ['lose answer'], GET: ['lose call'] }
    await shop.post('/templates', order)
    await store.drop(simulated, 'template', (await atOperator())[0]!.id)
    await letReservationExpire()
    await waitForCheck()
    expect(await stored()).toEqual([])
  })

  test('the operator cannot be reached: the submission stays open, and the operator is asked again', async () => {
    faults = { POST: ['lose answer'], GET: ['lose call', 'lose call'] }
    await shop.post('/templates', order)
    await letReservationExpire()
    await until(async () => faults.GET?.length === 0, 'the call to the operator failed')
    expect(await stored()).toMatchObject([{ status: 'pending', metaTemplateId: null }])
    expect(await countJobs()).toBe(1)
    await until(async () => {
      await letReservationExpire()
      return (await countJobs()) === 0
    }, 'the operator was called again')
    expect(await stored()).toMatchObject([{ metaTemplateId: (await atOperator())[0]!.id }])
  })

  test('a request that still waits for its answer keeps the name', async () => {
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    faults = { POST: [{ until: held }] }
    const first = shop.post('/templates', order)
    await until(async () => (await atOperator()).length === 1, 'the operator has it')
    await parley.system((tx) =>
      tx.sql('update jobs set run_at = created_at where workspace_id = $1', [shop.workspaceId]),
    )
    await waitForCheck()
    expect(await stored()).toMatchObject([{ metaTemplateId: null }])
    go()
    expect((await first).body.template.metaTemplateId).toBe((await atOperator())[0]!.id)
  })
})

describe('the name of an approved template that was deleted', () => {
  const approved = async () => {
    const { template } = (await shop.post('/templates', order)).body
    await number.report('message_template_status_update', statusOf(template.metaTemplateId, 'APPROVED'))
    const [original] = await atOperator()
    await store.keep(simulated, {
      ...original!,
      value: { ...original!.value, status: 'APPROVED', decidedAt: new Date(0).toISOString() },
    })
    return template
  }

  test('is rejected for 30 days, without asking the operator; other languages of it are not', async () => {
    const { id } = await approved()
    await shop.delete(`/templates/${id}`)
    faults = { POST: [{ status: 500, body: {} }] }
    const { status, body } = await shop.post('/templates', order)
    expect([status, body.error]).toEqual([409, 'conflict'])
    const availableAt = new Date(/[0-9TZ:.-]{24}/.exec(body.message)![0])
    expect((availableAt.getTime() - Date.now()) / 86_400_000).toBeCloseTo(30, 2)
    expect(faults.POST).toHaveLength(1)
    faults = {}
    expect((await shop.post('/templates', { ...order, language: 'hi' })).status).toBe(200)
    await parley.system((tx) =>
      tx.sql("update closed_template_names set until = until - interval '30 days' where workspace_id = $1", [
        shop.workspaceId,
      ]),
    )
    expect((await shop.post('/templates', order)).body).toMatchObject({ error: 'meta_error', code: 100 })
  })

  test('that was deleted elsewhere: the operator refuses it, and so do we once we know', async () => {
    const { metaTemplateId } = await approved()
    const url = `${simulator.url}/${number.accountId}/message_templates?name=order_ok`
    await request(url, { method: 'DELETE', headers: { authorization: 'Bearer operator-token' } }).then(
      ({ body }) => body.dump(),
    )
    await shop.post('/templates/sync')
    const refused = await shop.post('/templates', order)
    expect([refused.status, refused.body.error, refused.body.code]).toEqual([400, 'meta_error', 100])
    expect(refused.body.message).toContain('Try again in 4 weeks')
    expect(await stored()).toEqual([])
    expect(metaTemplateId).toBeTruthy()
  })

  test('that the operator reports as deleted is also refused', async () => {
    const { metaTemplateId } = await approved()
    await number.report('message_template_status_update', statusOf(metaTemplateId, 'DELETED'))
    expect((await shop.post('/templates', order)).body).toMatchObject({ error: 'conflict' })
  })

  test('that was never approved: the name is free immediately', async () => {
    const { template } = (await shop.post('/templates', order)).body
    await shop.delete(`/templates/${template.id}`)
    expect((await shop.post('/templates', order)).status).toBe(200)
  })
})

describe('DELETE /templates/{id}, when the operator', () => {
  test('deletes it and its answer is lost: it is deleted', async () => {
    const { template } = (await shop.post('/templates', order)).body
    faults = { DELETE: ['lose answer'] }
    expect((await shop.delete(`/templates/${template.id}`)).body).toEqual({ ok: true, deleted: true })
    expect([await atOperator(), await stored()]).toEqual([[], []])
  })

  test('cannot be reached: nothing is deleted', async () => {
    const { template } = (await shop.post('/templates', order)).body
    faults = { DELETE: ['lose call'] }
    expect((await shop.delete(`/templates/${template.id}`)).body.error).toBe('meta_error')
    expect(await stored()).toHaveLength(1)
  })

  test('no longer has it: it is deleted here too', async () => {
    const { template } = (await shop.post('/templates', order)).body
    await store.drop(simulated, 'template', template.metaTemplateId)
    expect((await shop.delete(`/templates/${template.id}`)).body).toEqual({ ok: true, deleted: true })
  })

  test('has it without our knowledge: it is deleted there too', async () => {
    faults = { POST: ['lose answer'], GET: ['lose call'] }
    await shop.post('/templates', order)
    const [{ id }] = await stored()
    expect((await shop.delete(`/templates/${id}`)).body).toEqual({ ok: true, deleted: true })
    expect([await atOperator(), await stored()]).toEqual([[], []])
  })
})

/** Simulates a crash between the operator's answer and its record. */
const expireSubmission = () =>
  parley.system((tx) =>
    tx.sql(
      `update templates set meta_template_id = null, submission = 'submitting', attempt = gen_random_uuid(),
              submitting_until = created_at where workspace_id = $1`,
      [shop.workspaceId],
    ),
  )
const statusOf = (id: string, event: string, overrides: object = {}) => ({
  event,
  message_template_id: Number(id),
  message_template_name: 'order_ok',
  message_template_language: 'en-US',
  reason: 'NONE',
  ...overrides,
})

describe('the operator reports', () => {
  let id: string
  let metaTemplateId: string
  beforeEach(async () => {
    const { template } = (await shop.post('/templates', order)).body
    id = template.id
    metaTemplateId = template.metaTemplateId
  })
  const read = async () => (await shop.get(`/templates/${id}`)).body.template
  const status = (event: string, time: number, overrides?: object) =>
    number.report('message_template_status_update', statusOf(metaTemplateId, event, overrides), time)
  const category = (value: object, time?: number) =>
    number.report('template_category_update', { ...statusOf(metaTemplateId, ''), ...value }, time)
  const data = { name: 'order_ok', language: 'en_US' }

  test('template.approved on the transition into approved, even if it is reported repeatedly', async () => {
    await status('APPROVED', 1000)
    await status('APPROVED', 1000)
    await status('APPROVED', 1001)
    expect(await read()).toMatchObject({ status: 'approved' })
    expect(await reported()).toMatchObject([
      { event: 'template.approved', data: { ...data, templateId: id, metaTemplateId, status: 'approved' } },
    ])
  })

  test('paused, reinstated: approved again, announced again', async () => {
    await status('APPROVED', 1000)
    await status('PAUSED', 1001)
    expect(await read()).toMatchObject({ status: 'paused' })
    await status('REINSTATED', 1002)
    expect(await read()).toMatchObject({ status: 'approved' })
    expect((await reported()).map((event: { event: string }) => event.event)).toEqual([
      'template.approved',
      'template.approved',
    ])
  })

  test('an outdated report does not replace newer state: a late duplicate changes nothing', async () => {
    await status('APPROVED', 1000)
    await status('DISABLED', 1005)
    await status('APPROVED', 1000)
    expect(await read()).toMatchObject({ status: 'disabled' })
    expect(await reported()).toHaveLength(1)
  })

  test('nor a state that was reported again since', async () => {
    await status('APPROVED', 1000, { message_template_category: 'UTILITY' })
    await status('REINSTATED', 1010, { message_template_category: 'UTILITY' })
    await status('PAUSED', 1005)
    await category({ previous_category: 'UTILITY', new_category: 'MARKETING' }, 1005)
    expect(await read()).toMatchObject({ status: 'approved', category: 'UTILITY' })
    expect(await reported()).toHaveLength(1)
  })

  test('template.rejected with its reason', async () => {
    await status('REJECTED', 1000, { reason: 'TAG_CONTENT_MISMATCH' })
    expect(await read()).toMatchObject({ status: 'rejected', rejectedReason: 'TAG_CONTENT_MISMATCH' })
    expect(await reported()).toMatchObject([
      { event: 'template.rejected', data: { ...data, status: 'rejected', reason: 'TAG_CONTENT_MISMATCH' } },
    ])
    await status('APPROVED', 1001)
    expect(await read()).toMatchObject({ status: 'approved', rejectedReason: null })
  })

  test('template.rejected with the reason as text if the operator has no code for it', async () => {
    const rejection_info = { reason: 'Two placeholders stand side by side.', recommendation: 'Part them.' }
    await status('REJECTED', 1000, { rejection_info })
    expect(await reported()).toMatchObject([
      { event: 'template.rejected', data: { reason: 'Two placeholders stand side by side.' } },
    ])
  })

  test('template.category_changed when it takes effect, not when it is announced, and once', async () => {
    await category(
      { new_category: 'UTILITY', correct_category: 'MARKETING', category_update_timestamp: 2000 },
      1000,
    )
    expect(await reported()).toEqual([])
    const done = { previous_category: 'UTILITY', new_category: 'MARKETING' }
    await category(done, 1001)
    await category(done, 1001)
    expect(await read()).toMatchObject({ category: 'MARKETING' })
    expect(await reported()).toEqual([
      {
        event: 'template.category_changed',
        data: { ...data, templateId: id, metaTemplateId, previousCategory: 'UTILITY', category: 'MARKETING' },
      },
    ])
  })

  test('its category: the latest report counts, whether it came with a state or separately', async () => {
    const eventNames = async () => (await reported()).map((event: { event: string }) => event.event)
    await status('APPROVED', 1000, { message_template_category: 'UTILITY' })
    await category({ previous_category: 'UTILITY', new_category: 'MARKETING' }, 1010)
    await status('PAUSED', 1005, { message_template_category: 'UTILITY' })
    expect(await read()).toMatchObject({ status: 'paused', category: 'MARKETING' })
    expect(await eventNames()).toEqual(['template.approved', 'template.category_changed'])
    await status('REINSTATED', 1020, { message_template_category: 'UTILITY' })
    await category({ previous_category: 'UTILITY', new_category: 'MARKETING' }, 1015)
    expect(await read()).toMatchObject({ status: 'approved', category: 'UTILITY' })
    expect(await eventNames()).toHaveLength(4)
  })

  test('its text after an edit there: reported parts change, unreported parts stay, and older reports change nothing', async () => {
    const edit = (element: string, overrides: object, time: number) =>
      number.report(
        'message_template_components_update',
        { ...statusOf(metaTemplateId, ''), message_template_element: element, ...overrides },
        time,
      )
    const buttons = [
      {
        message_template_button_type: 'URL',
        message_template_button_text: 'See',
        message_template_button_url: 'https://example.com/{{1}}',
      },
    ]
    const edited = {
      message_template_title: 'News',
      message_template_footer: 'Bye',
      message_template_buttons: buttons,
    }
    await edit('Dear {{1}}, it is here.', edited, 1001)
    await edit('An older one', {}, 1000)
    const components = [
      { type: 'HEADER', format: 'TEXT', text: 'News' },
      { type: 'BODY', text: 'Dear {{1}}, it is here.', example: { body_text: [['Asha']] } },
      { type: 'FOOTER', text: 'Bye' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'See', url: 'https://example.com/{{1}}' }] },
    ]
    expect((await read()).components).toEqual(components)
    await edit('Nothing left open.', {}, 1002)
    expect((await read()).components).toEqual([{ type: 'BODY', text: 'Nothing left open.' }, components[3]])
    expect(await reported()).toEqual([])
  })

  const quality = (score: string, time: number) =>
    number.report(
      'message_template_quality_update',
      { ...statusOf(metaTemplateId, ''), previous_quality_score: 'GREEN', new_quality_score: score },
      time,
    )

  test('its quality: the latest report counts', async () => {
    await quality('RED', 1001)
    expect(await read()).toMatchObject({ quality: 'RED', status: 'pending' })
    await quality('YELLOW', 1000)
    expect(await read()).toMatchObject({ quality: 'RED' })
    await quality('RED', 1010)
    await quality('GREEN', 1005)
    expect(await read()).toMatchObject({ quality: 'RED' })
  })

  test('deleted: it is removed, unless the name belongs to another template by now', async () => {
    await number.report('message_template_status_update', statusOf('999', 'DELETED'))
    expect(await read()).toMatchObject({ id })
    await status('DELETED', 1000)
    expect(await stored()).toEqual([])
  })

  test('changed or deleted: open pages are told', async () => {
    const changes = async () =>
      (
        await parley.system((tx) =>
          tx.sql<{ data: unknown }>(
            'select data from events where workspace_id = $1 and name = $2 order by id',
            [shop.workspaceId, SCREEN_CHANGED],
          ),
        )
      ).map(({ data }) => data)
    const before = (await changes()).length
    await quality('RED', 1000)
    await status('DELETED', 1001)
    const change = { touched: { template: [id] } }
    expect((await changes()).slice(before)).toEqual([change, change])
  })

  test('unknown states and unknown templates: nothing changes', async () => {
    const before = await read()
    await status('FLAGGED', 1000)
    await status('SOMETHING_NEW', 1000)
    await number.report('message_template_status_update', statusOf('999', 'APPROVED'))
    expect(await read()).toEqual(before)
    expect(await reported()).toEqual([])
  })

  test('many reports in one body', async () => {
    await number.reportBody({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: 'x',
          time: 1000,
          changes: ['APPROVED', 'PAUSED', 'REINSTATED'].map((event) => ({
            field: 'message_template_status_update',
            value: statusOf(metaTemplateId, event),
          })),
        },
      ],
    })
    expect(await read()).toMatchObject({ status: 'approved' })
  })
})

describe('samples of media headers', () => {
  const withHeader = (handle: string, format = 'IMAGE') => ({
    ...order,
    components: [{ type: 'HEADER', format, example: { header_handle: [handle] } }, ...order.components],
  })
  const address = (path: string) => `https://localhost:${(samples.address() as AddressInfo).port}${path}`

  test('an https address is fetched and uploaded: the operator gets a handle', async () => {
    const { status, body } = await shop.post('/templates', withHeader(address('/a.png')))
    expect(status, JSON.stringify(body)).toBe(200)
    const [template] = await atOperator()
    expect(template?.value.components).toMatchObject([
      { type: 'HEADER', example: { header_handle: [expect.stringMatching(/^4:/)] } },
      { type: 'BODY' },
    ])
  })

  test('a media id of POST /media is copied', async () => {
    const { status, body } = await shop.post('/media', {
      fileBase64: Buffer.from('%PDF-1.7 not much of one').toString('base64'),
    })
    expect(status, JSON.stringify(body)).toBe(200)
    const answer = await shop.post('/templates', withHeader(body.id, 'DOCUMENT'))
    expect(answer.status, answer.text).toBe(200)
    expect((await atOperator())[0]?.value.components).toMatchObject([
      { example: { header_handle: [expect.stringMatching(/^4:/)] } },
      {},
    ])
  })

  test('a handle stays unchanged', async () => {
    await shop.post('/templates', withHeader('4::aW1hZ2UvanBn:abc'))
    expect((await atOperator())[0]?.value.components).toMatchObject([
      { example: { header_handle: ['4::aW1hZ2UvanBn:abc'] } },
      {},
    ])
  })

  test.each([
    ['that does not exist', () => address('/gone.png')],
    ['of another kind', () => address('/a.txt')],
    ['at a private address', () => 'https://10.0.0.1/a.png'],
    ['that is not https', () => 'http://localhost:1/a.png'],
    ['with an unknown media id', () => '123456789'],
  ])('a file %s: 400 naming the sample, and nothing is stored', async (_, handle) => {
    const { status, body } = await shop.post('/templates', withHeader(handle()))
    expect([status, body.error]).toEqual([400, 'invalid'])
    expect(body.issues).toMatchObject([{ path: 'components[0].example.header_handle[0]' }])
    expect(await stored()).toEqual([])
  })

  test('a media id about which the operator refuses information is treated like a missing file', async () => {
    const { id } = (
      await shop.post('/media', { fileBase64: Buffer.from('%PDF-1.7 not much of one').toString('base64') })
    ).body
    faults = { GET: [{ status: 401, body: { error: { message: 'Access token has expired', code: 190 } } }] }
    const { status, body } = await shop.post('/templates', withHeader(id, 'DOCUMENT'))
    expect([status, body.error, body.code]).toEqual([400, 'meta_error', 190])
    expect(await stored()).toEqual([])
  })
})

test('a synchronization without news changes nothing, with any order of keys and any links of samples', async () => {
  const header = { format: 'IMAGE', type: 'HEADER', example: { header_handle: ['4::aW1hZ2UvanBn:abc'] } }
  await shop.post('/templates', { ...order, components: [header, ...order.components] })
  const [template] = await atOperator()
  const link = { type: 'HEADER', example: { header_handle: ['https://cdn.example/x'] }, format: 'IMAGE' }
  const [, body] = template!.value.components as Record<string, unknown>[]
  const reversed = Object.fromEntries(Object.entries(body!).reverse())
  await store.keep(simulated, { ...template!, value: { ...template!.value, components: [link, reversed] } })
  await shop.post('/templates/sync')
  const counts = { synced: 2, created: 0, updated: 0, removed: 0 }
  expect((await shop.post('/templates/sync')).body).toEqual({ ok: true, ...counts })
})

test('POST /templates/sync returns the refusal of the operator, and changes nothing', async () => {
  await shop.post('/templates', order)
  faults = { GET: [{ status: 401, body: { error: { message: 'expired', code: 190 } } }] }
  expect((await shop.post('/templates/sync')).body).toMatchObject({ error: 'meta_error', code: 190 })
  expect(await stored()).toHaveLength(1)
})

test.each([
  ['a page of a proxy', '<html>'],
  ['nothing', {}],
  ['a page without the cursor of the next page', { data: [], paging: { next: 'https://operator.example/' } }],
])('POST /templates/sync with the answer %s removes nothing', async (_, body) => {
  await shop.post('/templates', order)
  faults = { GET: [{ status: 200, body }] }
  expect(await shop.post('/templates/sync')).toMatchObject({ status: 429, body: { error: 'meta_error' } })
  expect(await stored()).toHaveLength(1)
})

test('POST /templates/sync continues with a next page whose cursor is only in its address', async () => {
  await shop.post('/templates', order)
  const next = 'https://operator.example/v24.0/1/message_templates?limit=100&after=MAZDZD'
  faults = {
    GET: [
      { status: 200, body: { data: [], paging: { next } } },
      { status: 500, body: {} },
    ],
  }
  expect(await shop.post('/templates/sync')).toMatchObject({ status: 429, body: { error: 'meta_error' } })
  expect(await stored()).toHaveLength(1)
  expect(faults.GET).toEqual([])
})

describe('a connection that the operator refuses', () => {
  const expired = { status: 401, body: { error: { message: 'Access token has expired', code: 190 } } }
  const noPermission = {
    status: 403,
    body: { error: { message: '(#10) No permission for this action', code: 10 } },
  }
  const numberState = async (id = number.phoneNumberId) =>
    (await shop.get('/phone-numbers')).body.phoneNumbers.find(
      (phoneNumber: { id: string }) => phoneNumber.id === id,
    )
  const calls = {
    'POST /templates': ['POST', () => shop.post('/templates', order)],
    'POST /templates/sync': ['GET', () => shop.post('/templates/sync')],
    'DELETE /templates/{id}': [
      'DELETE',
      async () => shop.delete(`/templates/${(await shop.post('/templates', order)).body.template.id}`),
    ],
    'POST /media': [
      'POST',
      () => shop.post('/media', { fileBase64: Buffer.from('%PDF-1.7 a').toString('base64') }),
    ],
  } as const

  test.each(Object.entries(calls))(
    '%s with error 190 marks the number disconnected, with the reason',
    async (name, [method, call]) => {
      // The submission before the deletion succeeds.
      faults = { [method]: [expired] }
      const answered = await call()
      expect([answered.status, answered.body.code], name).toEqual([400, 190])
      expect(await numberState()).toMatchObject({
        state: 'disconnected',
        stateReason: 'Access token has expired',
      })
    },
  )

  test('the doctor names it, and another token repairs it', async () => {
    faults = { POST: [expired] }
    await shop.post('/templates', order)
    const doctor = () => checkDatabase(parley.databaseUrl, { ...parley.config, secretKey: SECRET_KEY })
    const containsNumber = expect.stringContaining(number.phoneNumberId)
    expect(await doctor()).toContainEqual({ name: 'numbers', status: 'warning', detail: containsNumber })
    await parley.system((tx) =>
      setPhoneNumber(
        tx,
        { phoneNumberId: number.phoneNumberId },
        { token: 'operator-token' },
        new Date(),
        createSealer(SECRET_KEY),
      ),
    )
    expect(await numberState()).toMatchObject({ state: 'active', stateReason: null })
    expect(await doctor()).not.toContainEqual({ name: 'numbers', status: 'warning', detail: containsNumber })
  })

  test('after a successful call the operator is asked: the number is active again', async () => {
    faults = { POST: [expired] }
    await shop.post('/templates', order)
    expect((await numberState()).state).toBe('disconnected')
    expect((await shop.post('/templates', order)).status).toBe(200)
    await until(async () => (await numberState()).state === 'active', 'it was asked')
  })

  test('a permission that only the call lacks leaves the number active; the operator is asked about it', async () => {
    faults = {
      POST: [noPermission],
      GET: [{ status: 200, body: { status: 'CONNECTED', quality_rating: 'RED' } }],
    }
    expect((await shop.post('/templates', order)).body).toMatchObject({ error: 'meta_error', code: 10 })
    await until(async () => (await numberState()).quality === 'red', 'it was asked')
    expect((await numberState()).state).toBe('active')
  })

  test("the account's other numbers are checked immediately", async () => {
    const second = await connectNumber(parley, shop, { accountId: number.accountId })
    faults = { POST: [expired], GET: [expired] }
    await shop.post('/templates', order)
    await until(
      async () => (await numberState(second.phoneNumberId)).state === 'disconnected',
      'the second template was checked',
    )
  })
})

test('several business accounts: wabaConnectionId is required, and each has its own names', async () => {
  const second = await connectNumber(parley, shop)
  store.numbers.push({ ...second, token: 'operator-token' })
  const { status, body } = await shop.post('/templates', order)
  expect([status, body.issues?.[0]?.path]).toEqual([400, 'wabaConnectionId'])
  const { phoneNumbers } = (await shop.get('/phone-numbers')).body
  for (const { wabaConnectionId } of phoneNumbers)
    expect((await shop.post('/templates', { ...order, wabaConnectionId })).status).toBe(200)
  expect((await shop.post('/templates/sync')).body).toMatchObject({ synced: 4, created: 2, removed: 0 })
  expect(
    new Set((await stored()).map((template: { wabaConnectionId: string }) => template.wabaConnectionId)).size,
  ).toBe(2)
})
