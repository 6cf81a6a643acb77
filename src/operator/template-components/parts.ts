import { isObject, objectsIn } from '../../core/values/storable.ts'
import { isPosition, variablesIn } from './variables.ts'

/** Kinds of headers that carry a file. */
export const MEDIA_FORMATS = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const
export type MediaFormat = (typeof MEDIA_FORMATS)[number]

/** A text with its placeholders: positions in numeric order, names in order of appearance. */
export type TextPart = { text: string; variables: string[] }
export type HeaderPart = ({ format: 'TEXT' } & TextPart) | { format: MediaFormat | 'LOCATION' | 'PRODUCT' }
export type ButtonPart = {
  /** The operator's index, from 0. */
  index: number
  /** QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE, FLOW, OTP, CATALOG, MPM … */
  type: string
  text: string
  /** The placeholders of its address. */
  variables: string[]
}

/** A template, or one card of its carousel, split into its parts. */
export type TemplateParts = {
  header: HeaderPart | undefined
  body: TextPart | undefined
  footer: string | undefined
  /** The offer ends at a time that each send provides. */
  expiringOffer: boolean
  buttons: ButtonPart[]
  cards: TemplateParts[]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const upper = (value: unknown): string => text(value).toUpperCase()

function textPart(value: unknown): TextPart {
  const variables = variablesIn(text(value))
  return {
    text: text(value),
    variables: variables.every(isPosition) ? variables.sort((a, b) => Number(a) - Number(b)) : variables,
  }
}

/**
 * Splits the components of a template in the operator's format into parts (docs/formats.md section 6.2).
 * Omits unknown components.
 */
export function partsOf(components: readonly Record<string, unknown>[]): TemplateParts {
  const byType = new Map(components.map((component) => [upper(component.type), component]))
  const [header, body, offer] = [byType.get('HEADER'), byType.get('BODY'), byType.get('LIMITED_TIME_OFFER')]
  const footer = byType.get('FOOTER')?.text
  return {
    header: header && headerPart(header),
    body: body && textPart(body.text),
    footer: typeof footer === 'string' ? footer : undefined,
    expiringOffer: isObject(offer?.limited_time_offer) && offer.limited_time_offer.has_expiration === true,
    buttons: objectsIn(byType.get('BUTTONS')?.buttons).map(buttonPart),
    cards: objectsIn(byType.get('CAROUSEL')?.cards).map((card) => partsOf(objectsIn(card.components))),
  }
}

function headerPart(header: Record<string, unknown>): HeaderPart {
  const format = upper(header.format)
  switch (format) {
    case 'IMAGE':
    case 'VIDEO':
    case 'DOCUMENT':
    case 'LOCATION':
    case 'PRODUCT':
      return { format }
    default:
      return { format: 'TEXT', ...textPart(header.text) }
  }
}

const buttonPart = (button: Record<string, unknown>, index: number): ButtonPart => ({
  index,
  type: upper(button.type),
  text: text(button.text),
  variables: variablesIn(text(button.url)),
})
