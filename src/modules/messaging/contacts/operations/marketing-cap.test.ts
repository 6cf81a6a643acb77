import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { DAY_MS, later } from '../../../../core/clock.ts'
import { claimMarketing, forgetMarketing, recordMarketing } from './marketing-cap.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace()
})
afterAll(() => parley.close())

const now = new Date('2026-06-01T10:00:00.000Z')
/** Returns the contacts that get a message. */
async function claim(contactIds: string[], time = now): Promise<Set<string>> {
  const capped = await parley.system((tx) =>
    claimMarketing({ tx }, { workspaceId: shop.workspaceId, contactIds, at: time, max: 2 }),
  )
  return new Set(contactIds).difference(new Set(capped))
}
const note = (...contactIds: string[]) =>
  parley.system((tx) =>
    recordMarketing(
      { tx },
      contactIds.map((contactId) => ({ workspaceId: shop.workspaceId, contactId, at: now })),
    ),
  )

describe('two marketing messages to one person in 24 hours', () => {
  test('a customer with two messages gets no third until the first is 24 hours old', async () => {
    const id = randomUUID()
    expect(await claim([id])).toEqual(new Set([id]))
    expect(await claim([id], later(now, DAY_MS / 2))).toEqual(new Set([id]))
    expect(await claim([id], later(now, DAY_MS - 1))).toEqual(new Set())
    expect(await claim([id], later(now, DAY_MS))).toEqual(new Set([id]))
    expect(await claim([id], later(now, DAY_MS + 1)), 'the one of half a day ago still counts').toEqual(
      new Set(),
    )
  })

  test('single sends count, also two in one list, and each person is counted separately', async () => {
    const [twice, single, unsent] = [randomUUID(), randomUUID(), randomUUID()]
    await note(twice!, single!, twice!)
    expect(await claim([twice!, single!, unsent!])).toEqual(new Set([single, unsent]))
    expect(await claim([])).toEqual(new Set())
  })

  test('concurrent campaigns to the same people send each person at most two', async () => {
    const people = Array.from({ length: 50 }, () => randomUUID())
    const shuffled = [people, people.toReversed(), people, people.toReversed()]
    const claimed = await Promise.all(shuffled.map((ids) => claim(ids)))
    for (const id of people) expect(claimed.filter((set) => set.has(id))).toHaveLength(2)
  })

  test('a mark of an unsent message is removed once, also when its duplicate has the same millisecond', async () => {
    const id = randomUUID()
    const takeBack = () =>
      parley.system((tx) =>
        forgetMarketing({ tx }, [{ workspaceId: shop.workspaceId, contactId: id, at: now }]),
      )
    await note(id, id)
    await takeBack()
    expect(await claim([id]), 'one is free again').toEqual(new Set([id]))
    expect(await claim([id]), 'the other still counts').toEqual(new Set())
    for (const _ of [1, 2, 3]) await takeBack()
    for (const _ of [1, 2]) expect(await claim([id])).toEqual(new Set([id]))
    expect(await claim([id])).toEqual(new Set())
  })

  test('the last eight times per person are kept', async () => {
    const id = randomUUID()
    for (const _ of Array(5)) await note(id, id)
    const [row] = await parley.system((tx) =>
      tx.sql<{ kept: number }>(
        'select cardinality(times) as kept from marketing_marks where workspace_id = $1 and contact_id = $2',
        [shop.workspaceId, id],
      ),
    )
    expect(row!.kept).toBe(8)
  })
})
