import { expect, test } from 'vitest'
import {
  FORMER,
  FORMER_MEMBER_ID,
  FORMER_REASON,
  LEAD_WORDS,
  LOST,
  leadRow,
  NEW,
  PRICE,
  RAVI,
} from '../../../../../test/support/lead-rows.ts'
import { leadInEvent, lostReasonOf, ownerOf, presentLead } from './present-lead.ts'

test.each([
  ['has its reason', LOST.id, PRICE.id, { id: PRICE.id, label: 'Price' }],
  ['keeps a removed reason', LOST.id, FORMER_REASON.id, { id: FORMER_REASON.id, label: 'Distance' }],
  ['without a reason has none', LOST.id, null, null],
])('a lost lead %s', (_title, stageId, lostReasonId, expected) => {
  expect(lostReasonOf(LEAD_WORDS, { stageId, lostReasonId })).toEqual(expected)
})

test('a lead in a stage that is no longer a lost stage has no lost reason', () => {
  expect(lostReasonOf(LEAD_WORDS, { stageId: NEW.id, lostReasonId: PRICE.id })).toBeNull()
})

test.each([
  ['a teammate', RAVI.id, { id: RAVI.id, name: 'Ravi', email: 'ravi@example.com' }],
  ['a former member', FORMER_MEMBER_ID, null],
  ['nobody', null, null],
])('the owner of a lead that belongs to %s', (_title, id, owner) => {
  expect(ownerOf(LEAD_WORDS, id)).toEqual(owner)
})

test('a lead in a removed stage is shown in its replacement, in responses and events', () => {
  const lead = leadRow({ stageId: FORMER.id, nextFollowUpAt: new Date('2026-04-01T00:00:00Z') })
  expect(presentLead(lead, LEAD_WORDS, 'c1')).toMatchObject({
    stage: { name: 'Contacted', kind: 'active' },
    nextFollowUpAt: '2026-04-01T00:00:00.000Z',
    conversationId: 'c1',
  })
  expect(leadInEvent(lead, LEAD_WORDS)).toMatchObject({ stage: { name: 'Contacted', kind: 'active' } })
})
