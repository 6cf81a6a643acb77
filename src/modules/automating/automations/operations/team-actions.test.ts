/** Automations and bots put chats into teams. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
let team: Body
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  team = (await shop.post('/teams', { name: 'Support' })).body.team
})
afterAll(() => parley?.close())

const UNKNOWN = '0190a000-0000-7000-8000-000000000000'

const untilInTeam = (phone: string): Promise<Body> =>
  until(async () => {
    const { conversations } = (await shop.get('/conversations')).body
    return conversations.find((chat: Body) => chat.contact.phone === phone && chat.teamId === team.id)
  }, 'the chat in the team')

const automation = (teamId: string) => ({
  name: 'To support',
  trigger: { event: 'message.received' },
  actions: [{ type: 'assign_conversation', member: null, teamId }],
})

const bot = (teamId: string) => ({
  name: 'Menu',
  enabled: true,
  entry: { keywords: ['help'] },
  fallback: { text: 'Please tap a button.' },
  start: 'person',
  nodes: [{ id: 'person', type: 'handover', teamId, note: 'Needs help.' }],
})

test('an automation puts the chat into a team; an unknown team is an error that names its field', async () => {
  const refused = await shop.post('/automations', automation(UNKNOWN))
  expect([refused.status, refused.body.issues[0].path]).toEqual([400, 'actions[0].teamId'])
  const { automation: saved } = (await shop.post('/automations', automation(team.id))).body
  await shop.inbound('+919812345601', 'Hello')
  await untilInTeam('+919812345601')
  await shop.delete(`/automations/${saved.id}`)
})

test('a bot hands the chat over to a team; an unknown team is an error that names its field', async () => {
  const refused = await shop.post('/bots', bot(UNKNOWN))
  expect([refused.status, refused.body.issues[0].path]).toEqual([400, 'nodes[0].teamId'])
  const saved = await shop.post('/bots', bot(team.id))
  expect(saved.status, saved.text).toBe(201)
  await shop.inbound('+919812345602', 'help')
  expect((await untilInTeam('+919812345602')).state).toBe('open')
  const action = {
    ...bot(team.id),
    entry: { keywords: ['return'] },
    nodes: [
      {
        id: 'person',
        type: 'action',
        action: { type: 'assign_conversation', memberId: shop.ownerId, teamId: team.id },
        next: null,
      },
    ],
  }
  expect((await shop.post('/bots', action)).status).toBe(201)
  await shop.inbound('+919812345603', 'return')
  expect((await untilInTeam('+919812345603')).assignedAgentId).toBe(shop.ownerId)
})

test('a run skips no other action when the team of a bot is deleted meanwhile', async () => {
  const { team: gone } = (await shop.post('/teams', { name: 'Gone' })).body
  const saved = await shop.post('/bots', { ...bot(gone.id), entry: { keywords: ['gone'] } })
  expect(saved.status, saved.text).toBe(201)
  await shop.delete(`/teams/${gone.id}`)
  await shop.inbound('+919812345604', 'gone')
  const notesOf = async () => {
    const { conversations } = (await shop.get('/conversations')).body
    const chat = conversations.find(({ contact }: Body) => contact.phone === '+919812345604')
    return (await shop.get(`/conversations/${chat.id}/notes`)).body.notes.map(({ body }: Body) => body)
  }
  const notes = await until(async () => {
    const found = await notesOf()
    return found.includes('Needs help.') && found
  }, 'the note of the handover')
  expect(notes).toContainEqual(expect.stringContaining('Team not found.'))
})
