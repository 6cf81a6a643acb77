import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { idAt } from '../../src/core/ids.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { makeReceivers } from '../support/receiver.ts'

const program = join(import.meta.dirname, '../../src/cli/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'parley-listen-'))
let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
const children: ChildProcess[] = []
const apps: Server[] = []

beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
  rmSync(folder, { recursive: true })
})
afterEach(async () => {
  for (const child of children.splice(0)) await end(child, 'SIGKILL')
  for (const app of apps.splice(0)) app.close()
})

const settings = () => ({ ...process.env, PARLEY_DATA_DIR: folder, PARLEY_API_KEY: '' })

/** Runs a command to its end. */
const run = (words: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...words, '--server', parley.url],
      { env: settings() },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })

/** Starts a command that keeps running; returns its first output and the lines that follow. */
async function start(...words: string[]) {
  const child = spawn(process.execPath, [program, ...words, '--server', parley.url, '--json'], {
    env: settings(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const lines: string[] = []
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  await Promise.race([
    once(reader, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`it ended: ${output}`))),
  ])
  return { child, answer: JSON.parse(lines[0]!), lines, errorOutput: () => output }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return [child.exitCode, child.signalCode]
  const ended = once(child, 'exit')
  child.kill(signal)
  return ended
}

type Request = { headers: IncomingHttpHeaders; raw: string; body: { id: string; event: string } }

/** A program on this machine that accepts deliveries. */
async function openApp(answer: (request: Request) => number = () => 200, port = 0) {
  const received: Request[] = []
  const server = createServer((request, response) => {
    let raw = ''
    request.on('data', (chunk: Buffer) => {
      raw += chunk.toString('utf8')
    })
    request.on('end', () => {
      const delivery = { headers: request.headers, raw, body: JSON.parse(raw) }
      received.push(delivery)
      response.writeHead(answer(delivery)).end()
    })
  })
  apps.push(server)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: boundPort } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${boundPort}/hook`, port: boundPort, received, server }
}

let people = 0
const createContact = async (shop: TestWorkspace): Promise<string> =>
  (await shop.post('/contacts', { phone: `+9196${String(10_000_000 + people++)}` })).body.contact.id

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 50 })
const ids = (requests: Request[]) => requests.map((request) => request.body.id)
const listEventIds = async (shop: TestWorkspace): Promise<string[]> =>
  (await shop.get('/events')).body.events.reverse().map((event: { id: string }) => event.id)

test('parley listen forwards events as signed deliveries, and continues where it stopped', async () => {
  const [shop, app] = [await parley.workspace(), await openApp()]
  await createContact(shop)
  const words = ['listen', '--forward', app.url, '--key', shop.key]
  const first = await start(...words)
  expect(first.answer).toMatchObject({
    forward: app.url,
    secret: expect.stringMatching(/^whsec_/),
    resumed: false,
  })
  const late = idAt(new Date())
  await createContact(shop)
  await until(() => expect(app.received).toHaveLength(1))
  const [delivery] = app.received
  const timestamp = delivery!.headers['x-webhook-timestamp']
  const mac = createHmac('sha256', first.answer.secret).update(`${timestamp}.${delivery!.raw}`).digest('hex')
  expect(delivery!.headers).toMatchObject({
    'x-webhook-id': delivery!.body.id,
    'x-webhook-event': 'contact.created',
    'x-webhook-signature': `sha256=${mac}`,
    'webhook-id': delivery!.body.id,
  })
  expect(await end(first.child, 'SIGTERM')).toEqual([0, null])
  await createContact(shop)
  // An event of a long transaction: its id is older than the forwarded ones.
  await parley.system((tx) =>
    tx.sql(
      `insert into events (workspace_id, id, name, data, created_at) values ($1, $2, 'contact.created', '{}', now())`,
      [shop.workspaceId, late],
    ),
  )
  const second = await start(...words)
  expect(second.answer).toMatchObject({ secret: first.answer.secret, resumed: true })
  await until(() => expect(app.received).toHaveLength(3))
  const [, ...since] = await listEventIds(shop)
  expect(since, 'each once, the late one too').toEqual([...ids(app.received)].sort())
  expect(since[0]).toBe(late)
})

test('while the local address refuses connections it waits; killed midway, it loses nothing', async () => {
  const [shop, app] = [await parley.workspace(), await openApp()]
  app.server.close()
  const words = ['listen', '--forward', app.url, '--key', shop.key]
  const first = await start(...words)
  await createContact(shop)
  await createContact(shop)
  await until(() => expect(first.errorOutput()).toContain('Waiting for it'))
  await end(first.child, 'SIGKILL')
  await createContact(shop)
  const reopened = await openApp(() => 200, app.port)
  const second = await start(...words)
  await until(() => expect(reopened.received).toHaveLength(3))
  const done = (await listEventIds(shop)).at(-1)
  await until(() => expect(JSON.parse(readFileSync(second.answer.cursor, 'utf8')).after).toBe(done))
  await end(second.child, 'SIGKILL')
  await createContact(shop)
  await start(...words)
  await until(() => expect(reopened.received.length).toBeGreaterThan(3))
  expect(ids(reopened.received), 'what was done before the second kill is not reported again').toEqual(
    await listEventIds(shop),
  )
})

test('an event that the program rejects is tried again, then skipped; --events chooses', async () => {
  const shop = await parley.workspace({ sandbox: true })
  let refused = ''
  const app = await openApp((request) => {
    refused ||= request.body.id
    return request.body.id === refused ? 500 : 200
  })
  const flags = ['--forward', app.url, '--key', shop.key, '--events', 'contact.created', '--attempts', '2']
  const { errorOutput } = await start('listen', ...flags)
  expect((await run(['trigger', 'lead.created', '--key', shop.key, '--json'])).code).toBe(0)
  await createContact(shop)
  await createContact(shop)
  await until(() => expect(app.received).toHaveLength(3))
  const [, first, second] = await listEventIds(shop)
  expect(ids(app.received)).toEqual([first, first, second])
  expect(errorOutput()).toContain('gave up after 2 attempts')
})

test('parley trigger makes an event of a sandbox happen; data replaces fields of the example', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const trigger = (...words: string[]) => run(['trigger', ...words, '--key', shop.key, '--json'])
  const triggered = await trigger('lead.created', '--data', '{"source": "fair"}')
  expect(JSON.parse(triggered.stdout)).toMatchObject({
    ok: true,
    event: { event: 'lead.created', data: { source: 'fair' } },
  })
  expect(await listEventIds(shop)).toEqual([JSON.parse(triggered.stdout).event.id])
  const typo = await trigger('lead.create')
  expect(typo).toMatchObject({ code: 1, stdout: '' })
  expect(typo.stderr).toContain('lead.created')
  const unknownOnes = await trigger('lead.created', '--data', '{"sauce": "fair"}')
  expect(unknownOnes.stderr).toContain('data.sauce')
  const real = await parley.workspace()
  expect(await run(['trigger', 'lead.created', '--key', real.key])).toMatchObject({ code: 1, stdout: '' })
  expect((await run(['trigger', 'lead.created'])).code, 'without a key').toBe(2)
})

test('parley events tail shows the latest events and continues with --follow; a wrong key ends it', async () => {
  const shop = await parley.workspace()
  await shop.post('/leads', { phone: '+919812345699' })
  for (let i = 0; i < 3; i++) await createContact(shop)
  const chosen = await run(['events', 'tail', '--limit', '1', '--events', 'lead.created', '--key', shop.key])
  expect(chosen.stdout, 'the latest of those, however many others came since').toContain('919812345699')
  const { answer, lines } = await start('events', 'tail', '--limit', '2', '--follow', '--key', shop.key)
  const before = await listEventIds(shop)
  expect(answer.events.map((event: { id: string }) => event.id)).toEqual(before.slice(2))
  await createContact(shop)
  await until(() => expect(lines).toHaveLength(2))
  expect(JSON.parse(lines[1]!)).toMatchObject({ event: 'contact.created', id: (await listEventIds(shop))[4] })
  const unknown = await run(['events', 'tail', '--events', 'lead.createt', '--key', shop.key])
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toContain('Unknown event "lead.createt". Known events: ')
  const result = await run(['events', 'tail', '--key', `${shop.key}x`, '--json'])
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toContain('401')
})

test('parley events tail --follow ends quietly when its reader closes the pipe', async () => {
  const shop = await parley.workspace()
  const { child, errorOutput } = await start('events', 'tail', '--follow', '--key', shop.key)
  const ended = once(child, 'exit')
  child.stdout.destroy()
  await createContact(shop)
  expect(await ended).toEqual([0, null])
  expect(errorOutput()).toBe('')
})

test('parley resend sends a logged delivery again', async () => {
  const [shop, receiver] = [await parley.workspace(), await receivers.open()]
  const { body } = await shop.post('/webhooks', { url: receiver.url, event: 'contact.created' })
  await createContact(shop)
  await receiver.wait(1)
  const { deliveries } = (await shop.get(`/webhooks/${body.webhook.id}/deliveries`)).body
  const sent = await run(['resend', deliveries[0].id, '--key', shop.key, '--json'])
  expect(JSON.parse(sent.stdout)).toMatchObject({ ok: true, delivery: { manual: true } })
  const [first, replay] = await receiver.wait(2)
  expect(replay!.raw).toBe(first!.raw)
  expect((await run(['resend', body.webhook.id, '--key', shop.key])).code).toBe(1)
})
