import { z } from 'zod'
import { kinds } from './fields.ts'
import { CarouselMessage } from './interactive-carousel.ts'
import { FlowMessage } from './interactive-flow.ts'
import { CatalogMessage, ProductListMessage, ProductMessage } from './interactive-products.ts'
import { ButtonMessage, ListMessage } from './interactive-replies.ts'
import {
  AddressMessage,
  CallPermissionRequest,
  ContactInfoRequest,
  CtaUrlMessage,
  LocationRequestMessage,
} from './interactive-requests.ts'
import { ORDER_MESSAGES } from './order.ts'

const options = [
  ButtonMessage,
  ListMessage,
  CtaUrlMessage,
  ProductMessage,
  ProductListMessage,
  CatalogMessage,
  FlowMessage,
  LocationRequestMessage,
  AddressMessage,
  CallPermissionRequest,
  ContactInfoRequest,
  CarouselMessage,
] as const

/** The kinds of interactive messages. */
const INTERACTIVE_KINDS = options.map((option) => option.shape.type.value)

/** A message with something to tap, by kind (docs/formats.md section 2). */
export const InteractivePayload = z
  .discriminatedUnion(
    'type',
    options,
    kinds(INTERACTIVE_KINDS, (name) =>
      Object.hasOwn(ORDER_MESSAGES, String(name)) ? 'Send it with POST /payment-requests.' : undefined,
    ),
  )
  .meta({
    id: 'InteractivePayload',
    description: 'An interactive message, by its kind.',
    fields: {
      'action.sections': 'Sections, in order.',
      header: 'Header above the body.',
      'header.text': 'Heading.',
      'header.sub_text': 'Text below the heading.',
      'header.image': 'The image.',
      'header.video': 'The video.',
      'header.document': 'The document.',
      body: 'Main part of the message.',
      'body.text': 'Text of the message.',
      footer: 'Small text below the message.',
      'footer.text': 'The text.',
      action: 'Options that the customer can tap.',
      'action.buttons': 'Buttons, 1 to 3.',
      'action.buttons.reply': 'The button.',
      'action.buttons.reply.id': 'Your id of the button; it comes back with the tap.',
      'action.buttons.reply.title': 'Label of the button.',
      'action.button': 'Label of the button that opens the list.',
      'action.sections.title': 'Heading of the section.',
      'action.sections.rows': 'Rows of the section.',
      'action.sections.rows.id': 'Your id of the row; it comes back with the tap.',
      'action.sections.rows.title': 'Label of the row.',
      'action.sections.rows.description': 'Text below the label.',
      'action.sections.product_items': 'Products of the section.',
      'action.sections.product_items.product_retailer_id': 'Id of the product in the catalog.',
      'action.parameters': 'Parameters of the button.',
      'action.parameters.display_text': 'Label of the button.',
      'action.parameters.url': 'Address that the button opens.',
      'action.catalog_id': 'Id of the catalog.',
      'action.product_retailer_id': 'Id of the product in the catalog.',
      'action.parameters.thumbnail_product_retailer_id': 'Id of the product whose picture is shown.',
      'action.parameters.flow_id': "The operator's id of the form.",
      'action.parameters.flow_name': 'Name of the form, instead of its id.',
      'action.parameters.flow_token': 'Token that comes back with the answer.',
      'action.parameters.mode': '`draft` sends a form that is not published yet.',
      'action.parameters.flow_action':
        'Whether a screen opens (`navigate`) or your endpoint is called (`data_exchange`).',
      'action.parameters.flow_action_payload': 'First screen of the form and its data.',
      'action.parameters.flow_action_payload.screen': 'Screen that opens.',
      'action.parameters.flow_action_payload.data': 'Data for the screen.',
      'action.parameters.values': 'Values filled in, by field.',
      'action.parameters.saved_addresses': 'Addresses that the customer can choose from.',
      'action.parameters.saved_addresses.id': 'Your id of the address.',
      'action.parameters.saved_addresses.value': 'The address, by field.',
      'action.parameters.validation_errors': 'Errors of the values, by field.',
      'action.cards': 'Cards, 2 to 10.',
      'action.cards.card_index': 'Place of the card, counted from 0.',
      'action.cards.header': 'Picture or video of the card.',
      'action.cards.header.image': 'The image.',
      'action.cards.header.video': 'The video.',
      'action.cards.body': 'Main part of the card.',
      'action.cards.body.text': 'Text of the card.',
      'action.cards.action': 'Options that the customer can tap.',
      'action.cards.action.parameters': 'Parameters of the button.',
      'action.cards.action.parameters.display_text': 'Label of the button.',
      'action.cards.action.parameters.url': 'Address that the button opens.',
      'action.cards.action.buttons': 'Buttons, 1 to 3.',
      'action.cards.action.buttons.quick_reply': 'The button.',
      'action.cards.action.buttons.quick_reply.id': 'Your id of the button; it comes back with the tap.',
      'action.cards.action.buttons.quick_reply.title': 'Label of the button.',
    },
  })
