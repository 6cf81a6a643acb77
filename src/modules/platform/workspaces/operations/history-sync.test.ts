/** The request for the chats of a number that stays in the phone app. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Body,
  boot,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../../../../../test/support/boot.ts'
import { DAY_MS } from '../../../../core/clock.ts'
import { createSealer } from '../../../../core/sealing.ts'
import {
  type StandaloneSimulator,
  startStandaloneSimulator,
} from '../../../../operator/simulator/standalone/start.ts'
import { addPhoneNumber } from './phone-numbers.ts'

let operator: StandaloneSimulator
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  operator = await startStandaloneSimulator({ port: 0, host: '127.0.0.1', numbers: [], appSecret: 'secret' })
  parley = await boot({ env: { PARLEY_OPERATOR_URL: operator.url } })
})
afterAll(async () => {
  await parley?.close()
  await operator?.close()
})
beforeEach(async () => {
  shop = await parley.workspace()
})

describe('POST /phone-numbers/{id}/history-sync', () => {
  test('in a sandbox brings the sample chats and names, and is accepted once', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const [own] = (await sandbox.get('/phone-numbers')).body.phoneNumbers
    const path = `/phone-numbers/${own.id}/history-sync`
    const requested = await sandbox.post(path, {})
    expect(requested.status).toBe(202)
    expect(requested.body).toMatchObject({
      addressBookProblem: null,
      phoneNumber: { id: own.id, historySync: { state: 'requested' } },
    })
    await sandbox.advance(10)
    const [after] = (await sandbox.get('/phone-numbers')).body.phoneNumbers
    expect(after.historySync).toMatchObject({ state: 'complete', progress: 100, stored: 8 })
    expect((await sandbox.get('/contacts/+919820000001')).body.contact).toMatchObject({
      displayName: 'Meera Iyer',
    })
    const stored: Body[] = (await sandbox.get('/messages?limit=100')).body.messages
    expect(stored.find(({ type }) => type === 'image')).toMatchObject({ content: { caption: 'Receipt' } })
    const again = await sandbox.post(path, {})
    expect([again.status, again.body.error]).toEqual([409, 'conflict'])
  })

  test('an unknown number has no history', async () => {
    const answer = await shop.post(`/phone-numbers/${randomUUID()}/history-sync`, {})
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
  })

  test('explains a rejection by the state of the number at the operator', async () => {
    const real = await parley.workspace()
    const number = { number: '+14155550142', accountId: '7001', operatorId: '7002', token: 'token-7002' }
    operator.store.numbers.push({
      operatorId: number.operatorId,
      accountId: number.accountId,
      token: number.token,
      displayNumber: '14155550142',
      inPhoneApp: false,
    })
    const { phoneNumberId } = await parley.system((tx) =>
      addPhoneNumber(
        tx,
        { workspaceId: real.workspaceId, operator: 'cloud', appSecret: 'secret', ...number },
        new Date(),
        createSealer(SECRET_KEY),
      ),
    )
    const request = () => real.post(`/phone-numbers/${phoneNumberId}/history-sync`, {})
    const apart = await request()
    expect([apart.status, apart.body.error]).toEqual([409, 'conflict'])
    expect(apart.body.message).toContain("isn't used in the phone app")
    const [shown] = (await real.get('/phone-numbers')).body.phoneNumbers
    expect(shown.historySync).toBeNull()
    const simulated = operator.store.numbers.find(({ operatorId }) => operatorId === number.operatorId)!
    simulated.inPhoneApp = true
    expect((await request()).status).toBe(202)
    // The operator refuses a second request, and the number was connected two days ago.
    simulated.onboardedAt = new Date(Date.now() - 2 * DAY_MS)
    const late = await request()
    expect([late.status, late.body.error]).toEqual([409, 'conflict'])
    expect(late.body.message).toContain('within 24 hours')
  })
})
