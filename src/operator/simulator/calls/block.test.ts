import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Body } from '../../../../test/support/boot.ts'
import { createCloudOperator } from '../../cloud/operator.ts'
import { startSimulator } from '../start.ts'
import { createTimerStore } from '../timer-store.ts'

const numbers = ['106', '107'].map((operatorId) => ({
  operatorId,
  accountId: '102',
  token: 'token-1',
  displayNumber: `15550${operatorId}`,
}))
const store = createTimerStore({ numbers, callbackUrl: 'http://127.0.0.1:9', appSecret: 's' })
let simulator: Awaited<ReturnType<typeof startSimulator>>

beforeAll(async () => {
  simulator = await startSimulator({ store, port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  store.close()
  await simulator.close()
})

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
  // Some clients omit the version (docs/formats.md section 7).
  const answer = await fetch(`${simulator.url}/${path}`, {
    method,
    headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}
const blockRequest = (...users: object[]) => ({ messaging_product: 'whatsapp', block_users: users })
const listed = async (id: string): Promise<Body> => (await call('GET', `${id}/block_users`)).body

test('users are blocked, listed, and unblocked for one number', async () => {
  const blocked = await call(
    'POST',
    '106/block_users',
    blockRequest({ user: '+91 98123-45678' }, { user_id: 'IN.1' }),
  )
  expect(blocked).toEqual({
    status: 200,
    body: {
      messaging_product: 'whatsapp',
      block_users: {
        added_users: [
          { input: '+91 98123-45678', wa_id: '919812345678' },
          { input: 'IN.1', user_id: 'IN.1' },
        ],
      },
    },
  })
  expect((await listed('106')).data).toEqual([
    { messaging_product: 'whatsapp', wa_id: '919812345678' },
    { messaging_product: 'whatsapp', user_id: 'IN.1' },
  ])
  expect((await listed('107')).data).toEqual([])
  const lifted = await call(
    'DELETE',
    '106/block_users',
    blockRequest({ user: '919812345678' }, { user: '911111111111' }),
  )
  expect(lifted.body.block_users.removed_users).toHaveLength(2)
  expect((await listed('106')).data).toEqual([{ messaging_product: 'whatsapp', user_id: 'IN.1' }])
})

test('a partial failure is 400 with code 139100, and names the users that failed', async () => {
  const answer = await call(
    'POST',
    '107/block_users',
    blockRequest({ user: '+919812345679' }, { user: 'nobody' }),
  )
  expect(answer.status).toBe(400)
  expect(answer.body.error.code).toBe(139100)
  expect(answer.body.block_users).toEqual({
    added_users: [{ input: '+919812345679', wa_id: '919812345679' }],
    failed_users: [{ input: 'nobody', errors: [expect.objectContaining({ code: 131009 })] }],
  })
})

test.each([
  [{ block_users: [{ user: '+919812345678' }] }, 'messaging_product'],
  [{ messaging_product: 'whatsapp' }, 'block_users'],
  [blockRequest(), 'block_users'],
])('a missing parameter is named (%#)', async (body, name) => {
  const answer = await call('POST', '106/block_users', body)
  expect(answer.body.error).toMatchObject({ code: 100, message: `(#100) The parameter ${name} is required.` })
})

test('the adapter blocks, unblocks, and reports why one user failed', async () => {
  const operator = createCloudOperator()
  const number = {
    id: 'x',
    operator: 'simulator',
    operatorId: '107',
    accountId: '102',
    token: 'token-1',
  } as const
  const own = { ...number, baseUrl: simulator.url }
  const done = { kind: 'done', value: undefined }
  expect(await operator.block(own, { phone: '+919812345670', userId: 'IN.9' })).toEqual(done)
  expect((await listed('107')).data).toContainEqual({ messaging_product: 'whatsapp', wa_id: '919812345670' })
  expect(await operator.unblock(own, { phone: '+919812345670', userId: 'IN.9' })).toEqual(done)
  expect(await operator.block(own, { phone: null, userId: 'IN.9' })).toEqual(done)
  expect(await operator.block(own, { phone: 'nobody', userId: null })).toMatchObject({
    kind: 'refused',
    error: { code: 139100, details: 'The user is neither a phone number nor a user id.' },
  })
  await operator.close()
})
