/**
 * The phone app's history (DECISIONS.md): its messages are stored as past messages, once, in any
 * order, and nothing follows from them. Files are reported separately, before or after their messages.
 */
import type { Context, Unit } from '../../../../../core/context.ts'
import { touch } from '../../../../../core/event.ts'
import { addHistory, type HistoryArrival } from '../../../../platform/workspaces/operations/history-sync.ts'
import {
  type InboundMedia,
  inboundMediaOf,
  recordInboundMedia,
} from '../../../media/operations/record-inbound-media.ts'
import { MAX_PAST_MESSAGES, storePastMessages } from '../../past/operations/store-past-messages.ts'
import { type PastMessage, pastMessageId } from '../../past/past-message.ts'
import { listKnownChanmids } from '../../queries.ts'
import { indexedWords } from '../../reading/operations/search-words.ts'
import { updateMessageWords } from '../../reading/queries/message-words.ts'
import { fillPlaceholders, lockPlaceholders } from '../queries/placeholders.ts'
import { ofKinds, type Reported, type UpdateItem } from './update-items.ts'

const SOURCE = 'phone_app'

export type PastFileUpdate = Reported<'past_file'>
type PastUpdate = Reported<'past'>
type Arrival = HistoryArrival & { ctx: Context }
/** By the id of the number. */
type Arrivals = Map<string, Arrival>
type Written = { item: PastUpdate | PastFileUpdate; message: PastMessage; media: InboundMedia | undefined }

/** Stores the history in `items`. Returns files whose messages are unknown and that name no customer. */
export async function applyHistory(unit: Unit, items: UpdateItem[]): Promise<PastFileUpdate[]> {
  const past = ofKinds(items, 'past')
  const files = ofKinds(items, 'past_file')
  const progress = ofKinds(items, 'history')
  if (past.length + files.length + progress.length === 0) return []
  const arrivals: Arrivals = new Map()
  await storeWritten(past.map(writtenOf), arrivals)
  const unplaced = await fillFiles(unit, files)
  await storeWritten(unplaced.filter(({ report }) => report.customer !== null).map(writtenOf), arrivals)
  for (const { ctx, phoneNumberId, report } of progress) {
    const arrival = arrivalOf(arrivals, ctx, phoneNumberId)
    if (report.declined === null) arrival.hasArrived = true
    else arrival.declined = report.declined
    arrival.progress = largest(arrival.progress, report.progress)
    arrival.phase = largest(arrival.phase, report.phase)
  }
  await addHistory(unit, [...arrivals.values()])
  return unplaced.filter(({ report }) => report.customer === null)
}

const largest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

function arrivalOf(arrivals: Arrivals, ctx: Context, phoneNumberId: string): Arrival {
  const existing = arrivals.get(phoneNumberId)
  if (existing) return existing
  const arrival: Arrival = {
    ctx,
    workspaceId: ctx.workspace.id,
    phoneNumberId,
    progress: null,
    phase: null,
    hasArrived: false,
    declined: null,
    stored: 0,
    leftOut: 0,
    at: ctx.now,
  }
  arrivals.set(phoneNumberId, arrival)
  return arrival
}

/** Returns a message with its file under our id, as `messages.content` has it. */
function writtenOf(item: PastUpdate | PastFileUpdate): Written {
  const { report } = item
  const file = inboundMediaOf(report.type, report.content)
  const { phone, userId } = report.kind === 'past' ? report : report.customer!
  const name = report.kind === 'past' ? report.profileName : report.customer!.profileName
  return {
    item,
    media: file?.media,
    message: {
      externalId: report.chanmid,
      contact: {
        ...(phone === null ? {} : { phone }),
        ...(userId === null ? {} : { userId }),
        ...(name === null ? {} : { name }),
      },
      direction: report.direction,
      createdAt: report.at,
      type: report.type,
      content: file?.content ?? report.content,
      status: report.kind === 'past' ? (report.status ?? undefined) : 'sent',
      chanmid: report.chanmid,
      replyTo: report.replyTo,
    },
  }
}

/** Stores messages by number, and queues the download of the files of new ones. */
async function storeWritten(written: Written[], arrivals: Arrivals): Promise<void> {
  for (const list of Map.groupBy(written, ({ item }) => item.phoneNumberId).values())
    for (let from = 0; from < list.length; from += MAX_PAST_MESSAGES)
      await storeList(inOrder(list.slice(from, from + MAX_PAST_MESSAGES)), arrivals)
}

/** Numbers the messages of one chat and second in their order, because the operator reports whole seconds. */
function inOrder(list: Written[]): Written[] {
  const places = new Map<string, number>()
  return list.map((written) => {
    const { contact, createdAt } = written.message
    const key = `${contact.phone ?? contact.userId} ${createdAt.getTime()}`
    const order = places.get(key) ?? 0
    places.set(key, order + 1)
    return { ...written, message: { ...written.message, order } }
  })
}

async function storeList(list: Written[], arrivals: Arrivals): Promise<void> {
  const { ctx, phoneNumberId } = list[0]!.item
  const workspaceId = ctx.workspace.id
  const known = new Set(
    (
      await listKnownChanmids(
        ctx.tx,
        list.map(({ item }) => ({ workspaceId, chanmid: item.report.chanmid })),
      )
    ).map(({ chanmid }) => chanmid),
  )
  const messages = list.map(({ message }) => message)
  const { stored, leftOut } = await storePastMessages(ctx, { phoneNumberId, source: SOURCE, messages })
  const arrival = arrivalOf(arrivals, ctx, phoneNumberId)
  arrival.hasArrived = true
  arrival.stored += stored
  arrival.leftOut += leftOut.length
  const without = new Set(leftOut.map(({ index }) => index))
  const files = list.flatMap(({ media, message, item }, i) => {
    if (!media || without.has(i) || known.has(item.report.chanmid)) return []
    known.add(item.report.chanmid)
    return [{ ctx, messageId: pastMessageId(workspaceId, SOURCE, message), phoneNumberId, media }]
  })
  await recordInboundMedia(files)
}

/** Replaces placeholders by their files. Returns the files of unknown messages. */
async function fillFiles(unit: Unit, items: PastFileUpdate[]): Promise<PastFileUpdate[]> {
  if (items.length === 0) return []
  const keys = items.map(({ ctx, report }) => ({ workspaceId: ctx.workspace.id, chanmid: report.chanmid }))
  const known = new Set(
    (await listKnownChanmids(unit.tx, keys)).map((row) => `${row.workspaceId} ${row.chanmid}`),
  )
  const places = new Map(
    (await lockPlaceholders(unit.tx, keys)).map((row) => [`${row.workspaceId} ${row.chanmid}`, row]),
  )
  const filled = items.flatMap((item) => {
    const key = `${item.ctx.workspace.id} ${item.report.chanmid}`
    const row = places.get(key)
    if (!row) return []
    places.delete(key)
    const { type, content: reported } = item.report
    const file = inboundMediaOf(type, reported)
    const content = file?.content ?? reported
    return [{ item, file, row: { ...row, type, content } }]
  })
  if (filled.length > 0) {
    await fillPlaceholders(
      unit.tx,
      filled.map(({ row }) => row),
    )
    await updateMessageWords(
      unit.tx,
      filled.map(({ row }) => ({ ...row, words: indexedWords({ ...row, templateText: null }) })),
    )
    await recordInboundMedia(
      filled.flatMap(({ item: { ctx, phoneNumberId }, file, row }) =>
        file ? [{ ctx, messageId: row.id, phoneNumberId, media: file.media }] : [],
      ),
    )
    for (const { item, row } of filled) touch(item.ctx, { message: row.id, conversation: row.conversationId })
  }
  return items.filter(({ ctx, report }) => !known.has(`${ctx.workspace.id} ${report.chanmid}`))
}
