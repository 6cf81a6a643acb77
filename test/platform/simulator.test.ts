import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createCloudOperator } from '../../src/operator/cloud/operator.ts'

const program = join(import.meta.dirname, '../../src/cli/main.ts')
let child: ChildProcess | undefined

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

/** Starts the command and returns the first line of its output. */
async function start(...words: string[]): Promise<string> {
  const started = spawn(process.execPath, [program, 'simulator', '--port', '0', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  const ended = once(started, 'exit').then(() => Promise.reject(new Error('the simulator ended')))
  const [line] = await Promise.race([once(createInterface({ input: started.stdout }), 'line'), ended])
  ended.catch(() => {})
  return String(line)
}

test('parley simulator plays the operator until it is asked to stop, and then ends cleanly', async () => {
  const flags = ['--number', '+14155550100', '--number-id', '106', '--account', '102', '--token', 't1']
  const answer = JSON.parse(await start('--json', ...flags, '--app-secret', 's1', '--verify-token', 'v1'))
  expect(answer).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    serverEnvironment: `PARLEY_OPERATOR_URL=${answer.url}`,
    gatewayEnvironment: `PARLEY_RAZORPAY_URL=${answer.url}/gateway/v1`,
    gateway: { url: `${answer.url}/gateway/v1`, keyId: expect.stringMatching(/^rzp_test_/) },
    connectGateway: expect.stringContaining('--provider razorpay --key-id rzp_test_'),
    connect:
      'parley number add --workspace ID --number +14155550100 --operator cloud --account 102 --number-id 106 ' +
      '--token t1 --app-secret s1 --verify-token v1',
  })
  const operator = createCloudOperator()
  const number = {
    id: 'n',
    operator: 'cloud' as const,
    operatorId: '106',
    accountId: '102',
    baseUrl: answer.url,
    token: 't1',
  }
  const sent = { callbackData: 'our-1', to: '+14155550101', recipient: null, replyTo: null }
  const handover = await operator.send(number, { ...sent, type: 'text', content: { body: 'Hi' } })
  expect(handover.kind).toBe('accepted')
  const tally = await fetch(`${answer.control}/tally?callbackData=our-1`, {
    headers: { authorization: 'Bearer t1' },
  })
  expect(await tally.json()).toMatchObject({ accepted: 1 })
  await operator.close()
  const ended = once(child as ChildProcess, 'exit')
  child?.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test("if the photo network can't be simulated, nothing is, and the command exits with 1", async () => {
  const busyServer = createServer().listen(0, '127.0.0.1')
  await once(busyServer, 'listening')
  onTestFinished(() => void busyServer.close())
  const { port } = busyServer.address() as AddressInfo
  child = spawn(process.execPath, [program, 'simulator', '--port', '0', '--social-port', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [output, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  expect([code, output]).toEqual([1, expect.stringContaining('EADDRINUSE')])
})

test('its settings are read from the command line, and it generates the missing ones', async () => {
  const answer = JSON.parse(await start('--json', '--settings', '{"limits":{"pair":true}}'))
  expect(answer).toMatchObject({ number: '+15550100100', token: expect.any(String), callbackUrl: null })
  const secret = '[0-9a-f]{48}'
  expect(answer.connect).toMatch(
    new RegExp(`--token ${secret} --app-secret ${secret} --verify-token ${secret}$`),
  )
  expect(answer.connectGateway).toMatch(new RegExp(`--key-secret ${secret} --webhook-secret ${secret}$`))
  const state = await fetch(`${answer.control}/state`, {
    headers: { authorization: `Bearer ${answer.token}` },
  })
  expect(await state.json()).toMatchObject({ settings: { limits: { pair: true, throughput: false } } })
})

test.each([
  ['--port', 'x'],
  ['--settings', '{"limitz":{}}'],
  ['--settings', '@/nowhere'],
  ['--callback', 'hook'],
  ['--account', 'abc'],
])('wrong usage exits with 2: %s %s', async (flag, value) => {
  child = spawn(process.execPath, [program, 'simulator', flag, value], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(2)
  expect(output).toContain(flag)
})
