/**
 * Fetches the next messages of lanes ahead of their turn. No claim is needed, because no other process works
 * on the lane.
 */
import { later, SECOND_MS } from '../../../../core/clock.ts'
import { lineOf } from '../trace-lines.ts'
import type { LateReason } from '../trace-schema.ts'
import { type Dispatcher, forget } from './dispatcher.ts'
import { aheadOf, type Lane, makeReady, promote } from './lane.ts'
import { admit, newPair, type Waiting } from './pair.ts'
import { type DueRow, listDueMessages, listDueOfCampaigns } from './queries/lanes.ts'

const MAX_KNOWN = 50_000

/** Fetches the due messages of these lanes and admits them. */
export async function fetchAhead(dispatcher: Dispatcher, lanes: Lane[]): Promise<void> {
  if (lanes.length === 0 || dispatcher.known >= MAX_KNOWN) return
  await Promise.all(lanes.map((lane) => refresh(dispatcher, lane)))
  const now = dispatcher.clock.now()
  const requests = lanes.map((lane) => {
    const { workspaceId, phoneNumberId, lookedTo } = lane
    // A fetch from the start also reads the messages already in memory.
    const room = aheadOf(lane) + (lookedTo === null ? lane.known.size : 0)
    return { lane, workspaceId, phoneNumberId, room, after: lookedTo }
  })
  const rows = await listDueMessages(dispatcher.database.query, requests, now)
  const found = Map.groupBy(rows, (row) => row.place)
  for (const [place, { lane, room, after }] of requests.entries()) {
    if (dispatcher.lanes.get(lane.phoneNumberId) !== lane) continue
    const due = found.get(place) ?? []
    const isComplete = due.length < room
    // After the last message, the next fetch starts at the first: messages may have been put back since.
    lane.more = !isComplete || after !== null
    lane.lookedTo = isComplete ? null : (due.at(-1) ?? null)
    lane.lookedAtMs = dispatcher.clock.monotonicMs()
    for (const row of due) if (!lane.known.has(row.id)) admitRow(dispatcher, lane, row, now.getTime())
  }
  dispatcher.pump()
}

/** Does the same for messages of campaigns. */
export async function fetchAheadOfCampaigns(dispatcher: Dispatcher, lanes: Lane[]): Promise<void> {
  if (lanes.length === 0 || dispatcher.known >= MAX_KNOWN) return
  const now = dispatcher.clock.now()
  const requests = lanes.map((lane) => ({
    lane,
    workspaceId: lane.workspaceId,
    phoneNumberId: lane.phoneNumberId,
    // The fetch also reads the messages already in memory.
    room: aheadOf(lane) + lane.known.size,
  }))
  const rows = await listDueOfCampaigns(dispatcher.database.query, requests, now)
  const found = Map.groupBy(rows, (row) => row.place)
  for (const [place, { lane, room }] of requests.entries()) {
    if (dispatcher.lanes.get(lane.phoneNumberId) !== lane) continue
    const due = found.get(place) ?? []
    lane.hasMoreCampaign = due.length >= room
    lane.campaignLookedAtMs = dispatcher.clock.monotonicMs()
    for (const row of due) if (!lane.known.has(row.id)) admitRow(dispatcher, lane, row, now.getTime(), true)
  }
  dispatcher.pump()
}

async function refresh(dispatcher: Dispatcher, lane: Lane): Promise<void> {
  lane.number = (await dispatcher.number(lane.workspaceId, lane.phoneNumberId)) ?? lane.number
}

function admitRow(dispatcher: Dispatcher, lane: Lane, row: DueRow, nowMs: number, campaign = false): void {
  const { workspaceId } = lane
  const { id, conversationId, runAtMs } = row
  lane.known.add(id)
  dispatcher.known++
  lane.busyAtMs = dispatcher.clock.monotonicMs()
  // Its call began and the process that began it was lost: the message may have gone out, so it is not sent
  // again.
  if (row.unsettled) {
    dispatcher.writer.add({ workspaceId, id, outcome: { kind: 'unconfirmed' } }, () =>
      forget(dispatcher, lane, id),
    )
    return
  }
  const message: Waiting = {
    workspaceId,
    id,
    conversationId,
    runAtMs,
    campaign,
    knownAtMs: nowMs,
    readyAtMs: nowMs,
    late: lateReason(lane, { runAtMs, campaign }, nowMs),
  }
  let pair = lane.pairs.get(conversationId)
  if (!pair) {
    pair = newPair()
    lane.pairs.set(conversationId, pair)
  }
  const isHeldBack = pair.heldUntilMs > nowMs || (id > pair.lastPutOff && pair.putOffUntilMs > nowMs)
  const admitted = admit(pair, message, nowMs)
  if (typeof admitted === 'number')
    putOffUntil(dispatcher, lane, message, admitted, isHeldBack ? 'order' : 'recipient_pace')
  else if (!campaign) lane.queued++
  if (admitted === 'next') makeReady(lane, message)
  if (admitted === 'behind' && !campaign) promote(lane, conversationId)
}

/** Returns why the message was not fetched within a second after it was due; undefined if it was. */
function lateReason(
  lane: Lane,
  { runAtMs, campaign }: { runAtMs: number; campaign: boolean },
  nowMs: number,
): LateReason | undefined {
  if (nowMs - runAtMs <= SECOND_MS) return undefined
  if (lane.troubleUntilMs > runAtMs) return 'backing_off'
  if (lane.claimedAtMs > runAtMs + SECOND_MS) return 'worker'
  return campaign ? 'campaign' : 'pace'
}

/** Writes that a message whose call has not begun waits until `untilMs` (real time). */
export function putOffUntil(
  dispatcher: Dispatcher,
  lane: Lane,
  { workspaceId, id }: Waiting,
  untilMs: number,
  reason: LateReason,
): void {
  const runAt = later(new Date(0), untilMs)
  const step = lineOf({ put: reason, at: dispatcher.clock.now().getTime(), until: Math.round(untilMs) })
  dispatcher.writer.add({ workspaceId, id, outcome: { kind: 'put_off', runAt, step } }, () =>
    forget(dispatcher, lane, id),
  )
}
