/**
 * The TypeScript samples of the SDK's README and of the guides: all compile in an empty project, and those marked `run`, `serve`, and
 * `fetch` work with a sandbox.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { filesIn, read } from '../contract/source-files.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { findNpm } from '../support/npm.ts'
import { makeReceivers } from '../support/receiver.ts'
import { makeSdkProject, type SdkProject } from '../support/sdk-package.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'

/** A fenced block: its place, its mark, and its code. */
type Sample = { name: string; mark: string; code: string }

const samplesOf = (path: string): Sample[] =>
  [...read(path).matchAll(/^```ts ?(\w*)\n([\s\S]*?)^```/gm)].map(([, mark = '', code = ''], i) => ({
    name: `${basename(path, '.md').toLowerCase()}-${i + 1}.ts`,
    mark,
    code,
  }))
const samples = ['sdk/README.md', ...filesIn('docs/guides', /\.md$/)].flatMap(samplesOf)
const marked = (mark: string): Sample[] => samples.filter((sample) => sample.mark === mark)

const withNpm = test.skipIf(!findNpm())
const CUSTOMER = '+919812345678'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
let shop: TestWorkspace
let project: SdkProject
beforeAll(async () => {
  if (!findNpm()) return
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
  shop = await parley.workspace({ sandbox: true })
  const body = (text: string, values: string[] = []) => [
    { type: 'BODY', text, ...(values.length > 0 && { example: { body_text: [values] } }) },
  ]
  await storeTemplate(parley, shop, {
    name: 'order_ready',
    components: body('Hello {{1}}, order {{2}} is ready.', ['Asha', 'A-1']),
  })
  await storeTemplate(parley, shop, {
    name: 'new_menu',
    category: 'MARKETING',
    components: body('We have a new menu.'),
  })
  await shop.inbound(CUSTOMER, 'Hello', { name: 'Asha Rao' })
  await shop.post('/contacts', { phone: CUSTOMER, tags: ['regular'], optInStatus: 'opted_in' })
  project = await makeSdkProject()
  for (const { name, code } of samples) project.write(name, code)
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

const environment = () => ({
  ...process.env,
  PARLEY_URL: parley.url,
  PARLEY_API_KEY: shop.key,
  NODE_OPTIONS: undefined,
  NODE_TEST_CONTEXT: undefined,
})

withNpm('all samples compile', async () => {
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023', '--types', 'node']
  const more = ['--noUncheckedIndexedAccess', '--moduleDetection', 'force']
  expect(samples.length).toBeGreaterThan(10)
  const names = samples.map(({ name }) => name)
  expect(await project.check(names, [...options, ...more])).toBe('')
})

describe('samples that run', () => {
  test.skipIf(!findNpm()).each(marked('run'))('$name', async ({ name }) => {
    const result = await promisify(execFile)(process.execPath, [name], {
      cwd: project.folder,
      env: environment(),
    })
    expect(result).toMatchObject({ stdout: expect.stringMatching(/\S/), stderr: '' })
  })
})

/** Returns a delivery with its secret, as a webhook endpoint received it. */
async function receiveDelivery() {
  const receiver = await receivers.open()
  const { secret } = (await shop.post('/webhooks', { url: receiver.url, events: ['contact.created'] })).body
  await shop.post('/contacts', { phone: `+9198${String(Math.random()).slice(2, 10)}` })
  const [delivery] = await receiver.wait(1)
  return {
    secret: secret as string,
    body: delivery!.raw,
    headers: delivery!.headers as Record<string, string>,
  }
}

type Received = Awaited<ReturnType<typeof receiveDelivery>>

/** Sends a delivery and a changed copy to a receiver; returns the statuses of its answers. */
async function answersOf(url: string, { body, headers }: Received): Promise<number[]> {
  const signed = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-')))
  const statuses: number[] = []
  for (const text of [body, body.replace('contact.created', 'contact.deleted')])
    statuses.push((await fetch(url, { method: 'POST', headers: signed, body: text })).status)
  return statuses
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Starts a program that serves at a port; returns its address. */
async function serve(args: string[], secret: string): Promise<string> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: project.folder,
    env: { ...environment(), PORT: String(port), PARLEY_WEBHOOK_SECRET: secret },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill())
  const url = `http://127.0.0.1:${port}/`
  const isUp = (): Promise<boolean> =>
    fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    )
  await until(isUp, `${args.join(' ')} serves`)
  return url
}

/** Serves the default export of a sample, as the platforms for `fetch` handlers do. */
const HOST = `
import { createServer } from 'node:http'
const { default: app } = await import(process.argv[2])
createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { status } = await app.fetch(
    new Request('http://localhost/', { method: 'POST', headers: request.headers, body: Buffer.concat(chunks) }),
  )
  response.writeHead(status).end()
}).listen(process.env.PORT)
`

describe('samples that receive webhooks', () => {
  const receiving = [...marked('serve'), ...marked('fetch')]
  test('exist for a server and for a fetch handler', () => {
    expect(new Set(receiving.map(({ mark }) => mark))).toEqual(new Set(['serve', 'fetch']))
  })

  test.skipIf(!findNpm()).each(receiving)('$name', async ({ name, mark }) => {
    const received = await receiveDelivery()
    if (mark === 'fetch') project.write('host.mjs', HOST)
    const url = await serve(mark === 'fetch' ? ['host.mjs', `./${name}`] : [name], received.secret)
    expect(await answersOf(url, received)).toEqual([204, 400])
  })
})
