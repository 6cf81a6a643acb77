import { expect, test } from 'vitest'
import {
  countryRank,
  isOtherNumber,
  isOurs,
  isSecond,
  isSecret,
  isTechnical,
  isThing,
  meaningAmong,
  meaningOf,
  mentionsMobile,
  mentionsPhone,
  plainName,
  words,
} from './capture-names.ts'

test.each([
  ['Número de Teléfono', 'numerodetelefono'],
  ['senderMobile-2', 'sendermobile2'],
  ['फ़ोन', 'फोन'],
  ['Straße', 'strasse'],
  ['Soyadı', 'soyadi'],
])('the plain form of %s', (name, plain) => {
  expect(plainName(name)).toBe(plain)
})

test('the words of a name', () => {
  expect(words('your_fullName 2')).toEqual(['your', 'full', 'name', '2'])
})

test.each([
  ['phone_number', 'phone'],
  ['WhatsApp No.', 'phone'],
  ['q3_name', 'name'],
  ['field:phone_6a9f', 'phone'],
  ['name-1', 'name'],
  ['Vorname', 'firstName'],
  ['apellidos', 'lastName'],
  ['E-Mail', 'email'],
  ['Requirements', 'note'],
  ['lead source', 'source'],
  ['form_name', 'form'],
  ['nickname', undefined],
  ['', undefined],
] as const)('the meaning of %s is %s', (name, meaning) => {
  expect(meaningOf(name)).toBe(meaning)
})

test.each([
  ['What is your name?', 'name'],
  ['Please enter your full name', 'name'],
  ['Any additional comments', 'note'],
  ['What is the name of the school', undefined],
  ['What form do you want', undefined],
  ['one two three four five six seven eight nine ten name', undefined],
] as const)('the meaning of the question %s is %s', (name, meaning) => {
  expect(meaningAmong(name)).toBe(meaning)
})

type Check = (name: string) => boolean
test.each<[string, Check, string[], string[]]>([
  [
    'mentions a phone',
    mentionsPhone,
    ['tel-629', 'Your phone, please', '手机号'],
    ['telling', 'hotel name', 'cellar'],
  ],
  ['mentions a mobile', mentionsMobile, ['mobile no', 'WhatsApp', 'कॉल मोबाइल'], ['phone', 'landline']],
  ['is a second number', isSecond, ['Alternate number', 'office_phone', 'phone2'], ['phone', 'phone1']],
  ['is ours', isOurs, ['RECEIVER_MOBILE', 'agent phone', 'fax'], ['sender_mobile', 'candidate']],
  ['is a thing', isThing, ['company', 'ad_set campaign', 'metaData meta'], ['customer', 'contact']],
  [
    'is technical',
    isTechnical,
    ['_wpnonce', 'gclid', 'form_id', 'page_url', 'utm ip address'],
    ['budget', 'pin'],
  ],
  [
    'is a secret',
    isSecret,
    ['password', 'user_passwd', 'cvv', 'access_token', 'apiKey', 'g-recaptcha-response'],
    ['token_amount', 'pin', 'order number', 'what is the name of your token'],
  ],
  [
    'is another number',
    isOtherNumber,
    ['order_id', 'PIN code', 'GST no', 'budget'],
    ['number', 'call me on'],
  ],
])('whether a name %s', (_title, check, matching, others) => {
  expect(matching.filter((name) => !check(name))).toEqual([])
  expect(others.filter((name) => check(name))).toEqual([])
})

test.each([
  ['country_code', 0],
  ['SENDER_COUNTRY_ISO', 0],
  ['your dial code', 0],
  ['country', 1],
  ['customer country', 1],
  ['देश', 1],
  ['county', undefined],
])('the rank of %s as a country is %s', (name, rank) => {
  expect(countryRank(name)).toBe(rank)
})
