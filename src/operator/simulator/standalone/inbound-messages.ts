import { z } from 'zod'
import { isBlocked } from '../calls/block.ts'
import type { GraphAnswer } from '../graph-errors.ts'
import type { SimulatedNumber } from '../store.ts'
import { keepMedia } from '../stored-media.ts'
import { customerMessageValue, newChannelMessageId } from '../webhook-values.ts'
import { type ActionContext, shownOf, Who } from './customer.ts'

const Payload = z.record(z.string(), z.unknown())

/** A customer's message. `content` is the value under its type in the webhook, in the operator's format. */
export const InboundInput = z.strictObject({
  from: Who,
  number: z.string().optional(),
  name: z.string().optional(),
  username: z.string().optional(),
  id: z.string().min(1).max(500).optional(),
  type: z
    .string()
    .regex(/^[a-z_]{1,50}$/)
    .default('text'),
  text: z.string().optional(),
  content: z.union([Payload, z.array(z.unknown())]).optional(),
  /** For media: the file, which is stored like an upload. */
  file: z.strictObject({ base64: z.base64(), mimeType: z.string() }).optional(),
  replyTo: z.string().optional(),
  context: Payload.optional(),
  referral: Payload.optional(),
  errors: z.array(Payload).optional(),
})
export type InboundInput = z.infer<typeof InboundInput>

/** A customer's file that the network would not carry; `answer` contains the reason. */
export class UnfitFile extends Error {
  readonly answer: GraphAnswer
  constructor(answer: GraphAnswer) {
    super('The network does not carry this file.')
    this.answer = answer
  }
}

/**
 * A customer writes. Returns the message's id, and whether it arrives: messages of blocked customers do not.
 */
export async function writeMessage(
  acting: ActionContext,
  number: SimulatedNumber,
  input: InboundInput,
): Promise<{ id: string; delivered: boolean }> {
  const customer = acting.customers.findOrCreate(input.from)
  customer.name = input.name ?? customer.name
  customer.username = input.username ?? customer.username
  customer.wroteAt = acting.clock.now()
  if (input.referral) customer.referredAt = acting.clock.now()
  const id = input.id ?? newChannelMessageId()
  if (await isBlocked(acting.store, number, customer)) return { id, delivered: false }
  const { type, referral, errors } = input
  const content = await contentOf(acting, number, input)
  const payload = { ...(content === undefined ? {} : { [type]: content }), referral, errors }
  const context = input.replyTo
    ? { from: number.displayNumber, id: input.replyTo, ...input.context }
    : input.context
  const value = customerMessageValue({
    number,
    ...shownOf(acting, customer),
    at: acting.clock.now(),
    id,
    type,
    payload,
    context,
  })
  await acting.store.deliver(number, value)
  return { id, delivered: true }
}

async function contentOf(
  { store }: ActionContext,
  number: SimulatedNumber,
  { text, content, file }: InboundInput,
): Promise<unknown> {
  if (text !== undefined) return { body: text }
  if (file === undefined) return content
  const media = await keepMedia(store, number, {
    bytes: Buffer.from(file.base64, 'base64'),
    said: [file.mimeType],
  })
  if (!media.ok) throw new UnfitFile(media.answer)
  return {
    id: media.id,
    mime_type: media.mimeType,
    sha256: media.sha256,
    ...(Array.isArray(content) ? {} : content),
  }
}
