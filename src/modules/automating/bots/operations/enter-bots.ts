/** Starts bots by a customer's message: by a keyword, in a new chat, or if nothing else answers. */

import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Unit } from '../../../../core/context.ts'
import { yieldPeriodically } from '../../../../core/yield-periodically.ts'
import {
  type Answerable,
  isLeftToPeople,
  type Taker,
} from '../../../messaging/messages/intake/operations/offer-messages.ts'
import { customerText } from '../../../messaging/messages/reading/operations/customer-text.ts'
import { keywordMatcher } from '../../auto-replies/operations/keyword-match.ts'
import { enqueueCalls } from '../jobs.ts'
import { type BotRow, listDefinitions, listEntries } from '../queries/bots.ts'
import { playStart } from '../script/play-script.ts'
import { carryOut, type Step } from './run-steps.ts'
import { readSituations } from './situations.ts'

/** The parts of a message that decide whether a bot starts. */
type Asked = Pick<Answerable, 'ctx' | 'type' | 'content' | 'previousInboundAt'>
type Matcher = ReturnType<typeof keywordMatcher>
type Entry = Pick<BotRow, 'workspaceId' | 'id' | 'entry'>

/** The entries of a bot in the order in which they are checked. Of several bots the oldest starts. */
const ENTRY_CHECKS: ((entry: BotRow['entry'], message: Asked, matches: Matcher) => boolean)[] = [
  ({ keywords }, _, matches) => matches(keywords, 'exact'),
  ({ patterns }, _, matches) => matches(patterns, 'regex'),
  ({ newConversation }, { ctx, previousInboundAt }) =>
    newConversation && (previousInboundAt === null || previousInboundAt <= later(ctx.now, -DAY_MS)),
  (entry) => entry.default,
]

/** Returns whether a bot may start at this time, by the workspace's clock. */
const isValidAt = ({ entry: { validFrom, validUntil } }: Entry, now: Date): boolean =>
  (validFrom === null || new Date(validFrom) <= now) && (validUntil === null || now < new Date(validUntil))

/** Returns the bot that a message starts, if any. */
export function findBotId(message: Asked, entries: Entry[]): string | undefined {
  const { workspace, now } = message.ctx
  const own = entries.filter((entry) => entry.workspaceId === workspace.id && isValidAt(entry, now))
  const matches = keywordMatcher(customerText(message))
  for (const check of ENTRY_CHECKS) {
    const found = own.find(({ entry }) => check(entry, message, matches))
    if (found) return found.id
  }
  return undefined
}

/** Answers messages that start a bot. */
export const botEntryTaker: Taker = { name: "a bot's entry", answer: enterBots }

async function enterBots(unit: Unit, messages: Answerable[]): Promise<Set<string>> {
  const answerable = messages.filter((message) => !isLeftToPeople(message))
  if (answerable.length === 0) return new Set()
  const entries = await listEntries(unit.tx, [...new Set(answerable.map(({ ctx }) => ctx.workspace.id))])
  const giveWay = yieldPeriodically()
  const starts: (Answerable & { botId: string })[] = []
  for (const message of answerable) {
    await giveWay()
    const botId = findBotId(message, entries)
    if (botId !== undefined) starts.push({ ...message, botId })
  }
  if (starts.length === 0) return new Set()
  const bots = await listDefinitions(
    unit.tx,
    starts.map(({ ctx, botId }) => ({ workspaceId: ctx.workspace.id, id: botId })),
  )
  const scenes = starts.flatMap((message) => {
    const bot = bots.find(({ id }) => id === message.botId)
    return bot ? [{ ...message, bot, definition: bot.definition }] : []
  })
  const situations = await readSituations(unit, scenes)
  const steps: Step[] = []
  for (const [i, scene] of scenes.entries()) {
    await giveWay()
    const played = playStart(scene.definition, { text: customerText(scene) }, situations[i]!)
    steps.push({ ...scene, before: undefined, played })
  }
  await enqueueCalls(unit, steps, await carryOut(unit, steps))
  return new Set(scenes.map(({ messageId }) => messageId))
}
