/**
 * The components of a new template, in the operator's format (docs/formats.md section 6.2). Unknown fields
 * are kept.
 */

import { z } from 'zod'
import { isLonger } from '../../core/values/cut-text.ts'
import { BODY_MAX, HEADER_MAX } from './parameter-text.ts'

const FOOTER_MAX = 60
const LABEL_MAX = 25
const URL_MAX = 2000
const OFFER_MAX = 16
const COPY_CODE_MAX = 20
const HANDLE_MAX = 4000

const text = (max: number) =>
  z
    .string('Must be a string.')
    .refine((value) => value.trim() !== '', 'Must not be empty.')
    .refine((value) => !isLonger(value, max), `Must be at most ${max} characters.`)

const NamedExamples = z.array(z.looseObject({ param_name: z.string(), example: z.string() }))

const HeaderExample = z.looseObject({
  header_text: z.array(z.string()).optional(),
  header_text_named_params: NamedExamples.optional(),
  header_handle: z.array(z.string().min(1).max(HANDLE_MAX)).optional(),
})

const HEADER_FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'PRODUCT'] as const

/** `format` determines the other fields of a header. */
const Header = z.looseObject({
  type: z.literal('HEADER'),
  format: z.enum(HEADER_FORMATS, `Must be one of ${HEADER_FORMATS.join(', ')}.`),
  text: text(HEADER_MAX).optional(),
  example: HeaderExample.optional(),
})

const BodyExample = z.looseObject({
  body_text: z.array(z.array(z.string('Must be a string.'), 'Must be a list of examples.')).optional(),
  body_text_named_params: NamedExamples.optional(),
})

const Body = z.looseObject({
  type: z.literal('BODY'),
  text: text(BODY_MAX).optional(),
  add_security_recommendation: z.boolean('Must be true or false.').optional(),
  example: BodyExample.optional(),
})

const minutes = 'Must be a whole number from 1 to 90.'
const Footer = z.looseObject({
  type: z.literal('FOOTER'),
  text: text(FOOTER_MAX).optional(),
  code_expiration_minutes: z.int(minutes).min(1, minutes).max(90, minutes).optional(),
})

const label = text(LABEL_MAX)
/** Some clients write the single example of a button as a list. */
const oneExample = (max: number) =>
  z.union([text(max), z.array(text(max)).length(1)], `Must be one text of at most ${max} characters.`)

const labelled = <Type extends string>(type: Type) => z.looseObject({ type: z.literal(type), text: label })

const buttonShapes = [
  labelled('QUICK_REPLY'),
  labelled('URL').extend({
    url: text(URL_MAX).refine((url) => /^https?:\/\/\S+$/i.test(url), 'Must be an http or https address.'),
    example: oneExample(URL_MAX).optional(),
  }),
  labelled('PHONE_NUMBER').extend({
    phone_number: z
      .string()
      .regex(/^\+?\d[\d ()-]{2,18}$/, 'Must be a phone number of at most 20 characters.'),
  }),
  z.looseObject({ type: z.literal('COPY_CODE'), example: oneExample(COPY_CODE_MAX) }),
  labelled('FLOW').refine(
    (button) => [button.flow_id, button.flow_name, button.flow_json].some((field) => field !== undefined),
    'Must have flow_id, flow_name, or flow_json.',
  ),
  z.looseObject({
    type: z.literal('OTP'),
    otp_type: z.enum(['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'], 'Must be COPY_CODE, ONE_TAP, or ZERO_TAP.'),
    text: label.optional(),
    autofill_text: label.optional(),
  }),
  labelled('CATALOG'),
  labelled('MPM'),
  labelled('SPM'),
  labelled('VOICE_CALL'),
] as const

const BUTTON_TYPES = buttonShapes.map((shape) => shape.shape.type.value)

const Buttons = z.looseObject({
  type: z.literal('BUTTONS'),
  buttons: z
    .array(z.discriminatedUnion('type', buttonShapes, `Must be of type ${BUTTON_TYPES.join(', ')}.`))
    .min(1, 'Must have a button.'),
})
export type Button = z.output<typeof Buttons>['buttons'][number]

const Offer = z.looseObject({
  type: z.literal('LIMITED_TIME_OFFER'),
  limited_time_offer: z.looseObject({
    text: text(OFFER_MAX),
    has_expiration: z.boolean('Must be true or false.').optional(),
  }),
})

const inCards = [Header, Body, Buttons] as const
const Carousel = z.looseObject({
  type: z.literal('CAROUSEL'),
  cards: z.array(
    z.looseObject({
      components: z.array(
        z.discriminatedUnion('type', inCards, 'Must be of type HEADER, BODY, or BUTTONS in a card.'),
      ),
    }),
  ),
})

/** The components of a template; types in capitals (see `plainComponents`). */
export const Components = z
  .array(
    z.discriminatedUnion(
      'type',
      [Header, Body, Footer, Buttons, Offer, Carousel],
      'Must be of type HEADER, BODY, FOOTER, BUTTONS, LIMITED_TIME_OFFER, or CAROUSEL.',
    ),
  )
  .min(1, 'Must have a BODY.')
export type TypedComponent = z.output<typeof Components>[number]
export type Of<Type extends TypedComponent['type']> = Extract<TypedComponent, { type: Type }>
