/** What a bot says and does next. Pure: the intake, a test run and an automation all play the same script. */
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

/** A message of the bot; `menu` is the node whose options it offers. */
export type Said = { text: string; menu: Menu | null }
/** What it does besides speaking. */
export type Effect =
  | Exclude<BotAction, { type: 'set_attribute' }>
  | { type: 'set_attribute'; key: string; value: unknown }
  | { type: 'set_name'; name: string }
export type Handover = { assign: string | null; note: string | null }

/** Where a bot waits for the customer. */
export type Place = { node: string; answers: Record<string, string>; misses: number }

export type Played = {
  said: Said[]
  effects: Effect[]
  understood: boolean
  state: 'waiting' | 'ended' | 'handed_over'
  /** Where it waits; null unless it does. */
  node: string | null
  answers: Record<string, string>
  misses: number
  /** The assistant is to answer what was written. */
  asks: NodeOf<'ai'> | null
  handover: Handover | null
}

/** What the customer did: `option` was tapped at the node where the bot waits. */
export type Heard = { text: string | undefined; option?: string | undefined }

type Known = Omit<Subject, 'answers' | 'text'>
/** `assistant`: whether there is one to ask; without it, what is for it is not understood. */
export type Situation = { subject: Known; assistant: boolean }

const NOT_UNDERSTOOD: Handover = { assign: null, note: "The bot didn't understand the customer." }

/** One run of a script: what it has said and done so far. */
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
  // Nothing to say is nothing to send; what is tapped needs words above it.
  if (said.trim() !== '' || menu) run.said.push({ text: said.trim() === '' ? '…' : said, menu })
}

/** Goes on from a node until the bot waits or ends. `asking`: what was written is for an assistant that is come to. */
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

/** Notes what is to be done; later nodes of the run see it done. */
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

/** Begins a script. What the customer wrote is for the assistant, where the script begins with one. */
export function playStart(script: BotDefinition, heard: Heard, situation: Situation): Played {
  const run = begin(script, situation, {}, heard.text)
  const played = goOn(run, script.start, heard.text !== undefined)
  return played.asks && !situation.assistant
    ? miss(run, { node: played.node!, answers: {}, misses: 0 })
    : played
}

/** Goes on from where the assistant gave up; `why` is for the people of the business. */
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

/** Plays what a bot does with what the customer did. */
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

/** What was tapped; else what was written in its place: the title, or its number. */
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

/** What is not understood is said so, a few times; then a person takes over. */
function miss(run: Run, { node, misses }: Place): Played {
  const { text, maxMisses } = run.script.fallback
  if (misses >= maxMisses) return { ...handOver(run, NOT_UNDERSTOOD), understood: false }
  say(run, text)
  return finish(run, 'waiting', { understood: false, node, misses: misses + 1 })
}
