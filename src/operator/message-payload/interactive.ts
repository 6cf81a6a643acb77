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

/** A message with something to tap, by its kind (docs/formats.md section 2). */
export const InteractivePayload = z
  .discriminatedUnion(
    'type',
    options,
    kinds(INTERACTIVE_KINDS, (name) =>
      Object.hasOwn(ORDER_MESSAGES, String(name)) ? 'Send it with POST /payment-requests.' : undefined,
    ),
  )
  .meta({ id: 'InteractivePayload' })
