/** The preview of a campaign names the same reasons for skipping as the campaign itself, in random states of its contacts. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { campaignsOf } from '../support/campaigns.ts'
import { seedOf } from '../support/seed.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

/** The states of a contact that decide whether it gets a campaign. */
const contact = fc.record({
  consent: fc.constantFrom('unknown', 'opted_in', 'opted_in', 'opted_out'),
  isBlocked: fc.constantFrom(false, false, false, true),
  /** Earlier campaigns of the last day, which count for the marketing limit. */
  campaigns: fc.constantFrom(0, 0, 1, 2),
})

test('the counts and reasons of a preview are those of the campaign', { timeout: 180_000 }, async () => {
  const state = fc.record({
    people: fc.array(contact, { minLength: 1, maxLength: 6 }),
    marketingCap: fc.constantFrom(1, 2),
    knownOnly: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(state, async ({ people, marketingCap, knownOnly }) => {
      const shop = await parley.workspace({ sandbox: true })
      await shop.set({ marketingCap })
      const campaigns = await campaignsOf(parley, shop)
      const ids: string[] = []
      for (const i of people.keys()) {
        const answer = await shop.post('/contacts', {
          phone: `+91981234560${i}`,
          optInStatus: 'opted_in',
          tags: [`p${i}`],
        })
        expect(answer.status, answer.text).toBe(201)
        ids.push(answer.body.contact.id)
      }
      for (const round of [1, 2])
        for (const [i, person] of people.entries())
          if (person.campaigns >= round) {
            const earlier = await campaigns.create({ segment: { tags: [`p${i}`] }, sendNow: true })
            expect(earlier.status, earlier.text).toBeLessThan(300)
            await shop.advance(30)
          }
      for (const [i, { consent, isBlocked }] of people.entries()) {
        const changed = await shop.patch(`/contacts/${ids[i]}`, { optInStatus: consent })
        expect(changed.status, changed.text).toBe(200)
        if (isBlocked) expect((await shop.post(`/contacts/${ids[i]}/block`)).status).toBe(200)
      }
      const plan = { segment: {}, knownOnly, confirmNewRecipients: true }
      const preview = await shop.post('/broadcasts/preview', {
        templateId: campaigns.templateId,
        phoneNumberId: shop.phoneNumberId,
        ...plan,
      })
      expect(preview.status, preview.text).toBe(200)
      const { audience } = preview.body
      const created = await campaigns.create({ ...plan, sendNow: true })
      expect(created.status, created.text).toBe(201)
      expect(created.body.audience).toMatchObject({
        matched: audience.matched,
        willSend: audience.willSend,
        suppressed: audience.suppressed,
      })
      await shop.advance(60)
      const found = [...(await campaigns.people(created.body.id)).values()]
      const skipped = found.filter(({ status }) => status === 'skipped')
      const reasons: Record<string, number> = {}
      for (const { reason } of skipped) reasons[reason] = (reasons[reason] ?? 0) + 1
      expect([found.length - skipped.length, reasons]).toEqual([audience.willSend, audience.reasons])
    }),
    { seed: seedOf('campaign previews'), numRuns: 8, endOnFailure: true },
  )
})
