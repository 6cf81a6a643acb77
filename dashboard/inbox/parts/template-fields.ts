/** Finds the fields to fill in an approved template, and builds the payload from their values. */
import type { Api, Template } from '../../../sdk/api.ts'

type Part = {
  type?: string
  format?: string
  text?: string
  limited_time_offer?: { has_expiration?: boolean }
  buttons?: { type?: string; text?: string; url?: string }[]
}
export type TemplateField = {
  id: string
  kind: 'body' | 'headerText' | 'headerMedia' | 'url' | 'coupon'
  /** The placeholder's name, the kind of file, or the text of the button. */
  name: string
  index?: number
}
export type Values = Record<string, string>

const parts = ({ components }: Template): Part[] => components as Part[]
const partOf = (template: Template, type: string): Part | undefined =>
  parts(template).find((part) => part.type?.toUpperCase() === type)
const PLACEHOLDER = /\{\{\s*([\w]+)\s*\}\}/g
const placeholders = (text = ''): string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1]!)),
]
const MEDIA = ['IMAGE', 'VIDEO', 'DOCUMENT']

/** Returns every field of a template, in reading order. */
export function fieldsOf(template: Template): TemplateField[] {
  const header = partOf(template, 'HEADER')
  const format = header?.format?.toUpperCase() ?? 'TEXT'
  const buttons = partOf(template, 'BUTTONS')?.buttons ?? []
  return [
    ...(MEDIA.includes(format)
      ? [{ id: 'media', kind: 'headerMedia', name: format.toLowerCase() } as const]
      : []),
    ...(header && format === 'TEXT'
      ? placeholders(header.text).map((name) => ({ id: `header-${name}`, kind: 'headerText', name }) as const)
      : []),
    ...placeholders(partOf(template, 'BODY')?.text).map(
      (name) => ({ id: `body-${name}`, kind: 'body', name }) as const,
    ),
    ...buttons.flatMap((button, index): TemplateField[] => {
      if (button.type?.toUpperCase() === 'COPY_CODE')
        return [{ id: 'coupon', kind: 'coupon', name: button.text ?? '' }]
      if (button.type?.toUpperCase() !== 'URL' || !placeholders(button.url).length) return []
      return [{ id: `url-${index}`, kind: 'url', name: button.text ?? '', index }]
    }),
  ]
}

/**
 * Returns whether a template requires values without fields on these pages: a place, products, cards, or the
 * end of an offer.
 */
export function isOnlyByApi(template: Template): boolean {
  const format = partOf(template, 'HEADER')?.format?.toUpperCase() ?? ''
  const buttons = partOf(template, 'BUTTONS')?.buttons ?? []
  return (
    ['LOCATION', 'PRODUCT'].includes(format) ||
    buttons.some(({ type }) => type?.toUpperCase() === 'MPM') ||
    partOf(template, 'CAROUSEL') !== undefined ||
    partOf(template, 'LIMITED_TIME_OFFER')?.limited_time_offer?.has_expiration === true
  )
}

const fillPlaceholders = (text: string | undefined, prefix: string, values: Values): string =>
  (text ?? '').replace(PLACEHOLDER, (whole, name: string) => values[`${prefix}-${name}`] || whole)

/** Returns the text that the customer will read, with the values so far. */
export function previewOf(template: Template, values: Values) {
  const header = partOf(template, 'HEADER')
  return {
    media:
      header?.format && MEDIA.includes(header.format.toUpperCase()) ? header.format.toLowerCase() : undefined,
    header: fillPlaceholders(header?.text, 'header', values),
    body: fillPlaceholders(partOf(template, 'BODY')?.text, 'body', values),
    footer: partOf(template, 'FOOTER')?.text,
    buttons: (partOf(template, 'BUTTONS')?.buttons ?? []).map(({ text }) => text ?? ''),
  }
}

type Payload = Extract<Api['POST /send']['body'], { type: 'template' }>['payload']

/**
 * Returns the payload of `POST /send`: values by name if the template names its placeholders, otherwise in
 * order.
 */
export function payloadOf(template: Template, values: Values): Payload {
  const fields = fieldsOf(template)
  const fieldsOfKind = (kind: TemplateField['kind']) => fields.filter((field) => field.kind === kind)
  const valuesOf = (kind: TemplateField['kind']) => {
    const kindFields = fieldsOfKind(kind)
    if (kindFields.length === 0) return undefined
    if (template.parameterFormat === 'NAMED')
      return Object.fromEntries(kindFields.map(({ id, name }) => [name, values[id] ?? '']))
    return kindFields.toSorted((a, b) => Number(a.name) - Number(b.name)).map(({ id }) => values[id] ?? '')
  }
  const body = valuesOf('body')
  const headerText = valuesOf('headerText')
  const urls = fieldsOfKind('url')
  return {
    type: 'template',
    template: {
      name: template.name,
      language: template.language,
      ...(body ? { variables: body } : {}),
      ...(headerText ? { headerText } : {}),
      ...(fieldsOfKind('headerMedia').length > 0 ? { headerMedia: { link: values.media ?? '' } } : {}),
      ...(fieldsOfKind('coupon').length > 0 ? { couponCode: values.coupon ?? '' } : {}),
      ...(urls.length > 0
        ? { buttons: urls.map(({ id, index }) => ({ index: index ?? 0, urlSuffix: values[id] ?? '' })) }
        : {}),
    },
  } as Payload
}
