/**
 * The package `parley-sdk` in sdk-python/: built as for a release, installed from its wheel, and tested by its own tests against a
 * running installation, with the Python of this machine.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPhone } from '../contract/arrange.ts'
import { filesIn, read } from '../contract/source-files.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { findPython } from '../support/python.ts'
import { makeReceivers } from '../support/receiver.ts'
import { freePort } from '../support/redis-server.ts'
import { madeInvoice } from '../support/sales.ts'
import { storeTemplate } from '../support/templates.ts'

const ROOT = join(import.meta.dirname, '../..')
const CUSTOMER = '+919812345678'
/** Errors of pip if it can't reach an index, or the index lacks a package. */
const OUT_OF_REACH =
  /No matching distribution|Could not find a version|Max retries exceeded|NewConnectionError|ConnectTimeout/

const GUIDES = filesIn('docs/guides', /\.md$/)

const python = findPython()
const withPython = test.skipIf(!python)

const folder = mkdtempSync(join(tmpdir(), 'parley-python-'))
const project = join(folder, 'sdk-python')
const dist = join(folder, 'dist')
const venv = join(folder, 'venv')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Result = { code: number; output: string }

/** Runs a program in the copy of the project; returns its exit code and its output. */
const run = (program: string, args: string[], env: Record<string, string> = {}): Promise<Result> =>
  promisify(execFile)(program, args, {
    cwd: project,
    env: { ...process.env, ...env },
    timeout: 180_000,
    maxBuffer: 16 * 1024 * 1024,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, output: `${stdout}${stderr}` }),
    (failed: { code?: number; stdout?: string; stderr?: string; message: string }) => ({
      code: Number(failed.code) || 1,
      output: `${failed.stdout ?? ''}${failed.stderr ?? ''}` || failed.message,
    }),
  )
const inVenv = (args: string[], env?: Record<string, string>): Promise<Result> =>
  run(join(venv, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python'), args, env)

/** Why the package can't be installed here; undefined if it is installed. */
let unavailable: string | undefined

/** Builds the wheel and the source archive, and installs the wheel with the tools of the tests. */
async function install(): Promise<string | undefined> {
  cpSync(join(ROOT, 'sdk-python'), project, {
    recursive: true,
    filter: (path) => !/[/\\](?:dist|__\w+__|\..*_cache)$/.test(path),
  })
  const created = await run(python!, ['-m', 'venv', venv])
  if (created.code !== 0) return `Python can't create an environment: ${created.output}`
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1']
  const tools = await inVenv([...pip, 'build', 'hatchling'])
  if (tools.code !== 0 && OUT_OF_REACH.test(tools.output)) return tools.output
  expect(tools.code, tools.output).toBe(0)
  const built = await inVenv(['-m', 'build', '--no-isolation', '--outdir', dist])
  expect(built.code, built.output).toBe(0)
  const wheel = readdirSync(dist).find((name) => name.endsWith('.whl'))!
  const installed = await inVenv([...pip, `${join(dist, wheel)}[test]`])
  if (installed.code !== 0 && OUT_OF_REACH.test(installed.output)) return installed.output
  expect(installed.code, installed.output).toBe(0)
  // The tests use the installed package, and not the sources beside them.
  rmSync(join(project, 'src'), { recursive: true })
  return undefined
}

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
let shop: TestWorkspace

/** Creates a workspace with what the samples of the README need. */
async function openShop(): Promise<void> {
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ modules: ['invoicing'] })
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
  await madeInvoice(shop, { issue: true })
  await shop.inbound(CUSTOMER, 'Hello', { name: 'Asha Rao' })
  await shop.post('/contacts', { phone: CUSTOMER, tags: ['regular'], optInStatus: 'opted_in' })
}

/** Writes a delivery with its secret, as a webhook endpoint received it; returns the path of the file. */
async function receiveDelivery(): Promise<string> {
  const receiver = await receivers.open()
  const { body } = await shop.post('/webhooks', { url: receiver.url, events: ['contact.created'] })
  await shop.post('/contacts', { phone: newPhone() })
  const [delivery] = await receiver.wait(1)
  const path = join(folder, 'delivery.json')
  writeFileSync(
    path,
    JSON.stringify({ headers: delivery!.headers, body: delivery!.raw, secret: body.secret }),
  )
  return path
}

async function startServer(): Promise<void> {
  receivers = await makeReceivers()
  // With a port that is known before the start, links to files lead to this server.
  parley = await boot({ env: { ...receivers.env, PORT: String(await freePort()) } })
  await openShop()
}

beforeAll(async () => {
  if (python) [unavailable] = await Promise.all([install(), startServer()])
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

describe.concurrent('the Python SDK', () => {
  withPython('has a wheel and a source archive with its types and its license', async ({ skip }) => {
    if (unavailable !== undefined) skip(unavailable)
    const version = /VERSION = "(.+)"/.exec(
      readFileSync(join(ROOT, 'sdk-python/src/parley/_version.py'), 'utf8'),
    )![1]
    expect(readdirSync(dist).sort()).toEqual([
      `parley_sdk-${version}-py3-none-any.whl`,
      `parley_sdk-${version}.tar.gz`,
    ])
    const listed = await inVenv([
      '-m',
      'zipfile',
      '--list',
      join(dist, `parley_sdk-${version}-py3-none-any.whl`),
    ])
    const names = listed.output.split('\n').map((line) => line.split(' ')[0]!)
    expect(names).toEqual(
      expect.arrayContaining([
        'parley/py.typed',
        'parley/types.py',
        `parley_sdk-${version}.dist-info/licenses/LICENSE`,
      ]),
    )
    expect(names.filter((name) => /test|\.pyc$/.test(name))).toEqual([])
  })

  withPython('passes its own tests, and its samples run', async ({ skip }) => {
    if (unavailable !== undefined) skip(unavailable)
    const { code, output } = await inVenv(['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--color=no'], {
      PARLEY_URL: parley.url,
      PARLEY_API_KEY: shop.key,
      PARLEY_TEST_DELIVERY: await receiveDelivery(),
      PARLEY_TEST_PAGES: GUIDES.map((path) => join(ROOT, path)).join(delimiter),
    })
    expect(code, output).toBe(0)
    expect(output).toMatch(/\d+ passed/)
    expect(output).not.toContain('skipped')
  })

  withPython(
    'is formatted, and neither it, its tests, nor its samples have a type error',
    async ({ skip }) => {
      if (unavailable !== undefined) skip(unavailable)
      const samples = ['sdk-python/README.md', ...GUIDES].flatMap((path) =>
        [...read(path).matchAll(/^```python\n([\s\S]*?)^```/gm)].map((match) => match[1]!),
      )
      expect(samples.length).toBeGreaterThan(10)
      cpSync(join(ROOT, 'sdk-python/src'), join(project, 'src'), { recursive: true })
      mkdirSync(join(project, 'samples'), { recursive: true })
      for (const [i, code] of samples.entries()) writeFileSync(join(project, `samples/sample_${i}.py`), code)
      for (const args of [
        ['ruff', 'format', '--no-cache', '--diff', 'src', 'tests'],
        ['ruff', 'check', '--no-cache', 'src', 'tests'],
        ['mypy', '--no-incremental', 'src', 'tests', 'samples'],
      ]) {
        const { code, output } = await inVenv(['-m', ...args])
        expect(code, output).toBe(0)
      }
    },
  )
})
