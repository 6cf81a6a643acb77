/** The package `@parley/sdk`: packed as for a release, installed from its tarball, and used in every runtime. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { NODE_PACKAGES } from '../../bin/find-node.mjs'
import { VERSION } from '../../sdk/src/version.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { findNpm, runNpm } from '../support/npm.ts'
import { makeSdkProject, type SdkProject } from '../support/sdk-package.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

let parley: TestParley
let shop: TestWorkspace
let project: SdkProject
beforeAll(async () => {
  if (!findNpm()) return
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  for (const phone of ['+919812345601', '+919812345602', '+919812345603'])
    await shop.post('/leads', { phone })
  project = await makeSdkProject()
})
afterAll(() => parley?.close())

const withNpm = test.skipIf(!findNpm())
const installed = (path: string): string => join(project.folder, 'node_modules/@parley/sdk', path)

/** A program that uses each part of the SDK; prints a summary as JSON. */
const PROGRAM = `
import { NotFoundError, Parley, ParleyError, WebhookError } from '@parley/sdk'

const parley = new Parley({ userAgent: 'package-test/1' })
const { workspace } = await parley.me()
const phones = []
for await (const lead of parley.leads.list({ pageSize: 2 })) phones.push(lead.phone)
const fault = await parley.contacts.get('+919800000000').catch((error) => error)
const { data, requestId } = await parley.leads.capture({ phone: '+919812345601' }).withResponse()
const file = await parley.media.upload({
  file: new Blob(['%PDF-1.4'], { type: 'application/pdf' }),
  filename: 'menu.pdf',
})
const forged = await parley.webhooks
  .verify('{}', { 'x-webhook-timestamp': '1', 'x-webhook-signature': 'sha256=00' }, 'secret', { now: 1000 })
  .catch((error) => error)
console.log(
  JSON.stringify({
    workspace: workspace.id,
    phones: phones.length,
    fault: [fault.name, fault.code, fault instanceof NotFoundError, fault instanceof ParleyError],
    created: data.created,
    hasRequestId: typeof requestId === 'string',
    hasFile: typeof file.id === 'string',
    forged: [forged.name, forged instanceof WebhookError],
  }),
)
`
const summary = () => ({
  workspace: shop.workspaceId,
  phones: 3,
  fault: ['NotFoundError', 'not_found', true, true],
  created: false,
  hasRequestId: true,
  hasFile: true,
  forged: ['WebhookError', true],
})

/** Runs the program; returns its summary. */
async function runProgram(file: string, args: string[], code = PROGRAM): Promise<unknown> {
  const path = project.write('program.mjs', code)
  const env = { ...process.env, PARLEY_URL: parley.url, PARLEY_API_KEY: shop.key, NODE_OPTIONS: undefined }
  const { stdout } = await run(file, [...args, path], { cwd: project.folder, env })
  return JSON.parse(stdout)
}

/** Returns the machine's `node` of this major version. */
function findNode(major: number): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [process.execPath, ...folders.map((folder) => join(folder, 'node'))]
  return candidates.find(
    (path) =>
      existsSync(path) && execFileSync(path, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`),
  )
}

describe('the package', () => {
  withNpm('contains its build, and no source, test, or dependency', () => {
    const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>
    expect(manifest).toMatchObject({ name: '@parley/sdk', version: VERSION, sideEffects: false })
    expect(manifest.dependencies).toBeUndefined()
    const files = readdirSync(installed(''), { recursive: true, encoding: 'utf8' })
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.d.ts', 'dist/index.js', 'package.json']),
    )
    expect(files.filter((name) => /\.test\.|^src|(?<!\.d)\.ts$/.test(name))).toEqual([])
  })

  withNpm('uses no module of Node', () => {
    const code = readdirSync(installed('dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(installed(`dist/${name}`), 'utf8'))
    expect(code.length).toBeGreaterThan(5)
    expect(code.filter((text) => /\bfrom ['"](?!\.)|\brequire\(|\bimport\(/.test(text))).toEqual([])
  })

  withNpm('passes publint', async () => {
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/publint'), ['--strict', project.tarball])
    expect(stdout).toContain('All good!')
  })

  withNpm('has types that every module resolution finds (attw)', async () => {
    const args = [project.tarball, '--profile', 'esm-only', '--no-emoji', '--no-color']
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/attw'), args)
    // Ends with an error if there is a problem that the profile does not ignore.
    expect(stdout).toMatch(/node16 \(from ESM\)[ │]+OK \(ESM\)/)
    expect(stdout).toMatch(/bundler[ │]+OK/)
  })
})

describe('types', () => {
  const TYPED = `
import { ApiError, Parley, type Lead, type WebhookEvent, ValidationError } from '@parley/sdk'

const parley = new Parley({ baseUrl: 'https://parley.example.com', apiKey: 'key' })
export const { messageId }: { messageId: string } = await parley.messages.send({
  to: '+919812345678',
  type: 'text',
  text: 'Hello',
})
export const leads: Lead[] = []
for await (const lead of parley.leads.list({ pageSize: 10 })) leads.push(lead)
export const total: number = (await parley.leads.list()).total
export const pdf: Blob = await parley.salesInvoices.download('id', { format: 'pdf' })
export function read(event: WebhookEvent): string {
  switch (event.event) {
    case 'message.received':
      return event.data.messageId
    case 'contact.created':
      return event.data.contactId
    default:
      return event.id
  }
}
export const codeOf = (error: unknown): string =>
  error instanceof ValidationError ? error.issues.join() : error instanceof ApiError ? error.code : ''
// @ts-expect-error: a text message has a text
await parley.messages.send({ to: '+919812345678', type: 'text' })
// @ts-expect-error: an unknown field
await parley.leads.capture({ phone: '+919812345678', nmae: 'Asha' })
// @ts-expect-error: a file needs a format
await parley.salesInvoices.download('id')
`
  const STRICT = [
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--noImplicitOverride',
    '--noPropertyAccessFromIndexSignature',
    '--verbatimModuleSyntax',
  ]
  test.skipIf(!findNpm()).each([
    ['Node', '--module', 'nodenext', '--lib', 'es2022', '--types', 'node'],
    ['Node 16 resolution', '--module', 'node16', '--lib', 'es2022', '--types', 'node'],
    ['a bundler', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable'],
  ])('compile under strict options for %s', async (_, ...runtime) => {
    const file = project.write('typed.ts', TYPED)
    expect(await project.check([file], ['--target', 'es2022', ...STRICT, ...runtime])).toBe('')
  })
})

describe('runtimes', () => {
  /** Returns the program of a runtime from npm; skips the test if npm can't install it. */
  async function installRuntime(context: TestContext, name: string, programs: string[]): Promise<string> {
    const { code, output } = await runNpm(
      ['install', '--ignore-scripts', '--prefer-offline', '--fetch-retries=0', name],
      project.folder,
    )
    const program = programs.map((path) => join(project.folder, 'node_modules', path)).find(existsSync)
    if (code !== 0 || !program) context.skip(`npm can't install ${name}: ${output.slice(-300)}`)
    return program!
  }
  const platform = `${process.platform}-${process.arch}`

  for (const major of [20, 22, 24, 26])
    withNpm(`runs on Node ${major}`, async (context) => {
      const packageName = `node${major}@npm:${NODE_PACKAGES[platform]}@${major}`
      const node = findNode(major) ?? (await installRuntime(context, packageName, [`node${major}/bin/node`]))
      expect(await runProgram(node, [])).toEqual(summary())
    })

  withNpm('can be required by a CommonJS program', async () => {
    const path = project.write(
      'program.cjs',
      `const { Parley, VERSION } = require('@parley/sdk'); console.log(VERSION, typeof new Parley().messages.send)`,
    )
    const env = { ...process.env, PARLEY_URL: parley.url, PARLEY_API_KEY: shop.key }
    const { stdout } = await run(process.execPath, [path], { cwd: project.folder, env })
    expect(stdout).toBe(`${VERSION} function\n`)
  })

  withNpm('runs on Bun', async (context) => {
    const bun = await installRuntime(context, 'bun', [`@oven/bun-${platform}/bin/bun`])
    expect(await runProgram(bun, [])).toEqual(summary())
  })

  withNpm('runs on Deno', async (context) => {
    const deno = await installRuntime(context, 'deno', [
      `@deno/${platform}-glibc/deno`,
      `@deno/${platform}/deno`,
    ])
    expect(await runProgram(deno, ['run', '--allow-all', '--node-modules-dir=manual'])).toEqual(summary())
  })

  withNpm('becomes a bundle for browsers, without replacements of Node', async () => {
    // The bundler finds no other package than the SDK.
    const entry = project.write('browser.mjs', PROGRAM)
    const warnings: string[] = []
    const built = await build({
      root: project.folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        target: 'esnext',
        minify: true,
        rolldownOptions: { input: entry, onwarn: (warning) => warnings.push(warning.message) },
      },
    })
    const [bundle] = [built].flat() as { output: { code?: string }[] }[]
    const code = bundle!.output.map((file) => file.code ?? '').join('')
    expect(warnings).toEqual([])
    expect(code).not.toMatch(/node:|__vite-browser-external/)
    expect(code.length).toBeLessThan(60_000)
    expect(await runProgram(process.execPath, [], code)).toEqual(summary())
  })
})
