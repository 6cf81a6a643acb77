/**
 * Compares cursors with their model: pages of lists that change while they are read (spec 2.1,
 * docs/decisions/event-log.md).
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { timeFor } from '../support/fault-run.ts'
import { playModel } from '../support/play-model.ts'
import { until } from '../support/until.ts'
import { commands, follow, makePerson, walkOn, write } from './paging-commands.ts'
import { appear, LISTS, type PagingModel } from './paging-model.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const LEAD = '919812399999'
/** Enough at the start that lists have several pages. */
const PEOPLE = 4
/** A transaction in any database of the server delays the end of the log (docs/decisions/event-log.md). */
const FOLLOWED_WITHIN_MS = 60_000

async function beginModel(): Promise<{ model: PagingModel; real: TestWorkspace }> {
  const shop = await parley.workspace({ sandbox: true })
  const { lead } = (await shop.post('/leads', { phone: LEAD })).body
  const model: PagingModel = {
    moment: 0,
    rows: Object.fromEntries(LISTS.map((list) => [list, new Map()])) as unknown as PagingModel['rows'],
    people: [{ phone: `+${LEAD}`, contactId: lead.contactId, conversationId: null, messageIds: [] }],
    createdCount: 0,
    walks: [],
    leadPhone: LEAD,
    before: [],
    followed: [],
    resumeAfter: null,
  }
  appear(model, 'contacts', lead.contactId)
  const { entries } = (await shop.get(`/leads/${LEAD}/timeline`)).body
  for (const entry of entries) appear(model, 'entries', entry.id)
  for (let index = 0; index < PEOPLE; index++) {
    await makePerson(model, shop)
    await write(model, shop, index)
  }
  const log = await until(async () => {
    const { body } = await shop.get('/events?limit=100')
    return body.resumeAfter !== null && body
  }, 'the log has an event to start from')
  model.resumeAfter = log.resumeAfter
  model.before = log.events.map((event: Body) => event.id)
  return { model, real: shop }
}

/**
 * Checks that a follower of the log gets each event once, and no event that isn't in it. Earlier events may
 * come too.
 */
async function compareLog(model: PagingModel, shop: TestWorkspace): Promise<void> {
  const log: string[] = []
  for (let cursor = '', more = true; more; ) {
    const { body } = await shop.get(`/events?limit=100${cursor}`)
    log.push(...body.events.map((event: Body) => event.id))
    more = body.nextCursor !== null
    cursor = `&cursor=${body.nextCursor}`
  }
  const findMissing = () => new Set(log).difference(new Set([...model.before, ...model.followed]))
  await until(
    async () => {
      await follow(model, shop, 100)
      return findMissing().size === 0
    },
    'the log was read to its end',
    FOLLOWED_WITHIN_MS,
  )
  expect(model.followed).toEqual([...new Set(model.followed)])
  expect(new Set(model.followed).difference(new Set(log))).toEqual(new Set())
}

test(
  'lists behave as their model: an unchanged row is seen once, for any changes between pages',
  () =>
    playModel<PagingModel, TestWorkspace, null>({
      name: 'cursors',
      commands,
      longest: 40,
      runs: 3,
      setting: fc.constant(null),
      begin: beginModel,
      end: async (model, shop) => {
        model.moment++
        for (const walk of model.walks) while (await walkOn(model, shop, walk));
        await compareLog(model, shop)
      },
    }),
  timeFor(240_000),
)
