/** Messages whose button opens an address or asks the customer for something (docs/formats.md section 2). */
import { z } from 'zod'
import { component } from '../../core/component.ts'
import { exactly, listOf, object, optionalText, webLink, words } from './fields.ts'
import { Body, Footer, Header, label } from './interactive-parts.ts'

/** The action that opens an address. */
export const OpenAddress = object({
  name: exactly('cta_url'),
  parameters: object({ display_text: label, url: webLink }),
}).meta(component('OpenAddressAction', 'A button that opens an address.'))

export const CtaUrlMessage = object({
  type: exactly('cta_url'),
  header: Header.optional(),
  body: Body,
  footer: Footer.optional(),
  action: OpenAddress,
})

export const LocationRequestMessage = object({
  type: exactly('location_request_message'),
  body: Body,
  action: object({ name: exactly('send_location') }),
})

export const CallPermissionRequest = object({
  type: exactly('call_permission_request'),
  body: Body.optional(),
  action: object({ name: exactly('call_permission_request') }),
})

/** Requests the number of a customer who shares none (docs/formats.md section 11). */
export const ContactInfoRequest = object({
  type: exactly('request_contact_info'),
  body: Body,
  action: object({ name: exactly('request_contact_info') }),
})

const AddressValues = z.record(words(100), optionalText(500), 'Must be an object whose values are text.')

/** Requests a postal address; in India only. */
export const AddressMessage = object({
  type: exactly('address_message'),
  header: Header.optional(),
  body: Body,
  footer: Footer.optional(),
  action: object({
    name: exactly('address_message'),
    parameters: object({
      country: exactly('IN'),
      values: AddressValues.optional(),
      saved_addresses: listOf(object({ id: words(256), value: AddressValues }), 0, 30).optional(),
      validation_errors: AddressValues.optional(),
    }),
  }),
})
