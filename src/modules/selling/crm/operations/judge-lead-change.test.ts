import { describe, expect, test } from 'vitest'
import {
  CONTACTED,
  FORMER,
  FORMER_MEMBER_ID,
  FORMER_REASON,
  LEAD_WORDS,
  LOST,
  leadRow,
  NEW,
  OTHER,
  PRICE,
  RAVI,
} from '../../../../../test/support/lead-rows.ts'
import { Refusal } from '../../../../core/errors.ts'
import type { LeadRow } from '../queries/leads.ts'
import type { LeadPatch } from '../schema.ts'
import { changeData, changesOf, judgeLeadChange } from './judge-lead-change.ts'
import { pipelineOf } from './pipeline.ts'

const change = (lead: LeadRow, patch: LeadPatch, due: Date | null = null, words = LEAD_WORDS): LeadRow => {
  const after = judgeLeadChange(lead, patch, words, due)
  if (after instanceof Refusal) throw after
  return after
}
const changes = (lead: LeadRow, patch: LeadPatch) => changesOf(lead, change(lead, patch), LEAD_WORDS)
const day = (text: string) => new Date(`${text}T00:00:00Z`)

test.each<[string, Partial<LeadRow>, LeadPatch, Partial<LeadRow>]>([
  ['a stage by name, in any case', {}, { stage: 'contacted' }, { stageId: CONTACTED.id }],
  ['a stage by id', {}, { stage: CONTACTED.id }, { stageId: CONTACTED.id }],
  ['an owner by name', {}, { owner: 'ravi' }, { ownerId: RAVI.id }],
  ['an owner by email, in any case', {}, { owner: 'ravi@EXAMPLE.com' }, { ownerId: RAVI.id }],
  ['no owner', { ownerId: RAVI.id }, { owner: null }, { ownerId: null }],
  ['tags that are added', { tags: ['a'] }, { addTags: ['b', 'a'], removeTags: ['x'] }, { tags: ['a', 'b'] }],
  ['tags that are removed', { tags: ['a', 'b'] }, { removeTags: ['a'] }, { tags: ['b'] }],
  ['tags in place of others', { tags: ['a'] }, { tags: [] }, { tags: [] }],
  [
    'a custom field; null deletes another',
    { attributes: { city: 'Pune', size: 'L' } },
    { attributes: { size: null, color: 'red' } },
    { attributes: { city: 'Pune', color: 'red' } },
  ],
  ['no name', {}, { name: null }, { name: null }],
  ['no email', { email: 'a@example.com' }, { email: null }, { email: null }],
  ['a source', {}, { source: 'website' }, { source: 'website' }],
  ['a rating of 0', { rating: 5 }, { rating: 0 }, { rating: 0 }],
  ['a deal value of 0', { dealValue: 5 }, { dealValue: 0 }, { dealValue: 0 }],
])('a patch sets %s', (_title, before, patch, after) => {
  const lead = leadRow(before)
  expect(change(lead, patch)).toEqual({ ...lead, ...after })
})

describe('the next follow-up', () => {
  const [manual, due] = [day('2026-04-01'), day('2026-03-20')]
  test.each<[string, LeadPatch, Date | null, Partial<LeadRow>]>([
    ['is the patched time', { nextFollowUpAt: manual }, null, { nextFollowUpAt: manual }],
    ['is the due time of a pending task first', { nextFollowUpAt: manual }, due, { nextFollowUpAt: due }],
    ['stays without a time in the patch', { rating: 1 }, due, { nextFollowUpAt: null }],
    ['is deleted by null', { nextFollowUpAt: null }, null, { nextFollowUpAt: null, manualFollowUpAt: null }],
  ])('%s', (_title, patch, dueAt, after) => {
    expect(change(leadRow(), patch, dueAt)).toMatchObject(after)
  })
})

describe('the lost reason (spec 3)', () => {
  const lost = { stageId: LOST.id, lostReasonId: PRICE.id }
  test.each<[string, Partial<LeadRow>, LeadPatch, string | null]>([
    ['comes with the move to a lost stage', {}, { stage: 'Lost', lostReason: 'price' }, PRICE.id],
    ['changes within a lost stage', lost, { lostReason: 'Other' }, OTHER.id],
    ['stays within a lost stage', lost, { rating: 3 }, PRICE.id],
    ['is deleted when the lead moves back', lost, { stage: 'New' }, null],
    [
      'stays in a stage that is no longer a lost stage',
      { stageId: NEW.id, lostReasonId: PRICE.id },
      { rating: 3 },
      PRICE.id,
    ],
    ['is not needed again in a lost stage', lost, { stage: 'lost' }, PRICE.id],
  ])('%s', (_title, before, patch, lostReasonId) => {
    expect(change(leadRow(before), patch).lostReasonId).toBe(lostReasonId)
  })

  test('is not needed if the pipeline has none', () => {
    const words = { ...LEAD_WORDS, pipeline: pipelineOf([NEW, LOST], []) }
    expect(change(leadRow(), { stage: 'Lost' }, null, words)).toMatchObject({
      stageId: LOST.id,
      lostReasonId: null,
    })
  })
})

test.each<[string, Partial<LeadRow>, LeadPatch, string, RegExp]>([
  ['an unknown stage', {}, { stage: 'Contcted' }, 'stage', /Did you mean "Contacted"\? See GET \/pipeline/],
  ['a removed stage', {}, { stage: 'Called' }, 'stage', /No stage is called/],
  ['an unknown owner', {}, { owner: 'Rvi' }, 'owner', /Did you mean "Ravi"\?.*GET \/pipeline.*GET \/team/],
  ['an unknown lost reason', {}, { stage: 'Lost', lostReason: 'x' }, 'lostReason', /No lost reason/],
  ['a lost stage without a reason', {}, { stage: 'Lost' }, 'lostReason', /one of "Price", "Other"/],
  ['a reason without a lost stage', {}, { lostReason: 'Price' }, 'lostReason', /Must be left out/],
  ['a reason with another stage', {}, { stage: 'Won', lostReason: 'Price' }, 'lostReason', /left out/],
  [
    'more than the maximum of tags',
    { tags: Array.from({ length: 50 }, (_, i) => `t${i}`) },
    { addTags: ['one more'] },
    'addTags',
    /at most/,
  ],
])('the error for %s names the field', (_title, before, patch, path, message) => {
  expect(judgeLeadChange(leadRow(before), patch, LEAD_WORDS, null)).toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(message),
    details: { issues: [{ path }] },
  })
})

test.each<[string, Partial<LeadRow>, LeadPatch, string[]]>([
  ['nothing', { rating: 2 }, { rating: 2 }, []],
  ['a stage', {}, { stage: 'Won' }, ['stage_changed']],
  ['a stage with its lost reason', {}, { stage: 'Lost', lostReason: 'Price' }, ['stage_changed']],
  [
    'another lost reason',
    { stageId: LOST.id, lostReasonId: PRICE.id },
    { lostReason: 'Other' },
    ['lost_reason_changed'],
  ],
  ['an owner', {}, { owner: 'Meera' }, ['owner_changed']],
  ['the same owner', { ownerId: RAVI.id }, { owner: 'Ravi' }, []],
  ['no owner in place of a former member', { ownerId: FORMER_MEMBER_ID }, { owner: null }, []],
  ['a removed stage by its replacement', { stageId: FORMER.id }, { stage: 'Contacted' }, []],
  [
    'several fields',
    {},
    { name: 'Asha Rao', email: 'a@example.com', rating: 3, addTags: ['vip'], attributes: { city: 'Pune' } },
    ['tags_changed', 'name_changed', 'email_changed', 'rating_changed', 'attributes_changed'],
  ],
])('the changes list %s', (_title, before, patch, expected) => {
  expect(changes(leadRow(before), patch)).toEqual(expected)
})

test.each<[string, Partial<LeadRow>, LeadPatch, Parameters<typeof changeData>[0], object]>([
  [
    'a stage, from the replacement of a removed one',
    { stageId: FORMER.id },
    { stage: 'Lost', lostReason: 'Price' },
    'stage_changed',
    {
      from: { id: CONTACTED.id, name: 'Contacted', kind: 'active' },
      to: { id: LOST.id, name: 'Lost', kind: 'lost' },
      lostReason: { id: PRICE.id, label: 'Price' },
    },
  ],
  [
    'a removed lost reason',
    { stageId: LOST.id, lostReasonId: FORMER_REASON.id },
    { rating: 1 },
    'lost_reason_changed',
    { lostReason: { id: FORMER_REASON.id, label: 'Distance' } },
  ],
  [
    'an owner',
    { ownerId: RAVI.id },
    { owner: null },
    'owner_changed',
    { from: { id: RAVI.id, name: 'Ravi', email: 'ravi@example.com' }, to: null },
  ],
  ['a field', { rating: 1 }, { rating: 4 }, 'rating_changed', { from: 1, to: 4 }],
  [
    'custom fields: only those that changed',
    { attributes: { city: 'Pune', size: 'L' } },
    { attributes: { size: null, color: 'red' } },
    'attributes_changed',
    { from: { size: 'L' }, to: { color: 'red' } },
  ],
])('the timeline has %s', (_title, before, patch, kind, data) => {
  const lead = leadRow(before)
  expect(changeData(kind, lead, change(lead, patch), LEAD_WORDS)).toEqual(data)
})
