import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'
import { systemClock } from '../../../../core/clock.ts'
import { activityRetentionSource } from '../work/activity-retention-source.ts'
import { createApiKey, revokeApiKey } from './api-keys.ts'
import { addMember, setMember } from './workspace-members.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace()
})
afterAll(() => parley.close())

const logged = async (client: Pick<TestWorkspace, 'get'>, query = ''): Promise<Body[]> => {
  const answer = await client.get(`/activity${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.activity
}

describe('GET /activity: important actions and their authors', () => {
  test('an erased contact is logged with the author of the erasure, and without personal data', async () => {
    const agent = await shop.as('agent')
    const phone = '+919812345678'
    const { id } = (await shop.post('/contacts', { phone, displayName: 'Asha Rao' })).body.contact
    await agent.delete(`/contacts/${phone}`)
    const [entry] = await logged(shop, '?kind=contact.erased')
    expect(entry).toEqual({
      id: expect.any(String),
      kind: 'contact.erased',
      actor: { kind: 'key', id: agent.keyId, name: 'API key' },
      data: { contactId: id },
      createdAt: expect.any(String),
    })
    expect(JSON.stringify(await logged(shop))).not.toMatch(/9812345678|Asha/)
  })

  test('refused actions are not logged', async () => {
    const before = await logged(shop)
    expect((await shop.delete('/contacts/+919812345600')).status).toBe(404)
    expect((await shop.post('/pipeline/stages', { name: 'New' })).status).toBe(409)
    expect(await logged(shop)).toEqual(before)
  })

  test('changes of the pipeline and of the assignment', async () => {
    const crm = await parley.workspace()
    const { id } = (await crm.post('/pipeline/stages', { name: 'Demo given' })).body.stage
    await crm.patch('/pipeline/assignment', { mode: 'round_robin', members: [crm.ownerId] })
    expect((await logged(crm)).slice(0, 2)).toMatchObject([
      { kind: 'assignment.changed', data: { mode: 'round_robin', memberIds: [crm.ownerId] } },
      { kind: 'pipeline.changed', data: { change: 'stage added', id, name: 'Demo given' } },
    ])
  })

  test('a deleted template', async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    await storeTemplate(parley, sandbox, { name: 'old_offer', components: [{ type: 'BODY', text: 'Hi' }] })
    const { id } = (await sandbox.get('/templates?name=old_offer')).body.templates[0]
    expect((await sandbox.delete(`/templates/${id}`)).status).toBe(200)
    expect(await logged(sandbox, '?kind=template.deleted')).toMatchObject([
      { data: { templateId: id, name: 'old_offer', language: 'en_US' } },
    ])
  })

  test('keys and members changed by the command line', async () => {
    const team = await parley.workspace()
    const { workspaceId } = team
    const now = new Date()
    const member = { workspaceId, email: 'ravi@shop.example', name: 'Ravi', role: 'agent' as const }
    const { memberId } = await parley.system((tx) => addMember(tx, member, now))
    await parley.system((tx) => setMember(tx, memberId, { leave: true }, now))
    const input = { workspaceId, role: 'viewer' as const, label: 'Till' }
    const { keyId } = await parley.system((tx) => createApiKey(tx, input, now))
    for (const _ of [1, 2]) await parley.system((tx) => revokeApiKey(tx, keyId, now))
    const entries = (await logged(team)).slice(0, 4)
    expect(entries.map(({ kind }) => kind)).toEqual([
      'key.revoked',
      'key.created',
      'member.changed',
      'member.added',
    ])
    expect(entries.every(({ actor }) => actor.kind === 'cli')).toBe(true)
    expect(JSON.stringify(entries)).not.toContain('ravi@shop.example')
  })

  test('filtered by kind and by actor, cursor-paginated newest first', async () => {
    const client = await parley.workspace()
    const agent = await client.as('agent')
    const ids: string[] = []
    for (const n of [1, 2, 3]) {
      const { id } = (await client.post('/contacts', { phone: `+91981111000${n}` })).body.contact
      await agent.delete(`/contacts/${id}`)
      ids.unshift(id)
    }
    const erased = (entries: Body[]) => entries.map(({ data }) => data.contactId)
    expect(erased(await logged(client, `?actorId=${agent.keyId}`))).toEqual(ids)
    const first = (await client.get('/activity?kind=contact.erased&limit=2')).body
    expect(erased(first.activity)).toEqual(ids.slice(0, 2))
    const rest = (await client.get(`/activity?kind=contact.erased&limit=2&cursor=${first.nextCursor}`)).body
    expect([erased(rest.activity), rest.nextCursor]).toEqual([ids.slice(2), null])
    for (const query of ['kind=contact.eaten', 'actorId=me', 'cursor=first'])
      expect((await client.get(`/activity?${query}`)).status).toBe(400)
  })

  test('only an admin key may read it, and with a scope list only one with team:read', async () => {
    expect((await (await shop.as('agent')).get('/activity')).status).toBe(403)
    expect((await (await shop.as('admin', { scopes: ['contacts:read'] })).get('/activity')).status).toBe(403)
    expect((await (await shop.as('admin', { scopes: ['team:read'] })).get('/activity')).status).toBe(200)
  })

  test('kept for one year', async () => {
    const client = await parley.workspace()
    const ageOf = (days: number) => new Date(Date.now() - days * 86_400_000)
    const contactId = '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10'
    await parley.system((tx) =>
      tx.sql(
        `insert into activity_log (workspace_id, id, kind, actor_kind, data, created_at)
         select $1, gen_random_uuid(), 'contact.erased', 'platform', $2, at from unnest($3::timestamptz[]) as u (at)`,
        [client.workspaceId, { contactId }, [ageOf(364), ageOf(366)]],
      ),
    )
    const query = <Row>(text: string, parameters?: unknown[]) =>
      parley.system((tx) => tx.sql<Row>(text, parameters))
    await activityRetentionSource({ database: { query }, clock: systemClock, activityDays: 365 }).runDue({})
    expect(await logged(client, '?kind=contact.erased')).toHaveLength(1)
  })
})
