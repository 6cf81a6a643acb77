/** Starts bots by a customer's message: by a keyword, in a new chat, or if nothing else answers. */
import { DAY_MS, later } from '../../../core/clock.ts'
import type { Unit } from '../../../core/context.ts'
import { inSlices } from '../../../core/give-way.ts'
import { keywordMatcher } from '../../auto-replies/operations/keyword-match.ts'
import {
  type Answerable,
  isLeftToPeople,
  type Taker,
} from '../../messages/intake/operations/offer-messages.ts'
import { heardText } from '../../messages/reading/operations/customer-text.ts'
import { type BotRow, listDefinitions, listEntries } from '../queries/bots.ts'
import { playStart } from '../script/play.ts'
import { askLater } from './ask-later.ts'
import { carryOut, type Step } from './carry-out.ts'
import { readSituations } from './situations.ts'

type Matcher = ReturnType<typeof keywordMatcher>
type Entry = Pick<BotRow, 'workspaceId' | 'id' | 'entry'>

/** The entries of a bot in the order in which they are checked. Of several bots the oldest starts. */
const WAYS_IN: ((entry: BotRow['entry'], message: Answerable, matches: Matcher) => boolean)[] = [
  ({ keywords }, _, matches) => matches(keywords, 'exact'),
  ({ newConversation }, { ctx, previousInboundAt }) =>
    newConversation && (previousInboundAt === null || previousInboundAt <= later(ctx.now, -DAY_MS)),
  (entry) => entry.default,
]

function botFor(message: Answerable, entries: Entry[]): string | undefined {
  const own = entries.filter(({ workspaceId }) => workspaceId === message.ctx.workspace.id)
  const matches = keywordMatcher(heardText(message))
  for (const isIn of WAYS_IN) {
    const found = own.find(({ entry }) => isIn(entry, message, matches))
    if (found) return found.id
  }
  return undefined
}

/** Answers messages that start a bot. */
export const botEntryTaker: Taker = { name: "a bot's entry", answer: enterBots }

async function enterBots(unit: Unit, messages: Answerable[]): Promise<Set<string>> {
  const free = messages.filter((message) => !isLeftToPeople(message))
  if (free.length === 0) return new Set()
  const entries = await listEntries(unit.tx, [...new Set(free.map(({ ctx }) => ctx.workspace.id))])
  const giveWay = inSlices()
  const entering: (Answerable & { botId: string })[] = []
  for (const message of free) {
    await giveWay()
    const botId = botFor(message, entries)
    if (botId !== undefined) entering.push({ ...message, botId })
  }
  if (entering.length === 0) return new Set()
  const bots = await listDefinitions(
    unit.tx,
    entering.map(({ ctx, botId }) => ({ workspaceId: ctx.workspace.id, id: botId })),
  )
  const scenes = entering.flatMap((message) => {
    const bot = bots.find(({ id }) => id === message.botId)
    return bot ? [{ ...message, bot, definition: bot.definition }] : []
  })
  const situations = await readSituations(unit, scenes)
  const steps: Step[] = []
  for (const [i, scene] of scenes.entries()) {
    await giveWay()
    const played = playStart(scene.definition, { text: heardText(scene) }, situations[i]!)
    steps.push({ ...scene, before: undefined, played })
  }
  await askLater(unit, steps, await carryOut(unit, steps))
  return new Set(scenes.map(({ messageId }) => messageId))
}
