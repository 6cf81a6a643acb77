/**
 * The official MCP Inspector in its CLI mode, at `/mcp` and at `parley mcp`. `PARLEY_TEST_MCP_INSPECTOR` names a folder in which it
 * is installed (docs/decisions/assistants.md); without it these tests are skipped, because it brings a hundred packages.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writePagesState } from '../../bin/pages.mjs'
import { connectAssistant, toolNames } from '../support/assistants.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'

const FOLDER = process.env.PARLEY_TEST_MCP_INSPECTOR
if (!FOLDER)
  console.warn(
    'SKIPPED: the MCP Inspector. Set PARLEY_TEST_MCP_INSPECTOR to a folder in which it is installed.',
  )
const PROGRAM = join(import.meta.dirname, '../../src/cli/main.ts')
const PHONE = '+919812300031'
const home = mkdtempSync(join(tmpdir(), 'parley-inspector-'))

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  if (!FOLDER) return
  const docsFolder = join(home, 'docs')
  mkdirSync(join(docsFolder, 'abc/guides'), { recursive: true })
  writeFileSync(join(docsFolder, 'abc/llms.txt'), '# Parley\n\n- [Sell](guides/sales.md): For sales.\n')
  writeFileSync(join(docsFolder, 'abc/guides/sales.md'), '# Sell\n')
  writePagesState(docsFolder, { hash: 'abc', state: 'built' })
  parley = await boot({ docsFolder })
  shop = await parley.workspace({ sandbox: true })
  await shop.inbound(PHONE, 'Is the blue one in stock?', { name: 'Asha Rao' })
})
afterAll(async () => {
  await parley?.close()
  rmSync(home, { recursive: true })
})

// biome-ignore lint/suspicious/noExplicitAny: results of the protocol
type Inspected = { code: number; result: any; stderr: string }

/** Runs the inspector with a method at a server. It keeps its own files in a folder of this test. */
const inspect = (target: string[], method: string[], env: Record<string, string> = {}): Promise<Inspected> =>
  new Promise((resolve) => {
    const program = join(FOLDER!, 'node_modules/.bin/mcp-inspector')
    const options = { env: { PATH: process.env.PATH, HOME: home, ...env }, timeout: 60_000 }
    execFile(program, ['--cli', ...target, ...method], options, (error, stdout, stderr) =>
      resolve({
        code: error ? Number(error.code) : 0,
        result: stdout.trim().startsWith('{') ? JSON.parse(stdout) : stdout,
        stderr,
      }),
    )
  })

const TARGETS = ['/mcp', 'parley mcp'] as const
const at = (target: (typeof TARGETS)[number], key: string): ((...method: string[]) => Promise<Inspected>) =>
  target === '/mcp'
    ? (...method) =>
        inspect(
          [`${parley.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`],
          method,
        )
    : (...method) =>
        inspect(
          ['-e', `PARLEY_URL=${parley.url}`, '-e', `PARLEY_API_KEY=${key}`, process.execPath, PROGRAM, 'mcp'],
          method,
        )

describe.skipIf(!FOLDER).each(TARGETS)('the inspector at %s', (target) => {
  test('lists the tools that the official client lists', async () => {
    const { code, result, stderr } = await at(target, shop.key)('--method', 'tools/list')
    expect(code, stderr).toBe(0)
    const names = result.tools.map(({ name }: { name: string }) => name)
    expect(names).toEqual(await toolNames(await connectAssistant(parley.url, shop.key)))
    for (const tool of result.tools) expect(tool.inputSchema.type, tool.name).toBe('object')
  })

  test('calls a tool, with the texts of customers fenced', async () => {
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'list_conversations',
      '--tool-arg',
      `search=${PHONE}`,
    ]
    const { code, result, stderr } = await at(target, shop.key)(...call)
    expect(code, stderr).toBe(0)
    const [part] = result.content
    expect(part.text).toContain('parley-data-')
    expect(result.structuredContent.conversations).toHaveLength(1)
  })

  test('shows the error of a tool', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'get_lead', '--tool-arg', `id=${PHONE}`]
    const { code, result, stderr } = await at(target, shop.key)(...call)
    expect(code).not.toBe(0)
    expect(`${JSON.stringify(result)}${stderr}`).toContain('404 not_found')
  })

  test('lists and reads the documentation', async () => {
    const run = at(target, shop.key)
    const listed = await run('--method', 'resources/list')
    expect(listed.code, listed.stderr).toBe(0)
    const [{ uri }] = listed.result.resources
    expect(uri).toBe('parley://docs/guides/sales')
    const read = await run('--method', 'resources/read', '--uri', uri)
    expect(read.result.contents, read.stderr).toMatchObject([{ text: '# Sell\n', mimeType: 'text/markdown' }])
  })

  test('a wrong key is an error that names the key', async () => {
    const { code, stderr } = await at(target, 'pk_wrong')('--method', 'tools/list')
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/Malformed API key|401|auth_required/)
  })
})
