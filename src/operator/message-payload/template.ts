/**
 * A template with all its components (docs/formats.md section 6.3). The module that stores the template
 * checks whether they fit it.
 */
import { z } from 'zod'
import { decimal, kinds, listOf, must, object, oneOf, operatorId, wholeNumber, words } from './fields.ts'
import { LocationPayload } from './location.ts'
import { MediaSource, NamedMediaSource } from './media.ts'

const parameterName = words(100).optional()
const anything = z.record(z.string(), z.unknown(), must('an object'))
/** The maximum length of any filled template; whether it fits is checked against the template. */
const TEXT_MAX = 32_768

const parameters = {
  text: { text: words(TEXT_MAX), parameter_name: parameterName },
  currency: {
    currency: object({
      fallback_value: words(100),
      code: words(3),
      amount_1000: decimal(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    }),
    parameter_name: parameterName,
  },
  date_time: {
    date_time: z.looseObject({ fallback_value: words(200) }, must('an object')),
    parameter_name: parameterName,
  },
  image: { image: MediaSource, parameter_name: parameterName },
  video: { video: MediaSource, parameter_name: parameterName },
  gif: { gif: MediaSource, parameter_name: parameterName },
  document: { document: NamedMediaSource, parameter_name: parameterName },
  location: { location: LocationPayload, parameter_name: parameterName },
  product: { product: object({ catalog_id: operatorId.optional(), product_retailer_id: words(200) }) },
  payload: { payload: words(256) },
  coupon_code: { coupon_code: words(20) },
  limited_time_offer: {
    limited_time_offer: object({ expiration_time_ms: wholeNumber(0, Number.MAX_SAFE_INTEGER) }),
  },
  action: { action: anything },
  order_status: { order_status: anything },
  tap_target_configuration: { tap_target_configuration: z.array(anything) },
} as const
const parameterKinds = Object.keys(parameters)

const option = <Name extends keyof typeof parameters>(name: Name) =>
  object({ type: z.literal(name), ...parameters[name] })

const Parameter = z.discriminatedUnion(
  'type',
  [
    option('text'),
    option('currency'),
    option('date_time'),
    option('image'),
    option('video'),
    option('gif'),
    option('document'),
    option('location'),
    option('product'),
    option('payload'),
    option('coupon_code'),
    option('limited_time_offer'),
    option('action'),
    option('order_status'),
    option('tap_target_configuration'),
  ],
  kinds(parameterKinds),
)

/** Types may be written in any case. */
const caseInsensitive = (names: readonly string[]) =>
  z
    .string(must('a string'))
    .refine((name) => names.includes(name.toLowerCase()), `Must be one of ${names.join(', ')}.`)

const part = {
  sub_type: words(50).optional(),
  index: wholeNumber(0, 20).optional(),
  parameters: listOf(Parameter, 0, 100).optional(),
}
const CardComponent = object({ type: caseInsensitive(['header', 'body', 'button']), ...part })
const Card = object({ card_index: wholeNumber(0, 9), components: listOf(CardComponent, 0, 20) })

/** The components of a template send. */
export const TemplateComponents = listOf(
  object({
    type: caseInsensitive([
      'header',
      'body',
      'button',
      'limited_time_offer',
      'carousel',
      'order_status',
      'tap_target_configuration',
    ]),
    ...part,
    cards: listOf(Card, 1, 10).optional(),
  }),
  0,
  30,
)

/** A template by name and language, with all its components. */
export const TemplatePayload = object({
  name: words(512).regex(/^[a-z0-9_]+$/, 'Must be lowercase letters, digits and underscores.'),
  language: object({
    code: words(20),
    policy: oneOf(['deterministic']).optional(),
  }),
  components: TemplateComponents.optional(),
})
