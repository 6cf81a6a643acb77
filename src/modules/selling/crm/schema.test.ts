import { expect, test } from 'vitest'
import { Email, Money } from './schema.ts'

test.each([
  "o'brien+shop@example.co.uk",
  'sales&service@example.com',
  'user%dept=x!#$*/?^`{|}~@example.com',
  'asha@xn--e1afmkfd.xn--p1ai',
  'jörg@müller.example',
  'आशा@उदाहरण.भारत',
])('every email address that mail can be sent to is accepted: %s', (email) => {
  expect(Email.parse(email)).toBe(email)
})

test.each([
  'asha@',
  '@example.com',
  'asha@example',
  'a..b@example.com',
  '.a@example.com',
  'a.@example.com',
  'a@example..com',
  'a@example.com.',
  'a@127.0.0.1',
  'a b@example.com',
  'a@example.com, b@example.com',
  'a,b@example.com',
  'Asha <a@example.com>',
  'a@b@example.com',
  'a@example.com\nBcc: b@example.com',
  ' a@example.com',
])('an invalid email address is rejected: %j', (email) => {
  expect(Email.safeParse(email).success).toBe(false)
})

test.each([0, 0.01, 1250.5, 999.99])('an amount is valid: %d', (amount) => {
  expect(Money.parse(amount)).toBe(amount)
})

test.each([1.005, 1e-7, -1, Number.NaN])('an amount is invalid: %d', (amount) => {
  expect(Money.safeParse(amount).success).toBe(false)
})
