/** POST /api/dashboard/presence (docs/decisions/dashboard-pages.md). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { listenAs } from '../../../test/support/live-page.ts'
import { type MovingClock, movingClock } from '../../../test/support/moving-clock.ts'
import { type Browser, DASHBOARD, signIn } from '../../../test/support/sessions.ts'
import { until } from '../../../test/support/until.ts'
import { systemClock } from '../../core/clock.ts'
import { PRESENCE_MS } from './presence.ts'

const PATH = `${DASHBOARD}/presence`

let clock: MovingClock
let parley: TestParley
/** Another process on the same database. */
let second: TestParley
let shop: TestWorkspace
let ravi: Browser
let asha: Browser
let chats: string[]

beforeAll(async () => {
  clock = movingClock()
  clock.monotonicMs = () => systemClock.monotonicMs() + clock.aheadMs
  parley = await boot({ clock })
  second = await boot({ databaseUrl: parley.databaseUrl })
  shop = await parley.workspace({ sandbox: true })
  ravi = await signIn(parley, shop, 'agent')
  asha = await signIn(parley, shop, 'viewer')
  await shop.inbound('+919812300001', 'Is the blue one in stock?')
  await shop.inbound('+919812300002', 'And the red one?')
  chats = (await shop.get('/conversations')).body.conversations.map(({ id }: { id: string }) => id)
})
afterAll(async () => {
  await second?.close()
  await parley?.close()
})

const listen = (service = parley) => listenAs(service.url, { by: asha, workspaceId: shop.workspaceId })
const postPresence = (conversationId: string | null | undefined, typing = false, by = ravi) =>
  by.post(PATH, { conversationId, typing })

test('the conversation and the typing of a member are shown to all listeners, in every process, and to later ones', async () => {
  const pages = [await listen(), await listen(second)]
  const shown = (entry: object | undefined) =>
    until(
      () => pages.every((page) => JSON.stringify(page.presence()[ravi.memberId]) === JSON.stringify(entry)),
      'the presence is shown',
    )
  expect((await postPresence(chats[0])).status).toBe(204)
  await shown({ conversationId: chats[0], typing: false })
  await postPresence(chats[0], true)
  await shown({ conversationId: chats[0], typing: true })
  await postPresence(chats[1])
  await shown({ conversationId: chats[1], typing: false })
  const later = await listen(second)
  expect(later.presence()).toEqual(pages[1]!.presence())
  await postPresence(null)
  await shown(undefined)
  for (const page of [...pages, later]) page.close()
})

test('a report is forgotten after 30 s unless it is repeated; repeating it sends nothing', async () => {
  const page = await listen()
  await postPresence(chats[0])
  await until(() => page.presence()[ravi.memberId], 'the presence is shown')
  clock.aheadMs += PRESENCE_MS / 2
  await postPresence(chats[0])
  await parley.caughtUp()
  clock.aheadMs += PRESENCE_MS / 2
  // Half of the lifetime of the last report is left.
  await postPresence(chats[1], false, asha)
  await until(() => page.presence()[asha.memberId], 'the next presence report')
  expect(page.presence()[ravi.memberId]).toEqual({ conversationId: chats[0], typing: false })
  clock.aheadMs += PRESENCE_MS
  await until(() => Object.keys(page.presence()).length === 0, 'both presences have expired')
  page.close()
})

test('a presence is sent only in its own workspace, and must name one of its conversations', async () => {
  const foreign = await parley.workspace({ sandbox: true })
  const outsider = await signIn(parley, foreign, 'agent')
  const otherPage = await listenAs(parley.url, { by: outsider, workspaceId: foreign.workspaceId })
  const page = await listen()
  expect((await postPresence(chats[0], false, outsider)).status).toBe(404)
  expect((await postPresence(undefined)).body.issues[0].path).toBe('conversationId')
  await postPresence(chats[0])
  await until(() => page.presence()[ravi.memberId], 'the presence is shown')
  await postPresence(null, false, outsider)
  await parley.caughtUp()
  expect(otherPage.presence()).toEqual({})
  for (const openPage of [page, otherPage]) openPage.close()
})

test('a presence is in no table and writes no event', async () => {
  const counted = () =>
    parley.system((tx) =>
      tx.sql<{ n: number }>('select count(*)::int as n from events where workspace_id = $1', [
        shop.workspaceId,
      ]),
    )
  const before = await counted()
  expect((await postPresence(chats[0], true)).status).toBe(204)
  expect(await counted()).toEqual(before)
})
