/**
 * Every filter of a list also applies to rows that are named by their ids: pages read changed rows again with the filters of
 * their list, and a row that no longer matches must not appear.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/catalog.ts'
import { newBroadcast } from '../contract/arrange.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
let own: Record<string, string>
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  await makeChats()
  await makeLeads()
  await makeTexts()
  own = await placeholders()
})
afterAll(() => parley?.close())

const made = async (
  response: Promise<{ status: number; body: Body; text: string }>,
  key?: string,
): Promise<Body> => {
  const { status, body, text } = await response
  expect(status, text).toBeLessThan(300)
  return key === undefined ? body : body[key]
}

const ASHA = '+919812340001'
const RAVI = '+919812340002'
const MEERA = '+919812340003'
const FROM_FAIR = { match: 'all', conditions: [{ field: 'source', op: 'eq', value: 'fair' }] }

/** Customers with chats that differ in every filter. */
async function makeChats(): Promise<void> {
  for (const [phone, name] of [
    [ASHA, 'Asha Rao'],
    [RAVI, 'Ravi Iyer'],
    [MEERA, 'Meera Das'],
  ] as const)
    await shop.inbound(phone, `I am ${name}`, { name })
  await shop.patch(`/contacts/${encodeURIComponent(ASHA)}`, { optInStatus: 'opted_in', addTags: ['vip'] })
  const { conversations } = (await shop.get('/conversations')).body
  const chatOf = (phone: string) => conversations.find(({ contact }: Body) => contact.phone === phone).id
  const team = await made(shop.post('/teams', { name: 'Support' }), 'team')
  await made(shop.patch(`/conversations/${chatOf(ASHA)}`, { priority: 'high', teamId: team.id }))
  await made(shop.patch(`/conversations/${chatOf(RAVI)}`, { state: 'resolved' }))
  await made(shop.patch(`/conversations/${chatOf(MEERA)}`, { isArchived: true }))
  await made(shop.post('/send', { to: RAVI, type: 'text', text: 'Hello Ravi' }))
  await shop.advance(30)
}

async function makeLeads(): Promise<void> {
  const [first, second] = await Promise.all([
    made(shop.post('/leads', { phone: ASHA, name: 'Asha Rao', source: 'fair' }), 'lead'),
    made(shop.post('/leads', { phone: RAVI, name: 'Ravi Iyer' }), 'lead'),
  ])
  await made(shop.post('/tasks', { leadId: first.id, title: 'Call', dueAt: '2030-06-02T10:00:00Z' }))
  const task = await made(
    shop.post('/tasks', { leadId: second.id, title: 'Visit', dueAt: '2030-06-02T10:00:00Z' }),
    'task',
  )
  await made(shop.patch(`/tasks/${task.id}`, { status: 'done', outcome: 'done' }))
}

async function makeTexts(): Promise<void> {
  for (const [name, language, category] of [
    ['offer', 'en_US', 'MARKETING'],
    ['notice', 'hi', 'UTILITY'],
  ] as const)
    await made(
      shop.post('/templates', {
        name,
        language,
        category,
        components: [{ type: 'BODY', text: 'The shop opens at ten.' }],
      }),
    )
  await made(shop.post('/broadcasts', await newBroadcast(shop)))
}

/** Values of each filter. A filter that is not here fails the last test. */
const FILTERS: Record<string, Record<string, string[]>> = {
  'GET /messages': {
    conversationId: ['CHAT'],
    status: ['sent', 'read', 'failed'],
    direction: ['inbound', 'outbound'],
    type: ['text', 'image'],
    contactId: ['CONTACT'],
    phone: [ASHA],
    phoneNumberId: ['NUMBER'],
    search: ['asha&conversationId=CHAT', 'zzz&conversationId=CHAT'],
  },
  'GET /conversations': {
    channel: ['chat', 'all'],
    state: ['open', 'resolved', 'open,pending'],
    assignee: ['none'],
    teamId: ['TEAM', 'none'],
    unread: ['true', 'false'],
    priority: ['high', 'normal'],
    archived: ['true', 'false'],
    snoozed: ['true', 'false'],
    phoneNumberId: ['NUMBER'],
    tag: ['vip', 'other'],
    search: ['asha', 'iyer', '98123400', 'zzz'],
    window: ['open', 'closed'],
    sort: ['latest', 'waiting'],
  },
  'GET /contacts': {
    search: ['asha', '98123400', 'zzz'],
    phone: [RAVI],
    channel: ['chat', 'social'],
    tag: ['vip', 'other'],
    optInStatus: ['opted_in', 'unknown'],
    segmentId: ['SEGMENT'],
  },
  'GET /templates': {
    status: ['approved', 'pending', 'rejected'],
    category: ['MARKETING', 'UTILITY'],
    language: ['hi', 'en_US'],
    name: ['offer'],
    search: ['noti', 'zzz'],
  },
  'GET /broadcasts': {
    status: ['draft', 'completed'],
    search: ['diw', 'zzz'],
    from: ['2020-01-01T00:00:00Z&to=2090-01-01T00:00:00Z'],
    to: ['2020-01-02T00:00:00Z&from=2020-01-01T00:00:00Z'],
  },
  'GET /leads': {
    view: ['VIEW'],
    filter: [JSON.stringify(FROM_FAIR)],
    q: ['asha', 'zzz'],
    sort: ['name'],
    dir: ['asc'],
  },
  'GET /leads/summary': {
    view: ['VIEW'],
    filter: [JSON.stringify(FROM_FAIR)],
    q: ['asha', 'zzz'],
  },
  'GET /tasks': { status: ['open', 'upcoming', 'done'], leadId: ['LEAD'], assignee: ['MEMBER'] },
}
/** Parameters that cut or name rows, and do not filter. */
const PAGING = ['limit', 'cursor', 'page', 'pageSize', 'ids', 'around']

const shapeOf = (query: unknown): object => (query as { shape?: object } | undefined)?.shape ?? {}
const listed = ENDPOINTS.map(
  ({ method, path, query }) => [`${method} ${path}`, shapeOf(query)] as const,
).filter(([, shape]) => 'ids' in shape)

async function placeholders(): Promise<Record<string, string>> {
  const [conversation] = (await shop.get('/conversations')).body.conversations
  const [lead] = (await shop.get('/leads')).body.leads
  const segment = await made(shop.post('/segments', { name: 'VIP', segment: { tags: ['vip'] } }), 'segment')
  const view = await made(
    shop.post('/views', {
      name: 'Fair',
      filter: FROM_FAIR,
    }),
    'view',
  )
  return {
    CHAT: conversation.id,
    CONTACT: conversation.contact.id,
    NUMBER: conversation.phoneNumberId,
    LEAD: lead.id,
    SEGMENT: segment.id,
    VIEW: view.id,
    MEMBER: shop.ownerId,
    TEAM: (await shop.get('/teams')).body.teams[0].id,
  }
}

test.each(listed.filter(([route]) => route !== 'GET /leads/summary').map(([route]) => route))(
  '%s: the rows of some ids that match a filter are the list with that filter, cut to these ids',
  async (route) => {
    const path = route.slice('GET '.length)
    const noun = path.slice(1)
    const idsOf = async (query: string): Promise<string[]> => {
      const { status, body, text } = await shop.get(`${path}?${query}`)
      expect(status, `${query}: ${text}`).toBe(200)
      return body[noun].map(({ id }: Body) => id)
    }
    const size = noun === 'leads' || noun === 'tasks' ? 'pageSize=100' : 'limit=100'
    const allIds = await idsOf(size)
    expect(allIds.length).toBeGreaterThan(0)
    for (const [name, values] of Object.entries(FILTERS[route]!))
      for (const value of values) {
        // A filter that requires another one names it after `&`.
        const [text = '', ...others] = value
          .split('&')
          .map((part) => part.replace(/[A-Z]+$/, (id) => own[id] ?? id))
        const filter = [`${name}=${encodeURIComponent(text)}`, ...others].join('&')
        const expected = new Set(await idsOf(`${filter}&${size}`))
        // The archived chat is in no list without its filter.
        const named = [...new Set([...allIds, ...expected])].slice(0, 100)
        expect([filter, new Set(await idsOf(`${filter}&${size}&ids=${named}`))]).toEqual([filter, expected])
      }
  },
)

test('every filter of a list with ids is tried', () => {
  for (const [route, shape] of listed)
    expect([route, Object.keys(FILTERS[route] ?? {})]).toEqual([
      route,
      Object.keys(shape).filter((name) => !PAGING.includes(name)),
    ])
})
