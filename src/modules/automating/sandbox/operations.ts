import { realTime } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { refuse, refuseReference } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { digitsOf } from '../../../core/values/phone.ts'
import {
  type InboundContent,
  type InboundSender,
  inboundValue,
  newChannelMessageId,
} from '../../../operator/simulator/webhook-values.ts'
import { findMediaForSend } from '../../messaging/media/operations/find-for-send.ts'
import { receiveUpdates } from '../../messaging/messages/intake/operations/intake.ts'
import { listNumbersWithOperatorIds } from '../../platform/workspaces/operations/phone-numbers.ts'
import type { InboundBody } from './schema.ts'
import { writerOf } from './simulated-writer.ts'

async function contentOf(ctx: Context, body: InboundBody): Promise<InboundContent> {
  if (body.text !== undefined) return { text: body.text }
  if (body.buttonId !== undefined) return { button: { id: body.buttonId, title: body.title as string } }
  if (body.listId !== undefined) return { list: { id: body.listId, title: body.title as string } }
  if (body.formAnswers !== undefined) return { form: body.formAnswers }
  const mediaId = body.mediaId as string
  const [media] = await findMediaForSend(ctx, [{ workspaceId: ctx.workspace.id, mediaId }])
  if (!media)
    return refuseReference('mediaId', 'File not found in this sandbox. Upload one with POST /media.')
  const { operatorId, kind, mimeType, filename } = media
  return {
    file: {
      kind,
      id: operatorId,
      mimeType,
      // Images and audio have no file name.
      ...(kind === 'document' && filename !== null ? { filename } : {}),
      ...(body.caption === undefined || kind === 'audio' || kind === 'sticker'
        ? {}
        : { caption: body.caption }),
    },
  }
}

/** The simulated message, and its sender: a number or `chan:<user id>`. */
export type Arrived = { messageId: string; from: string }

/**
 * Simulates a customer's message to the sandbox number (spec 4.9), in the operator's format through the
 * intake, so that it is processed like a real one. The message gets the returned id.
 */
export async function simulateInbound(ctx: Context, body: InboundBody): Promise<Arrived> {
  const customer = await writerOf(ctx, body.from)
  const [number] = await listNumbersWithOperatorIds(ctx, 'simulator')
  if (!number)
    return refuse('not_found', 'This workspace has no simulated number. Connect one in Settings → Numbers.')
  if (customer.phone === number.number)
    refuse('cannot_send_to_self', "This is the sandbox's own number. Use a customer's number.")
  const digits = customer.phone === null ? null : digitsOf(customer.phone)
  const sender: InboundSender = digits === null ? { userId: customer.userId as string } : { from: digits }
  const content = await contentOf(ctx, body)
  const messageId = newId()
  await receiveUpdates(ctx, [
    {
      workspaceId: ctx.workspace.id,
      id: messageId,
      phoneNumberId: number.id,
      sender: digits ?? (customer.userId as string),
      body: {
        field: 'messages',
        value: inboundValue({
          ...sender,
          ...content,
          number: {
            operatorId: number.operatorId,
            accountId: number.accountId,
            token: '',
            displayNumber: digitsOf(number.number),
          },
          profileName: body.name,
          replyTo: body.replyTo,
          username: body.username,
          at: ctx.now,
          id: newChannelMessageId(),
        }),
      },
      reference: null,
      runAt: realTime(ctx.now, ctx.workspace),
      receivedAt: ctx.now,
    },
  ])
  return { messageId, from: digits ?? `chan:${customer.userId}` }
}
