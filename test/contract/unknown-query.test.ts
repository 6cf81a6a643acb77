/** Every endpoint of the API rejects an unknown query parameter by name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DASHBOARD_ENDPOINTS, ENDPOINTS } from '../../src/catalog.ts'
import { fieldNames } from '../../src/http/endpoint/validate.ts'
import { bookingShop } from '../support/bookings.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { arranging, equippedSandbox } from './arrange.ts'
import { ask, KEYED, named, probe } from './requests.ts'

const ARRANGING = await arranging()

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot(ARRANGING)
  shop = await equippedSandbox(parley)
})
afterAll(() => parley.close())

test('the query parameters of every endpoint have names', () => {
  for (const value of [...ENDPOINTS, ...DASHBOARD_ENDPOINTS])
    expect(() => fieldNames(value.query), `${value.method} ${value.path}`).not.toThrow()
})

describe.each(named(KEYED))('%s', (_, value) => {
  test('names an unknown query parameter', async () => {
    // An unknown integration is rejected before the query is checked.
    const { path } = probe({ ...value, path: value.path.replace(':name', 'simulator') })
    const answer = await ask(shop, value, { path: `${path}?frobnicate=1` })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: 'invalid',
        issues: [{ path: 'frobnicate', message: expect.stringContaining('Unknown query parameter') }],
      },
    })
  })
})

test('the error for a mistyped parameter contains the nearest name', async () => {
  const { status, body } = await shop.get('/contacts?limt=5')
  expect(status).toBe(400)
  expect(body).toMatchObject({
    error: 'invalid',
    message: 'limt: Unknown query parameter. Did you mean limit?',
    issues: [{ path: 'limt', message: 'Unknown query parameter. Did you mean limit?' }],
  })
  expect((await shop.get('/messages?Limit=5')).body.message).toContain('Did you mean limit?')
  expect((await shop.get('/messages?conversation_id=5')).body.message).toContain(
    'Did you mean conversationId?',
  )
  expect((await shop.get('/me?x=1')).body.message).toBe('x: Unknown query parameter. This endpoint has none.')
})

test('links that people open ignore the parameters that mailings and advertisements add', async () => {
  const salon = await bookingShop(parley)
  const { bookingSettings } = (await salon.call('PUT', '/booking-settings', { publicPage: true })).body
  const page = await fetch(`${parley.url}${new URL(bookingSettings.url).pathname}?utm_source=mail&fbclid=1`)
  expect(page.status).toBe(200)
  await salon.set({ leadCapture: true })
  const capture = `${parley.url}/api/leads/capture/${salon.captureToken}?utm_source=mail&gclid=1`
  const captured = await fetch(capture, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Asha', phone: '+919812345699' }),
  })
  expect(captured.status).toBeLessThan(300)
})
