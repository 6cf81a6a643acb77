/**
 * Sends that can be checked from memory: plain messages to recipients whom this process has seen with an open
 * window (docs/decisions/requests.md).
 */
import type { Context, Unit } from '../../../../../core/context.ts'
import { SerializationConflict } from '../../../../../database/sql/serialization-conflict.ts'
import { settledPhone } from '../../../contacts/operations/settle-numbers.ts'
import { assumeReach, recallReach } from '../../../conversations/operations/assumed-reach.ts'
import type { Reach } from '../../../conversations/operations/find-reach.ts'
import { isWindowOpen } from '../../../conversations/schema.ts'
import type { SendBody } from '../send-schema.ts'
import { filesOf } from './carried-files.ts'
import { answeredBy, type Findings, NO_FILES } from './send-findings.ts'
import type { Routed, SendItem } from './send-route.ts'

type Asked = { ctx: Pick<Context, 'workspace' | 'now'>; body: SendBody }

/**
 * Returns the full number of the recipient; undefined if the number is incomplete, or the send names a
 * template, file or message that must be read.
 */
function plainRecipient({ ctx, body }: Asked): string | undefined {
  if (body.type === 'template' || answeredBy({ body }) !== undefined || filesOf(body).length > 0)
    return undefined
  return body.to?.startsWith('+') ? settledPhone({ workspace: ctx.workspace, text: body.to }) : undefined
}

/** A recipient with an open window, as this process remembers them. */
export type Remembered = { phone: string; reach: Reach }

function recallRecipient(send: Asked): Remembered | undefined {
  const phone = plainRecipient(send)
  const reach = phone === undefined ? undefined : recallReach(send.ctx.workspace.id, phone)
  if (phone === undefined || reach === undefined) return undefined
  const isOpen = reach.conversations.values().some((chat) => isWindowOpen(chat, send.ctx.now))
  return isOpen ? { phone, reach } : undefined
}

/**
 * Returns the remembered recipients of plain messages, in order; undefined if one is not remembered with an
 * open window.
 */
export function recallRecipients(sends: Asked[]): Remembered[] | undefined {
  const recipients: Remembered[] = []
  for (const send of sends) {
    const recipient = recallRecipient(send)
    if (recipient === undefined) return undefined
    recipients.push(recipient)
  }
  return recipients
}

/** Returns the remembered findings of the sends, in order. The transaction fails if they have changed. */
export function findAssumed(unit: Unit, sends: Routed<SendItem & Remembered>[]): Findings[] {
  const found = sends.map(({ ctx, reach, number }) => {
    const conversation = reach.conversations.get(number.id)
    if (!conversation?.windowExpiresAt || !isWindowOpen(conversation, ctx.now))
      throw new SerializationConflict('a recipient has no open window of the sending number')
    const { id: conversationId, windowExpiresAt } = conversation
    return {
      assumed: { workspaceId: ctx.workspace.id, contact: reach.contact, conversationId, windowExpiresAt },
      findings: {
        contact: reach.contact,
        conversation,
        template: undefined,
        files: NO_FILES,
        answeredIn: undefined,
      },
    }
  })
  assumeReach(
    unit,
    found.map(({ assumed }) => assumed),
  )
  return found.map(({ findings }) => findings)
}
