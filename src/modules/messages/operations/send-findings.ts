/** What a list of sends needs to know before it is judged: read at once, and only what some send asks for. */
import type { Unit } from '../../../core/context.ts'
import { findContactsForSend } from '../../contacts/operations/find-contact.ts'
import { findConversationsForSend } from '../../conversations/operations/outbound.ts'
import { findMediaForSend, type SendableMedia } from '../../media/operations/find-for-send.ts'
import { findTemplatesForSend, type StoredTemplate } from '../../templates/operations/find-for-send.ts'
import { listKnownChanmids } from '../queries.ts'
import { templateOf } from '../send-schema.ts'
import { filesOf, filesOfComponents } from './carried-files.ts'
import type { Routed } from './send-route.ts'

/** What is known about one send. */
export type Findings = {
  contact: Awaited<ReturnType<typeof findContactsForSend>>[number]
  conversation: Awaited<ReturnType<typeof findConversationsForSend>>[number]
  template: StoredTemplate | undefined
  /** Files that it names, by the operator's id. */
  files: ReadonlyMap<string, SendableMedia>
  /** The conversation in which the message stands that it replies or reacts to. */
  answeredIn: string | undefined
}

/** The channel's id of the message that a send replies or reacts to; templates reply to nothing (FORMATS section 2). */
export function answeredBy({ body }: Routed): string | undefined {
  if (body.payload?.type === 'reaction') return body.payload.reaction.message_id
  return body.type === 'template' ? undefined : body.replyTo
}

async function findParties(unit: Unit, items: Routed[]) {
  const contacts = await findContactsForSend(
    unit,
    items.map((item) => ({ workspaceId: item.ctx.workspace.id, ...item.recipient })),
  )
  const conversations = await findConversationsForSend(
    unit,
    items.map((item, i) => ({
      workspaceId: item.ctx.workspace.id,
      contactId: contacts[i]?.id ?? null,
      phoneNumberId: item.number.id,
    })),
  )
  return { contacts, conversations }
}

async function findTemplates(unit: Unit, items: Routed[]): Promise<Map<Routed, StoredTemplate | undefined>> {
  const asking = items.flatMap((item) => {
    const template = templateOf(item.body)
    return template ? [{ item, template }] : []
  })
  const found = await findTemplatesForSend(
    unit,
    asking.map(({ item, template }) => ({
      workspaceId: item.ctx.workspace.id,
      accountId: item.number.accountId,
      name: template.name,
      language: template.language.code,
    })),
  )
  return new Map(asking.map(({ item }, i) => [item, found[i]]))
}

/** The ids of files that a send names anywhere. */
function fileIdsOf({ body }: Routed): string[] {
  const template = templateOf(body)
  if (template === undefined) return filesOf(body).map((file) => file.mediaId)
  const media = [template.headerMedia, ...(template.cards ?? []).map((card) => card.headerMedia)]
  return [
    ...media.flatMap((one) => one?.id ?? []),
    ...filesOfComponents(template.components ?? [], '').map((file) => file.mediaId),
  ]
}

const NO_FILES: ReadonlyMap<string, SendableMedia> = new Map()

async function findFiles(unit: Unit, items: Routed[]): Promise<Map<Routed, Map<string, SendableMedia>>> {
  const asking = items.flatMap((item) => fileIdsOf(item).map((mediaId) => ({ item, mediaId })))
  const found = await findMediaForSend(
    unit,
    asking.map(({ item, mediaId }) => ({ workspaceId: item.ctx.workspace.id, mediaId })),
  )
  const files = new Map<Routed, Map<string, SendableMedia>>()
  for (const [i, { item, mediaId }] of asking.entries()) {
    const media = found[i]
    if (media) files.set(item, (files.get(item) ?? new Map()).set(mediaId, media))
  }
  return files
}

async function findAnswered(unit: Unit, items: Routed[]): Promise<Map<Routed, string>> {
  const asking = items.flatMap((item) => {
    const chanmid = answeredBy(item)
    return chanmid === undefined ? [] : [{ item, workspaceId: item.ctx.workspace.id, chanmid }]
  })
  if (asking.length === 0) return new Map()
  const key = (one: { workspaceId: string; chanmid: string }) => `${one.workspaceId} ${one.chanmid}`
  const known = new Map(
    (await listKnownChanmids(unit.tx, asking)).map((row) => [key(row), row.conversationId]),
  )
  return new Map(
    asking.flatMap((one) => {
      const conversationId = known.get(key(one))
      return conversationId === undefined ? [] : [[one.item, conversationId] as const]
    }),
  )
}

/** Reads what the sends of a list need, one answer a send, in order. Nothing is locked. */
export async function findForSends(unit: Unit, items: Routed[]): Promise<Findings[]> {
  const [parties, templates, files, answered] = await Promise.all([
    findParties(unit, items),
    findTemplates(unit, items),
    findFiles(unit, items),
    findAnswered(unit, items),
  ])
  return items.map((item, i) => ({
    contact: parties.contacts[i],
    conversation: parties.conversations[i],
    template: templates.get(item),
    files: files.get(item) ?? NO_FILES,
    answeredIn: answered.get(item),
  }))
}
