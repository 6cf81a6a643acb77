import { expect, test } from 'vitest'
import type { Template } from '../../../sdk/api.ts'
import { componentsOf, emptyDraft, exampleValues, isFilled, planOf } from './plan.ts'

const template = (components: object[], parameterFormat = 'POSITIONAL') =>
  ({ id: 'template-1', components, parameterFormat }) as unknown as Template

test('every part of a template is filled in the format of a template send', () => {
  const offer = template([
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Hello {{2}}, all of it is {{1}} off.' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Later' },
        { type: 'URL', text: 'Shop', url: 'https://shop.example/{{1}}' },
        { type: 'COPY_CODE' },
      ],
    },
  ])
  const values = {
    media: 'https://shop.example/a.png',
    'body-1': '20 percent',
    'body-2': 'friend',
    'url-1': 'new',
    coupon: 'DIWALI',
  }
  expect(componentsOf(offer, values)).toEqual([
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://shop.example/a.png' } }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: '20 percent' },
        { type: 'text', text: 'friend' },
      ],
    },
    { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'new' }] },
    {
      type: 'button',
      sub_type: 'copy_code',
      index: '2',
      parameters: [{ type: 'coupon_code', coupon_code: 'DIWALI' }],
    },
  ])
})

test('the file of a header is a link, or the id of an uploaded file', () => {
  const photo = template([{ type: 'HEADER', format: 'IMAGE' }])
  expect(componentsOf(photo, { media: '1402930214' })).toEqual([
    { type: 'header', parameters: [{ type: 'image', image: { id: '1402930214' } }] },
  ])
})

test('named placeholders are filled by name', () => {
  const named = template([{ type: 'BODY', text: 'Hello {{name}}, welcome.' }], 'NAMED')
  expect(componentsOf(named, { 'body-name': 'Asha' })).toEqual([
    { type: 'body', parameters: [{ type: 'text', text: 'Asha', parameter_name: 'name' }] },
  ])
})

test('only chosen filters limit the audience; nothing is requested before a template is chosen', () => {
  const draft = { ...emptyDraft(), phoneNumberId: 'number-1' }
  expect(planOf(draft)).toBeUndefined()
  const chosen = { ...draft, template: template([{ type: 'BODY', text: 'Welcome.' }]) }
  expect(planOf(chosen)).toEqual({ templateId: 'template-1', phoneNumberId: 'number-1', segment: {} })
  expect(
    planOf({ ...chosen, tags: ['vip'], optIn: 'opted_in', seenDays: '30', isKnownOnly: true }),
  ).toMatchObject({
    segment: { tags: ['vip'], optInStatus: 'opted_in', lastSeenWithinDays: 30 },
    knownOnly: true,
  })
  expect(planOf({ ...chosen, tags: ['vip'], audience: 'segment', segmentId: 'segment-1' })).toMatchObject({
    segment: { segmentId: 'segment-1' },
  })
})

test('a value from a field has its fallback, and examples fill the same values', () => {
  const personal = template([
    { type: 'HEADER', format: 'TEXT', text: 'For {{1}}' },
    { type: 'BODY', text: '{{2}} opens in {{1}}.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Shop', url: 'https://shop.example/{{1}}' }] },
  ])
  const city = 'contact.attributes.city'
  const sources = {
    'header-1': { field: 'contact.name', fallback: ' you ' },
    'body-1': { field: city, fallback: '' },
    'url-0': { field: city, fallback: '' },
  }
  const values = { 'body-2': 'Our shop' }
  expect(isFilled(personal, { values: {}, sources })).toBe(false)
  expect(isFilled(personal, { values, sources })).toBe(true)
  expect(componentsOf(personal, values, sources)).toEqual([
    { type: 'header', parameters: [{ type: 'text', field: 'contact.name', fallback: 'you' }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', field: city },
        { type: 'text', text: 'Our shop' },
      ],
    },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', field: city }] },
  ])
  const byPath = {
    'components[0].parameters[0]': 'Asha',
    'components[1].parameters[0]': 'Goa & more',
    'components[2].parameters[0]': 'Goa%20%26%20more',
  }
  expect(exampleValues(personal, values, { values: byPath })).toEqual({
    'header-1': 'Asha',
    'body-1': 'Goa & more',
    'body-2': 'Our shop',
    'url-0': 'Goa & more',
  })
})
