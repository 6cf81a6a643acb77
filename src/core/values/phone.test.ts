import fc from 'fast-check'
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js'
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { digitsOf, isCertain, maskPhone, parsePhone, readNumber, userIdIn } from './phone.ts'
import { otherSpellings, personKey } from './phone-spellings.ts'

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
    // In the notation of spreadsheets that treat a number as a quantity.
    ['919876543210.0', '1', '+919876543210'],
    ['9876543210.00', '91', '+919876543210'],
    ['919876543210,0', '91', '+919876543210'],
    ['9.19876543210E+11', '1', '+919876543210'],
    ["'9876543210", '91', '+919876543210'],
    ['="919876543210"', '1', '+919876543210'],
    // As forms, ad networks, and people write them.
    ['tel:+919876543210', '1', '+919876543210'],
    ['p:+919876543210', '1', '+919876543210'],
    ['whatsapp:+919876543210', '1', '+919876543210'],
    ['Mob. No: 98765 43210', '91', '+919876543210'],
    ['98765 43210 (WhatsApp)', '91', '+919876543210'],
    ['WhatsApp 98765 43210', '91', '+919876543210'],
    ['+91 98765 43210 WhatsApp', '1', '+919876543210'],
    ['9876543210, 9876543211', '91', '+919876543210'],
    ['NA, 9876543211', '91', '+919876543211'],
    ['12, 9876543211', '91', '+919876543211'],
    ['98765 43210 / 98765 43211', '91', '+919876543210'],
    ['+1 555 123 4567 ::: +44 20 7946 0958', '91', '+15551234567'],
    ['030/12345678', '49', '+493012345678'],
    ['\uff0b91 98765 43210', '1', '+919876543210'],
    // Digits of other scripts.
    ['٩٨٧٦٥٤٣٢١٠', '91', '+919876543210'],
    ['+९१ ९८७६५ ४३२१०', '1', '+919876543210'],
    ['۰۹۱۲۳۴۵۶۷۸۹', '98', '+989123456789'],
    ['９８７６５４３２１０', '91', '+919876543210'],
    // Numbers of abolished plans, as the chat network still writes them.
    ['+5215512345678', '91', '+5215512345678'],
    ['5215512345678', '91', '+5215512345678'],
    ['5215512345678', '52', '+5215512345678'],
    ['551187654321', '91', '+551187654321'],
    ['22997123456', '91', '+22997123456'],
    ['+22507123456', '91', '+22507123456'],
    // Long strings of digits that are numbers only in the workspace's own country.
    ['11987654321', '55', '+5511987654321'],
    ['13125550142', '55', '+13125550142'],
    ['13812345678', '86', '+8613812345678'],
    ['4512345678', '45', '+4512345678'],
    ['6591234567', '65', '+6591234567'],
  ])('%j with the default code +%s is %s', (input, code, e164) => {
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
    '+9876',
    '9'.repeat(50),
    'chan:IN.1',
    'sx:1',
    '+91\u00009876543210',
    '+0919876543210',
    '--------------------------',
  ])('%j is not a phone number', (input) => {
    expect(parsePhone(input, '91')).toBeUndefined()
  })

  test('a read number is read as itself again, with any default country', () => {
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
      fc.property(
        digits,
        fc.nat(10),
        fc.constantFrom(' ', '-', '.', '(', ')'),
        (national, position, mark) => {
          const written = national.slice(0, position) + mark + national.slice(position)
          // Zeros after a point are the decimals of a spreadsheet, not digits.
          fc.pre(!/\.0+$/.test(written))
          expect(parsePhone(written, '91')).toBe(`+91${national}`)
        },
      ),
    )
  })

  test('no text makes the reader throw', () => {
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
        fc.pre(/^\+\d{7,15}$/.test(e164) && otherSpellings(e164).length === 0)
        const parse = (text: string) => {
          const phone = parsePhoneNumberFromString(text, { extract: false })
          return phone?.isPossible() && phone.number.length >= 8 ? phone.number : undefined
        }
        const parsed = parse(e164)
        expect(parsePhone(e164, '91')).toBe(
          parsed !== undefined && parse(parsed) === parsed ? parsed : undefined,
        )
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

test.each([
  ['3125550142', 'US', '+13125550142'],
  ['3125550142', 'USA', '+13125550142'],
  ['3125550142', 'United States', '+13125550142'],
  ['3125550142', '+1', '+13125550142'],
  ['3125550142', '1', '+13125550142'],
  ['13125550142', 'US', '+13125550142'],
  ['(312) 555-0142', 'us', '+13125550142'],
  ['9876543210', 'IN', '+919876543210'],
  ['919876543210', 'IN', '+919876543210'],
  ['9876543210', 'India (+91)', '+919876543210'],
  ['9876543210', 'भारत', '+919876543210'],
  ['07911 123456', 'UK', '+447911123456'],
  ['11987654321', 'Brasil', '+5511987654321'],
  ['5512345678', 'MX', '+525512345678'],
  ['0501234567', 'United Arab Emirates', '+971501234567'],
  ['+919876543210', 'US', '+919876543210'],
  ['9876543210', 'nowhere', '+919876543210'],
  // A Brazilian landline, in digits, while the order's country is another.
  ['553132340001', 'IN', '+553132340001'],
  ['1 212 555 0100', 'IN', '+12125550100'],
  // The same for numbers in the chat network's old spelling.
  ['5215512340001', 'IN', '+5215512340001'],
  ['553187650001', 'IN', '+553187650001'],
  ['541112340001', 'IN', '+541112340001'],
  ['22997120001', 'IN', '+22997120001'],
  ['22507120001', 'IN', '+22507120001'],
  ['841201230001', 'IN', '+841201230001'],
  // A full number of a country other than the given one.
  ['13125550142', 'IN', '+13125550142'],
  ['15123456789', 'DE', '+4915123456789'],
  ['9876543210', '', '+919876543210'],
])('%j with the country %j is %s', (input, country, e164) => {
  expect(parsePhone(input, '91', country)).toBe(e164)
})

describe('numbers to look up among stored contacts', () => {
  const read = (text: string, hints = {}) => readNumber(text, { countryCode: '91', ...hints })

  test('a full number is looked up as itself', () => {
    expect(read('+919876543210')).toEqual({
      stored: ['+919876543210'],
      fresh: '+919876543210',
      several: false,
    })
    expect(isCertain(read('+919876543210'))).toBe(true)
    expect(isCertain(read('919876543210'))).toBe(true)
  })

  test("ten digits are looked up under the workspace's code before the sending number's", () => {
    expect(read('9811100001', { sendingCode: '1' })).toEqual({
      stored: ['+919811100001', '+19811100001', '+9811100001'],
      fresh: '+19811100001',
      several: false,
    })
  })

  test('with a given country, digits are looked up in that country only', () => {
    expect(read('9811100001', { country: 'US', ownCodes: ['91'] }).stored).toEqual([
      '+19811100001',
      '+9811100001',
    ])
    expect(read('9811100001', { country: 'nowhere' }).stored).toContain('+919811100001')
  })

  test('a number outside all plans may still be stored', () => {
    expect(read('+99912345678901').stored).toEqual(['+99912345678901'])
    expect(read('99912345678901').stored).toContain('+99912345678901')
    expect(read('99912345678901').fresh).toBeUndefined()
  })

  test('several numbers are noticed, but a number written twice counts once', () => {
    expect(read('9876543210, 9876543211').several).toBe(true)
    expect(read('9876543210 / +91 98765 43210').several).toBe(false)
  })
})

describe('spellings of one number', () => {
  test.each([
    ['+5511987654321', '+551187654321'],
    ['+525512345678', '+5215512345678'],
    ['+5491112345678', '+541112345678'],
    ['+2290197123456', '+22997123456'],
    ['+2250707123456', '+22507123456'],
    ['+84701234567', '+841201234567'],
    ['+24174123456', '+24104123456'],
  ])('%s and its former spelling %s', (now, before) => {
    expect(otherSpellings(now)).toEqual([before])
    expect(otherSpellings(before)).toEqual([now])
    expect(personKey(now)).toBe(personKey(before))
  })

  test.each(['+919876543210', '+12125550126', '+551132345678', '+447911123456', '+22520123456'])(
    '%s has no other spelling',
    (phone) => {
      expect(otherSpellings(phone)).toEqual([])
    },
  )
})

describe('customers', () => {
  test.each([
    ['chan:IN.13491208655302741918', 'IN.13491208655302741918'],
    ['chan:a-b_c.D', 'a-b_c.D'],
    ['9876543210', undefined],
    ['chan:', undefined],
    ['chan:a b', undefined],
    [`chan:${'x'.repeat(151)}`, undefined],
    ['CHAN:IN.1', undefined],
    ['sx:123', undefined],
  ])('the user id in %j', (input, expected) => {
    expect(userIdIn(input)).toBe(expected)
  })

  test('digits and masks', () => {
    expect(digitsOf('+919876543210')).toBe('919876543210')
    expect(maskPhone('+919876543210')).toBe('+91********10')
    expect(maskPhone('+12')).toBe('***')
  })
})
