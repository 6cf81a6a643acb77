import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { randomFrom, seedOf } from '../../../../../test/support/seed.ts'
import { type Browser, signIn } from '../../../../../test/support/sessions.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const phoneOf = (index: number): string => `+9198124000${String(index).padStart(2, '0')}`

type Setting = { assignment?: string; capacity?: number | null; members?: number; routed?: boolean }
type Scene = { shop: TestWorkspace; agents: Browser[]; team: Body }

/** A workspace with a team of agents, to which the chats of its number go. */
async function scene({
  assignment = 'round_robin',
  capacity = null,
  members = 2,
  routed = true,
}: Setting = {}): Promise<Scene> {
  const shop = await parley.workspace({ sandbox: true })
  const agents: Browser[] = []
  while (agents.length < members) agents.push(await signIn(parley, shop, 'agent'))
  const [number] = (await shop.get('/phone-numbers')).body.phoneNumbers
  const { body, text } = await shop.post('/teams', {
    name: 'Support',
    assignment,
    capacity,
    memberIds: agents.map(({ memberId }) => memberId),
    ...(routed && { phoneNumberIds: [number.id] }),
  })
  expect(body.team, text).toBeDefined()
  return { shop, agents, team: body.team }
}

const chats = async (shop: TestWorkspace, query = ''): Promise<Body[]> =>
  (await shop.get(`/conversations?limit=100${query}`)).body.conversations
const chatWith = async (shop: TestWorkspace, index: number): Promise<Body> =>
  (await chats(shop)).find(({ contact }) => contact.phone === phoneOf(index))!

/** Waits until each member has this number of chats, in any order. */
const untilShared = (shop: TestWorkspace, counts: number[], waiting = 0): Promise<unknown> =>
  until(async () => {
    const rows = await chats(shop, '&state=open,pending')
    const byMember = Map.groupBy(
      rows.filter(({ assignedAgentId }) => assignedAgentId !== null),
      ({ assignedAgentId }) => assignedAgentId,
    )
    const found = [...byMember.values()].map(({ length }) => length).sort()
    return (
      String(found) === String(counts.toSorted()) &&
      rows.filter(({ assignedAgentId }) => assignedAgentId === null).length === waiting
    )
  }, `chats shared as ${counts}, and ${waiting} waiting`)

const untilAssigned = (shop: TestWorkspace, index: number, memberId: string | null): Promise<unknown> =>
  until(
    async () => (await chatWith(shop, index)).assignedAgentId === memberId,
    `chat ${index} of ${memberId}`,
  )

describe('teams', () => {
  test('an admin creates, reads, changes, and deletes a team; an agent reads it', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const ravi = await signIn(parley, shop, 'agent')
    const created = await shop.post('/teams', {
      name: ' Support ',
      description: 'Orders and returns',
      capacity: 5,
      memberIds: [ravi.memberId, ravi.memberId],
    })
    expect(created.status, created.text).toBe(201)
    const { team } = created.body
    expect(team).toMatchObject({
      name: 'Support',
      description: 'Orders and returns',
      assignment: 'manual',
      capacity: 5,
      members: [{ id: ravi.memberId, name: expect.any(String), available: true }],
      phoneNumberIds: [],
    })
    expect((await shop.get('/teams')).body).toEqual({ teams: [team], nextCursor: null })
    expect((await ravi.get(`/api/v1/teams/${team.id}`)).body.team).toEqual(team)
    for (const answer of [
      await ravi.post('/api/v1/teams', { name: 'Sales' }),
      await ravi.patch(`/api/v1/teams/${team.id}`, { name: 'Sales' }),
      await ravi.delete(`/api/v1/teams/${team.id}`),
    ])
      expect([answer.status, answer.body.error]).toEqual([403, 'forbidden'])
    const changed = await shop.patch(`/teams/${team.id}`, {
      memberIds: [shop.ownerId],
      assignment: 'round_robin',
      capacity: null,
      description: null,
    })
    expect(changed.body.team).toMatchObject({
      name: 'Support',
      description: null,
      assignment: 'round_robin',
      capacity: null,
      members: [{ id: shop.ownerId }],
    })
    expect((await shop.delete(`/teams/${team.id}`)).body).toEqual({ ok: true, deleted: true })
    for (const answer of [
      await shop.get(`/teams/${team.id}`),
      await shop.patch(`/teams/${team.id}`, { name: 'Sales' }),
      await shop.delete(`/teams/${team.id}`),
      await shop.get('/teams/none'),
    ])
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
  })

  test('two teams cannot have the same name, in any case, also if they are created concurrently', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const answers = await Promise.all(
      ['Support', 'SUPPORT', 'support'].map((name) => shop.post('/teams', { name })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const { teams } = (await shop.get('/teams')).body
    const refused = answers.find(({ status }) => status === 409)!
    expect(refused.body).toMatchObject({ error: 'conflict', teamId: teams[0].id })
    const other = (await shop.post('/teams', { name: 'Sales' })).body.team
    expect((await shop.patch(`/teams/${other.id}`, { name: 'support' })).status).toBe(409)
    expect((await shop.patch(`/teams/${other.id}`, { name: 'SALES' })).body.team.name).toBe('SALES')
  })

  test('names the unknown member, the unknown number, the number of another team, and the wrong value', async () => {
    const { shop, team } = await scene()
    const unknown = '0190a000-0000-7000-8000-000000000000'
    const post = (body: object) => shop.post('/teams', { name: 'Sales', ...body })
    const issueOf = ({ status, body }: { status: number; body: Body }) => [status, body.issues?.[0]?.path]
    expect(issueOf(await post({ memberIds: [shop.ownerId, unknown] }))).toEqual([400, 'memberIds[1]'])
    expect(issueOf(await post({ phoneNumberIds: [unknown] }))).toEqual([400, 'phoneNumberIds[0]'])
    expect(issueOf(await post({ capacity: 0 }))).toEqual([400, 'capacity'])
    expect(issueOf(await post({ assignment: 'lottery' }))).toEqual([400, 'assignment'])
    expect(issueOf(await post({ name: ' ' }))).toEqual([400, 'name'])
    const conflict = await post({ phoneNumberIds: team.phoneNumberIds })
    expect([conflict.status, conflict.body.teamId]).toEqual([409, team.id])
    expect((await shop.get('/teams')).body.teams).toHaveLength(1)
  })

  test('another workspace finds no team, and its chats take none', async () => {
    const { team } = await scene()
    const other = await parley.workspace({ sandbox: true })
    await other.inbound(phoneOf(1), 'Hello')
    const chat = await chatWith(other, 1)
    const answer = await other.patch(`/conversations/${chat.id}`, { teamId: team.id })
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, 'teamId'])
    expect((await other.get(`/teams/${team.id}`)).status).toBe(404)
    expect(await chats(other, `&teamId=${team.id}`)).toEqual([])
  })
})

describe('a chat of a team', () => {
  test('is listed by its team, and its thread shows the changes', async () => {
    const { shop, agents, team } = await scene({ assignment: 'manual', routed: false })
    for (const index of [1, 2, 3]) await shop.inbound(phoneOf(index), 'Hello')
    const [first, second] = [await chatWith(shop, 1), await chatWith(shop, 2)]
    const put = await shop.patch(`/conversations/${first!.id}`, { teamId: team.id })
    expect(put.body.conversation).toMatchObject({ teamId: team.id, assignedAgentId: null })
    await shop.patch(`/conversations/${second!.id}`, { teamId: team.id, state: 'resolved' })
    const idsOf = async (query: string) => (await chats(shop, query)).map(({ id }) => id)
    expect(await idsOf(`&teamId=${team.id}`)).toEqual([second!.id, first!.id])
    expect(await idsOf(`&teamId=${team.id}&state=open`)).toEqual([first!.id])
    expect(await idsOf(`&teamId=${team.id}&assignee=none&ids=${first!.id},${second!.id}`)).toHaveLength(2)
    expect(await idsOf(`&teamId=${team.id}&sort=waiting`)).toEqual([first!.id])
    expect(await idsOf('&teamId=none')).toEqual([(await chatWith(shop, 3)).id])
    expect((await shop.get('/conversations?teamId=x')).body.issues[0].path).toBe('teamId')
    // A member outside the team is unassigned by the change to the team; a member of the team stays.
    await shop.patch(`/conversations/${first!.id}`, { teamId: null, assignedAgentId: shop.ownerId })
    const moved = await shop.patch(`/conversations/${first!.id}`, { teamId: team.id })
    expect(moved.body.conversation.assignedAgentId).toBeNull()
    const ravi = agents[0]!.memberId
    await shop.patch(`/conversations/${first!.id}`, { teamId: null, assignedAgentId: ravi })
    const stayed = await shop.patch(`/conversations/${first!.id}`, { teamId: team.id })
    expect(stayed.body.conversation.assignedAgentId).toBe(ravi)
    const { changes } = (await shop.get(`/conversations/${first!.id}/changes`)).body
    expect(changes.map(({ action, team: to }: Body) => [action, to])).toEqual([
      ['joined_team', { id: team.id, name: 'Support' }],
      ['assigned', null],
      ['left_team', null],
      ['unassigned', null],
      ['joined_team', { id: team.id, name: 'Support' }],
      ['assigned', null],
      ['left_team', null],
      ['joined_team', { id: team.id, name: 'Support' }],
    ])
  })

  test('goes to the team of its number when the customer starts or reopens it, and keeps its own team', async () => {
    const { shop, team } = await scene({ assignment: 'manual', routed: false })
    for (const index of [1, 2]) {
      await shop.inbound(phoneOf(index), 'Hello')
      await shop.patch(`/conversations/${(await chatWith(shop, index)).id}`, { state: 'resolved' })
    }
    const sales = (await shop.post('/teams', { name: 'Sales' })).body.team
    await shop.patch(`/conversations/${(await chatWith(shop, 2)).id}`, { teamId: sales.id })
    const [number] = (await shop.get('/phone-numbers')).body.phoneNumbers
    await shop.patch(`/teams/${team.id}`, { phoneNumberIds: [number.id] })
    for (const index of [1, 2, 3]) await shop.inbound(phoneOf(index), 'Hello again')
    const teamsOf = await Promise.all([1, 2, 3].map(async (index) => (await chatWith(shop, index)).teamId))
    expect(teamsOf).toEqual([team.id, sales.id, team.id])
    // We start this chat.
    await shop.post('/conversations', { phone: phoneOf(4) })
    expect((await chatWith(shop, 4)).teamId).toBeNull()
  })

  test('has no team when its team is deleted', async () => {
    const { shop, team } = await scene({ assignment: 'manual' })
    await shop.inbound(phoneOf(1), 'Hello')
    expect((await chatWith(shop, 1)).teamId).toBe(team.id)
    await shop.delete(`/teams/${team.id}`)
    expect((await chatWith(shop, 1)).teamId).toBeNull()
    await until(async () => (await chats(shop, '&teamId=none')).length === 1, 'the chat without a team')
  })

  test('take next takes from the own teams first, then without a team, and never from other teams', async () => {
    const { shop, agents, team } = await scene({ assignment: 'manual', members: 1, routed: false })
    const sales = (await shop.post('/teams', { name: 'Sales' })).body.team
    for (const index of [1, 2, 3]) await shop.inbound(phoneOf(index), 'Hello')
    await shop.patch(`/conversations/${(await chatWith(shop, 1)).id}`, { teamId: sales.id })
    await shop.patch(`/conversations/${(await chatWith(shop, 3)).id}`, { teamId: team.id })
    const take = async () => (await agents[0]!.post('/api/v1/conversations/take-next', {})).body
    expect((await take()).conversation.contact.phone).toBe(phoneOf(3))
    expect((await take()).conversation.contact.phone).toBe(phoneOf(2))
    expect((await take()).error).toBe('not_found')
  })
})

describe('a team that gives chats in turn', () => {
  test('gives each new chat to the member who had one longest ago, with a notice and a change', async () => {
    const { shop, agents } = await scene({ members: 3 })
    const givenTo: string[] = []
    for (const index of [1, 2, 3, 4]) {
      await shop.inbound(phoneOf(index), 'Hello', { name: `Customer ${index}` })
      await until(async () => (await chatWith(shop, index)).assignedAgentId !== null, 'the assignment')
      givenTo.push((await chatWith(shop, index)).assignedAgentId)
    }
    expect(new Set(givenTo.slice(0, 3))).toEqual(new Set(agents.map(({ memberId }) => memberId)))
    expect(givenTo[3]).toBe(givenTo[0])
    const first = await chatWith(shop, 1)
    const { changes } = (await shop.get(`/conversations/${first.id}/changes`)).body
    expect(changes).toMatchObject([
      { action: 'assigned', assignee: { id: givenTo[0], name: expect.any(String) }, source: null },
    ])
    const agent = agents.find(({ memberId }) => memberId === givenTo[0])!
    const { notifications } = (await agent.get('/api/dashboard/notifications')).body
    expect(notifications).toContainEqual(
      expect.objectContaining({
        kind: 'conversation_assigned',
        subjectId: first.id,
        title: 'Customer 1',
        actorName: null,
      }),
    )
  })

  test('keeps chats in its queue above the capacity, and gives the longest wait when a chat is resolved', async () => {
    const { shop, agents } = await scene({ members: 1, capacity: 1 })
    const ravi = agents[0]!.memberId
    for (const index of [1, 2, 3]) await shop.inbound(phoneOf(index), 'Hello')
    await untilAssigned(shop, 1, ravi)
    await untilShared(shop, [1], 2)
    await shop.patch(`/conversations/${(await chatWith(shop, 1)).id}`, { state: 'resolved' })
    await untilAssigned(shop, 2, ravi)
    // A pending, a snoozed, and an archived chat leave their place free too.
    await shop.patch(`/conversations/${(await chatWith(shop, 2)).id}`, { state: 'pending' })
    await untilAssigned(shop, 3, ravi)
    await shop.inbound(phoneOf(4), 'Hello')
    await shop.post(`/conversations/${(await chatWith(shop, 3)).id}/snooze`, { untilReply: true })
    await untilAssigned(shop, 4, ravi)
    await shop.inbound(phoneOf(5), 'Hello')
    await shop.patch(`/conversations/${(await chatWith(shop, 4)).id}`, { isArchived: true })
    await untilAssigned(shop, 5, ravi)
    // So do an erased one, and a greater capacity.
    await shop.inbound(phoneOf(6), 'Hello')
    await shop.delete(`/contacts/${encodeURIComponent(phoneOf(5))}`)
    await untilAssigned(shop, 6, ravi)
    await shop.inbound(phoneOf(7), 'Hello')
    const [team] = (await shop.get('/teams')).body.teams
    await shop.patch(`/teams/${team.id}`, { capacity: 2 })
    await untilAssigned(shop, 7, ravi)
  })

  test('gives nothing to members who are away; they get the waiting chats when they return', async () => {
    const { shop, agents, team } = await scene({ members: 2 })
    const [ravi, meera] = agents as [Browser, Browser]
    const switched = (browser: Browser, available: boolean) =>
      browser.post('/api/v1/teams/availability', { available })
    expect((await switched(ravi, false)).body).toEqual({ memberId: ravi.memberId, available: false })
    expect((await ravi.get('/api/v1/teams/availability')).body.available).toBe(false)
    const { members } = (await shop.get(`/teams/${team.id}`)).body.team
    expect(members.find(({ id }: Body) => id === ravi.memberId).available).toBe(false)
    for (const index of [1, 2]) await shop.inbound(phoneOf(index), 'Hello')
    await untilShared(shop, [2])
    expect((await chats(shop)).every(({ assignedAgentId }) => assignedAgentId === meera.memberId)).toBe(true)
    // An admin switches another member; an agent can't.
    const refused = await ravi.post('/api/v1/teams/availability', {
      available: false,
      memberId: meera.memberId,
    })
    expect([refused.status, refused.body.error]).toEqual([403, 'forbidden'])
    await shop.post('/teams/availability', { available: false, memberId: meera.memberId })
    await shop.inbound(phoneOf(3), 'Hello')
    await untilShared(shop, [2], 1)
    await switched(ravi, true)
    await untilAssigned(shop, 3, ravi.memberId)
  })

  test('a reopened chat stays with its member, and goes to another if the member is away', async () => {
    const { shop, agents } = await scene({ members: 2 })
    await shop.inbound(phoneOf(1), 'Hello')
    await until(async () => (await chatWith(shop, 1)).assignedAgentId !== null, 'the assignment')
    const { id, assignedAgentId } = await chatWith(shop, 1)
    await shop.patch(`/conversations/${id}`, { state: 'resolved' })
    await shop.inbound(phoneOf(1), 'A question')
    await untilAssigned(shop, 1, assignedAgentId)
    await shop.patch(`/conversations/${id}`, { state: 'resolved' })
    await shop.post('/teams/availability', { available: false, memberId: assignedAgentId })
    await shop.inbound(phoneOf(1), 'Another question')
    const other = agents.find(({ memberId }) => memberId !== assignedAgentId)!
    await untilAssigned(shop, 1, other.memberId)
  })

  test('the chats of a member who leaves go to the others', async () => {
    const { shop, agents, team } = await scene({ members: 2 })
    for (const index of [1, 2]) await shop.inbound(phoneOf(index), 'Hello')
    await untilShared(shop, [1, 1])
    const [ravi, meera] = agents as [Browser, Browser]
    const owner = await signIn(parley, shop, 'admin')
    expect((await owner.delete(`/api/dashboard/members/${ravi.memberId}`)).status).toBe(200)
    await untilShared(shop, [2])
    const { members } = (await shop.get(`/teams/${team.id}`)).body.team
    expect(members.map(({ id }: Body) => id)).toEqual([meera.memberId])
  })

  test('two chats at the same moment never exceed a capacity of 1, and no chat is lost', async () => {
    const { shop, agents } = await scene({ members: 2, capacity: 1 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => shop.inbound(phoneOf(index + 1), 'Hello')),
    )
    expect(answers).toHaveLength(8)
    await untilShared(shop, [1, 1], 6)
    const handled = new Set<string>()
    while (handled.size < 8) {
      const open = (await chats(shop, '&state=open')).filter(
        ({ assignedAgentId }) => assignedAgentId !== null,
      )
      for (const agent of agents)
        expect(
          open.filter(({ assignedAgentId }) => assignedAgentId === agent.memberId).length,
        ).toBeLessThanOrEqual(1)
      for (const { id } of open) handled.add(id)
      await Promise.all(open.map(({ id }) => shop.patch(`/conversations/${id}`, { state: 'resolved' })))
      const left = 8 - handled.size
      await untilShared(
        shop,
        Array.from({ length: Math.min(2, left) }, () => 1),
        Math.max(0, left - 2),
      )
    }
    for (const { id } of await chats(shop, '&state=resolved')) {
      const { changes } = (await shop.get(`/conversations/${id}/changes`)).body
      expect(changes.filter(({ action }: Body) => action === 'assigned')).toHaveLength(1)
    }
  })

  test('people can assign above the capacity; a chat that moves to the team is given too', async () => {
    const { shop, agents, team } = await scene({ members: 1, capacity: 1, routed: false })
    const ravi = agents[0]!.memberId
    for (const index of [1, 2]) await shop.inbound(phoneOf(index), 'Hello')
    await shop.patch(`/conversations/${(await chatWith(shop, 1)).id}`, { teamId: team.id })
    await untilAssigned(shop, 1, ravi)
    const second = await chatWith(shop, 2)
    const above = await shop.patch(`/conversations/${second.id}`, { teamId: team.id, assignedAgentId: ravi })
    expect(above.body.conversation.assignedAgentId).toBe(ravi)
  })

  test('random chats, resolutions, returns, and breaks keep the capacity, and leave no place free beside a waiting chat', async () => {
    const { shop, agents } = await scene({ members: 3, capacity: 2 })
    const phones = Array.from({ length: 12 }, (_, index) => phoneOf(index + 1))
    const random = randomFrom(seedOf('teams'))
    const pickOne = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
    const away = new Set<string>()
    const moves = [
      () => shop.inbound(pickOne(phones), 'Hello'),
      () => shop.inbound(pickOne(phones), 'Hello again'),
      async () => {
        const open = await chats(shop, '&state=open')
        if (open.length > 0)
          await shop.patch(`/conversations/${pickOne(open).id}`, {
            state: pickOne(['resolved', 'pending', 'resolved']),
          })
      },
      async () => {
        const { memberId } = pickOne(agents)
        const available = away.has(memberId)
        if (available) away.delete(memberId)
        else away.add(memberId)
        await shop.post('/teams/availability', { available, memberId })
      },
    ]
    for (let round = 0; round < 8; round++) {
      await Promise.all([pickOne(moves)(), pickOne(moves)(), pickOne(moves)()])
      const isSettled = async (): Promise<boolean> => {
        const [open, { body }] = [await chats(shop, '&state=open'), await shop.get('/teams')]
        const loads = Map.groupBy(open, ({ assignedAgentId }) => assignedAgentId)
        const free = body.teams[0].members.some(
          ({ id, available }: Body) => available && (loads.get(id)?.length ?? 0) < 2,
        )
        return !(free && loads.has(null))
      }
      await until(isSettled, `no place free beside a waiting chat in round ${round}`)
      const open = await chats(shop, '&state=open')
      for (const { memberId } of agents) {
        const own = open.filter(({ assignedAgentId }) => assignedAgentId === memberId)
        expect(own.length, `round ${round}`).toBeLessThanOrEqual(2)
      }
    }
  })
})
