/** Plays a bot's script. Pure: the intake, a test run, and an automation all play the same script. */
import { plainWords } from '../../../core/plain-words.ts'
import { TEXT_MAX } from '../../messages/schema.ts'
import type { BotAction, BotNode } from '../node-schema.ts'
import type { BotDefinition } from '../schema.ts'
import { understood } from './ask-answers.ts'
import { filled, holds, type Subject } from './subject.ts'

type NodeOf<Type extends BotNode['type']> = Extract<BotNode, { type: Type }>
type Menu = NodeOf<'buttons'> | NodeOf<'list'>

const MENU_TEXT_MAX = 1_024
const NOTE_MAX = 1_000

/** A message of the bot; `menu` is the node with its options. */
export type Said = { text: string; menu: Menu | null }
/** A change of the contact or the chat. */
export type Effect =
  | Exclude<BotAction, { type: 'set_attribute' }>
  | { type: 'set_attribute'; key: string; value: unknown }
  | { type: 'set_name'; name: string }
export type Handover = { assign: string | null; note: string | null }

/** The node where a bot waits for the customer. */
export type Place = { node: string; answers: Record<string, string>; misses: number }

export type Played = {
  said: Said[]
  effects: Effect[]
  understood: boolean
  state: 'waiting' | 'ended' | 'handed_over'
  /** The node where the bot waits; null if it does not wait. */
  node: string | null
  answers: Record<string, string>
  misses: number
  /** The assistant must answer the customer's text. */
  asks: NodeOf<'ai'> | null
  handover: Handover | null
}

/** The customer's message; `option` is the tapped option of the node where the bot waits. */
export type Heard = { text: string | undefined; option?: string | undefined }

type Known = Omit<Subject, 'answers' | 'text'>
/** `assistant`: whether the assistant may be asked. If not, its nodes miss every answer. */
export type Situation = { subject: Known; assistant: boolean }

const NOT_UNDERSTOOD: Handover = { assign: null, note: "The bot didn't understand the customer." }

/** One run of a script, with its messages and effects so far. */
type Run = {
  script: BotDefinition
  nodes: Map<string, BotNode>
  subject: Subject
  said: Said[]
  effects: Effect[]
}

const begin = (
  script: BotDefinition,
  { subject }: Situation,
  answers: Record<string, string>,
  text = '',
): Run => ({
  script,
  nodes: new Map(script.nodes.map((node) => [node.id, node])),
  subject: { ...subject, contact: { ...subject.contact }, answers: { ...answers }, text },
  said: [],
  effects: [],
})

type Rest = Partial<Pick<Played, 'understood' | 'node' | 'misses' | 'asks' | 'handover'>>
const finish = ({ said, effects, subject }: Run, state: Played['state'], rest: Rest = {}): Played => ({
  said,
  effects,
  state,
  answers: subject.answers,
  understood: true,
  node: null,
  misses: 0,
  asks: null,
  handover: null,
  ...rest,
})

function say(run: Run, text: string, menu: Menu | null = null): void {
  const said = filled(run.subject, text, menu?.type === 'buttons' ? MENU_TEXT_MAX : TEXT_MAX)
  // Empty texts are not sent, but a menu needs a text above its options.
  if (said.trim() !== '' || menu) run.said.push({ text: said.trim() === '' ? '…' : said, menu })
}

/**
 * Continues from a node until the bot waits or ends. `asking`: an assistant node gets the customer's text.
 */
function goOn(run: Run, from: string | null, asking = false): Played {
  for (let id = from; id !== null; ) {
    const node = run.nodes.get(id)!
    switch (node.type) {
      case 'message':
        say(run, node.text)
        id = node.next
        break
      case 'buttons':
      case 'list':
        say(run, node.text, node)
        return finish(run, 'waiting', { node: id })
      case 'ask':
        say(run, node.text)
        return finish(run, 'waiting', { node: id })
      case 'condition':
        id = holds(run.subject, node) ? node.next : node.otherwise
        break
      case 'action':
        act(run, node.action)
        id = node.next
        break
      case 'ai':
        return finish(run, 'waiting', { node: id, asks: asking ? node : null })
      case 'handover':
        return handOver(run, node)
      case 'end':
        return finish(run, 'ended')
    }
  }
  return finish(run, 'ended')
}

function handOver(run: Run, { assign, note }: Handover): Played {
  const handover = { assign, note: note === null ? null : filled(run.subject, note, NOTE_MAX) }
  return finish(run, 'handed_over', { handover })
}

/** Adds an action's effect, and applies it to the run's subject for later nodes. */
function act({ subject, effects }: Run, action: BotAction): void {
  const { contact } = subject
  if (action.type === 'add_tags') contact.tags = [...new Set([...contact.tags, ...action.tags])]
  if (action.type === 'remove_tags') contact.tags = contact.tags.filter((tag) => !action.tags.includes(tag))
  if (action.type === 'add_note') {
    effects.push({ ...action, note: filled(subject, action.note, NOTE_MAX) })
    return
  }
  if (action.type === 'create_lead') {
    const { note, ...lead } = action
    effects.push(note === undefined ? lead : { ...lead, note: filled(subject, note, NOTE_MAX) })
    return
  }
  if (action.type !== 'set_attribute') {
    effects.push(action)
    return
  }
  const value = action.value === null ? null : filled(subject, action.value, NOTE_MAX)
  keepAttribute(subject, effects, action.key, value)
}

function keepAttribute({ contact }: Subject, effects: Effect[], key: string, value: unknown): void {
  contact.attributes = { ...contact.attributes, [key]: value }
  effects.push({ type: 'set_attribute', key, value })
}

/** Starts a script. If it starts with an assistant node, the assistant gets the customer's text. */
export function playStart(script: BotDefinition, heard: Heard, situation: Situation): Played {
  const run = begin(script, situation, {}, heard.text)
  const played = goOn(run, script.start, heard.text !== undefined)
  return played.asks && !situation.assistant
    ? miss(run, { node: played.node!, answers: {}, misses: 0 })
    : played
}

/** Continues after the assistant failed; `why` is for teammates. */
export function playOtherwise(
  script: BotDefinition,
  place: Place,
  situation: Situation,
  why: string,
): Played {
  const node = script.nodes.find(({ id }) => id === place.node)
  const run = begin(script, situation, place.answers)
  const otherwise = node?.type === 'ai' ? node.otherwise : null
  return otherwise === null
    ? finish(run, 'handed_over', { handover: { assign: null, note: why } })
    : goOn(run, otherwise)
}

/** Continues from the place where the bot waits, with the customer's message. */
export function playNext(script: BotDefinition, place: Place, heard: Heard, situation: Situation): Played {
  const run = begin(script, situation, place.answers, heard.text)
  const node = run.nodes.get(place.node)!
  if (node.type === 'buttons' || node.type === 'list') {
    const option = optionOf(node, heard)
    return option ? goOn(run, option.next) : miss(run, place)
  }
  if (node.type === 'ask') return takeAnswer(run, place, node, heard)
  if (node.type === 'ai' && heard.text !== undefined && situation.assistant)
    return finish(run, 'waiting', { node: node.id, asks: node })
  return miss(run, place)
}

/** Returns the tapped option, or the option with the title or number in the text. */
function optionOf({ options }: Menu, { text, option }: Heard): { next: string | null } | undefined {
  if (option !== undefined) return options.find(({ id }) => id === option)
  const written = plainWords(text ?? '')
  return options.find(({ title }, at) => plainWords(title) === written || String(at + 1) === written)
}

function takeAnswer(run: Run, place: Place, { saveTo, kind, next }: NodeOf<'ask'>, { text }: Heard): Played {
  const answer = text === undefined ? undefined : understood(text, kind, run.subject.countryCode)
  if (answer === undefined) return miss(run, place)
  const { subject, effects } = run
  if (saveTo.startsWith('answers.')) subject.answers[saveTo.slice('answers.'.length)] = String(answer)
  else if (saveTo === 'contact.name') {
    subject.contact.name = String(answer)
    effects.push({ type: 'set_name', name: String(answer) })
  } else keepAttribute(subject, effects, saveTo.slice('contact.attributes.'.length), answer)
  return goOn(run, next)
}

/** Sends the fallback for an unknown answer, a few times; then hands over to a teammate. */
function miss(run: Run, { node, misses }: Place): Played {
  const { text, maxMisses } = run.script.fallback
  if (misses >= maxMisses) return { ...handOver(run, NOT_UNDERSTOOD), understood: false }
  say(run, text)
  return finish(run, 'waiting', { understood: false, node, misses: misses + 1 })
}
