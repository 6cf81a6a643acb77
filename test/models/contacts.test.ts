/**
 * Compares contacts with their model: created, changed, erased, messaged by customers, found, and listed
 * (spec 2.6, 3, 4.3, 4.4, 6.3).
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../support/boot.ts'
import { timeFor } from '../support/fault-run.ts'
import { playModel } from '../support/play-model.ts'
import { commands, type Real, shown } from './contacts-commands.ts'
import { find, type Reported } from './contacts-model.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

/** Returns every contact, a page at a time. */
async function listContacts(shop: Real): Promise<Body[]> {
  const rows: Body[] = []
  let cursor = ''
  for (;;) {
    const { body } = await shop.get(`/contacts?limit=3${cursor}`)
    rows.push(...body.contacts)
    if (body.nextCursor === null) return rows
    cursor = `&cursor=${body.nextCursor}`
  }
}

/**
 * Returns the names of the fields that are neither an ID nor a list of records of IDs; an erasure leaves none
 * of them.
 */
const keysBesidesIds = (data: Body): string[] =>
  Object.entries(data).flatMap(([field, value]) => {
    if (/id$/i.test(field)) return []
    return Array.isArray(value) ? value.flatMap(keysBesidesIds) : [field]
  })

const isOfContact = ({ event }: { event: string }): boolean => event.startsWith('contact.')

/** Compares the log with the expected events: contact events in this order, others in any order. */
async function compareEvents(shop: Real, reported: Reported[]): Promise<void> {
  const events: Body[] = (await shop.get('/events?limit=100')).body.events.toReversed()
  expect(events.map((event) => event.event).sort()).toEqual(reported.map((event) => event.event).sort())
  const expectedEvents = reported.filter(isOfContact)
  for (const [i, { event, data }] of events.filter(isOfContact).entries()) {
    const expected = expectedEvents[i]!
    expect([event, data.contactId]).toEqual([expected.event, expected.contact.id])
    if (expected.erased) expect(keysBesidesIds(data)).toEqual([])
    else expect(data).toMatchObject(expected.data)
  }
}

test(
  'contacts behave as their model: answers, lists, and exactly the expected events',
  () =>
    playModel({
      name: 'contacts',
      commands,
      longest: 24,
      runs: 4,
      setting: fc.integer({ min: 2, max: 4 }),
      begin: async (contactLimit) => {
        const real = await parley.workspace({ sandbox: true })
        await real.set({ contactLimit })
        return { model: { contacts: [], reported: [], max: contactLimit }, real }
      },
      end: async (model, shop) => {
        const rows = await listContacts(shop)
        expect(rows.map((row) => row.id)).toEqual(model.contacts.map((contact) => contact.id).toReversed())
        for (const row of rows) expect(row).toMatchObject(shown(find(model, row.e164)!))
        await compareEvents(shop, model.reported)
      },
    }),
  timeFor(240_000),
)
