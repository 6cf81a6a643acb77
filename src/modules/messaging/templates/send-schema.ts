import { z } from 'zod'
import { InstantInput, JsonObject } from '../../../core/values/text.ts'
import { languageCode } from './schema.ts'

const URL_MAX = 2000
const FILENAME_MAX = 200
const VALUES_MAX = 100
const CARDS_MAX = 10
const BUTTONS_MAX = 10

/**
 * A value for a placeholder. Its content is checked against the template, so that errors name the
 * placeholder.
 */
const Value = z.union([z.string(), z.number(), z.null()], 'Must be text or a number.')
const Values = z.union(
  [z.array(Value).max(VALUES_MAX, `Must have at most ${VALUES_MAX} values.`), z.record(z.string(), Value)],
  'Must be a list of values, or an object of values by name.',
)

const HeaderMedia = z
  .strictObject({
    id: z.string().min(1, 'Must not be empty.').max(512, 'Must be at most 512 characters.').optional(),
    link: z
      .url({ protocol: /^https$/, error: 'Must be an https address.' })
      .max(URL_MAX, `Must be at most ${URL_MAX} characters.`)
      .optional(),
    filename: z
      .string()
      .min(1, 'Must not be empty.')
      .max(FILENAME_MAX, `Must be at most ${FILENAME_MAX} characters.`)
      .optional(),
  })
  .refine((media) => (media.id === undefined) !== (media.link === undefined), 'Must have either id or link.')
  .meta({ description: 'The file of a media header: `id` or `link`, and `filename` for a document.' })

const HeaderLocation = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().max(1000).optional(),
  address: z.string().max(1000).optional(),
})

const HeaderProduct = z.strictObject({
  catalogId: z.string().min(1).max(200),
  productRetailerId: z.string().min(1).max(200),
})

const ProductSection = z.strictObject({
  title: z.string().min(1).max(24, 'Must be at most 24 characters.'),
  productRetailerIds: z.array(z.string().min(1).max(200)).min(1).max(30),
})

/** The values of a button. `index` counts the template's buttons from 0. */
const ButtonValues = z.strictObject({
  index: z
    .int('Must be a whole number.')
    .min(0)
    .max(BUTTONS_MAX - 1),
  urlSuffix: z
    .string()
    .max(URL_MAX)
    .optional()
    .meta({ description: 'Value for `{{1}}` in the address of the button.' }),
  payload: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: 'Payload that you receive when a quick reply is tapped.' }),
  flowToken: z.string().min(1).max(200).optional(),
  flowData: JsonObject.optional(),
  productRetailerId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Id of the product that is the thumbnail of a catalog.' }),
  sections: z
    .array(ProductSection)
    .min(1)
    .max(10)
    .optional()
    .meta({ description: 'Products of a multi-product button, in sections.' }),
})
export type ButtonValues = z.output<typeof ButtonValues>

const partFields = {
  variables: Values.optional().meta({
    description: 'Values for the placeholders of the body: in order, or by name.',
  }),
  headerMedia: HeaderMedia.optional(),
  headerProduct: HeaderProduct.optional(),
  couponCode: z.string().optional().meta({ description: 'Code of the copy-code button.' }),
  buttons: z
    .array(ButtonValues)
    .max(BUTTONS_MAX)
    .refine(
      (buttons) => new Set(buttons.map((button) => button.index)).size === buttons.length,
      'Must have each index once.',
    )
    .optional(),
}

/** Descriptions of the fields. */
const PART_FIELDS = {
  'headerMedia.id': 'Media id, from `POST /media`.',
  headerProduct: 'Product for a product header.',
  'headerProduct.catalogId': 'Id of the catalog.',
  'headerProduct.productRetailerId': 'Id of the product in the catalog.',
  buttons: 'Values for the buttons.',
  'buttons.index': 'Position of the button, counted from 0.',
  'buttons.flowToken': 'Token of a form button; it comes back with the answer.',
  'buttons.flowData': 'Data for the first screen of a form button.',
  'buttons.sections.title': 'Heading of the section.',
  'buttons.sections.productRetailerIds': 'Ids of the products in the catalog.',
}

const CardValues = z.strictObject(partFields).meta({ fields: PART_FIELDS })
export type CardValues = z.output<typeof CardValues>

/**
 * `payload.template` of a template send (spec 4.2): values for the approved template, or its full components.
 */
export const TemplateSend = z
  .strictObject({
    name: z.string().min(1, 'Must not be empty.').max(512, 'Must be at most 512 characters.'),
    language: z
      .union(
        [
          z.string().min(2).max(20),
          z.strictObject({ code: z.string().min(2).max(20), policy: z.string().optional() }),
        ],
        'Must be a code such as en_US, or {"code": "en_US"}.',
      )
      .transform((value) => ({ code: languageCode(typeof value === 'string' ? value : value.code) })),
    ...partFields,
    headerText: z
      .union([Value, Values])
      .optional()
      .meta({ description: 'Value for the placeholder of a text header.' }),
    headerLocation: HeaderLocation.optional(),
    offerExpiresAt: InstantInput.optional().meta({ description: 'When a limited-time offer ends.' }),
    cards: z
      .array(CardValues)
      .max(CARDS_MAX)
      .optional()
      .meta({ description: 'Values for the cards of a carousel.' }),
    components: z
      .array(JsonObject)
      .max(20)
      .optional()
      .meta({ description: "All components in the operator's format, instead of values." }),
  })
  .check(({ value, issues }) => {
    const values = Object.keys(value).filter((key) => !['name', 'language', 'components'].includes(key))
    if (value.components !== undefined && values.length > 0)
      issues.push({
        code: 'custom',
        input: value,
        path: ['components'],
        message: `Send either components or ${values.join(', ')}.`,
      })
  })
  .meta({
    fields: {
      ...PART_FIELDS,
      name: 'Name of the template.',
      'language.code': 'Language code, such as `en_US`.',
      'language.policy': "Ignored; accepted because the operator's API has it.",
      headerLocation: 'Place for a location header.',
      'headerLocation.name': 'Name of the place.',
      'headerLocation.address': 'Address of the place.',
    },
  })
export type TemplateSend = z.output<typeof TemplateSend>
