/**
 * The last release on a fresh database, filled through its API; then this version starts on the same database
 * (docs/decisions/migrations.md).
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, type Body, clientOf, type TestWorkspace } from '../support/boot.ts'
import { joinAuthorities } from '../support/certificates.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { makeReceivers, type Receiver } from '../support/receiver.ts'
import {
  compareReads,
  type Filled,
  fillRelease,
  loadRelease,
  type Reads,
  readAll,
  workspacesOf,
} from '../support/release-data.ts'
import { checkOutRelease, loadableTree } from '../support/release-tree.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const tree = await checkOutRelease()
const modules = loadableTree(tree)
const release = modules ? await loadRelease(modules) : undefined
const arranging = await release?.arranging()
if ('unavailable' in tree) console.warn(`The upgrade is not tested. ${tree.unavailable}`)

const HOUR_S = 3_600
const CUSTOMER = '+919812345678'
const FEWEST_READS = 250
/** Three starts of processes and all requests, on a busy machine. */
const BUSY_MS = 480_000

type Pending = {
  shop: TestWorkspace
  receiver: Receiver
  messageId: string
  campaignId: string
  created: Answered
}

let database: TestDatabase
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let installation: Installation
let server: ServerProcess
let filled: Filled[]
let before: Reads
let pending: Pending

const clientAt = (shop: TestWorkspace) => clientOf(server.url, shop.key)
const stop = async () => expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })

/** Repeats the same write, as a client does that missed its answer. */
const createContact = (shop: TestWorkspace) =>
  clientAt(shop).post('/contacts', { phone: '+919812345600' }, { idempotencyKey: 'before the upgrade' })

/** Leaves a message, a campaign, and a webhook delivery unfinished: without a worker, nothing goes on. */
async function leavePending(main: string, shop: TestWorkspace): Promise<Pending> {
  const receiver = await receivers.open()
  const client = clientAt(shop)
  await shop.inbound(CUSTOMER, 'Is the blue one in stock?')
  const { contacts } = (await client.get('/contacts')).body
  await client.patch(`/contacts/${contacts[0].id}`, { optInStatus: 'opted_in' })
  const components = [{ type: 'BODY', text: 'The shop opens at ten.' }]
  const template = { name: 'opening_hours', language: 'en_US', category: 'UTILITY', components }
  const templateId = (await client.post('/templates', template)).body.template.id
  await shop.advance(10)
  const { now } = (await client.get('/sandbox/clock')).body
  const campaign = await client.post('/broadcasts', {
    name: 'Opening hours',
    templateId,
    phoneNumberId: shop.phoneNumberId,
    segment: { contactIds: [contacts[0].id] },
    confirmNewRecipients: true,
    scheduledAt: new Date(Date.parse(now) + HOUR_S * 1_000).toISOString(),
  })
  expect(campaign.status, campaign.text).toBe(201)
  await stop()
  server = await installation.start(main, { PARLEY_ROLES: 'web' })
  const hook = await client.post('/webhooks', { url: receiver.url, events: ['contact.created'] })
  expect(hook.status, hook.text).toBe(201)
  const created = await createContact(shop)
  expect(created.status, created.text).toBe(201)
  const sent = await client.post('/send', { to: CUSTOMER, type: 'text', text: 'Yes, in every size.' })
  expect(sent.status, sent.text).toBe(200)
  const { messageId } = sent.body
  expect((await client.get(`/messages/${messageId}`)).body.message.status).toBe('queued')
  expect(receiver.received).toEqual([])
  await stop()
  return { shop, receiver, messageId, campaignId: campaign.body.id, created }
}

afterAll(async () => {
  await installation?.remove()
  await receivers?.close()
  await database?.drop()
})

describe.skipIf('unavailable' in tree)('an upgrade from the last release', () => {
  beforeAll(async () => {
    if ('unavailable' in tree || !release) return
    database = await createEmptyDatabase()
    receivers = await makeReceivers()
    installation = await newInstallation({
      ...receivers.env,
      PARLEY_EGRESS_CA: joinAuthorities(arranging!.env, receivers.env),
      DATABASE_URL: database.url,
      NODE_COMPILE_CACHE: join(tree.folder, 'compiled'),
    })
    server = await installation.start(tree.main)
    const admin = release.openAdmin(database.url)
    const create = workspacesOf(release, { url: server.url, admin, ...arranging })
    const result = await fillRelease(release, (noun) => create({ sandbox: true, name: `Shop of ${noun}` }))
    expect(result.rejected).toEqual([])
    expect(result.accepted).toBe(release.endpoints.length)
    filled = result.filled
    before = await readAll(filled, clientAt)
    const shop = await create({ sandbox: true, name: 'Shop with work in progress' })
    await admin.close()
    pending = await leavePending(tree.main, shop)
    server = await installation.start()
  }, BUSY_MS)

  test('returns the same for every read', async () => {
    expect(before.size).toBeGreaterThan(FEWEST_READS)
    expect(compareReads(before, await readAll(filled, clientAt))).toEqual([])
    console.log(`${before.size} reads of ${filled.length} workspaces are the same`)
  })

  test("sends the release's pending message, and delivers its pending webhook once", async () => {
    const { shop, receiver, messageId, created } = pending
    await until(
      async () => (await clientAt(shop).get(`/messages/${messageId}`)).body.message.status === 'read',
      'the pending message arrives',
    )
    const [delivery] = await receiver.wait(1)
    expect(delivery!.body.data.contactId).toBe(created.body.contact.id)
  })

  test("starts the release's scheduled campaign", async () => {
    const { shop, campaignId } = pending
    const client = clientAt(shop)
    await shop.advance(2 * HOUR_S)
    const isRead = ({ recipients }: Body) => recipients.length === 1 && recipients[0].status === 'read'
    await until(
      async () => isRead((await client.get(`/broadcasts/${campaignId}/recipients`)).body),
      'the customer reads the campaign',
    )
    expect((await client.get(`/broadcasts/${campaignId}`)).body.broadcast.status).toBe('completed')
    expect(pending.receiver.received, 'delivered twice').toHaveLength(1)
  })

  test('returns the stored answer to a retry of a request that the release carried out', async () => {
    const again = await createContact(pending.shop)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect({ status: again.status, text: again.text }).toEqual({
      status: pending.created.status,
      text: pending.created.text,
    })
  })

  test('serves a file by the link that the release created', async () => {
    const [, { url }] = [...before].find(([place]) => /^messages \/messages\/[^/]+\/media$/.test(place))!
    const file = await fetch(url)
    expect(file.status).toBe(200)
    expect(await file.text()).toContain('%PDF-1.4')
  })

  test("takes all requests of the release's contract suite", async () => {
    const shops = new Map(filled.map(({ noun, shop }) => [noun, shop]))
    const result = await fillRelease(release!, async (noun) => shops.get(noun)!)
    expect(result.rejected).toEqual([])
    expect(result.accepted).toBe(release!.endpoints.length)
    await stop()
    expect(server.output()).not.toContain('"level":50')
  })
})
