import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { openAsService } from '../../../../test/support/open-database.ts'
import { later, systemClock } from '../../../core/clock.ts'
import { type Context, platformContext, type Workspace } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import type { OpenDatabase } from '../../../database/database.ts'
import { listWorkspacesById } from '../../platform/workspaces/queries/workspaces.ts'
import { type ConsentWord, recordConsent } from './operations/consent.ts'
import { createContactsForSend } from './operations/create-for-send.ts'
import { findContactsForSend } from './operations/find-contact.ts'
import { upsertInboundContacts } from './operations/inbound-contacts.ts'
import type { Sender } from './operations/judge-senders.ts'

let parley: TestParley
let shop: TestWorkspace
let database: OpenDatabase
let workspace: Workspace

beforeAll(async () => {
  parley = await boot()
  database = openAsService(parley.databaseUrl, systemClock)
  shop = await parley.workspace()
  workspace = await settingsOf(shop)
})
afterAll(async () => {
  await database?.close()
  await parley?.close()
})

/** Records consent that the customer gave, now or at another time. */
const say = (contactId: string, word: ConsentWord['word'], source: string, time?: Date) =>
  inWorkspace((ctx) => recordConsent(ctx, [{ ctx, contactId, word, source, at: time ?? ctx.now }]))

const settingsOf = async (workspace: TestWorkspace): Promise<Workspace> =>
  (await listWorkspacesById(database.query, [workspace.workspaceId]))[0]!

const inWorkspace = <T>(work: (ctx: Context) => Promise<T>, target = workspace): Promise<T> =>
  database.tenant(target, (unit) => work(platformContext(unit, target, systemClock)))

type Known = Partial<Omit<Sender, 'ctx'>>
const arrive = (senders: Known[], target = workspace) =>
  inWorkspace(
    (ctx) =>
      upsertInboundContacts(
        ctx,
        senders.map((sender) => ({
          ctx,
          phone: null,
          userId: null,
          username: null,
          profileName: null,
          at: ctx.now,
          source: 'inbound_message',
          ...sender,
        })),
      ),
    target,
  )

let last = 9812500000
const freshNumber = (): string => `+91${++last}`
const freshUser = (): string => `IN.${++last}`

const createdEvents = async (contactId: string): Promise<Body[]> =>
  (
    await parley.system((tx) =>
      tx.sql<{ data: Body }>("select data from events where name = 'contact.created' and contact_id = $1", [
        contactId,
      ]),
    )
  ).map((event) => event.data)

describe('A customer who writes in', () => {
  test('becomes a contact: contact.created with source inbound_message', async () => {
    const phone = freshNumber()
    const [answer] = await arrive([{ phone, profileName: 'Asha' }])
    expect(answer?.created).toBe(true)
    expect(await createdEvents(answer!.contact.id)).toEqual([
      {
        contactId: answer!.contact.id,
        phone,
        name: 'Asha',
        source: 'inbound_message',
        createdAt: expect.any(String),
      },
    ])
    const read = (await shop.get(`/contacts/${answer!.contact.id}`)).body.contact
    expect(read).toMatchObject({
      displayName: 'Asha',
      lastSeenAt: expect.any(String),
      optInStatus: 'unknown',
    })
  })

  test('without a number gets the phone chan:<user id>; userId and username are stored', async () => {
    const userId = freshUser()
    const [answer] = await arrive([{ userId, username: 'asha.rao' }])
    expect(answer?.contact).toMatchObject({ phone: `chan:${userId}`, userId, username: 'asha.rao' })
    expect((await createdEvents(answer!.contact.id))[0]).toMatchObject({ userId, username: 'asha.rao' })
    expect((await shop.get(`/contacts/chan:${userId}`)).body.contact.id).toBe(answer!.contact.id)
  })

  test('keeps the same contact when the number becomes known later', async () => {
    const userId = freshUser()
    const phone = freshNumber()
    const [before] = await arrive([{ userId }])
    const [after] = await arrive([{ userId, phone }])
    expect(after).toMatchObject({ created: false, contact: { id: before!.contact.id, phone, userId } })
    for (const ref of [phone, `chan:${userId}`])
      expect((await shop.get(`/contacts/${encodeURIComponent(ref)}`)).body.contact.id).toBe(
        before!.contact.id,
      )
  })

  test('with a known number and a new user id is the known contact', async () => {
    const phone = freshNumber()
    const userId = freshUser()
    const existing = (await shop.post('/contacts', { phone, displayName: 'Set by us' })).body.contact
    const [answer] = await arrive([{ phone, userId, profileName: 'Profile' }])
    expect(answer).toMatchObject({
      created: false,
      contact: { id: existing.id, userId, displayName: 'Set by us', profileName: 'Profile' },
    })
    expect((await shop.get(`/contacts/${existing.id}`)).body.contact.displayName).toBe('Set by us')
  })

  test('with a user id that appears with another known number: the user id moves to that number', async () => {
    const userId = freshUser()
    const phone = freshNumber()
    const [withoutNumber] = await arrive([{ userId }])
    const numbered = (await shop.post('/contacts', { phone })).body.contact
    const [answer] = await arrive([{ userId, phone }])
    expect(answer?.contact.id).toBe(numbered.id)
    expect((await shop.get(`/contacts/chan:${userId}`)).body.contact.id).toBe(numbered.id)
    expect((await shop.get(`/contacts/${withoutNumber!.contact.id}`)).body.contact.userId).toBeNull()
    const [later] = await arrive([{ userId }])
    expect(later?.contact.id).toBe(numbered.id)
  })

  test('with several messages in one batch becomes one contact', async () => {
    const phone = freshNumber()
    const userId = freshUser()
    const answers = await arrive([{ userId }, { userId, phone }, { phone, profileName: 'Asha' }, { userId }])
    expect(answers.map((answer) => answer.created)).toEqual([true, false, false, false])
    expect(new Set(answers.map((answer) => answer.contact.id)).size).toBe(1)
    expect(answers[3]?.contact).toMatchObject({ phone, userId, profileName: 'Asha' })
    expect(await createdEvents(answers[0]!.contact.id)).toHaveLength(1)
  })

  test('who is stored through the API at the same moment becomes one contact', async () => {
    for (let i = 0; i < 10; i++) {
      const phone = freshNumber()
      const [inbound, posted] = await Promise.all([
        arrive([{ phone, userId: freshUser() }]),
        shop.post('/contacts', { phone }),
      ])
      expect(inbound[0]?.contact.id).toBe(posted.body.contact.id)
      expect(await createdEvents(posted.body.contact.id)).toHaveLength(1)
    }
  })

  test('is never refused by the contact limit, and counts toward it', async () => {
    const small = await parley.workspace()
    await small.set({ contactLimit: 1 })
    const settings = await settingsOf(small)
    await arrive([{ phone: freshNumber() }, { phone: freshNumber() }], settings)
    await small.set({ contactLimit: 3 })
    expect((await small.post('/contacts', { phone: freshNumber() })).status).toBe(201)
    expect((await small.post('/contacts', { phone: freshNumber() })).status).toBe(402)
  })

  test('keeps the latest lastSeenAt; updates of it fire no event', async () => {
    const phone = freshNumber()
    const [first] = await arrive([{ phone, profileName: 'Old' }])
    const [second] = await arrive([
      { phone, profileName: 'New', at: later(first!.contact.lastSeenAt!, -60_000) },
    ])
    // An older message carries an older name.
    expect(second?.contact).toMatchObject({ profileName: 'Old', lastSeenAt: first!.contact.lastSeenAt })
    const [third] = await arrive([{ phone, profileName: 'New' }])
    expect(third?.contact.profileName).toBe('New')
    const reported = await parley.system((tx) =>
      tx.sql("select 1 from events where name = 'contact.updated' and contact_id = $1", [first!.contact.id]),
    )
    expect(reported).toEqual([])
  })
})

describe("The customer's own consent", () => {
  test("STOP opts out and the API can't lift it; START lifts it", async () => {
    const [answer] = await arrive([{ phone: freshNumber() }])
    const id = answer!.contact.id
    await say(id, 'opted_out', 'STOP')
    expect((await shop.patch(`/contacts/${id}`, { optInStatus: 'opted_in' })).status).toBe(409)
    expect((await shop.get(`/contacts/${id}`)).body.contact).toMatchObject({
      optInStatus: 'opted_out',
      optInSource: 'STOP',
    })
    await say(id, 'lifted', 'START')
    expect((await shop.get(`/contacts/${id}`)).body.contact.optInStatus).toBe('opted_in')
    expect((await shop.patch(`/contacts/${id}`, { optInStatus: 'unknown' })).status).toBe(200)
  })

  test('STOP after an opt-out through the API becomes the customer’s own opt-out', async () => {
    const { id } = (await shop.post('/contacts', { phone: freshNumber(), optInStatus: 'opted_out' })).body
      .contact
    await say(id, 'opted_out', 'STOP')
    expect((await shop.patch(`/contacts/${id}`, { optInStatus: 'unknown' })).status).toBe(409)
  })

  test('YES changes nothing for a customer who never opted out', async () => {
    const [answer] = await arrive([{ phone: freshNumber() }])
    await say(answer!.contact.id, 'lifted', 'YES')
    expect((await shop.get(`/contacts/${answer!.contact.id}`)).body.contact).toMatchObject({
      optInStatus: 'unknown',
      optInSource: null,
    })
  })

  test("the customer's latest message decides, in any order of arrival", async () => {
    const [first, second] = await arrive([{ phone: freshNumber() }, { phone: freshNumber() }])
    const now = systemClock.now()
    const earlier = later(now, -60_000)
    await say(first!.contact.id, 'lifted', 'START', now)
    await say(first!.contact.id, 'opted_out', 'STOP', earlier)
    await say(second!.contact.id, 'opted_out', 'STOP', now)
    await say(second!.contact.id, 'opted_in', 'user_preferences', earlier)
    const status = async (id: string) => (await shop.get(`/contacts/${id}`)).body.contact.optInStatus
    expect(await status(first!.contact.id)).toBe('opted_in')
    expect(await status(second!.contact.id)).toBe('opted_out')
  })
})

describe('The contacts of sends', () => {
  test('are found by number or user id, in order', async () => {
    const userId = freshUser()
    const phone = freshNumber()
    const [byUser, byPhone] = await arrive([{ userId }, { phone }])
    const workspaceId = workspace.id
    const found = await inWorkspace((ctx) =>
      findContactsForSend(ctx, [
        { workspaceId, phone, userId: null },
        { workspaceId, phone: freshNumber(), userId: null },
        { workspaceId, phone: null, userId },
        { workspaceId: crypto.randomUUID(), phone, userId: null },
      ]),
    )
    expect(found.map((row) => row?.id)).toEqual([
      byPhone!.contact.id,
      undefined,
      byUser!.contact.id,
      undefined,
    ])
  })

  test('are stored with source api_send, up to the limit', async () => {
    const small = await parley.workspace()
    await small.set({ contactLimit: 1 })
    const settings = await settingsOf(small)
    const phone = freshNumber()
    const answers = await database.tenant(settings, (unit) => {
      const ctx = platformContext(unit, settings, systemClock, 'api')
      return createContactsForSend(ctx, [
        { ctx, phone },
        { ctx, phone },
        { ctx, phone: freshNumber() },
      ])
    })
    const [first, second, third] = answers
    if (first instanceof Refusal || second instanceof Refusal) throw new Error('there was room for one')
    expect(second?.id).toBe(first?.id)
    expect(third).toMatchObject({ code: 'plan_limit_reached' })
    expect(await createdEvents(first!.id)).toMatchObject([{ phone, source: 'api_send' }])
  })
})
