/**
 * The traces that a valid request of each operation leaves in its own transaction (docs/operation-checklist.md):
 * an event or a change for open pages, and an entry of the activity log.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWrite } from '../../src/core/endpoint.ts'
import type { ActivityKind } from '../../src/modules/platform/workspaces/activity-schema.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { arrange, arranging, equippedSandbox } from './arrange.ts'
import { ask, KEYED, named, nameOf, WRITES } from './requests.ts'

/** Writes without an event and without a change for open pages, with the reason. */
const SILENT: Record<string, string> = {
  'POST /send': 'the states of the message have events',
  'POST /flows/:id/send': 'the states of the message have events',
  'POST /media': 'no page lists files',
  'POST /social/media': 'no page lists files',
  'POST /social/media/upload': 'no page lists files',
  'POST /templates/lint': 'reads only',
  'POST /broadcasts/preview': 'reads only',
  'POST /send/preview': 'reads only',
  'POST /segments/count': 'reads only',
  'POST /sales-invoices/preview': 'reads only',
  'POST /automations/test': 'rolls back its effects',
  'POST /bots/:id/test': 'reads only',
  'POST /conversations/:id/draft': 'returns a text and stores only the number of answers',
  'POST /conversations/:id/summary': 'returns a text and stores only the number of answers',
  'POST /integrations/:name/test': 'reads only',
  'POST /auto-replies/test': 'reads only',
  'POST /auto-replies/preview': 'reads only',
  'POST /bots/:id/test-request': 'stores nothing',
  'POST /webhooks/:id/rotate': 'no page shows the secret',
  'POST /webhooks/deliveries/:id/redeliver': 'the page of deliveries reads again by itself',
  'POST /webhooks/:id/replay': 'the page of deliveries reads again by itself',
  'POST /sandbox/simulate': 'the report that it adds is applied later, with its events',
  'POST /sandbox/clock': 'the work that falls due has its own events',
  'PUT /review-settings': 'a settings page reads when it opens',
  'PUT /rating-settings': 'a settings page reads when it opens',
  'PUT /sales-settings': 'a settings page reads when it opens',
}

/** Writes that the activity log records (src/modules/platform/workspaces/DECISIONS.md "The activity log"). */
const RECORDED: Record<string, ActivityKind[]> = {
  'POST /phone-numbers/:id/history-sync': ['number.changed'],
  'DELETE /contacts/:id': ['contact.erased'],
  'POST /contacts/:id/merge': ['contact.merged'],
  'DELETE /templates/:id': ['template.deleted'],
  'POST /flows/:id/publish': ['flow.published'],
  'POST /flows/:id/deprecate': ['flow.deprecated'],
  'DELETE /flows/:id': ['flow.deleted'],
  'POST /broadcasts/:id/start': ['broadcast.new_recipients_confirmed', 'broadcast.started'],
  'POST /broadcasts/:id/pause': ['broadcast.paused'],
  'POST /broadcasts/:id/resume': ['broadcast.resumed'],
  'POST /broadcasts/:id/choose': ['broadcast.variant_chosen'],
  'PATCH /broadcasts/:id': ['broadcast.scheduled'],
  'DELETE /broadcasts/:id': ['broadcast.cancelled'],
  'POST /pipeline/stages': ['pipeline.changed'],
  'PATCH /pipeline/stages/:id': ['pipeline.changed'],
  'DELETE /pipeline/stages/:id': ['pipeline.changed'],
  'POST /pipeline/lost-reasons': ['pipeline.changed'],
  'PATCH /pipeline/lost-reasons/:id': ['pipeline.changed'],
  'DELETE /pipeline/lost-reasons/:id': ['pipeline.changed'],
  'PATCH /pipeline/assignment': ['assignment.changed'],
  'POST /social/posts': ['social_post.scheduled'],
  'PATCH /social/posts/:id': ['social_post.scheduled'],
  'POST /social/posts/:id/cancel': ['social_post.cancelled'],
}

const ARRANGING = await arranging()

let parley: TestParley
// Without the worker, only the request itself leaves traces.
beforeAll(async () => {
  parley = await boot({ ...ARRANGING, env: { ...ARRANGING.env, PARLEY_ROLES: 'web' } })
})
afterAll(() => parley?.close())

/** Returns the ids and names of the workspace's events, and of its entries in the activity log. */
const tracesOf = ({ workspaceId }: TestWorkspace) =>
  parley.system(async (tx) => ({
    events: await tx.sql<{ id: string; name: string }>(
      'select id, name from events where workspace_id = $1 order by id',
      [workspaceId],
    ),
    activity: await tx.sql<{ id: string; name: ActivityKind }>(
      'select id, kind as name from activity_log where workspace_id = $1 order by id',
      [workspaceId],
    ),
  }))

const added = <Name extends string>(
  before: { id: string }[],
  after: { id: string; name: Name }[],
): Name[] => {
  const known = new Set(before.map(({ id }) => id))
  return after.filter(({ id }) => !known.has(id)).map(({ name }) => name)
}

describe.each(named(KEYED))('%s', (name, value) => {
  test(isWrite(value) ? 'leaves the traces of its write' : 'leaves no trace', async () => {
    const shop = await equippedSandbox(parley)
    const request = await arrange(value, shop)
    const before = await tracesOf(shop)
    const answer = await ask(shop, value, request)
    expect(answer.status, answer.text).toBeLessThan(300)
    const after = await tracesOf(shop)
    expect(added(before.activity, after.activity).sort(), 'activity log').toEqual(RECORDED[name] ?? [])
    const announced = added(before.events, after.events).length > 0
    expect(announced, 'an event, or touch() for open pages').toBe(isWrite(value) && !(name in SILENT))
  })
})

test('every exception is a write of the catalog', () => {
  const names = WRITES.map(nameOf)
  expect([...Object.keys(SILENT), ...Object.keys(RECORDED)].filter((name) => !names.includes(name))).toEqual(
    [],
  )
})

test('what a request adds is told apart from earlier rows', () => {
  const [old, fresh] = [
    { id: 'a', name: 'lead.created' },
    { id: 'b', name: 'contact.created' },
  ]
  expect(added([old], [old, fresh])).toEqual(['contact.created'])
  expect(added([old], [old])).toEqual([])
})
