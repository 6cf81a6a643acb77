/**
 * One valid message of each kind, in the form of `payload` of `POST /send`: the content of the field named
 * after the type.
 */
const body = { text: 'Which one?' }
const link = 'https://files.example.com/a'

/** Interactive messages by kind (docs/formats.md section 2). */
export const INTERACTIVE = {
  button: {
    type: 'button',
    header: { type: 'image', image: { link } },
    body,
    footer: { text: 'Parley' },
    action: {
      buttons: [
        { type: 'reply', reply: { id: 'blue', title: 'Blue' } },
        { type: 'reply', reply: { id: 'red', title: 'Red' } },
      ],
    },
  },
  list: {
    type: 'list',
    header: { type: 'text', text: 'Sizes' },
    body,
    action: {
      button: 'Open',
      sections: [
        { title: 'Small', rows: [{ id: 's', title: 'S', description: 'Fits children' }] },
        { title: 'Large', rows: [{ id: 'l', title: 'L' }] },
      ],
    },
  },
  cta_url: {
    type: 'cta_url',
    body,
    action: { name: 'cta_url', parameters: { display_text: 'See', url: 'https://shop.example.com/' } },
  },
  product: { type: 'product', body, action: { catalog_id: '146265584024623', product_retailer_id: 'sku-1' } },
  product_list: {
    type: 'product_list',
    header: { type: 'text', text: 'Our shirts' },
    body,
    action: {
      catalog_id: '146265584024623',
      sections: [{ title: 'Blue', product_items: [{ product_retailer_id: 'sku-1' }] }],
    },
  },
  catalog_message: {
    type: 'catalog_message',
    body,
    action: { name: 'catalog_message', parameters: { thumbnail_product_retailer_id: 'sku-1' } },
  },
  flow: {
    type: 'flow',
    body,
    action: {
      name: 'flow',
      parameters: {
        flow_message_version: '3',
        flow_id: '1',
        flow_cta: 'Book',
        flow_token: 't',
        flow_action: 'navigate',
        flow_action_payload: { screen: 'DATES', data: { month: 'June' } },
      },
    },
  },
  location_request_message: {
    type: 'location_request_message',
    body,
    action: { name: 'send_location' },
  },
  address_message: {
    type: 'address_message',
    body,
    action: {
      name: 'address_message',
      parameters: { country: 'IN', values: { name: 'Asha', in_pin_code: '560001' } },
    },
  },
  call_permission_request: {
    type: 'call_permission_request',
    body,
    action: { name: 'call_permission_request' },
  },
  request_contact_info: {
    type: 'request_contact_info',
    body,
    action: { name: 'request_contact_info' },
  },
  carousel: {
    type: 'carousel',
    body,
    action: {
      cards: [0, 1].map((card_index) => ({
        card_index,
        type: 'cta_url',
        header: { type: 'image', image: { link } },
        body: { text: `Shirt ${card_index}` },
        action: { name: 'cta_url', parameters: { display_text: 'Buy', url: 'https://shop.example.com/' } },
      })),
    },
  },
}

/** Returns free-form payloads by type (spec 4.2). A reaction needs a message that it refers to. */
export const FREE_FORM = {
  text: { body: 'See https://example.com', preview_url: true },
  image: { link: `${link}.jpg`, caption: 'The blue one' },
  video: { link: `${link}.mp4` },
  audio: { link: `${link}.ogg`, voice: true },
  document: { link: `${link}.pdf`, filename: 'bill.pdf', caption: 'Your bill' },
  sticker: { link: `${link}.webp` },
  location: { latitude: 12.97, longitude: 77.59, name: 'Shop', address: 'MG Road' },
  contacts: [
    {
      name: { formatted_name: 'Asha Rao', first_name: 'Asha' },
      phones: [{ phone: '+919812345678', type: 'WORK', wa_id: '919812345678' }],
      emails: [{ email: 'asha@example.com', type: 'WORK' }],
      org: { company: 'Acme', title: 'Rep' },
      addresses: [{ street: 'MG Rd', city: 'Bengaluru', zip: '560001', country_code: 'IN', type: 'WORK' }],
      urls: [{ url: 'https://example.com', type: 'WORK' }],
      birthday: '1990-01-31',
    },
  ],
  interactive: INTERACTIVE.button,
}
