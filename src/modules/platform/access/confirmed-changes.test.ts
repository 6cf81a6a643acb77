/**
 * Changes to where money and events go require a recent sign-in or confirmation
 * (DECISIONS.md "Accounts and sessions").
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { type MovingClock, movingClock } from '../../../../test/support/moving-clock.ts'
import { SELLER } from '../../../../test/support/sales.ts'
import { type Browser, DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { MINUTE_MS } from '../../../core/clock.ts'

const PASSWORD = 'three blue kettles at noon'

let clock: MovingClock
let parley: TestParley
let shop: TestWorkspace
let admin: Browser
beforeAll(async () => {
  clock = movingClock()
  parley = await boot({
    clock,
    env: { PARLEY_EGRESS_ALLOW: '127.0.0.0/8' },
    equip: async (tx, workspaceId) => {
      await tx.sql(`update workspaces set modules = '{invoicing}' where id = $1`, [workspaceId])
    },
  })
  shop = await parley.workspace({ sandbox: true })
  admin = await signIn(parley, shop, 'admin', clock.now())
  expect((await admin.patch(`${DASHBOARD}/account`, { password: PASSWORD })).status).toBe(200)
})
afterAll(() => parley?.close())

const hook = (path: string) => ({ url: `https://127.0.0.1:9/${path}` })
const calling = (path: string) => ({
  name: 'Out',
  trigger: { event: 'lead.created' },
  actions: [{ type: 'call_webhook', ...hook(path) }],
})
const seller = (changes: object) => ({ seller: { ...SELLER, ...changes } })

/** Returns one request of each kind that sends money or events to another place. */
async function redirectingRequests(): Promise<[string, string, string, object?][]> {
  const { id } = (await shop.post('/webhooks', hook(`stored-${clock.aheadMs}`))).body.webhook
  const automation = (await shop.post('/automations', calling('stored'))).body.automation
  return [
    ['a webhook endpoint is registered', 'POST', '/webhooks', hook(`new-${clock.aheadMs}`)],
    ['a webhook endpoint is moved', 'PATCH', `/webhooks/${id}`, hook(`moved-${clock.aheadMs}`)],
    ['its secret is replaced', 'POST', `/webhooks/${id}/rotate`],
    ['an automation calls out', 'POST', '/automations', calling('new')],
    [
      'an automation calls elsewhere',
      'PATCH',
      `/automations/${automation.id}`,
      { actions: calling('other').actions },
    ],
    ['the UPI id is set', 'PUT', '/sales-settings', seller({ upiId: 'asha@bank' })],
    ['the bank account is set', 'PUT', '/sales-settings', seller({ bank: 'HDFC 123, IFSC HDFC0000001' })],
    ['a gateway is connected', 'PUT', '/integrations/simulator', { settings: {} }],
    ['a gateway is disconnected', 'DELETE', '/integrations/simulator'],
  ]
}

test('a session confirmed more than 10 minutes ago must confirm again to send money or events elsewhere', async () => {
  const requests = await redirectingRequests()
  clock.aheadMs += 11 * MINUTE_MS
  for (const [description, method, path, body] of requests)
    expect(await admin.call(method, path, body), description).toMatchObject({
      status: 403,
      body: { error: 'not_confirmed' },
    })
  expect((await admin.post(`${DASHBOARD}/session/confirm`, { password: PASSWORD })).status).toBe(200)
  for (const [description, method, path, body] of requests) {
    const answer = await admin.call(method, path, body)
    expect(answer.status, `${description}: ${answer.text}`).toBeLessThan(300)
  }
})

test('other changes require no confirmation, and an API key never does', async () => {
  const webhook = hook(`kept-${clock.aheadMs}`)
  const { id } = (await shop.post('/webhooks', webhook)).body.webhook
  const automation = (await shop.post('/automations', calling('kept'))).body.automation
  const settings = seller({ upiId: 'asha@bank', bank: 'HDFC 123, IFSC HDFC0000001' })
  expect((await shop.call('PUT', '/sales-settings', settings)).status).toBe(200)
  clock.aheadMs += 11 * MINUTE_MS
  const requests: [string, string, object?][] = [
    ['PATCH', `/webhooks/${id}`, { active: false }],
    ['PATCH', `/webhooks/${id}`, { ...webhook, events: ['message.received'] }],
    ['PATCH', `/automations/${automation.id}`, { name: 'Renamed', actions: calling('kept').actions }],
    ['POST', '/automations', { ...calling(''), actions: [{ type: 'wait', minutes: 5 }] }],
    ['PUT', '/sales-settings', { ...settings, dueDays: 14 }],
    ['DELETE', `/webhooks/${id}`],
  ]
  for (const [method, path, body] of requests) {
    const answer = await admin.call(method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
  }
  for (const [description, method, path, body] of await redirectingRequests())
    expect((await shop.call(method, path, body)).status, description).toBeLessThan(300)
})

test('the first password or passkey is possible at any time in the session of a link, later ones after a confirmation', async () => {
  const account = `${DASHBOARD}/account`
  const owner = await signIn(parley, shop, 'admin', clock.now())
  clock.aheadMs += 60 * MINUTE_MS
  const refused = { status: 403, body: { error: 'not_confirmed' } }
  expect(await owner.patch(account, { name: 'Asha' })).toMatchObject(refused)
  expect(await owner.post(`${account}/totp`, {})).toMatchObject(refused)
  expect((await owner.post(`${account}/passkeys`, {})).status).toBe(200)
  expect((await owner.patch(account, { password: PASSWORD })).status).toBe(200)
  // The new password confirms the session.
  expect((await owner.patch(account, { name: 'Asha' })).status).toBe(200)
  clock.aheadMs += 11 * MINUTE_MS
  expect(await owner.patch(account, { password: 'four green kettles at noon' })).toMatchObject(refused)
  expect(await owner.post(`${account}/passkeys`, {})).toMatchObject(refused)
})
