/** The body of `POST /send` (spec 4.2). */
import { z } from 'zod'
import type { RefusalCode } from '../../../../core/errors.ts'
import { Id } from '../../../../core/ids.ts'
import { USER_ID } from '../../../../core/values/phone.ts'
import { kinds, must, words } from '../../../../operator/message-payload/fields.ts'
import { MESSAGE_TYPES, type MessageType, PAYLOADS } from '../../../../operator/message-payload/payloads.ts'
import { TEXT_MAX } from '../../../../operator/message-payload/text.ts'
import { TemplateSend } from '../../templates/send-schema.ts'

/**
 * The content of a message, under the name of its type. Other fields in the operator's format are ignored
 * (docs/formats.md section 17).
 */
const option = <Type extends MessageType, Payload extends z.ZodType>(type: Type, payload: Payload) =>
  z.object({ type: z.literal(type), [type]: payload } as { type: z.ZodLiteral<Type> } & Record<Type, Payload>)

/** `payload`: the message in the operator's format, by its type (docs/formats.md section 2). */
export const SendPayload = z.discriminatedUnion(
  'type',
  [
    option('text', PAYLOADS.text),
    option('template', TemplateSend),
    option('image', PAYLOADS.image),
    option('video', PAYLOADS.video),
    option('audio', PAYLOADS.audio),
    option('document', PAYLOADS.document),
    option('interactive', PAYLOADS.interactive),
    option('reaction', PAYLOADS.reaction),
    option('location', PAYLOADS.location),
    option('sticker', PAYLOADS.sticker),
    option('contacts', PAYLOADS.contacts),
  ],
  kinds(MESSAGE_TYPES),
)
export type SendPayload = z.output<typeof SendPayload>

type Raise = (path: PropertyKey[], message: string) => void

/** Checks rules that involve several fields. */
function checkTogether(body: z.output<typeof Fields>, raise: Raise): void {
  const { to, recipient, type, text, payload, replyTo } = body
  if (to === undefined && recipient === undefined) raise(['to'], 'Required (or recipient).')
  if (type === 'text' && text === undefined && payload === undefined)
    raise(['text'], 'Required for type text.')
  if (type === 'text' && text !== undefined && payload !== undefined)
    raise(['payload'], 'Must be left out when text is sent.')
  if (type !== 'text' && text !== undefined)
    raise(['text'], `Must be left out unless type is text. Send a message of type ${type} in payload.`)
  if (type !== 'text' && payload === undefined) raise(['payload'], `Required for type ${type}.`)
  if (payload !== undefined && payload.type !== type)
    raise(['payload', 'type'], `Must be ${type}, like type.`)
  if (type === 'reaction' && replyTo !== undefined)
    raise(['replyTo'], 'Must be left out for reactions. A reaction names its message in payload.')
}

/** A customer without a number, named by the user id that the operator reported. */
export const UserId = z
  .string()
  .regex(USER_ID, 'Must be the user id as reported, without `chan:`: letters, digits, dots, and dashes.')

const Text = words(TEXT_MAX).meta({
  description: 'Text of the message. Needs an open 24-hour window.',
  example: 'Your order is on its way.',
})

const Fields = z.strictObject({
  to: z.string().min(1, 'Must not be empty.').max(200, 'Must be at most 200 characters.').optional().meta({
    description:
      'Phone number in E.164, with or without `+`, `chan:<user id>`, or `contact:<id>` of a contact.',
    example: '+919812345678',
  }),
  recipient: UserId.optional().meta({
    description: "The customer's user id on the chat network. Ignored if `to` is sent too.",
  }),
  type: z
    .enum(MESSAGE_TYPES, must(`one of ${MESSAGE_TYPES.join(', ')}`))
    .meta({ description: 'Kind of message.' }),
  text: Text.optional(),
  payload: SendPayload.optional().meta({
    description: "For other types: `{type, [type]: {…}}` in the operator's format.",
  }),
  phoneNumberId: Id.optional().meta({ description: 'Sending number; default: the first active one.' }),
  replyTo: z
    .string()
    .min(1, 'Must not be empty.')
    .max(256, 'Must be at most 256 characters.')
    .optional()
    .meta({
      description: 'The channel message id of the message that this one replies to. Ignored for templates.',
    }),
})

/** Body of `POST /send` (spec 4.2). */
export const SendBody = Fields.superRefine((body, context) =>
  checkTogether(body, (path, message) => context.addIssue({ code: 'custom', path: [...path], message })),
)
export type SendBody = z.output<typeof SendBody>

const CONTENT_WORDS: Record<MessageType, string> = {
  text: 'The text.',
  template: 'The template and its values.',
  image: 'The image.',
  video: 'The video.',
  audio: 'The audio file.',
  document: 'The document.',
  interactive: 'The interactive message.',
  reaction: 'The reaction.',
  location: 'The place.',
  sticker: 'The sticker.',
  contacts: 'The contact cards.',
}

const { to, recipient, phoneNumberId, replyTo } = Fields.shape
const addressed = { to, recipient, phoneNumberId, replyTo }

const payloadOf = (type: MessageType) =>
  option(type, type === 'template' ? TemplateSend : PAYLOADS[type]).meta({
    description: "The message in the operator's format.",
    fields: { [type]: CONTENT_WORDS[type] },
  })
const described = (type: MessageType, id: string) => ({ id, description: `A message of type ${type}.` })
const named = (type: MessageType, id: string) =>
  z.object({ type: z.literal(type), ...addressed, payload: payloadOf(type) }).meta(described(type, id))

/**
 * The same for the published schema: each type with its required fields. `SendBody` checks the remaining
 * rules.
 */
export const SendBodyByType = z
  .xor([
    z
      .intersection(
        z.object({ type: z.literal('text'), ...addressed }),
        z
          .union([z.object({ text: Text }), z.object({ payload: payloadOf('text') })])
          .meta({ description: 'The text, or an object with the text.' }),
      )
      .meta(described('text', 'SendText')),
    named('template', 'SendTemplate'),
    named('image', 'SendImage'),
    named('video', 'SendVideo'),
    named('audio', 'SendAudio'),
    named('document', 'SendDocument'),
    named('interactive', 'SendInteractive'),
    named('reaction', 'SendReaction'),
    named('location', 'SendLocation'),
    named('sticker', 'SendSticker'),
    named('contacts', 'SendContacts'),
  ])
  .meta({ discriminator: 'type' })

/** The part of the body for assistants, which have no files and need few kinds of messages. */
export const SendByAssistant = z.strictObject({
  to: Fields.shape.to.unwrap().meta({
    description: 'Phone number in E.164, or `chan:<user id>`.',
  }),
  type: z.enum(['text', 'template']).meta({ description: 'Kind of message.' }),
  text: Text.optional().meta({
    description: 'For type `text`: the text of the message. Needs an open 24-hour window.',
  }),
  payload: payloadOf('template').optional().meta({
    description: "For type `template`: the template in the operator's format.",
  }),
  phoneNumberId,
  replyTo,
})

/** Returns the template of a template send; undefined for other types. */
export const templateOf = ({ payload }: SendBody): TemplateSend | undefined =>
  payload?.type === 'template' ? payload.template : undefined

/**
 * Returns the stored content of a free-form message: the payload of its type. Content is an object, so shared
 * contacts keep their key.
 */
export function freeFormContent({ type, text, payload }: SendBody): Record<string, unknown> {
  if (payload === undefined) return { body: text }
  const { [type]: content }: Record<string, unknown> = payload
  return type === 'contacts' ? { contacts: content } : (content as Record<string, unknown>)
}

/** Refusals that apply to all senders. */
export const SEND_REFUSALS = [
  'outside_24h_window',
  'contact_opted_out',
  'number_banned',
  'sending_blocked',
  'plan_limit_reached',
  'quota_exceeded',
  'cannot_send_to_self',
  'invalid_reference',
  'needs_phone_number',
  'invalid_template_parameters',
  'template_header_media_required',
  'meta_error',
] as const satisfies RefusalCode[]
