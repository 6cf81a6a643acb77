/**
 * Compares idempotency keys with their model: retries, different requests, concurrent duplicates, and days
 * between them (spec 4.1.1).
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley } from '../support/boot.ts'
import { timeFor } from '../support/fault-run.ts'
import { playModel } from '../support/play-model.ts'
import { standingClock } from '../support/standing-clock.ts'
import { commands, type Real } from './retries-commands.ts'
import { ASHA, type RetriesModel } from './retries-model.ts'

let parley: TestParley
beforeAll(async () => {
  // A fixed clock, so that 24 hours are exact.
  parley = await boot({ clock: standingClock() })
})
afterAll(() => parley.close())

/** Compares the shop's records of each customer with the model's counts. */
async function compareShop(model: RetriesModel, { shop }: Real): Promise<void> {
  const { contacts } = (await shop.get('/contacts')).body
  expect(contacts.map((contact: Body) => contact.e164).toSorted()).toEqual(
    [...model.customers.keys()].toSorted(),
  )
  const written = (await shop.get('/messages?limit=100')).body.messages.filter(
    (message: Body) => message.direction === 'outbound',
  )
  expect(written).toHaveLength(model.customers.get(ASHA)?.written ?? 0)
  for (const [phone, customer] of model.customers) {
    const { status, body } = await shop.get(`/leads/${phone}`)
    expect(status).toBe(customer.captures > 0 ? 200 : 404)
    if (status === 404) continue
    expect(body.lead).toMatchObject({ captureCount: customer.captures, rating: customer.rating })
    const { entries } = (await shop.get(`/leads/${phone}/timeline?limit=100`)).body
    expect(entries.filter((entry: Body) => entry.kind === 'note')).toHaveLength(customer.notes)
  }
  expect(new Date((await shop.get('/sandbox/clock')).body.now).getTime()).toBe(model.now)
}

test(
  'requests with keys behave as their model: each runs once, and its answer is stored for 24 hours',
  () =>
    playModel<RetriesModel, Real, number>({
      name: 'idempotency',
      commands,
      longest: 30,
      runs: 3,
      setting: fc.constantFrom(1, 2),
      begin: async (contactLimit) => {
        const shop = await parley.workspace({ sandbox: true })
        await shop.set({ contactLimit })
        const now = new Date((await shop.get('/sandbox/clock')).body.now).getTime()
        return {
          model: { now, max: contactLimit, customers: new Map(), remembered: new Map() },
          real: { shop, clients: [shop, await shop.as('admin')] },
        }
      },
      end: compareShop,
    }),
  timeFor(240_000),
)
