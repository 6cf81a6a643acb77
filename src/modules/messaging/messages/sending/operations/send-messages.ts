/**
 * Accepts messages (spec 4.2): makes all checks that need no operator, stores the message as queued with its
 * conversation, and leaves the hand-over to background work. Works on a list from many workspaces; a refused
 * item writes nothing and doesn't affect the others.
 */
import { realTime } from '../../../../../core/clock.ts'
import { beforeCommit, type Context, type Unit, wake } from '../../../../../core/context.ts'
import { Refusal } from '../../../../../core/errors.ts'
import { touch } from '../../../../../core/event.ts'
import { newId } from '../../../../../core/ids.ts'
import { columnsOfSource, sourceOf } from '../../../../../core/source.ts'
import { filesOfMessage } from '../../../../../operator/message-payload/carried-files.ts'
import { assumeNumbers, readNumbers } from '../../../../platform/workspaces/operations/read-numbers.ts'
import { recordMarketing } from '../../../contacts/operations/marketing-cap.ts'
import { recordOutbound } from '../../../conversations/operations/outbound.ts'
import { recordSentFiles } from '../../../media/operations/record-sent-files.ts'
import type { NewMessage } from '../../message-rows.ts'
import { insertQueuedMessages } from '../queries/queued-messages.ts'
import { findAssumed, type Remembered } from './assumed-sends.ts'
import { judgeSend, type Sendable } from './judge-send.ts'
import { assumeQuota, type Quota, readQuota, refuseQuota, returnQuota, settleQuota } from './message-quota.ts'
import { openConversations, type Place } from './open-conversations.ts'
import { type Findings, findForSends, readRecipientsAhead } from './send-findings.ts'
import { type Routed, routeSends, routeSendsTo, type SendItem } from './send-route.ts'

export type { SendItem } from './send-route.ts'

/** The source of background work that hands messages over. */
export const HANDOVER = 'handover'

/** A send that passed its checks. */
type Admitted = { item: Routed; found: Findings; sendable: Sendable }

/** Returns the member who wrote it in the dashboard. */
const writerOf = ({ via, actor }: Context): string | null =>
  via === 'dashboard' && actor.kind === 'member' ? actor.memberId : null

const messageOf = (
  { item: { ctx, body, number, composed }, sendable }: Admitted,
  place: Place,
): NewMessage => ({
  workspaceId: ctx.workspace.id,
  id: newId(),
  ...place,
  phoneNumberId: number.id,
  direction: 'outbound',
  type: body.type,
  content: sendable.content,
  templateText: sendable.templateText,
  status: 'queued',
  chanmid: null,
  // The operator does not show quotations with templates.
  replyTo: body.type === 'template' ? null : (body.replyTo ?? null),
  sentBy: writerOf(ctx),
  origin: ctx.cause
    ? { automationId: ctx.cause.automationId, runId: ctx.cause.runId, chain: ctx.cause.chain }
    : null,
  ...columnsOfSource(sourceOf(ctx)),
  createdAt: ctx.now,
  runAt: composed?.held ? null : realTime(ctx.now, ctx.workspace),
})

/** Returns the files in a message's headers; its main file is in its content. */
const filesInHeaders = ({ workspaceId, id, type, content }: NewMessage) =>
  type === 'template' || type === 'interactive'
    ? filesOfMessage({ type, [type]: content }, '').map(({ mediaId }) => ({
        workspaceId,
        messageId: id,
        operatorId: mediaId,
      }))
    : []

/** Accepts or refuses each item, in order: returns the id of the queued message, or the refusal. */
export async function sendMessages(items: SendItem[]): Promise<(string | Refusal)[]> {
  const send = await readAheadOfSends(items)
  return send(items)
}

/**
 * Does the same in two steps. The first reads data that needs only the requests; the returned function
 * accepts or refuses the items that are not retries.
 */
export async function readAheadOfSends(
  items: SendItem[],
): Promise<(fresh: SendItem[]) => Promise<(string | Refusal)[]>> {
  const unit = items[0]!.ctx
  const [numbers, quota, readAhead] = await Promise.all([
    readNumbers(
      unit,
      items.map((item) => item.ctx.workspace.id),
    ),
    readQuota(unit, items.map(quotaOf), { lock: false }),
    readRecipientsAhead(unit, items),
  ])
  return async (fresh) =>
    judgeAndStore(await routeSends(unit, fresh, numbers), quota, (open) =>
      findForSends(unit, open, readAhead),
    )
}

/**
 * Does the same without reading, for plain messages to the remembered recipients (`recallRecipients`). The
 * transaction fails if the remembered data has changed or an allowance is used up.
 */
export async function sendToRemembered(
  items: SendItem[],
  recipients: Remembered[],
): Promise<(string | Refusal)[]> {
  const unit = items[0]!.ctx
  const numbers = await assumeNumbers(
    unit,
    items.map((item) => item.ctx.workspace.id),
  )
  const sends = items.map((item, i) => ({ ...item, ...recipients[i]! }))
  return judgeAndStore(routeSendsTo(sends, numbers), assumeQuota(items.map(quotaOf)), (open) =>
    findAssumed(unit, open),
  )
}

const quotaOf = ({ ctx: { workspace, now } }: SendItem) => ({ workspace, now })

async function judgeAndStore<Send extends SendItem>(
  routed: (Routed<Send> | Refusal)[],
  readBefore: Quota,
  find: (open: Routed<Send>[]) => Findings[] | Promise<Findings[]>,
): Promise<(string | Refusal)[]> {
  const open = routed.filter((send): send is Routed<Send> => !(send instanceof Refusal))
  if (open.length === 0) return routed as Refusal[]
  const unit = open[0]!.ctx
  // Operations that may store a contact lock the counters first.
  const mayStoreContacts = open.some((item) => item.body.type === 'template')
  const [found, quota] = await Promise.all([
    find(open),
    mayStoreContacts ? readQuota(unit, open.map(quotaOf), { lock: true }) : readBefore,
  ])
  const verdicts = new Map<Routed, string | Refusal>()
  const admitted: Admitted[] = []
  for (const [i, item] of open.entries()) {
    const verdict = judgeSend(item, found[i]!)
    const refusal = verdict instanceof Refusal ? verdict : refuseQuota(quota, item.ctx.workspace)
    if (refusal) verdicts.set(item, refusal)
    else admitted.push({ item, found: found[i]!, sendable: verdict as Sendable })
  }
  for (const [item, verdict] of await store(unit, admitted, quota)) verdicts.set(item, verdict)
  return routed.map((send) => (send instanceof Refusal ? send : verdicts.get(send)!))
}

/** Returns the marketing templates among the admitted sends. */
const marketingOf = (admitted: Admitted[], places: (Place | Refusal)[]) =>
  admitted.flatMap(({ item: { ctx }, found }, i) => {
    const place = places[i]!
    return place instanceof Refusal || found.template?.category !== 'MARKETING'
      ? []
      : [{ workspaceId: ctx.workspace.id, contactId: place.contactId, at: ctx.now }]
  })

/** Stores the admitted sends, with the conversations that they open. */
async function store(unit: Unit, admitted: Admitted[], quota: Quota): Promise<Map<Routed, string | Refusal>> {
  if (admitted.length === 0) return new Map()
  const places = await openConversations(unit, admitted)
  const verdicts = new Map<Routed, string | Refusal>()
  const messages: NewMessage[] = []
  for (const [i, send] of admitted.entries()) {
    const place = places[i]!
    if (place instanceof Refusal) {
      returnQuota(quota, send.item.ctx.workspace.id)
      verdicts.set(send.item, place)
      continue
    }
    const message = messageOf(send, place)
    messages.push(message)
    // Publish dashboard sends immediately so that the sender sees the message; API sends appear once they are
    // submitted.
    if (send.item.ctx.via === 'dashboard')
      touch(send.item.ctx, { conversation: message.conversationId, message: message.id })
    verdicts.set(send.item, message.id)
  }
  if (messages.length === 0) return verdicts
  const notes = admitted.flatMap(({ item: { ctx } }, i) => {
    const place = places[i]!
    if (place instanceof Refusal) return []
    return [{ ctx, conversationId: place.conversationId, at: ctx.now, byPerson: writerOf(ctx) !== null }]
  })
  // Statements run at commit, in the same order in all operations to avoid deadlocks: counters,
  // conversations, marketing marks.
  beforeCommit(unit, settleQuota(unit, quota))
  beforeCommit(unit, insertQueuedMessages(unit.tx, messages))
  beforeCommit(unit, recordSentFiles(unit.tx, messages.flatMap(filesInHeaders)))
  beforeCommit(unit, recordOutbound(unit, notes))
  beforeCommit(unit, recordMarketing(unit, marketingOf(admitted, places)))
  unit.onQueued?.(messages.map(({ id }) => id))
  wake(unit, HANDOVER)
  return verdicts
}
