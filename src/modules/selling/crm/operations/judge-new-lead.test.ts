import { expect, test } from 'vitest'
import { CONTACTED, LEAD_WORDS, LOST, NEW, PRICE, RAVI } from '../../../../../test/support/lead-rows.ts'
import type { NewLead } from '../schema.ts'
import { judgeNewLead, type NewLeadTerms } from './judge-new-lead.ts'
import { pipelineOf } from './pipeline.ts'

const PHONE = '+919812345678'
const judge = (body: Partial<NewLead>, e164: string | undefined = PHONE, words = LEAD_WORDS) =>
  judgeNewLead({ phone: PHONE, ...body }, words, e164)

test.each<[string, Partial<NewLead>, Partial<NewLeadTerms>]>([
  ['the initial stage by default', {}, { stageId: NEW.id, lostReasonId: null, ownerId: undefined }],
  ['a stage by name', { stage: 'CONTACTED' }, { stageId: CONTACTED.id }],
  [
    'a lost stage with a reason',
    { stage: 'Lost', lostReason: 'price' },
    { stageId: LOST.id, lostReasonId: PRICE.id },
  ],
  ['an owner', { owner: 'RAVI' }, { ownerId: RAVI.id }],
  ['no owner, if the body says so', { owner: null }, { ownerId: null }],
  [
    'custom fields without those of null',
    { attributes: { city: 'Pune', size: null } },
    { attributes: { city: 'Pune' } },
  ],
])('a new lead has %s', (_title, body, terms) => {
  expect(judge(body)).toMatchObject({ e164: PHONE, ...terms })
})

test('a lost stage needs no reason if the pipeline has none', () => {
  const words = { ...LEAD_WORDS, pipeline: pipelineOf([NEW, LOST], []) }
  expect(judge({ stage: 'Lost' }, PHONE, words)).toMatchObject({ stageId: LOST.id, lostReasonId: null })
})

test.each<[string, Partial<NewLead>, string, RegExp]>([
  ['an unknown stage', { stage: 'contcted' }, 'stage', /"Contacted"\? See GET \/pipeline/],
  ['an unknown owner', { owner: 'nobody@example.com' }, 'owner', /No teammate/],
  ['a lost reason without a lost stage', { lostReason: 'Price' }, 'lostReason', /Must be left out/],
  [
    'a lost reason with another stage',
    { stage: 'Won', lostReason: 'Price' },
    'lostReason',
    /Must be left out/,
  ],
  ['an unknown lost reason', { stage: 'Lost', lostReason: 'x' }, 'lostReason', /No lost reason/],
  ['a lost stage without a reason', { stage: 'Lost' }, 'lostReason', /one of "Price", "Other"/],
])('the error for %s names the field', (_title, body, path, message) => {
  expect(judge(body)).toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(message),
    details: { issues: [{ path }] },
  })
})

test.each([
  ['nobody', /phone/],
  ['chan:IN.1', /This customer has none/],
])('the error for a number that is none: %s', (phone, message) => {
  expect(judgeNewLead({ phone }, LEAD_WORDS, undefined)).toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(message),
  })
})
