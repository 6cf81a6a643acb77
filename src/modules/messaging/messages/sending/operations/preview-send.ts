/** Tells what a send would do, with the checks of the send itself, and stores nothing. */
import type { Context } from '../../../../../core/context.ts'
import { Refusal } from '../../../../../core/errors.ts'
import { readNumbers } from '../../../../platform/workspaces/operations/read-numbers.ts'
import {
  contactLimitReached,
  readContactRoom,
  takeContactRoom,
} from '../../../contacts/operations/contact-room.ts'
import { isWindowOpen } from '../../../conversations/schema.ts'
import { isCharged } from '../../pricing/operations.ts'
import { messageWords } from '../../reading/operations/message-words.ts'
import type { SendBody } from '../send-schema.ts'
import { explainSend } from './judge-send.ts'
import { readQuota, refuseQuota } from './message-quota.ts'
import { type Findings, findForSends, readRecipientsAhead } from './send-findings.ts'
import { type Routed, routeSends } from './send-route.ts'

type Preview = {
  wouldSend: boolean
  /** Each reason for which the message would not be accepted. */
  refusals: Refusal[]
  message: {
    content: Record<string, unknown>
    /** The text as the customer reads it; null for a message without text. */
    text: string | null
  } | null
  phoneNumberId: string | null
  /** The recipient's number; null if only an id is known. */
  recipientPhone: string | null
  contactId: string | null
  conversationId: string | null
  windowExpiresAt: Date | null
  /** The category of its price; null if nothing would be sent. */
  category: string | null
  /** Whether the operator charges for it by its published rules. */
  billable: boolean | null
}

const NOTHING = {
  message: null,
  phoneNumberId: null,
  recipientPhone: null,
  contactId: null,
  conversationId: null,
  windowExpiresAt: null,
  category: null,
  billable: null,
}

/**
 * Returns the category and whether the operator charges: free-form messages are free, and so are utility templates
 * in an open window.
 */
function priceOf({ ctx, body }: Routed, { conversation, template }: Findings) {
  if (body.type !== 'template') return { category: 'service', billable: false }
  const isOpen = conversation !== undefined && isWindowOpen(conversation, ctx.now)
  const category = template?.category.toLowerCase() ?? null
  return { category, billable: category === null ? null : isCharged(category, isOpen) }
}

/** Returns the refusal of a new contact that the plan has no room for. */
async function refuseRoom(item: Routed, found: Findings): Promise<Refusal | undefined> {
  if (found.contact || item.body.type !== 'template') return undefined
  const { workspace } = item.ctx
  const room = await readContactRoom(item.ctx, [workspace])
  return takeContactRoom(room, workspace.id) ? undefined : contactLimitReached(workspace)
}

/** Returns what `POST /send` would answer to this body, with every refusal instead of the first. */
export async function previewSend(ctx: Context, body: SendBody): Promise<Preview> {
  const item = { ctx, body }
  const [numbers, quota, readAhead] = await Promise.all([
    readNumbers(ctx, [ctx.workspace.id]),
    readQuota(ctx, [{ workspace: ctx.workspace, now: ctx.now }], { lock: false }),
    readRecipientsAhead(ctx, [item]),
  ])
  const [routed] = await routeSends(ctx, [item], numbers)
  if (routed instanceof Refusal || routed === undefined)
    return { ...NOTHING, wouldSend: false, refusals: routed ? [routed] : [] }
  const [found] = await findForSends(ctx, [routed], readAhead)
  const { refusals, sendable } = explainSend(routed, found!)
  const others = [refuseQuota(quota, ctx.workspace), await refuseRoom(routed, found!)]
  const reasons = [...refusals, ...others.filter((refusal) => refusal !== undefined)]
  return {
    wouldSend: reasons.length === 0,
    refusals: reasons,
    message: sendable
      ? { content: sendable.content, text: messageWords(body.type, sendable.content, sendable.templateText) }
      : null,
    phoneNumberId: routed.number.id,
    recipientPhone: routed.recipient.phone,
    contactId: found!.contact?.id ?? null,
    conversationId: found!.conversation?.id ?? null,
    windowExpiresAt: found!.conversation?.windowExpiresAt ?? null,
    ...priceOf(routed, found!),
  }
}
