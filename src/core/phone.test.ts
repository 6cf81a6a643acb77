import fc from 'fast-check'
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js'
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { digitsOf, maskPhone, parseCustomerRef, parsePhone } from './phone.ts'

describe('phone numbers (spec 2.1)', () => {
  test.each([
    ['+919876543210', '91', '+919876543210'],
    ['919876543210', '91', '+919876543210'],
    ['919876543210', '1', '+919876543210'],
    ['9876543210', '91', '+919876543210'],
    ['98765 43210', '91', '+919876543210'],
    ['09876543210', '91', '+919876543210'],
    ['00919876543210', '1', '+919876543210'],
    ['+91 98765-43210', '1', '+919876543210'],
    ['(+91) 98765.43210', '1', '+919876543210'],
    ['[+91] 98765‑43210', '1', '+919876543210'],
    ['  9876543210 ', '91', '+919876543210'],
    ['\u202a+91 98765 43210\u202c', '1', '+919876543210'],
    ['\u2068+91\u00a098765\u200b43210\u2069\u200e', '1', '+919876543210'],
    ['9123456789', '91', '+919123456789'],
    ['(212) 555-0126', '1', '+12125550126'],
    ['2125550149', '1', '+12125550149'],
    ['12125550149', '91', '+12125550149'],
    ['+1 907 555 0126', '91', '+19075550126'],
    ['+12125550126', '91', '+12125550126'],
    ['91234567', '65', '+6591234567'],
    ['+65 9123 4567', '91', '+6591234567'],
    ['+390612345678', '91', '+390612345678'],
    ['+44 (0)20 7946 0958', '91', '+442079460958'],
    ['020 7946 0958', '44', '+442079460958'],
    ['+800 1234 5678', '91', '+80012345678'],
    // As spreadsheets write numbers that they take for quantities.
    ['919876543210.0', '1', '+919876543210'],
    ['9876543210.00', '91', '+919876543210'],
    ['919876543210,0', '91', '+919876543210'],
    ['9.19876543210E+11', '1', '+919876543210'],
  ])('%j under +%s is %s', (input, code, e164) => {
    expect(parsePhone(input, code)).toBe(e164)
  })

  test.each([
    '',
    ' ',
    '+',
    '0',
    '123',
    '+1',
    '+999123456789',
    'nine',
    '98765x43210',
    '+91987654321098765',
    '9876543210 ext 5',
    '9.19876E+11',
    '9E+11',
    '+91+9876543210',
    '98765+43210',
    'tel:+919876543210',
    '+9876',
    '٩٨٧٦٥٤٣٢١٠',
    '9'.repeat(50),
    'chan:IN.1',
    'sx:1',
    '+91\u00009876543210',
    '+0919876543210',
    '--------------------------',
  ])('%j is no number', (input) => {
    expect(parsePhone(input, '91')).toBeUndefined()
  })

  test('a number that was read is read again to itself, under any default', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\+?[0-9 ().-]{4,20}$/),
        fc.constantFrom('91', '1', '44', '971', '55'),
        (text, code) => {
          const e164 = parsePhone(text, code)
          if (e164 !== undefined) expect(parsePhone(e164, '1')).toBe(e164)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('separators change nothing', () => {
    const digits = fc.stringMatching(/^[6-9][0-9]{9}$/)
    fc.assert(
      fc.property(digits, fc.nat(10), fc.constantFrom(' ', '-', '.', '(', ')'), (national, at, mark) => {
        const written = national.slice(0, at) + mark + national.slice(at)
        expect(parsePhone(written, '91')).toBe(`+91${national}`)
      }),
    )
  })

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const e164 = parsePhone(text, '91')
        if (e164 !== undefined) expect(e164).toMatch(/^\+[1-9]\d{6,14}$/)
      }),
    )
  })

  test('the short way agrees with the library for every country', () => {
    const code = fc.constantFrom(
      ...new Set(getCountries().map((country) => getCountryCallingCode(country))),
      '800',
      '882',
      '979',
      '999',
    )
    fc.assert(
      fc.property(code, fc.stringMatching(/^[0-9]{4,14}$/), (callingCode, national) => {
        const e164 = `+${callingCode}${national}`
        fc.pre(/^\+\d{7,15}$/.test(e164))
        const read = (text: string) => {
          const phone = parsePhoneNumberFromString(text, { extract: false })
          return phone?.isPossible() && phone.number.length >= 8 ? phone.number : undefined
        }
        const once = read(e164)
        expect(parsePhone(e164, '91')).toBe(once !== undefined && read(once) === once ? once : undefined)
      }),
      { numRuns: 20_000 },
    )
  })

  test.each(getCountries())(
    '%s: its example number is read, internationally and under its own code',
    (country) => {
      const example = getExampleNumber(country, examples)!
      expect(parsePhone(example.number, '91')).toBe(example.number)
      expect(parsePhone(example.formatInternational(), '91')).toBe(example.number)
    },
  )
})

describe('customers', () => {
  test.each([
    ['chan:IN.13491208655302741918', { kind: 'userId', userId: 'IN.13491208655302741918' }],
    ['chan:a-b_c.D', { kind: 'userId', userId: 'a-b_c.D' }],
    ['9876543210', { kind: 'phone', e164: '+919876543210' }],
    ['chan:', undefined],
    ['chan:a b', undefined],
    [`chan:${'x'.repeat(151)}`, undefined],
    ['CHAN:IN.1', undefined],
    ['sx:123', undefined],
    ['5e0e6f0a-0000-7000-8000-000000000000', undefined],
  ])('%j', (input, expected) => {
    expect(parseCustomerRef(input, '91')).toEqual(expected)
  })

  test('digits and masks', () => {
    expect(digitsOf('+919876543210')).toBe('919876543210')
    expect(maskPhone('+919876543210')).toBe('+91********10')
    expect(maskPhone('+12')).toBe('***')
  })
})
