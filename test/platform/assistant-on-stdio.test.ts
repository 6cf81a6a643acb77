/** `parley mcp`: an assistant on the same machine, over standard input and output. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callTool, connectAssistant, GENERATIONS, newClient, toolNames } from '../support/assistants.ts'
import { boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { newInstallation } from '../support/server-process.ts'

const PROGRAM = join(import.meta.dirname, '../../src/cli/main.ts')
const PHONE = '+919812300021'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  await shop.inbound(PHONE, 'Hello')
})
afterAll(() => parley?.close())

const environment = (more: Record<string, string>) => ({ PATH: process.env.PATH ?? '', ...more })

async function startAssistant(mode: (typeof GENERATIONS)[number], url: string, key: string) {
  const client = newClient(mode)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    env: environment({ PARLEY_URL: url, PARLEY_API_KEY: key }),
    stderr: 'pipe',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** Runs the command to its end with nothing on standard input. */
async function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env: environment(env), stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk))
  child.stdin.end()
  const [code] = await once(child, 'close')
  return { code, ...output }
}

describe.each(GENERATIONS)('a %s client', (mode) => {
  test('has the tools, resources, and results of the server', async () => {
    const local = await startAssistant(mode, parley.url, shop.key)
    const remote = await connectAssistant(parley.url, shop.key, { mode })
    expect(await toolNames(local)).toEqual(await toolNames(remote))
    expect(local.getInstructions()).toBe(remote.getInstructions())
    expect((await local.listResources()).resources).toEqual((await remote.listResources()).resources)
    const { json } = await callTool(local, 'list_messages')
    expect(json.messages[0].text).toEqual({ untrusted: 'Hello' })
    const refused = await callTool(local, 'get_lead', { id: PHONE })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('404 not_found')])
  })
})

test('standard output carries only the protocol, and the command ends with standard input', async () => {
  const env = { PARLEY_URL: parley.url, PARLEY_API_KEY: shop.key }
  expect(await run(env)).toEqual({ code: 0, stdout: '', stderr: `Connected to ${parley.url}.\n` })
})

test('a wrong key, a missing key, and a wrong address are named on standard error', async () => {
  const wrong = await run({ PARLEY_URL: parley.url, PARLEY_API_KEY: 'pk_wrong' })
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Malformed API key') })
  const missing = await run({ PARLEY_URL: parley.url })
  expect(missing).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('PARLEY_API_KEY') })
})

test('a server that is killed and restarted between calls goes unnoticed', async () => {
  const installation = await newInstallation()
  onTestFinished(installation.remove)
  const first = await installation.start()
  const settings = {
    PARLEY_DATA_DIR: installation.dataDir,
    PORT: String(installation.port),
    PARLEY_SECRET_KEY: SECRET_KEY,
  }
  const run = async (words: string[]) => JSON.parse((await runParley([...words, '--json'], settings)).stdout)
  const { workspaceId } = await run(['workspace', 'create', '--name', 'Shop', '--sandbox'])
  const { apiKey } = await run(['key', 'create', '--workspace', workspaceId, '--role', 'agent'])
  const local = await startAssistant('auto', first.url, apiKey)
  const remote = await connectAssistant(first.url, apiKey)
  expect((await callTool(local, 'capture_lead', { phone: PHONE })).isError).toBe(false)
  await first.end('SIGKILL')
  // The call begins while no server listens; it waits, and has one effect.
  const waiting = callTool(local, 'capture_lead', { phone: '+919812300022' })
  await installation.start()
  expect((await waiting).isError).toBe(false)
  expect((await callTool(remote, 'list_leads')).json.total).toBe(2)
})
