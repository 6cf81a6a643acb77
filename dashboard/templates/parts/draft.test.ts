import { describe, expect, test } from 'vitest'
import type { Template } from '../../../sdk/api.ts'
import { componentsOf, type Draft, draftOf, EMPTY } from './draft.ts'

const offer: Draft = {
  ...EMPTY,
  name: 'offer',
  language: 'en',
  category: 'MARKETING',
  headerFormat: 'TEXT',
  headerText: 'For {{1}}',
  body: 'Hello {{2}}, all of it is {{1}} off.',
  footer: 'Reply STOP to opt out',
  buttons: [
    {
      key: 'given-0',
      type: 'URL',
      text: 'Shop',
      value: 'https://shop.example/{{1}}',
      example: 'https://shop.example/a',
    },
    { key: 'given-1', type: 'COPY_CODE', text: '', value: 'DIWALI', example: '' },
  ],
  examples: { 'header-1': 'Asha', 'body-1': '20 percent', 'body-2': 'Asha' },
}

describe('a template draft', () => {
  test("is submitted in the operator's format, with examples in the order of their numbers", () => {
    expect(componentsOf(offer)).toEqual([
      { type: 'HEADER', format: 'TEXT', text: 'For {{1}}', example: { header_text: ['Asha'] } },
      {
        type: 'BODY',
        text: 'Hello {{2}}, all of it is {{1}} off.',
        example: { body_text: [['20 percent', 'Asha']] },
      },
      { type: 'FOOTER', text: 'Reply STOP to opt out' },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'Shop',
            url: 'https://shop.example/{{1}}',
            example: 'https://shop.example/a',
          },
          { type: 'COPY_CODE', example: 'DIWALI' },
        ],
      },
    ])
  })

  test('has named examples if the placeholders have names', () => {
    const named = { ...EMPTY, body: 'Hello {{name}}, welcome.', examples: { 'body-name': 'Asha' } }
    expect(componentsOf(named)[0]).toMatchObject({
      example: { body_text_named_params: [{ param_name: 'name', example: 'Asha' }] },
    })
  })

  test('leaves the text of a verification code to the operator', () => {
    const code: Draft = { ...EMPTY, category: 'AUTHENTICATION', body: 'Ours', codeMinutes: '5' }
    expect(componentsOf(code)).toEqual([
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 5 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ])
  })

  test('a new language starts with all content of the first language', () => {
    const components = componentsOf(offer)
    const template = { name: 'offer', language: 'en', category: 'MARKETING', components } as Template
    expect(draftOf(template)).toEqual({ ...offer, language: '' })
  })
})
