/** How hidden phone numbers and email addresses look (modules/platform/access/DECISIONS.md). */
import { expect, test } from 'vitest'
import { hideEmail, hideInside, hidePhone, hideWhole } from './hidden-texts.ts'

test.each([
  ['+919812345642', '+91••••••••42'],
  ['919812345642', '91••••••••42'],
  ['+14155550123', '+1••••••••23'],
  ['+6591234567', '+65••••••67'],
  ['098123 45642', '•••••••••42'],
  ['9812345642', '••••••••42'],
  ['chan:IN.123456789', 'chan:IN.123456789'],
  ['sx:17841400000000000', 'sx:17841400000000000'],
  ['12', '12'],
])('the number %s becomes %s', (phone, shown) => {
  expect(hidePhone(phone)).toBe(shown)
})

test.each([
  ['asha.rao@example.com', 'a•••@example.com'],
  ['🙂x@example.com', '🙂•••@example.com'],
  ['not an address', 'not an address'],
])('the address %s becomes %s', (email, shown) => {
  expect(hideEmail(email)).toBe(shown)
})

test.each([
  ['+91 98123 45642', '+91••••••••42'],
  ['asha@example.com', 'a•••@example.com'],
  ['Asha Rao', 'Asha Rao'],
  ['2026-06-01', '2026-06-01'],
  ['2026-06-01T10:00:00.000Z', '2026-06-01T10:00:00.000Z'],
  ['Call +919812345642', 'Call +919812345642'],
  ['41', '41'],
])('a whole text %s becomes %s', (text, shown) => {
  expect(hideWhole(text)).toBe(shown)
})

test.each([
  ['Phone: +91 98123-45642, Asha', 'Phone: +91••••••••42, Asha'],
  ['{"phone":"919812345642"}', '{"phone":"91••••••••42"}'],
  ['mail=asha@example.com&x=1', 'mail=a•••@example.com&x=1'],
  ['0197a1b2-0000-7000-8000-000000000001', '0197a1b2-0000-7000-8000-000000000001'],
  ['01928374-1234-7000-8000-000000000001', '01928374-1234-7000-8000-000000000001'],
  ['on 2026-06-01 10:00', 'on 2026-06-01 10:00'],
])('inside %s, numbers and addresses are masked: %s', (text, shown) => {
  expect(hideInside(text)).toBe(shown)
})
