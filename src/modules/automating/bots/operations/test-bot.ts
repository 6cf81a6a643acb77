/** Plays a bot for the turns of a test, without writing anything or calling the assistant. */
import type { Context } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { requireScope } from '../../../../core/scopes.ts'
import { yieldPeriodically } from '../../../../core/yield-periodically.ts'
import { readOpen } from '../../../platform/business-hours/operations.ts'
import type { BotDefinition, BotTest } from '../schema.ts'
import {
  type BotMessage,
  type Effect,
  type Played,
  playAfterRequest,
  playNext,
  playStart,
  type Situation,
} from '../script/play-script.ts'
import { type RequestStep, resultOf } from '../script/request-call.ts'
import { getBot } from './bots.ts'

/** The phone number of the customer in tests. */
export const TEST_PHONE = '+10000000000'

const presentMessage = ({ text, menu }: BotMessage) => ({
  type: menu?.type ?? ('text' as const),
  text,
  options: (menu?.options ?? []).map(({ id, title }) => ({ id, title })),
})

const descriptions: { [Type in Effect['type']]: (effect: Extract<Effect, { type: Type }>) => string } = {
  add_tags: ({ tags }) => `adds the tags ${tags.join(', ')}`,
  remove_tags: ({ tags }) => `removes the tags ${tags.join(', ')}`,
  set_attribute: ({ key, value }) => `sets ${key} to ${JSON.stringify(value)}`,
  set_name: ({ name }) => `sets the name to ${name}`,
  assign_conversation: ({ memberId, teamId }) =>
    `${memberId === null ? 'unassigns the chat' : `assigns the chat to ${memberId}`}${teamId ? ` in the team ${teamId}` : ''}`,
  set_conversation: ({ state, priority }) =>
    `sets the chat to ${[state, priority].filter(Boolean).join(', ')}`,
  create_lead: ({ stage }) => `creates a lead${stage === undefined ? '' : ` in ${stage}`}`,
  add_note: ({ note }) => `notes: ${note}`,
}
const describeEffect = (effect: Effect): string =>
  (descriptions[effect.type] as (effect: Effect) => string)(effect)

const describeActions = ({ effects, handover }: Played): string[] => [
  ...effects.map(describeEffect),
  ...(handover
    ? [
        `hands over${handover.assign === null ? '' : ` to ${handover.assign}`}${handover.note === null ? '' : `: ${handover.note}`}`,
      ]
    : []),
]

/** Returns the title of a tapped option: a tap counts as its title, in a test as in a chat. */
function titleOf({ nodes }: BotDefinition, last: Played | undefined, option: string | undefined) {
  const node = nodes.find(({ id }) => id === last?.node)
  const options = node?.type === 'buttons' || node?.type === 'list' ? node.options : []
  return options.find(({ id }) => id === option)?.title
}

/** Returns the bot's messages and actions for each turn. Turns after the bot's end have no effect. */
export async function testBot(ctx: Context, id: string, { turns, contact, responses }: BotTest) {
  requireScope(ctx, 'automations:read', 'A bot test')
  const { definition } = await getBot(ctx, id)
  if (turns[0]?.option !== undefined)
    throw invalid([{ path: 'turns[0].option', message: "Must be text: the bot hasn't offered options yet." }])
  const open = (await readOpen(ctx, [ctx])).get(ctx.workspace.id)
  const { countryCode } = ctx.workspace
  let subject: Situation['subject'] = { contact: { ...contact, phone: TEST_PHONE }, open, countryCode }
  let last: Played | undefined
  const giveWay = yieldPeriodically()
  const results = []
  for (const { text, option } of turns) {
    await giveWay()
    if (last && last.state !== 'waiting') {
      results.push({ understood: false, said: [], did: [], asked: false })
      continue
    }
    const input = { text: text ?? titleOf(definition, last, option), option }
    const situation = { subject, assistant: true }
    last = last
      ? playNext(definition, { ...last, node: last.node! }, input, situation)
      : playStart(definition, input, situation)
    const requests: string[] = []
    for (let calls = last.calls; calls; calls = last.calls) {
      requests.push(describeRequest(calls))
      const after = continueTest(definition, last, calls, situation, responses)
      last = { ...after, said: [...last.said, ...after.said], effects: [...last.effects, ...after.effects] }
    }
    subject = { ...subject, contact: afterEffects(subject.contact, last.effects) }
    results.push({
      understood: last.understood,
      said: last.said.map(presentMessage),
      did: [...requests, ...describeActions(last)],
      asked: last.asks !== null,
    })
  }
  return { turns: results, state: last!.state, node: last!.node, answers: last!.answers }
}

const describeRequest = (node: RequestStep): string => `requests ${node.method} ${node.url}`

/** Continues after a request as if it was answered with the test's answer. */
function continueTest(
  definition: BotDefinition,
  last: Played,
  node: RequestStep,
  situation: Situation,
  responses: BotTest['responses'],
): Played {
  const body = JSON.stringify(Object.hasOwn(responses, node.id) ? responses[node.id] : {})
  const result = resultOf(node, { body, truncated: false, error: null })
  const contact = afterEffects(situation.subject.contact, last.effects)
  return playAfterRequest(definition, { node: node.id, answers: last.answers, misses: 0 }, result, {
    situation: { ...situation, subject: { ...situation.subject, contact } },
    text: last.text,
  })
}

/** Applies effects to the contact, for the following turns. */
function afterEffects(
  contact: Situation['subject']['contact'],
  effects: Effect[],
): Situation['subject']['contact'] {
  const after = { ...contact }
  for (const effect of effects) {
    if (effect.type === 'add_tags') after.tags = [...new Set([...after.tags, ...effect.tags])]
    if (effect.type === 'remove_tags') after.tags = after.tags.filter((tag) => !effect.tags.includes(tag))
    if (effect.type === 'set_attribute')
      after.attributes = { ...after.attributes, [effect.key]: effect.value }
    if (effect.type === 'set_name') after.name = effect.name
  }
  return after
}
