/** The data of a workspace that every caller can read (spec 4.3, 4.10): itself, its numbers, and its team. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { systemClock } from '../../../../core/clock.ts'
import { addMember, setMember } from './workspace-members.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true, name: 'Asha Silks' })
})
afterAll(() => parley?.close())

describe('GET /me', () => {
  test("returns the caller's workspace, key label, role and expiry, and never the key (spec 4.3)", async () => {
    const expiresAt = new Date(Date.UTC(2099, 0, 1))
    const agent = await shop.as('agent', { scopes: ['crm:read'], expiresAt })
    const { status, body, text } = await agent.get('/me')
    expect(status, text).toBe(200)
    expect(body).toEqual({
      workspace: expect.objectContaining({ id: shop.workspaceId, name: 'Asha Silks', sandbox: true }),
      key: {
        id: agent.keyId,
        label: 'API key',
        role: 'agent',
        scopes: ['crm:read'],
        expiresAt: expiresAt.toISOString(),
      },
    })
    expect((await shop.get('/me')).text).not.toContain(shop.key)
  })
})

describe('GET /phone-numbers', () => {
  test('returns the numbers of the workspace, with the ids that `phoneNumberId` refers to (spec 4.3)', async () => {
    const { phoneNumbers } = (await shop.get('/phone-numbers')).body
    expect(phoneNumbers).toEqual([
      expect.objectContaining({ id: shop.phoneNumberId, state: 'active', simulated: true, restrictions: [] }),
    ])
    await shop.inbound('+919812345678', 'Hello')
    const body = { to: '+919812345678', type: 'text', text: 'Hi', phoneNumberId: phoneNumbers[0].id }
    expect(await shop.post('/send', body)).toMatchObject({ status: 200 })
  })

  test('returns none to a workspace without numbers', async () => {
    const other = await parley.workspace()
    expect((await other.get('/phone-numbers')).body).toEqual({ phoneNumbers: [] })
  })
})

describe('GET /team', () => {
  test('returns the members whom leads and tasks accept by name, email, and id, and none who left (spec 4.10)', async () => {
    const { workspaceId } = shop
    const now = systemClock.now()
    const newMember = { workspaceId, name: 'Ravi', email: 'ravi@asha.example', role: 'agent' as const }
    const { memberId } = await parley.system((tx) => addMember(tx, newMember, now))
    const { members } = (await shop.get('/team')).body
    const [ravi] = members.filter(({ id }: { id: string }) => id === memberId)
    expect(ravi).toEqual({
      id: memberId,
      name: 'Ravi',
      email: 'ravi@asha.example',
      role: 'agent',
      owner: false,
    })
    expect(members.filter(({ owner }: { owner: boolean }) => owner)).toHaveLength(1)
    for (const owner of [ravi.id, ravi.name, ravi.email]) {
      const { lead } = (await shop.post('/leads', { phone: '+919812345679' })).body
      expect((await shop.patch(`/leads/${lead.id}`, { owner })).body.lead.owner).toMatchObject({
        id: memberId,
      })
    }
    await parley.system((tx) => setMember(tx, memberId, { leave: true }, now))
    expect((await shop.get('/team')).text).not.toContain(memberId)
  })
})
