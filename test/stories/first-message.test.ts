import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

test('GET /me returns the workspace, and the label, role, and expiry of the key, never the key', async () => {
  const shop = await parley.workspace({ name: 'Blue Door' })
  const response = await shop.get('/me')
  expect(response.status).toBe(200)
  expect(response.body.workspace).toMatchObject({
    id: shop.workspaceId,
    name: 'Blue Door',
    plan: 'unlimited',
    sandbox: false,
  })
  expect(response.body.key).toMatchObject({ role: 'admin', scopes: null, expiresAt: null })
  expect(response.text).not.toContain(shop.key)
  expect(response.headers['ratelimit-limit']).toBe('600')
})
