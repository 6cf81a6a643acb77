import { expect, test } from 'vitest'
import { type Fields, opened } from './capture-answers.ts'
import { enquiryAnswers, readFields } from './capture-fields.ts'
import { isInside, secretPlaces } from './capture-secrets.ts'

const SECRET = 'hunter2-zebra'
const CARD = '4111 1111 1111 1111'

test.each<[string, Fields]>([
  ['at the top', { color: 'amber', password: SECRET }],
  ['in an object', { account: { color: 'amber', user_password: SECRET } }],
  ['six levels deep', { a: { b: [{ c: { d: { e: { color: 'amber', apiKey: SECRET } } } }] } }],
  ['repeated under one name', { signup: { color: 'amber', password: { first: SECRET, second: SECRET } } }],
  ['in a list', { color: 'amber', logins: [{ site: 'x', passwd: SECRET }] }],
  [
    'a name with its value',
    {
      data: [
        { name: 'color', values: ['amber'] },
        { name: 'password', values: [SECRET] },
      ],
    },
  ],
  [
    'a question known by its id',
    {
      definition: {
        fields: [
          { id: 'q1', title: 'Choose a password' },
          { id: 'q2', title: 'color' },
        ],
      },
      answers: [
        { type: 'text', text: SECRET, field: { id: 'q1' } },
        { type: 'text', text: 'amber', field: { id: 'q2' } },
      ],
    },
  ],
  ['JSON inside a field', { raw: JSON.stringify({ color: 'amber', login: { secret: SECRET } }) }],
  ['lines inside a field', { raw: `color = amber\npassword = ${SECRET}` }],
  [
    'names with brackets',
    { 'f[color]': 'amber', 'f[login][password]': SECRET, 'g[0][name]': 'password', 'g[0][value]': SECRET },
  ],
  ['an access token', { color: 'amber', auth: { access_token: SECRET } }],
  ['a card', { color: 'amber', payment: { card_number: CARD, cvv: SECRET, 'Credit card': CARD } }],
])('a secret is removed: %s', (_title, values) => {
  const text = JSON.stringify(readFields({ phone: '9812345678', ...values }, '91', { guess: true }))
  for (const secret of [SECRET, CARD]) expect(text).not.toContain(secret)
  expect(text).toContain('amber')
})

test('fields that only look like a secret are kept', () => {
  const order = {
    token_amount: '50000',
    pin: '411001',
    order: { number: '4111111111111111' },
    card: '1234 5678',
  }
  expect(readFields({ phone: '9812345678', ...order }, '91').extra).toEqual(order)
})

test('the places of secrets, and of what is inside them', () => {
  const values = { a: { password: { first: 'x' } }, b: 'y' }
  const places = secretPlaces(opened(values), enquiryAnswers(values))
  expect([...places]).toContain('a\u001fpassword')
  expect(isInside('a\u001fpassword\u001ffirst', places)).toBe(true)
  expect(isInside('a', places)).toBe(false)
  expect(isInside('b', places)).toBe(false)
})
