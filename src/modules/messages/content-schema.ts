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
  description: 'Type text.',
})

const MediaContent = z
  .looseObject({
    id: text.meta({ description: "The operator's id of the file; see GET /messages/{id}/media." }),
    link: text.meta({ description: 'Where the operator fetched a file that was sent by address.' }),
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
    description: 'Types image, video, audio, document and sticker.',
  })

const LocationContent = z
  .looseObject({ latitude: z.number(), longitude: z.number(), name: text, address: text })
  .meta({
    id: 'LocationContent',
    fields: { name: 'Name of the place.', address: 'Address of the place.' },
    description: 'Type location.',
  })

const ContactsContent = z.looseObject({ contacts: z.array(z.looseObject({})) }).meta({
  id: 'ContactsContent',
  fields: { contacts: "Contact cards, in the operator's format." },
  description: 'Type contacts: the cards, under their key.',
})

const ReactionContent = z.looseObject({ message_id: z.string(), emoji: text }).meta({
  id: 'ReactionContent',
  fields: { message_id: "The channel's id of the message reacted to.", emoji: 'The emoji.' },
  description: 'Type reaction; without emoji it was taken back.',
})

const InteractiveContent = z
  .looseObject({
    type: z.string().meta({
      description:
        'Ours: button, list, cta_url, product, product_list, catalog_message, flow, carousel …; ' +
        "a customer's answer: button_reply, list_reply, nfm_reply, call_permission_reply, under whose name it stands.",
    }),
  })
  .meta({ id: 'InteractiveContent', description: 'Type interactive.' })

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
    description: 'Type template: as it was sent; `text` is what the customer read.',
  })

const ButtonContent = z.looseObject({ payload: z.string(), text: z.string() }).meta({
  id: 'ButtonContent',
  fields: { payload: 'Payload of the button, as the template set it.', text: 'Label of the button.' },
  description: "Type button: a tap on a template's quick reply.",
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
    description: 'Type order: a basket that the customer sent.',
  })

const OtherContent = z
  .looseObject({})
  .meta({ id: 'OtherContent', description: 'Types that we do not know, and messages without payload.' })

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
  .meta({ id: 'MessageContent', description: "The payload of the message's type in the operator's shape." })
