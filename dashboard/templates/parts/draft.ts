/** Handles the draft of a template, and the request body built from it. */
import type { Template } from '../../../sdk/api.ts'
import type { TemplateBody } from '../queries.ts'

export type Category = TemplateBody['category']
export const CATEGORIES: readonly Category[] = ['UTILITY', 'MARKETING', 'AUTHENTICATION']
export const HEADER_FORMATS = ['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] as const
export type HeaderFormat = (typeof HEADER_FORMATS)[number]
export const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'] as const
export type ButtonType = (typeof BUTTON_TYPES)[number]

/**
 * `value`: the address, the number, or the code; `example`: an example for the variable ending of an address.
 */
export type DraftButton = { key: string; type: ButtonType; text: string; value: string; example: string }
export type Draft = {
  name: string
  language: string
  category: Category
  account: string | undefined
  headerFormat: HeaderFormat
  headerText: string
  /** The id of an uploaded sample file, or its address. */
  sample: string
  body: string
  footer: string
  buttons: DraftButton[]
  /** Example values of the placeholders, by `header-NAME` and `body-NAME`. */
  examples: Record<string, string>
  /** For a verification template. */
  codeLabel: string
  codeMinutes: string
  hasAdvice: boolean
}

export const EMPTY: Draft = {
  name: '',
  language: 'en',
  category: 'UTILITY',
  account: undefined,
  headerFormat: 'NONE',
  headerText: '',
  sample: '',
  body: '',
  footer: '',
  buttons: [],
  examples: {},
  codeLabel: '',
  codeMinutes: '10',
  hasAdvice: true,
}

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g
export const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1]!)),
]
const isNamed = (names: readonly string[]): boolean => names.some((name) => !/^\d+$/.test(name))

/** Returns the examples of a text in the operator's format; nothing if it has no placeholders. */
function examplesOf(part: 'header' | 'body', text: string, examples: Draft['examples']): object {
  const names = placeholdersIn(text)
  if (names.length === 0) return {}
  const exampleOf = (name: string) => examples[`${part}-${name}`] ?? ''
  if (isNamed(names)) {
    const named = names.map((name) => ({ param_name: name, example: exampleOf(name) }))
    return { example: { [`${part}_text_named_params`]: named } }
  }
  const values = names.toSorted((a, b) => Number(a) - Number(b)).map(exampleOf)
  return { example: part === 'body' ? { body_text: [values] } : { header_text: values } }
}

const BUTTONS: Record<ButtonType, (button: DraftButton) => Record<string, unknown>> = {
  QUICK_REPLY: ({ text }) => ({ text }),
  URL: ({ text, value, example }) => ({ text, url: value, ...(example ? { example } : {}) }),
  PHONE_NUMBER: ({ text, value }) => ({ text, phone_number: value }),
  COPY_CODE: ({ value }) => ({ example: value }),
}

function headerOf({ headerFormat, headerText, sample, examples }: Draft): Record<string, unknown>[] {
  if (headerFormat === 'NONE') return []
  const own =
    headerFormat === 'TEXT'
      ? { text: headerText, ...examplesOf('header', headerText, examples) }
      : { example: { header_handle: sample ? [sample] : [] } }
  return [{ type: 'HEADER', format: headerFormat, ...own }]
}

/** Returns a verification template, whose text comes from the operator. */
const verification = ({ hasAdvice, codeMinutes, codeLabel }: Draft): Record<string, unknown>[] => [
  { type: 'BODY', add_security_recommendation: hasAdvice },
  ...(codeMinutes ? [{ type: 'FOOTER', code_expiration_minutes: Number(codeMinutes) }] : []),
  {
    type: 'BUTTONS',
    buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', ...(codeLabel ? { text: codeLabel } : {}) }],
  },
]

export function componentsOf(draft: Draft): Record<string, unknown>[] {
  if (draft.category === 'AUTHENTICATION') return verification(draft)
  const { body, footer, buttons, examples } = draft
  return [
    ...headerOf(draft),
    { type: 'BODY', text: body, ...examplesOf('body', body, examples) },
    ...(footer ? [{ type: 'FOOTER', text: footer }] : []),
    ...(buttons.length > 0
      ? [
          {
            type: 'BUTTONS',
            buttons: buttons.map((button) => ({ type: button.type, ...BUTTONS[button.type](button) })),
          },
        ]
      : []),
  ]
}

export const bodyOf = (draft: Draft): TemplateBody => ({
  name: draft.name,
  language: draft.language,
  category: draft.category,
  components: componentsOf(draft),
  ...(draft.account ? { wabaConnectionId: draft.account } : {}),
})

export type Part = {
  type?: string
  format?: string
  text?: string
  add_security_recommendation?: boolean
  code_expiration_minutes?: number
  buttons?: { type?: string; text?: string; url?: string; phone_number?: string; example?: unknown }[]
  example?: Record<string, unknown>
  cards?: { components?: Part[] }[]
}

/** Returns the component of a type. */
export const partOf = (components: readonly Part[], type: string): Part | undefined =>
  components.find((component) => component.type?.toUpperCase() === type)

export const oneOf = (value: unknown): string => String((Array.isArray(value) ? value[0] : value) ?? '')

/** Returns the examples of the placeholders of a text. */
export function examplesIn(part: 'header' | 'body', { text = '', example = {} }: Part): Draft['examples'] {
  const named = (example[`${part}_text_named_params`] ?? []) as { param_name: string; example: string }[]
  const list = (part === 'body' ? (example.body_text as string[][])?.[0] : example.header_text) as
    | string[]
    | undefined
  return Object.fromEntries(
    placeholdersIn(text).map((name) => [
      `${part}-${name}`,
      named.find((parameter) => parameter.param_name === name)?.example ?? list?.[Number(name) - 1] ?? '',
    ]),
  )
}

/** Returns a draft with the content of `template`, for another language. */
export function draftOf(template: Template): Draft {
  const part = (type: string): Part =>
    (template.components as Part[]).find((component) => component.type?.toUpperCase() === type) ?? {}
  const [header, body, footer, buttons] = [part('HEADER'), part('BODY'), part('FOOTER'), part('BUTTONS')]
  const format = header.format as HeaderFormat | undefined
  const knownButtons = (buttons.buttons ?? []).filter((button) =>
    BUTTON_TYPES.includes(button.type as ButtonType),
  )
  return {
    ...EMPTY,
    name: template.name,
    language: '',
    category: template.category as Category,
    account: template.wabaConnectionId,
    headerFormat: format && HEADER_FORMATS.includes(format) ? format : 'NONE',
    headerText: header.text ?? '',
    body: body.text ?? '',
    footer: footer.text ?? '',
    buttons: knownButtons.map((button, index) => ({
      key: `given-${index}`,
      type: button.type as ButtonType,
      text: button.text ?? '',
      value: button.url ?? button.phone_number ?? (button.type === 'COPY_CODE' ? oneOf(button.example) : ''),
      example: button.type === 'URL' ? oneOf(button.example) : '',
    })),
    examples: { ...examplesIn('header', header), ...examplesIn('body', body) },
    codeMinutes: footer.code_expiration_minutes ? String(footer.code_expiration_minutes) : EMPTY.codeMinutes,
    hasAdvice: body.add_security_recommendation ?? EMPTY.hasAdvice,
  }
}

/** Returns a draft for a new version of `template`: the operator does not accept the name of a rejected template again. */
export function newVersionOf(template: Template): Draft {
  const [, base = template.name, number = '1'] = /^(.*?)(?:_v(\d+))?$/.exec(template.name) ?? []
  return { ...draftOf(template), name: `${base}_v${Number(number) + 1}`, language: template.language }
}
