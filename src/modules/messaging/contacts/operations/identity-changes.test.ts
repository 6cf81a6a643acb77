import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { openAsService } from '../../../../../test/support/open-database.ts'
import { later, systemClock } from '../../../../core/clock.ts'
import { type Context, platformContext, type Workspace } from '../../../../core/context.ts'
import type { OpenDatabase } from '../../../../database/database.ts'
import { listWorkspacesById } from '../../../platform/workspaces/queries/workspaces.ts'
import { findContactsForSend } from './find-contact.ts'
import { applyIdentityChanges } from './identity-changes.ts'
import { upsertInboundContacts } from './inbound-contacts.ts'

let parley: TestParley
let shop: TestWorkspace
let database: OpenDatabase
let workspace: Workspace

beforeAll(async () => {
  parley = await boot()
  database = openAsService(parley.databaseUrl, systemClock)
  shop = await parley.workspace()
  workspace = (await listWorkspacesById(database.query, [shop.workspaceId]))[0]!
})
afterAll(async () => {
  await database?.close()
  await parley?.close()
})

const inWorkspace = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
  database.tenant(workspace, (unit) => work(platformContext(unit, workspace, systemClock)))

type Who = { phone?: string; userId?: string }
const arrive = async ({ phone, userId }: Who) => {
  const [answer] = await inWorkspace((ctx) =>
    upsertInboundContacts(ctx, [
      {
        ctx,
        phone: phone ?? null,
        userId: userId ?? null,
        username: null,
        profileName: 'Asha',
        at: ctx.now,
        source: 'inbound_message',
      },
    ]),
  )
  return answer!
}
const change = (from: Who, to: Who) =>
  inWorkspace((ctx) =>
    applyIdentityChanges(ctx, [
      {
        ctx,
        change: {
          kind: 'identity',
          from: { phone: from.phone ?? null, userId: from.userId ?? null },
          to: { phone: to.phone ?? null, userId: to.userId ?? null },
          at: later(ctx.now, -1000),
        },
      },
    ]),
  )
const shown = async (ref: string) => (await shop.get(`/contacts/${ref}`)).body.contact

let last = 0
const freshNumber = () => `+91986240${String(++last).padStart(4, '0')}`
const freshUser = () => `IN.30${++last}`

describe('A customer whose chat-network user id changed', () => {
  test('stays the same contact: chan:OLD becomes chan:NEW, and the old id still finds it', async () => {
    const [old, now] = [freshUser(), freshUser()]
    const { id } = (await arrive({ userId: old })).contact
    await change({ userId: old }, { userId: now })
    // The operator sends the same report again.
    await change({ userId: old }, { userId: now })
    expect(await shown(id)).toMatchObject({ id, phone: `chan:${now}`, userId: now })
    expect(await shown(`chan:${old}`)).toMatchObject({ id })
    expect(await shown(`chan:${now}`)).toMatchObject({ id })
    const sends = [old, now].map((userId) => ({ workspaceId: workspace.id, phone: null, userId }))
    const found = await inWorkspace((ctx) => findContactsForSend(ctx, sends))
    expect(found.map((contact) => contact?.id)).toEqual([id, id])
  })

  test("isn't stored as a second contact by a delayed message", async () => {
    const [old, now] = [freshUser(), freshUser()]
    const first = await arrive({ userId: old })
    await change({ userId: old }, { userId: now })
    const late = await arrive({ userId: old })
    expect(late).toMatchObject({ created: false, contact: { id: first.contact.id, userId: now } })
  })

  test('keeps their number', async () => {
    const [phone, old, now] = [freshNumber(), freshUser(), freshUser()]
    const { id } = (await arrive({ phone, userId: old })).contact
    await change({ phone, userId: old }, { userId: now })
    expect(await shown(phone)).toMatchObject({ id, userId: now })
    expect(await shown(`chan:${old}`)).toMatchObject({ id })
  })

  test('is found by the number when the old id is unknown', async () => {
    const [phone, now] = [freshNumber(), freshUser()]
    const { id } = (await arrive({ phone })).contact
    await change({ phone, userId: freshUser() }, { userId: now })
    expect(await shown(id)).toMatchObject({ phone, userId: now })
  })

  test('changes nothing when no contact has the old id', async () => {
    const now = freshUser()
    await change({ userId: freshUser() }, { userId: now })
    expect((await shop.get(`/contacts/chan:${now}`)).status).toBe(404)
  })

  test('stays two contacts when both ids have written: nothing is merged', async () => {
    const [old, now] = [freshUser(), freshUser()]
    const before = (await arrive({ userId: old })).contact
    const after = (await arrive({ userId: now })).contact
    await change({ userId: old }, { userId: now })
    expect(await shown(`chan:${old}`)).toMatchObject({ id: before.id })
    expect(await shown(`chan:${now}`)).toMatchObject({ id: after.id })
  })
})

describe('A customer who changed their number', () => {
  test('stays the same contact, with the new number and id', async () => {
    const [phone, next, old, now] = [freshNumber(), freshNumber(), freshUser(), freshUser()]
    const { id } = (await arrive({ phone, userId: old })).contact
    await change({ phone }, { phone: next, userId: now })
    expect(await shown(next)).toMatchObject({ id, userId: now })
    expect(await shown(phone)).toMatchObject({ id, phone: next })
  })

  test('keeps their lead: the lead gets the new number, and the old number still finds it', async () => {
    const [phone, next] = [freshNumber(), freshNumber()]
    const { lead } = (await shop.post('/leads', { phone })).body
    await change({ phone }, { phone: next })
    expect((await shop.get(`/leads/${next}`)).body.lead).toMatchObject({ id: lead.id, phone: next.slice(1) })
    expect((await shop.get(`/leads?q=${next.slice(3)}`)).body).toMatchObject({
      total: 1,
      leads: [{ id: lead.id }],
    })
    expect((await shop.patch(`/leads/${phone}`, { rating: 4 })).body.lead.id).toBe(lead.id)
    expect((await shop.post('/leads', { phone: next })).body).toMatchObject({
      created: false,
      lead: { id: lead.id },
    })
    const outsider = await shop.post('/leads', { phone })
    expect([outsider.status, outsider.body.lead.phone]).toEqual([201, phone.slice(1)])
    expect((await shop.get(`/leads/${phone}`)).body.lead.id).toBe(outsider.body.lead.id)
  })

  test('leaves the old number to the next customer who writes from it', async () => {
    const [phone, next] = [freshNumber(), freshNumber()]
    const moved = (await arrive({ phone })).contact
    await change({ phone }, { phone: next })
    const outsider = await arrive({ phone })
    expect(outsider.created).toBe(true)
    expect(await shown(phone)).toMatchObject({ id: outsider.contact.id })
    expect(await shown(next)).toMatchObject({ id: moved.id })
  })

  test('stays two contacts when the new number already has a contact', async () => {
    const [phone, next] = [freshNumber(), freshNumber()]
    const before = (await arrive({ phone })).contact
    const after = (await arrive({ phone: next })).contact
    await change({ phone }, { phone: next })
    expect(await shown(phone)).toMatchObject({ id: before.id })
    expect(await shown(next)).toMatchObject({ id: after.id })
  })

  test('leaves no old number when erased', async () => {
    const [phone, next] = [freshNumber(), freshNumber()]
    const { id } = (await arrive({ phone })).contact
    await change({ phone }, { phone: next })
    await shop.delete(`/contacts/${id}`)
    expect((await shop.get(`/contacts/${phone}`)).status).toBe(404)
    const left = await parley.system((tx) =>
      tx.sql('select 1 from contact_aliases where contact_id = $1', [id]),
    )
    expect(left).toEqual([])
  })
})
