/**
 * Sends that can be checked from memory: plain messages to recipients whom this process has seen with an open
 * window (docs/decisions/requests.md).
 */
import type { Context, Unit } from '../../../../../core/context.ts'
import { SerializationConflict } from '../../../../../database/sql/serialization-conflict.ts'
import { settledPhone } from '../../../contacts/operations/settle-numbers.ts'
import { assumeReach, recallReach } from '../../../conversations/operations/assumed-reach.ts'
import { isWindowOpen } from '../../../conversations/schema.ts'
import type { SendBody } from '../send-schema.ts'
import { filesOf } from './carried-files.ts'
import { answeredBy, type Findings, NO_FILES } from './send-findings.ts'
import type { Routed } from './send-route.ts'

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

/** Returns whether all sends are plain messages to recipients who are remembered with an open window. */
export const mayAssumeSends = (items: Asked[]): boolean =>
  items.every((item) => {
    const phone = plainRecipient(item)
    const reach = phone === undefined ? undefined : recallReach(item.ctx.workspace.id, phone)
    return (
      reach?.conversations.values().some((conversation) => isWindowOpen(conversation, item.ctx.now)) ?? false
    )
  })

/** Returns the remembered findings of the sends, in order. The transaction fails if they have changed. */
export function findAssumed(unit: Unit, items: Routed[]): Findings[] {
  const found = items.map((item) => {
    const workspaceId = item.ctx.workspace.id
    const reach = recallReach(workspaceId, item.recipient.phone ?? '')
    const conversation = reach?.conversations.get(item.number.id)
    if (!reach || !conversation?.windowExpiresAt || !isWindowOpen(conversation, item.ctx.now))
      throw new SerializationConflict('a recipient is not remembered, or without an open window')
    const { id: conversationId, windowExpiresAt } = conversation
    return {
      assumed: { workspaceId, contact: reach.contact, conversationId, windowExpiresAt },
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
