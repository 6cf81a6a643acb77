import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { openAsService } from '../../../../../test/support/open-database.ts'
import { refuseRows } from '../../../../../test/support/refused-rows.ts'
import { until } from '../../../../../test/support/until.ts'
import { type Clock, DAY_MS, HOUR_MS, later, MINUTE_MS, workspaceTime } from '../../../../core/clock.ts'
import { type Context, platformContext, type Workspace } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import type { OpenDatabase } from '../../../../database/database.ts'
import { listWorkspacesById } from '../../../platform/workspaces/queries/workspaces.ts'
import { upsertInboundContacts } from '../../contacts/operations/inbound-contacts.ts'
import { contactInEvent } from '../../contacts/schema.ts'
import { createConversationsForSend, recordOutbound } from '../operations/outbound.ts'
import { type InboundNote, recordInbound } from '../operations/record-inbound.ts'
import type { ConversationRow } from '../queries/conversations.ts'
import { windowsSource } from '../work/windows-source.ts'

let parley: TestParley
let shop: TestWorkspace
let database: OpenDatabase
let workspace: Workspace
/** Milliseconds that the clock of these tests is ahead of the server's clock. */
let aheadMs = 0
const clock: Clock = { now: () => new Date(Date.now() + aheadMs), monotonicMs: () => performance.now() }
const phoneNumberId = newId()

const workspacesById = async (ids: string[]): Promise<Map<string, Workspace>> =>
  new Map((await listWorkspacesById(database.query, ids)).map((workspace) => [workspace.id, workspace]))

beforeAll(async () => {
  parley = await boot()
  database = openAsService(parley.databaseUrl, clock)
})
beforeEach(async () => {
  aheadMs = 0
  shop = await parley.workspace()
  workspace = (await workspacesById([shop.workspaceId])).get(shop.workspaceId)!
})
afterAll(async () => {
  await database?.close()
  await parley?.close()
})

const inShop = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
  database.tenant(workspace, (unit) => work(platformContext(unit, workspace, clock)))

let lastNumber = 9812400000
const freshNumber = (): string => `+91${++lastNumber}`

/** Sends `times` messages from a customer in one batch, `agoMs` before now. */
const write = (phone: string, agoMs = 0, times = 1): Promise<ConversationRow> =>
  inShop(async (ctx) => {
    const sentAt = later(ctx.now, -agoMs)
    const sender = {
      ctx,
      phone,
      userId: null,
      username: null,
      profileName: 'Asha',
      at: sentAt,
      source: 'inbound_message' as const,
    }
    const contact = contactInEvent((await upsertInboundContacts(ctx, [sender]))[0]!.contact)
    const note: InboundNote = {
      ctx,
      contact,
      phoneNumberId,
      at: sentAt,
    }
    const rows = await recordInbound(ctx, Array<InboundNote>(times).fill(note))
    return rows[0] as ConversationRow
  })

const windowEvents = async (): Promise<{ name: string; data: Body }[]> =>
  parley.system((tx) =>
    tx.sql(
      "select name, data from events where workspace_id = $1 and name like 'conversation.%' order by id",
      [shop.workspaceId],
    ),
  )
const windowNews = async (): Promise<string[]> => (await windowEvents()).map((event) => event.name)
const closeWindows = () =>
  windowsSource({ database, clock, workspaces: workspacesById }).runDue({ workspaceId: shop.workspaceId })

describe('The 24-hour window (spec 3)', () => {
  test("a customer's message opens it and fires conversation.opened", async () => {
    const phone = freshNumber()
    const { id } = await write(phone)
    const { body } = await shop.get(`/conversations/${id}`)
    expect(body.conversation).toMatchObject({
      id,
      contact: { phone, name: 'Asha', userId: null, username: null },
      phoneNumberId,
      state: 'open',
      priority: 'normal',
      isArchived: false,
      assignedAgentId: null,
      window: { open: true, expiresAt: expect.any(String) },
      windowOpen: true,
      freeEntryExpiresAt: null,
    })
    const [opened] = await windowEvents()
    expect(opened).toEqual({
      name: 'conversation.opened',
      data: {
        conversationId: id,
        contact: { id: body.conversation.contact.id, phone, name: 'Asha', userId: null, username: null },
        windowExpiresAt: body.conversation.window.expiresAt,
        freeEntryExpiresAt: null,
        openedAt: expect.any(String),
      },
    })
    expect(Date.parse(opened?.data.windowExpiresAt) - Date.parse(opened?.data.openedAt)).toBe(DAY_MS)
  })

  test('later messages in the same window extend it and fire no event', async () => {
    const phone = freshNumber()
    const first = await write(phone, 5 * HOUR_MS)
    const second = await write(phone, 0, 3)
    expect(second.id).toBe(first.id)
    expect(second.windowExpiresAt!.getTime() - first.windowExpiresAt!.getTime()).toBeGreaterThanOrEqual(
      5 * HOUR_MS,
    )
    expect(await windowNews()).toEqual(['conversation.opened'])
  })

  test('an older message that arrives late never shortens it', async () => {
    const phone = freshNumber()
    const first = await write(phone)
    const second = await write(phone, 3 * HOUR_MS)
    expect(second.windowExpiresAt).toEqual(first.windowExpiresAt)
  })

  test('a message older than 24 hours opens no window', async () => {
    const { id } = await write(freshNumber(), 25 * HOUR_MS)
    expect((await shop.get(`/conversations/${id}`)).body.conversation.window.open).toBe(false)
    expect(await windowNews()).toEqual([])
  })

  test('after 24 hours conversation.closed fires, once', async () => {
    const phone = freshNumber()
    const { id, windowExpiresAt } = await write(phone)
    expect(await closeWindows()).toBe(0)
    aheadMs = DAY_MS + MINUTE_MS
    expect(await closeWindows()).toBe(1)
    expect(await closeWindows()).toBe(0)
    expect(await windowNews()).toEqual(['conversation.opened', 'conversation.closed'])
    const closed = (await windowEvents())[1]?.data
    expect(closed).toMatchObject({
      conversationId: id,
      contact: { phone },
      windowExpiredAt: windowExpiresAt!.toISOString(),
    })
    expect(closed.closedAt > closed.windowExpiredAt).toBe(true)
  })

  test('concurrent closers announce each window once', async () => {
    for (let i = 0; i < 30; i++) await write(freshNumber())
    aheadMs = DAY_MS + MINUTE_MS
    await Promise.all(Array.from({ length: 6 }, closeWindows))
    while ((await closeWindows()) > 0);
    expect((await windowNews()).filter((name) => name === 'conversation.closed')).toHaveLength(30)
  })

  test("a workspace whose windows can't be closed doesn't delay others", async () => {
    const shops = await Promise.all([1, 2, 3].map(() => parley.workspace()))
    for (const shop of shops) {
      workspace = (await workspacesById([shop.workspaceId])).get(shop.workspaceId)!
      await write(freshNumber())
    }
    const broken = shops[1]!
    const allow = await refuseRows(
      parley,
      'conversations',
      `new.workspace_id = '${broken.workspaceId}' and not new.window_open`,
    )
    aheadMs = DAY_MS + MINUTE_MS
    const source = windowsSource({ database, clock, workspaces: workspacesById })
    const closed = () =>
      parley.system((tx) =>
        tx.sql<{ workspaceId: string }>(
          `select workspace_id from events where name = 'conversation.closed' and workspace_id = any($1)`,
          [shops.map((shop) => shop.workspaceId)],
        ),
      )
    await until(async () => {
      await source.runDue({}).catch(() => {})
      return (await closed()).length === 2
    }, 'the windows of the others are closed')
    expect((await closed()).some((event) => event.workspaceId === broken.workspaceId)).toBe(false)
    await allow()
    await source.runDue({})
    expect(await closed()).toHaveLength(3)
  })

  test('a closer that fails before it commits leaves the window for the next closer', async () => {
    await write(freshNumber())
    aheadMs = DAY_MS + MINUTE_MS
    const breaking = windowsSource({
      clock,
      workspaces: workspacesById,
      database: {
        ...database,
        tenant: (workspaces, work) =>
          database.tenant(workspaces, async (unit) => {
            await work(unit)
            throw new Error('the process ends here')
          }),
      },
    })
    await expect(breaking.runDue({})).rejects.toThrow()
    expect(await windowNews()).toEqual(['conversation.opened'])
    expect(await closeWindows()).toBe(1)
    expect(await windowNews()).toEqual(['conversation.opened', 'conversation.closed'])
  })

  test("a message after an expiry that wasn't announced fires closed, then opened", async () => {
    const phone = freshNumber()
    await write(phone)
    aheadMs = DAY_MS + MINUTE_MS
    await write(phone)
    expect(await windowNews()).toEqual(['conversation.opened', 'conversation.closed', 'conversation.opened'])
    expect(await closeWindows()).toBe(0)
  })

  test('the time decides whether it is open, not whether a process noticed', async () => {
    const { id } = await write(freshNumber())
    await parley.system((tx) =>
      tx.sql("update conversations set window_expires_at = now() - interval '1 second' where id = $1", [id]),
    )
    expect((await shop.get(`/conversations/${id}`)).body.conversation).toMatchObject({
      windowOpen: false,
      window: { open: false },
    })
  })

  test("an extended window closes when the last message is 24 hours old, in the workspace's time", async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const reported = async () =>
      (await sandbox.get('/events')).body.events
        .map(({ event }: Body) => event)
        .filter((event: string) => event.startsWith('conversation.'))
    const isOpen = async () => (await sandbox.get('/conversations')).body.conversations[0].windowOpen
    await sandbox.inbound('+919812499990', 'Hello')
    for (let round = 0; round < 3; round++) {
      await sandbox.advance((DAY_MS - HOUR_MS) / 1_000)
      await sandbox.inbound('+919812499990', 'And another thing')
    }
    await sandbox.advance((DAY_MS - MINUTE_MS) / 1_000)
    expect([await reported(), await isOpen()]).toEqual([['conversation.opened'], true])
    await sandbox.advance(MINUTE_MS / 1_000)
    expect([await reported(), await isOpen()]).toEqual([
      ['conversation.closed', 'conversation.opened'],
      false,
    ])
  })

  test("moving a sandbox's clock brings the expiry nearer", async () => {
    const source = windowsSource({ database, clock, workspaces: workspacesById })
    const { windowRunAt } = await write(freshNumber())
    expect(await source.nextDue!(database.query, shop.workspaceId)).toEqual(windowRunAt)
    await source.align!(database.query, shop.workspaceId, { offsetMs: HOUR_MS, unlessDueAt: clock.now() })
    expect(await source.nextDue!(database.query, shop.workspaceId)).toEqual(later(windowRunAt!, -HOUR_MS))
    expect(await source.nextDue!(database.query, newId())).toBeUndefined()
  })
})

describe('One conversation per contact and number', () => {
  test('concurrent messages of a customer get one conversation and one conversation.opened', async () => {
    const phone = freshNumber()
    const rows = await Promise.all(Array.from({ length: 12 }, () => write(phone)))
    expect(new Set(rows.map((row) => row.id)).size).toBe(1)
    expect(await windowNews()).toEqual(['conversation.opened'])
  })

  test('a send starts a conversation without opening the window', async () => {
    const { contactId } = await write(freshNumber())
    const otherNumber = newId()
    const pair = (ctx: Context) => ({ ctx, contactId, phoneNumberId: otherNumber })
    const rows = await inShop((ctx) => createConversationsForSend(ctx, [pair(ctx), pair(ctx)]))
    expect(rows[0]?.id).toBe(rows[1]?.id)
    expect(rows[0]?.windowExpiresAt).toBeNull()
  })

  test('a send into a chat that was erased meanwhile leaves no rows', async () => {
    const { id, contactId } = await write(freshNumber())
    await shop.delete(`/contacts/${contactId}`)
    const send = inShop((ctx) => recordOutbound(ctx, [{ ctx, conversationId: id, at: ctx.now }]))
    await expect(send).rejects.toMatchObject({ code: '40001' })
    const pair = (ctx: Context) => ({ ctx, contactId, phoneNumberId })
    expect(await inShop((ctx) => createConversationsForSend(ctx, [pair(ctx)]))).toEqual([undefined])
  })
})

describe('GET /conversations', () => {
  const listed = async (query = ''): Promise<Body> => (await shop.get(`/conversations?${query}`)).body

  test('sorts by latest activity; a chat moves to the top', async () => {
    const a = await write(freshNumber(), 3 * HOUR_MS)
    const b = await write(freshNumber(), 2 * HOUR_MS)
    const c = await write(freshNumber(), HOUR_MS)
    const ids = async () => (await listed()).conversations.map((conversation: Body) => conversation.id)
    expect(await ids()).toEqual([c.id, b.id, a.id])
    await inShop((ctx) => recordOutbound(ctx, [{ ctx, conversationId: a.id, at: ctx.now }]))
    expect(await ids()).toEqual([a.id, c.id, b.id])
  })

  test('returns pages by cursor until nextCursor is null', async () => {
    const created: string[] = []
    for (let i = 0; i < 5; i++) created.unshift((await write(freshNumber())).id)
    const pagedIds: string[] = []
    let cursor: string | null = null
    do {
      const page: Body = await listed(`limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      pagedIds.push(...page.conversations.map((conversation: Body) => conversation.id))
      cursor = page.nextCursor
    } while (cursor)
    expect(pagedIds).toEqual(created)
    expect((await shop.get('/conversations?cursor=nope')).status).toBe(400)
  })
})

describe('GET and PATCH /conversations/{id}', () => {
  test("a send-only key can't see the contact's number and name (spec 5.5)", async () => {
    const { id } = await write(freshNumber())
    const sender = await shop.as('agent', { scopes: ['messages:send'] })
    const answer = await sender.get(`/conversations/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.body.conversation.contact).toMatchObject({ phone: null, name: null, username: null })
    expect((await sender.get('/conversations')).status).toBe(403)
    const reader = await shop.as('viewer', { scopes: ['conversations:read'] })
    expect((await reader.get(`/conversations/${id}`)).body.conversation.contact.phone).toMatch(/^\+91/)
  })

  test("another workspace's conversation gets the same answer as a missing conversation", async () => {
    const { id } = await write(freshNumber())
    const other = await parley.workspace()
    for (const ref of [id, newId(), 'nonsense']) {
      const answers = [
        await other.get(`/conversations/${ref}`),
        await other.patch(`/conversations/${ref}`, { state: 'resolved' }),
        await other.get(`/conversations/${ref}/notes`),
        await other.post(`/conversations/${ref}/notes`, { body: 'x' }),
      ]
      for (const answer of answers)
        expect([ref, answer.status, answer.body.error]).toEqual([ref, 404, 'not_found'])
    }
  })

  test('PATCH assigns, prioritizes, resolves and archives, and returns 200 with the conversation', async () => {
    const { id } = await write(freshNumber())
    const change = { state: 'resolved', priority: 'urgent', isArchived: true, assignedAgentId: shop.ownerId }
    const answer = await shop.patch(`/conversations/${id}`, change)
    expect(answer.status).toBe(200)
    expect(answer.body.conversation).toMatchObject(change)
    expect((await shop.get(`/conversations/${id}`)).body).toEqual(answer.body)
    const unassigned = await shop.patch(`/conversations/${id}`, { assignedAgentId: null })
    expect(unassigned.body.conversation).toMatchObject({ ...change, assignedAgentId: null })
  })

  test('an unknown assignee, or a former member, returns 400 invalid_reference', async () => {
    const { id } = await write(freshNumber())
    const outsider = await parley.workspace()
    for (const assignedAgentId of [newId(), outsider.ownerId]) {
      const answer = await shop.patch(`/conversations/${id}`, { assignedAgentId })
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_reference'])
    }
    await parley.system((tx) => tx.sql('update members set left_at = now() where id = $1', [shop.ownerId]))
    expect((await shop.patch(`/conversations/${id}`, { assignedAgentId: shop.ownerId })).status).toBe(400)
  })

  test('an invalid body returns 400 and names the field', async () => {
    const { id } = await write(freshNumber())
    const cases: [string, object][] = [
      ['state', { state: 'closed' }],
      ['priority', { priority: 'asap' }],
      ['isArchived', { isArchived: 'yes' }],
      ['assignedAgentId', { assignedAgentId: 'me' }],
      ['shade', { shade: 'red' }],
    ]
    for (const [path, body] of cases) {
      const answer = await shop.patch(`/conversations/${id}`, body)
      expect([path, answer.status, answer.body.issues?.[0]?.path]).toEqual([path, 400, path])
    }
  })

  test('a message from the customer reopens a resolved conversation', async () => {
    const phone = freshNumber()
    const { id } = await write(phone)
    await shop.patch(`/conversations/${id}`, { state: 'resolved' })
    await write(phone)
    expect((await shop.get(`/conversations/${id}`)).body.conversation.state).toBe('open')
    await shop.patch(`/conversations/${id}`, { state: 'pending' })
    await write(phone)
    expect((await shop.get(`/conversations/${id}`)).body.conversation.state).toBe('pending')
  })
})

describe('Internal notes', () => {
  test('POST returns 201 with the note; GET lists newest first', async () => {
    const { id } = await write(freshNumber())
    const bodies = ['first', 'second', '😀'.repeat(5000)]
    for (const body of bodies) {
      const answer = await shop.post(`/conversations/${id}/notes`, { body })
      expect([answer.status, answer.body.note]).toEqual([
        201,
        { id: expect.any(String), conversationId: id, body, author: 'Owner', createdAt: expect.any(String) },
      ])
    }
    const first = (await shop.get(`/conversations/${id}/notes?limit=2`)).body
    const rest = (await shop.get(`/conversations/${id}/notes?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.notes, ...rest.notes].map((note: Body) => note.body)).toEqual(bodies.reverse())
    expect(rest.nextCursor).toBeNull()
  })

  test('a key without a member signs notes with its label', async () => {
    const { id } = await write(freshNumber())
    const robot = await shop.as('agent')
    expect((await robot.post(`/conversations/${id}/notes`, { body: 'x' })).body.note.author).toBe('API key')
  })

  test('a note has 1 to 5,000 characters', async () => {
    const { id } = await write(freshNumber())
    for (const body of ['', 'x'.repeat(5001), 7])
      expect((await shop.post(`/conversations/${id}/notes`, { body })).status).toBe(400)
    expect((await shop.post(`/conversations/${id}/notes`, {})).status).toBe(400)
  })
})

test("the workspace's time decides, not real time", async () => {
  workspace = { ...workspace, clockOffsetMs: 3 * DAY_MS }
  const row = await write(freshNumber())
  expect(row.windowExpiresAt!.getTime() - workspaceTime(clock, workspace).getTime()).toBeGreaterThan(
    DAY_MS - MINUTE_MS,
  )
  expect(row.windowRunAt!.getTime() - clock.now().getTime()).toBeLessThanOrEqual(DAY_MS)
})
