/** Plays a bot for the turns of a test, without writing anything or calling the assistant. */
import type { Context } from '../../../core/context.ts'
import { invalid } from '../../../core/errors.ts'
import { inSlices } from '../../../core/give-way.ts'
import { requireScope } from '../../../core/scopes.ts'
import { readOpen } from '../../business-hours/operations.ts'
import type { BotDefinition, BotTest } from '../schema.ts'
import { type Effect, type Played, playNext, playStart, type Said, type Situation } from '../script/play.ts'
import { getBot } from './bots.ts'

/** The phone number of the customer in tests. */
const PHONE = '+10000000000'

const saidIn = ({ text, menu }: Said) => ({
  type: menu?.type ?? ('text' as const),
  text,
  options: (menu?.options ?? []).map(({ id, title }) => ({ id, title })),
})

const inWords: { [Type in Effect['type']]: (effect: Extract<Effect, { type: Type }>) => string } = {
  add_tags: ({ tags }) => `adds the tags ${tags.join(', ')}`,
  remove_tags: ({ tags }) => `removes the tags ${tags.join(', ')}`,
  set_attribute: ({ key, value }) => `sets ${key} to ${JSON.stringify(value)}`,
  set_name: ({ name }) => `sets the name to ${name}`,
  assign_conversation: ({ memberId }) =>
    memberId === null ? 'unassigns the chat' : `assigns the chat to ${memberId}`,
  set_conversation: ({ state, priority }) =>
    `sets the chat to ${[state, priority].filter(Boolean).join(', ')}`,
  create_lead: ({ stage }) => `creates a lead${stage === undefined ? '' : ` in ${stage}`}`,
  add_note: ({ note }) => `notes: ${note}`,
}
const wordsOf = (effect: Effect): string => (inWords[effect.type] as (of: Effect) => string)(effect)

const didIn = ({ effects, handover }: Played): string[] => [
  ...effects.map(wordsOf),
  ...(handover
    ? [
        `hands over${handover.assign === null ? '' : ` to ${handover.assign}`}${handover.note === null ? '' : `: ${handover.note}`}`,
      ]
    : []),
]

/** Returns the title of a tapped option: a tap counts as its title, in a test as in a chat. */
function titleOf({ nodes }: BotDefinition, at: Played | undefined, option: string | undefined) {
  const node = nodes.find(({ id }) => id === at?.node)
  const options = node?.type === 'buttons' || node?.type === 'list' ? node.options : []
  return options.find(({ id }) => id === option)?.title
}

/** Returns the bot's messages and actions for each turn. Turns after the bot's end have no effect. */
export async function testBot(ctx: Context, id: string, { turns, contact }: BotTest) {
  requireScope(ctx, 'automations:read', 'A bot test')
  const { definition } = await getBot(ctx, id)
  if (turns[0]?.option !== undefined)
    throw invalid([{ path: 'turns[0].option', message: "Must be text: the bot hasn't offered options yet." }])
  const open = (await readOpen(ctx, [ctx])).get(ctx.workspace.id)
  const { countryCode } = ctx.workspace
  let subject: Situation['subject'] = { contact: { ...contact, phone: PHONE }, open, countryCode }
  let at: Played | undefined
  const giveWay = inSlices()
  const played = []
  for (const { text, option } of turns) {
    await giveWay()
    if (at && at.state !== 'waiting') {
      played.push({ understood: false, said: [], did: [], asked: false })
      continue
    }
    const heard = { text: text ?? titleOf(definition, at, option), option }
    const situation = { subject, assistant: true }
    at = at
      ? playNext(definition, { ...at, node: at.node! }, heard, situation)
      : playStart(definition, heard, situation)
    subject = { ...subject, contact: afterEffects(subject.contact, at.effects) }
    played.push({
      understood: at.understood,
      said: at.said.map(saidIn),
      did: didIn(at),
      asked: at.asks !== null,
    })
  }
  return { turns: played, state: at!.state, node: at!.node, answers: at!.answers }
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
