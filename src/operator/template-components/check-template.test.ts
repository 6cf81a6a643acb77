import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Category, checkTemplate } from './check-template.ts'
import { hasOptOutText } from './opt-out-text.ts'
import { variablesIn } from './variables.ts'

type Example = { category: Category; components: unknown[] }
const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/template-components')
const read = (path: string): unknown => JSON.parse(readFileSync(join(FIXTURES, path), 'utf8'))
const namesIn = (folder: string): string[] =>
  readdirSync(join(FIXTURES, folder)).filter((name) => name.endsWith('.json') && !name.includes('.answer.'))

const pathsOf = (components: unknown, category: Category = 'UTILITY'): string[] =>
  checkTemplate(category, components).issues.map((issue) => issue.path)
const body = (text: string, ...examples: string[]) => ({
  type: 'BODY',
  text,
  ...(examples.length > 0 ? { example: { body_text: [examples] } } : {}),
})
const hello = body('Hello there')
const buttons = (...items: unknown[]) => ({ type: 'BUTTONS', buttons: items })
const reply = (text = 'Ok') => ({ type: 'QUICK_REPLY', text })
const url = (more: object = {}) => ({ type: 'URL', text: 'Go', url: 'https://x.in', ...more })

describe("the operator's own examples are valid", () => {
  test.each(namesIn('operator'))('%s', (name) => {
    const { category, components } = read(`operator/${name}`) as Example
    // The published request repeats three handles in one text; it is still one sample.
    expect(checkTemplate(category ?? 'MARKETING', components).issues).toEqual([])
  })

  const examples = namesIn('pywa').flatMap((file) =>
    Object.entries(read(`pywa/${file}`) as Record<string, Example>),
  )
  test.each(examples)('%s', (_, { category, components }) => {
    expect(checkTemplate(category, components).issues).toEqual([])
  })
})

describe('placeholders', () => {
  test.each([
    ['a gap', 'See {{1}} and {{3}} now', ['a', 'b']],
    ['a start at two', 'See {{2}} now', ['a']],
    ['a zero', 'See {{0}} now', ['a']],
    ['the first word', '{{1}} is here', ['a']],
    ['the last word', 'Here is {{1}}', ['a']],
    ['two side by side', 'See {{1}} {{2}} now', ['a', 'b']],
    ['names and numbers', 'See {{1}} and {{name}} now', ['a']],
    ['capitals in a name', 'See {{Name}} now', ['a']],
    ['spaces in a name', 'See {{first name}} now', ['a']],
    ['an open brace', 'See {{1 now', ['a']],
    ['a lone close', 'See 1}} now', ['a']],
  ])('%s is rejected, and the text is named', (_, text, examples) => {
    expect(new Set(pathsOf([body(text, ...examples)]))).toEqual(new Set(['components[0].text']))
  })

  test('every variable needs an example', () => {
    const text = 'Hi {{1}}, your order {{2}} is ready.'
    expect(pathsOf([body(text)])).toEqual([
      'components[0].example.body_text[0][0]',
      'components[0].example.body_text[0][1]',
    ])
    expect(pathsOf([body(text, 'Asha', ' ')])).toEqual(['components[0].example.body_text[0][1]'])
    expect(pathsOf([body(text, 'Asha', '7', '8')])).toEqual(['components[0].example.body_text[0]'])
    expect(pathsOf([body(text, 'Asha', '7')])).toEqual([])
  })

  test('examples of a body may be a plain list', () => {
    const { issues, components } = checkTemplate('UTILITY', [
      { type: 'body', text: 'Hi {{1}}!', example: { body_text: ['Asha'] } },
    ])
    expect(issues).toEqual([])
    expect(components).toEqual([{ type: 'BODY', text: 'Hi {{1}}!', example: { body_text: [['Asha']] } }])
  })

  test('named placeholders take named examples', () => {
    const named = (...names: string[]) => ({
      type: 'BODY',
      text: 'Hi {{first_name}}, see {{order}} now',
      example: { body_text_named_params: names.map((name) => ({ param_name: name, example: 'x' })) },
    })
    expect(checkTemplate('UTILITY', [named('first_name', 'order')])).toMatchObject({
      parameterFormat: 'NAMED',
      issues: [],
    })
    expect(pathsOf([named('first_name')])).toEqual(['components[0].example.body_text_named_params'])
    expect(pathsOf([named('first_name', 'order', 'more')])).toHaveLength(1)
  })

  test('a valid body with any text has placeholders from {{1}} on, with words around each', () => {
    const part = fc.oneof(
      fc.constantFrom('{{1}}', '{{2}}', '{{3}}', '{{4}}', '{{', '}}', ' ', 'a b'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        const text = parts.join('')
        const names = variablesIn(text)
        const { issues } = checkTemplate('UTILITY', [body(text, ...names.map(() => 'x'))])
        if (issues.length > 0) return
        const numbers = names.map(Number).sort((a, b) => a - b)
        expect(numbers).toEqual(numbers.map((_, i) => i + 1))
        expect(text.trim()).not.toMatch(/^\{\{|\}\}$|\}\}\s*\{\{/)
        expect(text.trim().length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('headers', () => {
  const header = (more: object) => [{ type: 'HEADER', ...more }, hello]
  test.each([
    ['an unknown format', { format: 'GIF' }, 'components[0].format'],
    ['a text without words', { format: 'TEXT' }, 'components[0].text'],
    ['61 characters', { format: 'TEXT', text: 'a'.repeat(61) }, 'components[0].text'],
    ['two placeholders', { format: 'TEXT', text: 'A {{1}} b {{2}} c' }, 'components[0].text'],
    ['no example', { format: 'TEXT', text: 'A {{1}} b' }, 'components[0].example.header_text[0]'],
    ['no sample of its media', { format: 'IMAGE' }, 'components[0].example.header_handle'],
  ])('with %s is rejected', (_, more, path) => {
    expect(pathsOf(header(more))).toEqual([path])
  })

  test.each([
    { format: 'TEXT', text: '𐐀'.repeat(60) },
    { format: 'LOCATION' },
    { format: 'DOCUMENT', example: { header_handle: ['4:aW1h'] } },
    { format: 'VIDEO', example: { header_handle: ['https://x.in/a.mp4'] } },
  ])('%j is valid', (more) => {
    expect(pathsOf(header(more))).toEqual([])
  })
})

describe('bodies and footers', () => {
  test.each([
    ['a body of 1,025 characters', [body('a'.repeat(1025))], 'components[0].text'],
    ['a blank body', [body(' ')], 'components[0].text'],
    ['no body', [{ type: 'FOOTER', text: 'Bye' }], 'components'],
    ['two bodies', [hello, hello], 'components'],
    ['a footer of 61 characters', [hello, { type: 'FOOTER', text: 'a'.repeat(61) }], 'components[1].text'],
    ['a placeholder in the footer', [hello, { type: 'FOOTER', text: 'See {{1}} now' }], 'components[1].text'],
    ['an unknown component', [hello, { type: 'SIDEBAR' }], 'components[1].type'],
  ])('%s is rejected', (_, components, path) => {
    expect(pathsOf(components)).toEqual([path])
  })

  test('a body of 1,024 characters is valid', () => {
    expect(pathsOf([body('a'.repeat(1024))])).toEqual([])
  })

  test.each([undefined, null, 'x', {}, [], [null], [[]], [{ type: 7 }]])(
    '%j is rejected and causes no crash',
    (value) => {
      expect(pathsOf(value).every((path) => path.startsWith('components'))).toBe(true)
      expect(pathsOf(value)).not.toEqual([])
    },
  )
})

describe('texts that are shown literally', () => {
  const hello = { type: 'BODY', text: 'Hello there, all of you' }
  test.each([
    ['a header with an emoji', { type: 'HEADER', format: 'TEXT', text: 'Sale 🎉' }],
    ['a bold header', { type: 'HEADER', format: 'TEXT', text: '*Sale*' }],
    ['a header of two lines', { type: 'HEADER', format: 'TEXT', text: 'Sale\nnow' }],
    ['a footer with an emoji', { type: 'FOOTER', text: 'Bye 👋' }],
    ['a footer of two lines', { type: 'FOOTER', text: 'Bye\nnow' }],
  ])('%s is rejected', (_, component) => {
    const components = component.type === 'HEADER' ? [component, hello] : [hello, component]
    const { issues } = checkTemplate('MARKETING', components)
    expect(issues.map(({ path }) => path)).toEqual([`components[${components.indexOf(component)}].text`])
  })

  test.each(['Silk & Co™ ©2026', 'Order #12, 100%', 'size_chart', 'नमस्ते → खरीदें', 'Café ★ 4.5'])(
    'a label %s is accepted',
    (text) => {
      const components = [hello, { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text }] }]
      expect(checkTemplate('MARKETING', components).issues).toEqual([])
    },
  )

  test('a body keeps its emoji, line breaks and formatting, and a header its named placeholder', () => {
    const header = {
      type: 'HEADER',
      format: 'TEXT',
      text: 'Order {{order_id}}',
      example: { header_text_named_params: [{ param_name: 'order_id', example: '1' }] },
    }
    expect(
      checkTemplate('MARKETING', [header, { type: 'BODY', text: '*Hello* 🎉\nWelcome back' }]).issues,
    ).toEqual([])
  })
})

describe('buttons', () => {
  const eleven = Array.from({ length: 11 }, (_, i) => reply(`Ok ${i}`))
  test.each([
    ['eleven', eleven, 'components[1].buttons'],
    ['none', [], 'components[1].buttons'],
    ['three addresses', [url(), url(), url()], 'components[1].buttons'],
    [
      'two phone numbers',
      [
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+919812345678' },
        { type: 'PHONE_NUMBER', text: 'Ring', phone_number: '+919812345679' },
      ],
      'components[1].buttons',
    ],
    [
      'two copy codes',
      [
        { type: 'COPY_CODE', example: 'A' },
        { type: 'COPY_CODE', example: 'B' },
      ],
      'components[1].buttons',
    ],
    ['quick replies that are not together', [reply('a'), url(), reply('b')], 'components[1].buttons'],
    ['a label of 26 characters', [reply('a'.repeat(26))], 'components[1].buttons[0].text'],
    ['a label with an emoji', [reply('Buy 🛍')], 'components[1].buttons[0].text'],
    ['a label with a heart', [reply('Love ❤')], 'components[1].buttons[0].text'],
    ['a label with a flag', [reply('India 🇮🇳')], 'components[1].buttons[0].text'],
    ['a label with a keycap', [reply('Press 1️⃣')], 'components[1].buttons[0].text'],
    ['a bold label', [reply('*Buy*')], 'components[1].buttons[0].text'],
    ['an italic label', [url({ text: '_Buy_ now' })], 'components[1].buttons[0].text'],
    ['a label with strikethrough', [reply('~Buy~')], 'components[1].buttons[0].text'],
    ['a label in code', [reply('`Buy`')], 'components[1].buttons[0].text'],
    ['a label with a line break', [reply('Buy\nnow')], 'components[1].buttons[0].text'],
    ['a label with a placeholder', [reply('Buy {{1}}')], 'components[1].buttons[0].text'],
    ['no label', [{ type: 'QUICK_REPLY' }], 'components[1].buttons[0].text'],
    ['an invalid address', [url({ url: 'x.in' })], 'components[1].buttons[0].url'],
    [
      'a placeholder amid an address',
      [url({ url: 'https://x.in/{{1}}/a', example: ['b'] })],
      'components[1].buttons[0].url',
    ],
    [
      'an address without its example',
      [url({ url: 'https://x.in/{{1}}' })],
      'components[1].buttons[0].example',
    ],
    ['a copy code without its example', [{ type: 'COPY_CODE' }], 'components[1].buttons[0].example'],
    ['a form without its id', [{ type: 'FLOW', text: 'Open' }], 'components[1].buttons[0]'],
    ['an unknown kind', [{ type: 'SWIPE', text: 'Go' }], 'components[1].buttons[0].type'],
    ['a one-time password outside its category', [{ type: 'OTP', otp_type: 'COPY_CODE' }], 'components'],
  ])('%s: rejected', (_, list, path) => {
    expect(pathsOf([hello, buttons(...list)])).toEqual([path])
  })

  test('ten in a valid order are valid', () => {
    const list = [...eleven.slice(0, 7), url(), url({ url: 'https://x.in/{{1}}', example: 'https://x.in/1' })]
    expect(pathsOf([hello, buttons(...list, { type: 'COPY_CODE', example: 'SAVE10' })])).toEqual([])
  })
})

describe('offers and carousels', () => {
  const offer = {
    type: 'LIMITED_TIME_OFFER',
    limited_time_offer: { text: 'Ends soon', has_expiration: true },
  }
  const code = { type: 'COPY_CODE', example: 'SAVE10' }
  test.each([
    ['17 characters of offer', [hello, { ...offer, limited_time_offer: { text: 'a'.repeat(17) } }]],
    ['a footer', [hello, offer, { type: 'FOOTER', text: 'Bye' }]],
    ['a body of 601 characters', [body('a'.repeat(601)), offer]],
    ['the address before the code', [hello, offer, buttons(url(), code)]],
  ])('an offer with %s is rejected', (_, components) => {
    expect(pathsOf(components, 'MARKETING')).toHaveLength(1)
  })

  test('an offer requires category MARKETING', () => {
    expect(pathsOf([hello, offer], 'UTILITY')).toEqual(['components'])
    expect(pathsOf([hello, offer, buttons(code, url())], 'MARKETING')).toEqual([])
  })

  const card = (format = 'IMAGE', ...items: unknown[]) => ({
    components: [
      { type: 'HEADER', format, example: { header_handle: ['4:a'] } },
      buttons(...(items.length > 0 ? items : [reply()])),
    ],
  })
  const carousel = (...cards: unknown[]) => [hello, { type: 'CAROUSEL', cards }]
  test.each([
    ['one card', carousel(card())],
    ['eleven cards', carousel(...Array.from({ length: 11 }, () => card()))],
    ['cards of two kinds', carousel(card('IMAGE'), card('VIDEO'))],
    ['cards with other buttons', carousel(card('IMAGE', reply()), card('IMAGE', url()))],
    [
      'three buttons',
      carousel(
        card('IMAGE', reply('a'), reply('b'), reply('c')),
        card('IMAGE', reply('a'), reply('b'), reply('c')),
      ),
    ],
    ['a footer', [...carousel(card(), card()), { type: 'FOOTER', text: 'Bye' }]],
  ])('a carousel with %s is rejected', (_, components) => {
    expect(pathsOf(components, 'MARKETING').length).toBeGreaterThan(0)
  })

  test('two cards of the same structure are valid', () => {
    expect(pathsOf(carousel(card(), card()), 'MARKETING')).toEqual([])
  })
})

describe('opt-out text', () => {
  test.each(['Reply STOP to end', 'Tap to unsubscribe', 'To opt out, write back', 'Not interested? Tell us'])(
    '%s',
    (text) => {
      expect(hasOptOutText([hello, { type: 'FOOTER', text }])).toBe(true)
    },
  )
  test('counts on a button too, but not in an example', () => {
    expect(hasOptOutText([hello, buttons(reply('Stop promotions'))])).toBe(true)
    expect(hasOptOutText([{ ...hello, example: { text: 'STOP' } }])).toBe(false)
  })
  test.each(['Visit our shop today', 'Our non-stopping sale'])("doesn't count: %s", (text) => {
    expect(hasOptOutText([body(text)])).toBe(false)
  })
})
