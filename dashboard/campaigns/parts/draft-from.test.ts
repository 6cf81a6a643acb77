import { expect, test } from 'vitest'
import type { Broadcast, Segment, Template } from '../../../sdk/api.ts'
import { contentFrom, draftFrom } from './draft-from.ts'
import { componentsOf, planOf } from './plan.ts'

const offer = {
  id: 'template-1',
  parameterFormat: 'POSITIONAL',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Hello {{2}}, all of it is {{1}} off.' },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Shop', url: 'https://shop.example/{{1}}' }, { type: 'COPY_CODE' }],
    },
  ],
} as unknown as Template
const values = { media: 'https://shop.example/a.png', 'body-1': '20 percent', 'url-0': 'new', coupon: 'LAMP' }
const sources = { 'body-2': { field: 'contact.name', fallback: 'there' } }
const variables = { components: componentsOf(offer, values, sources) }
const campaign = {
  id: 'campaign-1',
  name: 'Diwali',
  templateId: 'template-1',
  phoneNumberId: 'number-1',
  variables,
  segment: { tags: ['vip'] },
  knownOnly: true,
  followUpOf: null,
  test: null,
} as unknown as Broadcast
const known = { templates: [offer], segments: [] }

test('the values of a campaign fill the fields of its template again', () => {
  expect(contentFrom(offer, variables)).toEqual({ template: offer, values, sources })
  const named = {
    ...offer,
    parameterFormat: 'NAMED',
    components: [{ type: 'BODY', text: 'Hello {{name}} in {{city}}.' }],
  } as unknown as Template
  const parameters = [
    { type: 'text', parameter_name: 'city', text: 'Pune' },
    { type: 'text', parameter_name: 'name', text: 'Asha' },
  ]
  expect(contentFrom(named, { components: [{ type: 'body', parameters }] }).values).toEqual({
    'body-name': 'Asha',
    'body-city': 'Pune',
  })
  expect(contentFrom(named, null).values).toEqual({})
  const uploaded = { ...values, media: '1402930214' }
  expect(contentFrom(offer, { components: componentsOf(offer, uploaded, sources) }).values).toEqual(uploaded)
})

test('a copy plans the same campaign; a follow-up has its audience and no template yet', () => {
  const copy = draftFrom({ campaign, kind: 'copy' }, known)
  expect(copy.name).toBe('Diwali (copy)')
  expect(planOf(copy)).toEqual({
    templateId: 'template-1',
    phoneNumberId: 'number-1',
    variables,
    segment: { tags: ['vip'] },
    knownOnly: true,
  })
  const followUp = draftFrom({ campaign, kind: 'followUp' }, known)
  expect(followUp).toMatchObject({ followUpOf: 'campaign-1', tags: ['vip'], template: undefined })
})

test('a copy keeps a list of contacts, and finds the saved segment with the same conditions', () => {
  const list = { ...campaign, segment: { contactIds: ['contact-1'] } }
  expect(planOf(draftFrom({ campaign: list, kind: 'copy' }, known))).toMatchObject({
    segment: { contactIds: ['contact-1'] },
  })
  const segments = [{ id: 'segment-1', segment: { tags: ['vip'] } }] as unknown as Segment[]
  expect(draftFrom({ campaign, kind: 'copy' }, { ...known, segments })).toMatchObject({
    audience: 'segment',
    segmentId: 'segment-1',
  })
})
