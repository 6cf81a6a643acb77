/** Reads the data that checks of sends need, in one round trip, and only the data that some send needs. */
import type { Unit } from '../../../../../core/context.ts'
import { userIdIn } from '../../../../../core/values/phone.ts'
import { filesOfComponents } from '../../../../../operator/message-payload/carried-files.ts'
import { settledPhone } from '../../../contacts/operations/settle-numbers.ts'
import { findReach, type Reach, type ReachKey } from '../../../conversations/operations/find-reach.ts'
import { findMediaForSend, type SendableMedia } from '../../../media/operations/find-for-send.ts'
import { findTemplatesForSend, type StoredTemplate } from '../../../templates/operations/find-for-send.ts'
import { listKnownChanmids } from '../../queries.ts'
import { type SendBody, templateOf } from '../send-schema.ts'
import { filesOf, type KnownFiles } from './carried-files.ts'
import type { Routed, SendItem } from './send-route.ts'

/** The data about one send. */
export type Findings = {
  contact: Reach['contact'] | undefined
  conversation: { id: string; windowExpiresAt: Date | null } | undefined
  template: StoredTemplate | undefined
  /** The files that it names. */
  files: KnownFiles
  /** The conversation of the message to which it replies or reacts. */
  answeredIn: string | undefined
}

/**
 * Returns the channel's id of the message to which a send replies or reacts; templates cannot reply
 * (docs/formats.md section 2).
 */
export function answeredBy({ body }: Pick<Routed, 'body'>): string | undefined {
  if (body.payload?.type === 'reaction') return body.payload.reaction.message_id
  return body.type === 'template' ? undefined : body.replyTo
}

/** Recipients that were read before the sends were routed, by the body that names them. */
export type ReadAhead = ReadonlyMap<SendBody, Reach | undefined>

/**
 * Reads the recipients with full numbers and user ids. A number without country code waits until the sending
 * number is known.
 */
export async function readRecipientsAhead(unit: Unit, items: SendItem[]): Promise<ReadAhead> {
  const keys = items.flatMap(({ ctx, body }): { body: SendBody; key: ReachKey }[] => {
    const { to, recipient } = body
    const { workspace } = ctx
    const userId = to === undefined ? (recipient ?? null) : (userIdIn(to) ?? null)
    if (userId !== null) return [{ body, key: { workspaceId: workspace.id, phone: null, userId } }]
    const phone = to?.startsWith('+') ? settledPhone({ workspace, text: to }) : undefined
    return phone === undefined ? [] : [{ body, key: { workspaceId: workspace.id, phone, userId } }]
  })
  const reached = await findReach(
    unit,
    keys.map(({ key }) => key),
  )
  return new Map(keys.map(({ body }, i) => [body, reached[i]]))
}

/** Reads the recipients that were not read ahead. */
async function readOthers(unit: Unit, items: Routed[], readAhead: ReadAhead): Promise<ReadAhead> {
  const others = items.filter((item) => !readAhead.has(item.body))
  const reached = await findReach(
    unit,
    others.map((item) => ({ workspaceId: item.ctx.workspace.id, ...item.recipient })),
  )
  return new Map(others.map((item, i) => [item.body, reached[i]]))
}

async function findTemplates(unit: Unit, items: Routed[]): Promise<Map<Routed, StoredTemplate | undefined>> {
  const requests = items.flatMap((item) => {
    const template = templateOf(item.body)
    return template ? [{ item, template }] : []
  })
  const found = await findTemplatesForSend(
    unit,
    requests.map(({ item, template }) => ({
      workspaceId: item.ctx.workspace.id,
      accountId: item.number.accountId,
      name: template.name,
      language: template.language.code,
    })),
  )
  return new Map(requests.map(({ item }, i) => [item, found[i]]))
}

/** Returns the ids of all files that a send names. */
function fileIdsOf({ body }: Routed): string[] {
  const template = templateOf(body)
  if (template === undefined) return filesOf(body).map((file) => file.mediaId)
  const media = [template.headerMedia, ...(template.cards ?? []).map((card) => card.headerMedia)]
  return [
    ...media.flatMap((file) => file?.id ?? []),
    ...filesOfComponents(template.components ?? [], '').map((file) => file.mediaId),
  ]
}

export const NO_FILES: KnownFiles = new Map()

async function findFiles(unit: Unit, items: Routed[]): Promise<Map<Routed, Map<string, SendableMedia>>> {
  const requests = items.flatMap((item) => fileIdsOf(item).map((mediaId) => ({ item, mediaId })))
  const found = await findMediaForSend(
    unit,
    requests.map(({ item, mediaId }) => ({ workspaceId: item.ctx.workspace.id, mediaId })),
  )
  const files = new Map<Routed, Map<string, SendableMedia>>()
  for (const [i, { item, mediaId }] of requests.entries()) {
    const media = found[i]
    if (media) files.set(item, (files.get(item) ?? new Map()).set(mediaId, media))
  }
  return files
}

async function findAnswered(unit: Unit, items: Routed[]): Promise<Map<Routed, string>> {
  const requests = items.flatMap((item) => {
    const chanmid = answeredBy(item)
    return chanmid === undefined ? [] : [{ item, workspaceId: item.ctx.workspace.id, chanmid }]
  })
  if (requests.length === 0) return new Map()
  const key = (message: { workspaceId: string; chanmid: string }) =>
    `${message.workspaceId} ${message.chanmid}`
  const conversations = new Map(
    (await listKnownChanmids(unit.tx, requests)).map((row) => [key(row), row.conversationId]),
  )
  return new Map(
    requests.flatMap((question) => {
      const conversationId = conversations.get(key(question))
      return conversationId === undefined ? [] : [[question.item, conversationId] as const]
    }),
  )
}

/** Reads the remaining data for a list of sends and returns one entry for each, in order. Locks nothing. */
export async function findForSends(unit: Unit, items: Routed[], readAhead: ReadAhead): Promise<Findings[]> {
  const [others, templates, files, answered] = await Promise.all([
    readOthers(unit, items, readAhead),
    findTemplates(unit, items),
    findFiles(unit, items),
    findAnswered(unit, items),
  ])
  return items.map((item) => {
    const reach = readAhead.get(item.body) ?? others.get(item.body)
    return {
      contact: reach?.contact,
      conversation: reach?.conversations.get(item.number.id),
      template: templates.get(item),
      files: files.get(item) ?? NO_FILES,
      answeredIn: answered.get(item),
    }
  })
}
