/** The parts of a campaign: contacts, a template, and the campaign itself. */
import { expect } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { setPhoneNumber } from '../../src/modules/platform/workspaces/operations/number-credentials.ts'
import {
  type Answered,
  type Body,
  type Client,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from './boot.ts'
import { storeTemplate } from './templates.ts'

/** Stores an approved template and returns its id. */
export async function approvedTemplate(
  parley: Pick<TestParley, 'system'>,
  shop: Client & { workspaceId: string },
  input: { name?: string; category?: string; text?: string } = {},
): Promise<string> {
  const { name = 'offer', category = 'MARKETING', text = 'Lights for everybody.' } = input
  await storeTemplate(parley, shop, { name, category, components: [{ type: 'BODY', text }] })
  const { templates } = (await shop.get(`/templates?name=${name}`)).body
  return templates[0].id
}

/** Sets how many new recipients the shop's number may message in a day, as the CLI does. */
export const allowNewRecipients = (
  parley: Pick<TestParley, 'system'>,
  { phoneNumberId }: Pick<TestWorkspace, 'phoneNumberId'>,
  dailyNewRecipients: number,
): Promise<unknown> =>
  parley.system((tx) =>
    setPhoneNumber(
      tx,
      { phoneNumberId: phoneNumberId! },
      { dailyNewRecipients },
      new Date(),
      createSealer(SECRET_KEY),
    ),
  )

/** Stores `count` contacts and returns their ids, in order. */
export async function makeContacts(
  shop: Client,
  count: number,
  more: object = {},
  first = 0,
): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < count; start += 100) {
    const contacts = Array.from({ length: Math.min(100, count - start) }, (_, i) => ({
      phone: `+9190${String(first + start + i).padStart(8, '0')}`,
      ...more,
    }))
    const answer = await shop.post('/contacts/bulk', { contacts })
    expect(answer.status, answer.text).toBeLessThan(300)
    ids.push(
      ...answer.body.results.map((result: Body) => result.contactId ?? result.contact?.id ?? result.id),
    )
  }
  return ids
}

export type Campaigns = {
  templateId: string
  create(more?: object): Promise<Answered>
  /** Returns the current state of the campaign. */
  of(id: string): Promise<Body>
  /** Returns all recipients of a campaign by contact id. */
  people(id: string, query?: string): Promise<Map<string, Body>>
}

/** Creates a workspace for campaigns with one template. */
export async function campaignsOf(
  parley: Pick<TestParley, 'system'>,
  shop: TestWorkspace,
  template: Parameters<typeof approvedTemplate>[2] = {},
): Promise<Campaigns> {
  const templateId = await approvedTemplate(parley, shop, template)
  return {
    templateId,
    create: (more = {}) =>
      shop.post('/broadcasts', {
        name: 'Lights',
        templateId,
        phoneNumberId: shop.phoneNumberId,
        segment: {},
        ...more,
      }),
    of: async (id) => (await shop.get(`/broadcasts/${id}`)).body.broadcast,
    people: async (id, query = '') => {
      const found = new Map<string, Body>()
      let cursor = ''
      do {
        const answer = await shop.get(`/broadcasts/${id}/recipients?limit=100${query}${cursor}`)
        expect(answer.status, answer.text).toBe(200)
        for (const recipient of answer.body.recipients) found.set(recipient.contactId, recipient)
        cursor = answer.body.nextCursor ? `&cursor=${answer.body.nextCursor}` : ''
      } while (cursor)
      return found
    },
  }
}
