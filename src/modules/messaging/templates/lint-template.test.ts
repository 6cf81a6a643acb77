import { describe, expect, test } from 'vitest'
import { lintTemplate } from './lint-template.ts'
import { NewTemplate } from './schema.ts'

const body = (text: string) => ({
  type: 'BODY',
  text,
  example: { body_text: [(text.match(/\{\{\d+\}\}/g) ?? []).map(() => 'x')] },
})
const footer = { type: 'FOOTER', text: 'Reply STOP to opt out' }

const warningsOf = (components: unknown[], category = 'MARKETING') =>
  lintTemplate(NewTemplate.parse({ name: 'a', language: 'en', category, components })).map(
    ({ code, path }) => `${code} ${path}`,
  )

describe('marketing rules (spec 4.2)', () => {
  test('marketing templates need opt-out text, others do not', () => {
    expect(warningsOf([body('Come and see us today')])).toEqual(['missing_opt_out components'])
    expect(warningsOf([body('Come and see us today'), footer])).toEqual([])
    expect(warningsOf([body('Come and see us today')], 'UTILITY')).toEqual([])
  })

  test('spammy language, excessive capitals, URLs in the body', () => {
    expect(warningsOf([body('Act now, dear customer, the shop is open'), footer])).toEqual([
      'spam_words components[0]',
    ])
    expect(warningsOf([body('THE SHOP IS OPEN AGAIN TODAY'), footer])).toEqual([
      'excessive_capitals components[0]',
    ])
    expect(warningsOf([body('See www.shop.example for all of it'), footer])).toEqual([
      'url_in_body components[0].text',
    ])
    expect(warningsOf([body('See shop.in/today for all of it'), footer])).toEqual([
      'url_in_body components[0].text',
    ])
  })

  test('few words for many variables', () => {
    expect(warningsOf([body('Hi {{1}}, total {{2}}.')], 'UTILITY')).toEqual([
      'too_few_words components[0].text',
    ])
    expect(warningsOf([body('Hi {{1}}, your total today is {{2}}.')], 'UTILITY')).toEqual([])
  })

  test('the text that the operator itself writes in a verification template', () => {
    const otp = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }
    expect(warningsOf([{ type: 'BODY', add_security_recommendation: true }, otp], 'AUTHENTICATION')).toEqual(
      [],
    )
    expect(warningsOf([body('{{1}} is your code today.')], 'AUTHENTICATION')).toEqual([
      'text_of_verification components[0].text',
      'missing_code_button components',
    ])
  })

  test.each([
    'The ACME shop is open',
    'Order ABC123 is ready',
    'यह दुकान आज खुली है',
    'Is it e.g. done? It is.',
  ])('no issues for: %s', (text) => {
    expect(warningsOf([body(text)], 'UTILITY')).toEqual([])
  })
})
