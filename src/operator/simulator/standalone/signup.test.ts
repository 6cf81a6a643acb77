/** The simulated hosted signup (docs/formats.md section 18). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Body } from '../../../../test/support/boot.ts'
import { movingClock } from '../../../../test/support/moving-clock.ts'
import { answerPage } from '../../../../test/support/number-signup.ts'
import {
  DEFAULT_APP_ID,
  DEFAULT_CONFIG_ID,
  type StandaloneSimulator,
  startStandaloneSimulator,
} from './start.ts'

const SECRET = '4f1d2c9be0a7'
const REDIRECT = 'http://127.0.0.1:9/back'
const clock = movingClock()
let operator: StandaloneSimulator
beforeAll(async () => {
  operator = await startStandaloneSimulator({
    port: 0,
    host: '127.0.0.1',
    numbers: [],
    appSecret: SECRET,
    clock,
  })
})
afterAll(() => operator?.close())

const pageOf = (more: Record<string, string> = {}): string =>
  `${operator.url}/v24.0/dialog/oauth?${new URLSearchParams({
    client_id: DEFAULT_APP_ID,
    config_id: DEFAULT_CONFIG_ID,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 's',
    ...more,
  })}`

async function call(path: string, query: Record<string, string>, token?: string) {
  const answer = await fetch(`${operator.url}${path}?${new URLSearchParams(query)}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}
const exchange = (code: string, more: Record<string, string> = {}) =>
  call('/v24.0/oauth/access_token', {
    client_id: DEFAULT_APP_ID,
    client_secret: SECRET,
    redirect_uri: REDIRECT,
    code,
    ...more,
  })
const newCode = async (): Promise<string> =>
  new URL(await answerPage(pageOf())).searchParams.get('code') ?? ''
const refused = (code: number, subcode?: number) => ({
  status: 400,
  body: { error: { code, ...(subcode === undefined ? {} : { error_subcode: subcode }) } },
})

describe('the page', () => {
  test.each([
    [{ client_id: '1' }, 'Invalid app ID.'],
    [{ config_id: '1' }, 'Invalid configuration ID.'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'The redirect URI of the app is invalid.'],
    [{ response_type: 'token' }, 'Invalid response type.'],
  ])('rejects %j', async (more, problem) => {
    const answer = await fetch(pageOf(more))
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain(problem)
  })

  test('shows no markup of its address', async () => {
    const text = await (await fetch(pageOf({ state: '"><script>alert(1)</script>' }))).text()
    expect(text).not.toContain('<script>')
  })

  test('returns the state with the answer of the owner', async () => {
    const cancelled = new URL(await answerPage(pageOf({ state: 'kept' }), { action: 'cancel' }))
    expect(Object.fromEntries(cancelled.searchParams)).toEqual({
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
      state: 'kept',
    })
  })
})

describe('a code', () => {
  test('is exchanged once', async () => {
    const code = await newCode()
    const exchanged = await exchange(code)
    expect(exchanged).toMatchObject({ status: 200, body: { token_type: 'bearer' } })
    expect(await exchange(code)).toMatchObject(refused(100, 36_009))
    const { data } = (
      await call('/debug_token', { input_token: exchanged.body.access_token }, `${DEFAULT_APP_ID}|${SECRET}`)
    ).body
    const [{ target_ids: accounts }] = data.granular_scopes
    const listed = await call(`/${accounts[0]}/phone_numbers`, { fields: 'id' }, exchanged.body.access_token)
    expect(listed.body.data).toHaveLength(1)
  })

  test('expires after 30 seconds', async () => {
    const code = await newCode()
    clock.aheadMs += 31_000
    expect(await exchange(code)).toMatchObject(refused(100, 36_007))
  })

  test('belongs to the app and to its address', async () => {
    const code = await newCode()
    expect(await exchange(code, { redirect_uri: `${REDIRECT}/` })).toMatchObject(refused(100, 36_008))
    expect(await exchange(code, { client_secret: 'guess' })).toMatchObject(refused(1))
    expect(await exchange(code, { client_id: '1' })).toMatchObject(refused(101))
    expect((await exchange(code)).status).toBe(200)
  })
})

test('only the app reads a token, and an unknown token is invalid', async () => {
  const app = `${DEFAULT_APP_ID}|${SECRET}`
  expect((await call('/debug_token', { input_token: 'x' }, `${DEFAULT_APP_ID}|guess`)).status).toBe(401)
  expect((await call('/debug_token', { input_token: 'x' }, app)).body.data.is_valid).toBe(false)
})
