/**
 * Schemas of message content as Parley stores and shows it: the payload of each type in the operator's shape,
 * in both directions (docs/formats.md sections 2 and 8). All fields that the operator reported are passed on,
 * so a payload may have more fields than these schemas.
 */
import { z } from 'zod'

const text = z.string().optional()

const TextContent = z.looseObject({ body: z.string(), preview_url: z.boolean().optional() }).meta({
  id: 'TextContent',
  fields: { body: 'The text.', preview_url: 'Whether the first link is shown with a preview.' },
  description: 'Content of the type text.',
})

const MediaContent = z
  .looseObject({
    id: text.meta({ description: "The operator's id of the file; see GET /messages/{id}/media." }),
    link: text.meta({ description: 'Address of a file that was sent by link.' }),
    mime_type: text,
    sha256: text,
    caption: text,
    filename: text,
    voice: z.boolean().optional(),
    animated: z.boolean().optional(),
  })
  .meta({
    id: 'MediaContent',
    fields: {
      mime_type: 'Media type, such as `image/jpeg`.',
      sha256: 'SHA-256 of the file, in base64.',
      voice: 'Whether it is a voice note.',
      animated: 'Whether the sticker is animated.',
    },
    description: 'Content of the types image, video, audio, document, and sticker.',
  })

const LocationContent = z
  .looseObject({ latitude: z.number(), longitude: z.number(), name: text, address: text })
  .meta({
    id: 'LocationContent',
    fields: { name: 'Name of the place.', address: 'Address of the place.' },
    description: 'Content of the type location.',
  })

const ContactsContent = z.looseObject({ contacts: z.array(z.looseObject({})) }).meta({
  id: 'ContactsContent',
  fields: { contacts: "Contact cards, in the operator's format." },
  description: 'Content of the type contacts: the cards, under the key `contacts`.',
})

const ReactionContent = z.looseObject({ message_id: z.string(), emoji: text }).meta({
  id: 'ReactionContent',
  fields: {
    message_id: "The channel's id of the message that the reaction belongs to.",
    emoji: 'Emoji of the reaction.',
  },
  description: 'Content of the type reaction. Without an emoji, the reaction was removed.',
})

const InteractiveContent = z
  .looseObject({
    type: z.string().meta({
      description:
        'Kind of interactive message. From you: button, list, cta_url, product, product_list, catalog_message, flow, carousel, and others. From a customer: button_reply, list_reply, nfm_reply, or call_permission_reply, with the answer in a field of that name.',
    }),
  })
  .meta({ id: 'InteractiveContent', description: 'Content of the type interactive.' })

const TemplateContent = z
  .looseObject({
    name: z.string(),
    language: z.looseObject({ code: z.string() }),
    components: z.array(z.looseObject({})).optional(),
  })
  .meta({
    id: 'TemplateContent',
    fields: {
      name: 'Name of the template.',
      language: 'Language of the template.',
      'language.code': 'Language code, such as `en_US`.',
    },
    description:
      'Content of the type template, as it was sent. `text` is the text that the customer received.',
  })

const ButtonContent = z.looseObject({ payload: z.string(), text: z.string() }).meta({
  id: 'ButtonContent',
  fields: { payload: 'Payload of the button, as the template set it.', text: 'Label of the button.' },
  description: "Content of the type button: a tap on a template's quick reply.",
})

const OrderContent = z
  .looseObject({ catalog_id: z.string(), text, product_items: z.array(z.looseObject({})) })
  .meta({
    id: 'OrderContent',
    fields: {
      catalog_id: 'Id of the catalog.',
      text: 'Message that the customer added.',
      product_items: "Products with quantity and price, in the operator's format.",
    },
    description: 'Content of the type order: products that the customer ordered.',
  })

const OtherContent = z
  .looseObject({})
  .meta({ id: 'OtherContent', description: 'Content of unknown types, and of messages without a payload.' })

/** The content of a message of any type. The most common types are tried first. */
export const MessageContent = z
  .union([
    TextContent,
    LocationContent,
    ContactsContent,
    ReactionContent,
    TemplateContent,
    OrderContent,
    ButtonContent,
    InteractiveContent,
    MediaContent,
    OtherContent,
  ])
  .meta({ id: 'MessageContent', description: "Content of a message, in the operator's format, by its type." })
