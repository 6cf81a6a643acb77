/** Advances a customer's running bot, in the transaction of their message (DECISIONS.md). */

import { later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import type { Unit } from '../../../../core/context.ts'
import { runOffsetOf } from '../../../../core/due.ts'
import { yieldPeriodically } from '../../../../core/yield-periodically.ts'
import type { Answerable, Taker } from '../../../messaging/messages/intake/operations/offer-messages.ts'
import { SAME_TAP_MS } from '../../../messaging/messages/intake/operations/repeated-taps.ts'
import { customerText, tapOf } from '../../../messaging/messages/reading/operations/customer-text.ts'
import { enqueueCalls } from '../jobs.ts'
import { listVersions } from '../queries/bots.ts'
import {
  deleteSessions,
  listSessionsForUpdate,
  type SessionRow,
  upsertSessions,
} from '../queries/sessions.ts'
import { recordTeammateEnds } from '../queries/visits.ts'
import type { BotDefinition } from '../schema.ts'
import { parseTap } from '../script/option-ids.ts'
import { type CustomerInput, playNext } from '../script/play-script.ts'
import { carryOut, type Step } from './run-steps.ts'
import { readSituations } from './situations.ts'

/** The definition is missing if the bot was turned off or changed at the moment when the session started. */
type OpenSession = { message: Answerable; session: SessionRow } & Partial<Defined>
type Defined = { definition: BotDefinition; name: string }
type RunningSession = OpenSession & Defined

/** Returns whether the session still runs. It ends when it is idle, a teammate writes, or the bot ends. */
function isRunning(candidate: OpenSession): candidate is RunningSession {
  const { message, session, definition } = candidate
  const { ctx, personAnsweredAt } = message
  const endsAt = later(session.runAt, session.runOffsetMs ?? 0)
  if (definition === undefined || endsAt <= ctx.now) return false
  return personAnsweredAt === undefined || personAnsweredAt <= session.startedAt
}

/**
 * Returns the customer's answer. A tap on an older menu counts as text. Returns undefined for a second tap on
 * the menu that the customer just left.
 */
function readInput({ message, session }: RunningSession): CustomerInput | undefined {
  const text = customerText(message)
  const tapped = tapOf(message)
  const tap = tapped && parseTap(tapped.id)
  if (tap?.session !== session.id) return { text }
  if (tap.node === session.node) return { text, option: tap.option }
  const { leftNode, leftAt } = session
  const isSameTap = tap.node === leftNode && leftAt !== null && leftAt > later(message.ctx.now, -SAME_TAP_MS)
  return isSameTap ? undefined : { text }
}

/** Answers messages in chats with a running bot. */
export const runningBotTaker: Taker = { name: 'running bot', answer: advanceSessions }

async function advanceSessions(unit: Unit, messages: Answerable[]): Promise<Set<string>> {
  const byChat = new Map(messages.map((message) => [message.conversationId, message]))
  const sessions = await listSessionsForUpdate(
    unit.tx,
    messages.map(({ ctx, conversationId }) => ({ workspaceId: ctx.workspace.id, conversationId })),
  )
  if (sessions.length === 0) return new Set()
  const versions = await listVersions(unit.tx, sessions)
  const candidates = sessions.map((session): OpenSession => {
    const { botId, version } = session
    const found = versions.find((row) => row.botId === botId && row.version === version)
    return { session, message: byChat.get(session.conversationId)!, ...found }
  })
  const running = candidates.filter(isRunning)
  const ended = candidates.filter((candidate) => !isRunning(candidate))
  if (ended.length > 0) {
    const sessions = ended.map(({ session }) => session)
    await deleteSessions(unit.tx, sessions)
    await recordTeammateEnds(unit.tx, sessions)
  }
  if (running.length > 0) await advance(unit, running)
  return new Set(running.map(({ message }) => message.messageId))
}

async function advance(unit: Unit, running: RunningSession[]): Promise<void> {
  const scenes = running.flatMap((candidate) => {
    const input = readInput(candidate)
    return input ? [{ ...candidate, ...candidate.message, input }] : []
  })
  const kept = scenes.filter(waitsForRequest).map(keepInput)
  if (kept.length > 0) await upsertSessions(unit.tx, kept)
  await playInputs(
    unit,
    scenes.filter((scene) => !waitsForRequest(scene)),
  )
}

type Scene = RunningSession & Answerable & { input: CustomerInput }

/** The number of messages that a bot keeps while it waits for the answer to a request. */
const KEPT_MESSAGES = 10

const waitsForRequest = ({ session, definition }: RunningSession): boolean =>
  definition.nodes.find(({ id }) => id === session.node)?.type === 'request'

/** Returns the session with the message, which the bot answers after its request. */
function keepInput({ ctx, session, definition, input }: Scene): SessionRow {
  return {
    ...session,
    // The first one is the message that led to the request.
    pending: [...session.pending, input].slice(0, KEPT_MESSAGES + 1),
    runAt: realTime(later(ctx.now, definition.idleMinutes * MINUTE_MS), ctx.workspace),
    runOffsetMs: runOffsetOf(ctx.workspace),
  }
}

async function playInputs(unit: Unit, scenes: Scene[]): Promise<void> {
  if (scenes.length === 0) return
  const situations = await readSituations(unit, scenes)
  const giveWay = yieldPeriodically()
  const steps: Step[] = []
  for (const [i, { session, message, definition, name, input }] of scenes.entries()) {
    await giveWay()
    const bot = { id: session.botId, name, version: session.version, definition }
    const played = playNext(definition, session, input, situations[i]!)
    steps.push({ ...message, bot, before: session, played })
  }
  await enqueueCalls(unit, steps, await carryOut(unit, steps))
}
