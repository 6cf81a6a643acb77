/**
 * A restore doesn't repeat actions for customers that were under way at the backup
 * (docs/decisions/database.md).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { boot, clientOf, SECRET_KEY, type TestParley } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase } from '../support/database.ts'
import {
  gatewayApplied,
  gatewayPost,
  order,
  paymentEvent,
  quietOperator,
  realShop,
} from '../support/payments.ts'
import { photoId } from '../support/post-media.ts'
import { startGateway } from '../support/stand-in-gateway.ts'
import { connectToStandIn, standInNetwork } from '../support/stand-in-network.ts'
import { cloudShop, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

/** A table, and the content of one of its rows. */
type Row = [table: string, row: object]

/** Continues with only this part of the service. */
async function restartAs(parley: TestParley, roles: { web: boolean; worker: boolean }): Promise<void> {
  parley.config.roles = roles
  await parley.restart()
}

async function command(words: string[], place: Record<string, string>) {
  const done = await runParley([...words, '--json'], { PARLEY_SECRET_KEY: SECRET_KEY, ...place })
  expect(done.code, done.stderr).toBe(0)
  return JSON.parse(done.stdout)
}

test('rating requests, payment requests, and posts that were due at the backup go out once', async () => {
  const [operator, network, gateway] = [await standInOperator(), await standInNetwork(), await startGateway()]
  const env = { ...operator.env, ...network.env, PARLEY_RAZORPAY_URL: gateway.apiUrl }
  const folder = mkdtempSync(join(tmpdir(), 'parley-under-way-'))
  const old = await boot({ env })
  onTestFinished(async () => {
    await old.close()
    await operator.close()
    await network.close()
    await gateway.stop()
    rmSync(folder, { recursive: true })
  })
  const shop = await cloudShop(old)
  await shop.set({ socialAddon: true })
  await shop.connectGateway({ provider: 'razorpay', ...gateway.account })
  await connectToStandIn(old, shop.workspaceId)
  const media = [await photoId(shop)]
  expect((await shop.call('PUT', '/rating-settings', { enabled: true, delayMinutes: 0 })).status).toBe(200)
  await shop.writesAll(['+919812300001', '+919812300002'])
  const [first, second] = (await shop.get('/conversations')).body.conversations

  // All of it is due, and no process works on it.
  await restartAs(old, { web: true, worker: false })
  const response = await shop.post('/payment-requests', order({ conversationId: first.id }))
  expect(response.status, response.text).toBe(201)
  const resolved = await shop.patch(`/conversations/${second.id}`, { state: 'resolved' })
  expect(resolved.status, resolved.text).toBe(200)
  const post = await shop.post('/social/posts', { kind: 'image', caption: 'New', media, action: 'publish' })
  expect(post.status, post.text).toBe(201)
  await command(['backup', '--to', join(folder, 'backup')], {
    DATABASE_URL: old.databaseUrl,
    PARLEY_DATA_DIR: old.config.dataDir,
  })
  // The original installation continues.
  await restartAs(old, { web: true, worker: true })
  const countPublished = () => network.calls.filter(({ name }) => name === 'POST media_publish').length
  await until(() => operator.taken.length === 2 && countPublished() === 1, 'everything went out once')

  const restored = await createTestDatabase()
  const place = { DATABASE_URL: restored.url, PARLEY_DATA_DIR: join(folder, 'restored') }
  const { held } = await command(['restore', '--from', join(folder, 'backup')], place)
  expect(held).toEqual({ paymentRequests: 1, chatRatings: 1, posts: 1 })
  const restoredServer = await boot({
    databaseUrl: restored.url,
    env: { ...env, PARLEY_DATA_DIR: place.PARLEY_DATA_DIR },
  })
  onTestFinished(async () => {
    await restoredServer.close()
    await restored.drop()
  })
  const restoredClient = clientOf(restoredServer.url, shop.key)
  const requestOf = async () =>
    (await restoredClient.get(`/payment-requests/${response.body.paymentRequest.id}`)).body.paymentRequest
  await until(async () => (await requestOf()).status === 'failed', 'the request ends as unconfirmed')
  const failed = (await restoredClient.get(`/social/posts/${post.body.post.id}`)).body.post
  expect(failed).toMatchObject({
    status: 'failed',
    failure: { message: expect.stringContaining('restored') },
  })
  // The answer to the original's question counts.
  expect((await restoredClient.get('/ratings?days=7')).body).toMatchObject({ asked: 1 })
  expect(operator.taken).toHaveLength(2)
  expect(countPublished()).toBe(1)
})

test('all other due work is held back; work that is due later or sends nothing to customers is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-under-way-'))
  const old = await boot({ env: { PARLEY_ROLES: 'web' } })
  const [real, sandbox] = [await cloudShop(old), await old.workspace({ sandbox: true })]
  const [due, later] = [new Date(), new Date(Date.now() + 3_600_000)]
  const rows = (workspaceId: string, runAt: Date) => {
    const id = newId()
    const job = (name: string): Row => ['jobs', { id: newId(), name, payload: '{}', run_at: runAt }]
    const run = { automation_id: id, occasion: id, lane: id, causes: [], status: 'waiting' }
    const request = {
      about: 'booking',
      subject_id: id,
      subject_label: 'Visit',
      via: 'chat',
      status: 'queued',
    }
    const rows: Row[] = [
      job('remindOfBooking'),
      ['automation_runs', { ...run, id, run_at: runAt }],
      ['review_requests', { ...request, id, run_at: runAt }],
      ['cod_questions', { order_id: id, contact_id: id, status: 'waiting', run_at: runAt }],
      ['conversation_ratings', { conversation_id: id, status: 'due', run_at: runAt }],
    ]
    if (runAt === due)
      rows.push(
        job('askAssistant'),
        ['automation_starts', { id, automation_ids: [id], causes: [], run_at: runAt }],
        ['automation_runs', { ...run, id: newId(), occasion: 'called', status: 'running' }],
      )
    return rows.map(([table, row]): Row => [table, { ...row, workspace_id: workspaceId, created_at: due }])
  }
  await onDatabase(old.databaseUrl, async (client) => {
    for (const { workspaceId } of [real, sandbox])
      for (const [table, row] of [...rows(workspaceId, due), ...rows(workspaceId, later)]) {
        const columns = Object.keys(row)
        const places = columns.map((_, i) => `$${i + 1}`)
        await client.query(`insert into ${table} (${columns}) values (${places})`, Object.values(row))
      }
  })
  const restored = await createTestDatabase()
  onTestFinished(async () => {
    await old.close()
    await restored.drop()
    rmSync(folder, { recursive: true })
  })
  await command(['backup', '--to', join(folder, 'backup')], {
    DATABASE_URL: old.databaseUrl,
    PARLEY_DATA_DIR: old.config.dataDir,
  })
  const place = { DATABASE_URL: restored.url, PARLEY_DATA_DIR: join(folder, 'restored') }
  const { held } = await command(['restore', '--from', join(folder, 'backup')], place)
  expect(held).toEqual({
    automationRuns: 2,
    automationStarts: 1,
    chatRatings: 1,
    reviewRequests: 1,
    cashQuestions: 1,
    bookingReminders: 1,
    assistantAnswers: 1,
  })
  const waiting = (workspaceId: string) =>
    onDatabase(restored.url, async (client) => {
      const counted = await client.query(
        `select (select count(*)::int from jobs where workspace_id = $1 and failed_at is null) as jobs,
           (select count(*)::int from automation_runs where workspace_id = $1 and finished_at is null) as runs,
           (select count(*)::int from automation_starts where workspace_id = $1) as starts,
           (select count(*)::int from review_requests where workspace_id = $1 and run_at is not null) as reviews,
           (select count(*)::int from cod_questions where workspace_id = $1 and run_at is not null) as cash,
           (select count(*)::int from conversation_ratings where workspace_id = $1 and run_at is not null) as ratings`,
        [workspaceId],
      )
      return counted.rows[0]
    })
  expect(await waiting(real.workspaceId)).toEqual({
    jobs: 1,
    runs: 1,
    starts: 0,
    reviews: 1,
    cash: 1,
    ratings: 1,
  })
  expect(await waiting(sandbox.workspaceId)).toEqual({
    jobs: 3,
    runs: 3,
    starts: 1,
    reviews: 2,
    cash: 2,
    ratings: 2,
  })
})

test('a payment that was reported but not counted at the backup counts once', async () => {
  const [operator, gateway] = [await quietOperator(), await startGateway()]
  const env = { PARLEY_OPERATOR_URL: operator.url, PARLEY_RAZORPAY_URL: gateway.apiUrl }
  const folder = mkdtempSync(join(tmpdir(), 'parley-under-way-'))
  const old = await boot({ env })
  const restored = await createTestDatabase()
  onTestFinished(async () => {
    await old.close()
    await restored.drop()
    await gateway.stop()
    await operator.close()
    rmSync(folder, { recursive: true })
  })
  const { shop, phone, asked } = await realShop(old, operator)
  expect((await shop.post('/leads', { phone, name: 'Asha Rao' })).status).toBe(201)
  const { id } = await asked()
  await restartAs(old, { web: true, worker: false })
  const paid = paymentEvent('payment_link.paid', { requestId: id })
  expect((await gatewayPost(old, shop, paid, { eventId: 'evt_1' })).status).toBe(200)
  await command(['backup', '--to', join(folder, 'backup')], {
    DATABASE_URL: old.databaseUrl,
    PARLEY_DATA_DIR: old.config.dataDir,
  })
  const place = { DATABASE_URL: restored.url, PARLEY_DATA_DIR: join(folder, 'restored') }
  await command(['restore', '--from', join(folder, 'backup')], place)
  const restoredServer = await boot({
    databaseUrl: restored.url,
    env: { ...env, PARLEY_DATA_DIR: place.PARLEY_DATA_DIR },
  })
  onTestFinished(() => restoredServer.close())
  await gatewayApplied(restoredServer, shop)
  // The gateway repeats its report, and reports the payment once in another form.
  await gatewayPost(restoredServer, shop, paid, { eventId: 'evt_1' })
  await gatewayPost(restoredServer, shop, paymentEvent('payment.captured', { requestId: id }))
  await gatewayApplied(restoredServer, shop)
  const restoredClient = clientOf(restoredServer.url, shop.key)
  expect((await restoredClient.get(`/payment-requests/${id}`)).body.paymentRequest).toMatchObject({
    status: 'paid',
    paidPaise: 48_000,
    furtherPayments: [],
  })
  expect((await restoredClient.get(`/leads/${phone}`)).body.lead.paidTotal).toBe(480)
  const { events } = (await restoredClient.get('/events?limit=100')).body
  expect(events.filter(({ event }: { event: string }) => event === 'payment.paid')).toHaveLength(1)
})
