/** Plays a bot's script. Pure: the intake, a test run, and an automation all play the same script. */
import { normalizeWords } from '../../../../core/values/plain-words.ts'
import { TEXT_MAX } from '../../../messaging/messages/schema.ts'
import type { BotAction, BotNode } from '../node-schema.ts'
import type { BotDefinition } from '../schema.ts'
import { parseAnswer } from './ask-answers.ts'
import { filled, matchesCondition, type Subject } from './subject.ts'

type NodeOf<Type extends BotNode['type']> = Extract<BotNode, { type: Type }>
type Menu = NodeOf<'buttons'> | NodeOf<'list'>

const MENU_TEXT_MAX = 1_024
const NOTE_MAX = 1_000
const ANSWER = 'answers.'

/** A message of the bot; `menu` is the node with its options. */
export type BotMessage = { text: string; menu: Menu | null }
/** A change of the contact or the chat. */
export type Effect =
  | Exclude<BotAction, { type: 'set_attribute' }>
  | { type: 'set_attribute'; key: string; value: unknown }
  | { type: 'set_name'; name: string }
export type Handover = { assign: string | null; teamId?: string | null | undefined; note: string | null }

/** The node where a bot waits for the customer. */
export type Place = { node: string; answers: Record<string, string>; misses: number }

export type Played = {
  said: BotMessage[]
  effects: Effect[]
  understood: boolean
  state: 'waiting' | 'ended' | 'handed_over'
  /** The node where the bot waits; null if it does not wait. */
  node: string | null
  answers: Record<string, string>
  misses: number
  /** The assistant must answer the customer's text. */
  asks: NodeOf<'ai'> | null
  /** The request that must be answered before the bot continues. */
  calls: NodeOf<'request'> | null
  /** The customer's text, for later nodes. */
  text: string
  /** The nodes that the chat reached in this step, in order. */
  reached: string[]
  handover: Handover | null
}

/** The customer's message; `option` is the tapped option of the node where the bot waits. */
export type CustomerInput = { text: string | undefined; option?: string | undefined }

/** The result of a request: values in the order of the node's `save`, or the reason of the failure. */
export type RequestResult = { values: AnswerValue[] } | { failed: string }
/** A value in an answer; undefined if its path leads nowhere. */
export type AnswerValue = string | number | boolean | undefined

type KnownSubject = Omit<Subject, 'answers' | 'text'>
/** `assistant`: whether the assistant may be asked. If not, its nodes miss every answer. */
export type Situation = { subject: KnownSubject; assistant: boolean }

const NOT_UNDERSTOOD: Handover = { assign: null, note: "The bot didn't understand the customer." }

/** One run of a script, with its messages and effects so far. */
type Run = {
  script: BotDefinition
  nodes: Map<string, BotNode>
  subject: Subject
  said: BotMessage[]
  effects: Effect[]
  reached: string[]
}

const startRun = (
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
  reached: [],
})

type Rest = Partial<Pick<Played, 'understood' | 'node' | 'misses' | 'asks' | 'calls' | 'handover'>>
const finish = (
  { said, effects, subject, reached }: Run,
  state: Played['state'],
  rest: Rest = {},
): Played => ({
  said,
  effects,
  state,
  answers: subject.answers,
  understood: true,
  node: null,
  misses: 0,
  asks: null,
  calls: null,
  text: subject.text,
  reached,
  handover: null,
  ...rest,
})

function addMessage(run: Run, text: string, menu: Menu | null = null): void {
  const filledText = filled(run.subject, text, menu?.type === 'buttons' ? MENU_TEXT_MAX : TEXT_MAX)
  // Empty texts are not sent, but a menu needs a text above its options.
  if (filledText.trim() !== '' || menu)
    run.said.push({ text: filledText.trim() === '' ? '…' : filledText, menu })
}

/**
 * Continues from a node until the bot waits or ends. `withText`: an assistant node gets the customer's text.
 */
function continueFrom(run: Run, from: string | null, withText = false): Played {
  for (let id = from; id !== null; ) {
    const node = run.nodes.get(id)!
    run.reached.push(id)
    switch (node.type) {
      case 'message':
        addMessage(run, node.text)
        id = node.next
        break
      case 'buttons':
      case 'list':
        addMessage(run, node.text, node)
        return finish(run, 'waiting', { node: id })
      case 'ask':
        addMessage(run, node.text)
        return finish(run, 'waiting', { node: id })
      case 'condition':
        id = matchesCondition(run.subject, node) ? node.next : node.otherwise
        break
      case 'action':
        applyAction(run, node.action)
        id = node.next
        break
      case 'ai':
        return finish(run, 'waiting', { node: id, asks: withText ? node : null })
      case 'request':
        return finish(run, 'waiting', { node: id, calls: node })
      case 'handover':
        return handOver(run, node)
      case 'end':
        return finish(run, 'ended')
    }
  }
  return finish(run, 'ended')
}

function handOver(run: Run, { assign, teamId, note }: Handover): Played {
  const handover = {
    assign,
    ...(teamId && { teamId }),
    note: note === null ? null : filled(run.subject, note, NOTE_MAX),
  }
  return finish(run, 'handed_over', { handover })
}

/** Adds an action's effect, and applies it to the run's subject for later nodes. */
function applyAction({ subject, effects }: Run, action: BotAction): void {
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
export function playStart(script: BotDefinition, input: CustomerInput, situation: Situation): Played {
  const run = startRun(script, situation, {}, input.text)
  const played = continueFrom(run, script.start, input.text !== undefined)
  return played.asks && !situation.assistant
    ? handleMiss(run, { node: played.node!, answers: {}, misses: 0 })
    : played
}

/** Continues after the assistant failed; `why` is for teammates. */
export function playAfterAssistantFailure(
  script: BotDefinition,
  place: Place,
  situation: Situation,
  reason: string,
): Played {
  const node = script.nodes.find(({ id }) => id === place.node)
  const run = startRun(script, situation, place.answers)
  const otherwise = node?.type === 'ai' ? node.otherwise : null
  return otherwise === null
    ? finish(run, 'handed_over', { handover: { assign: null, note: reason } })
    : continueFrom(run, otherwise)
}

/** Continues after a request: saves the values of its answer, or takes the way of a failure. */
export function playAfterRequest(
  script: BotDefinition,
  place: Place,
  result: RequestResult,
  { situation, text }: { situation: Situation; text: string },
): Played {
  const run = startRun(script, situation, place.answers, text)
  const node = run.nodes.get(place.node) as NodeOf<'request'>
  if ('failed' in result)
    return node.onFailure === null
      ? finish(run, 'handed_over', { handover: { assign: null, note: result.failed } })
      : continueFrom(run, node.onFailure)
  for (const [index, { saveTo }] of node.save.entries()) {
    const value = result.values[index]
    // A missing value empties an answer, so that a condition can find it, and leaves the contact as it is.
    if (value !== undefined || saveTo.startsWith(ANSWER)) keepValue(run, saveTo, value ?? '')
  }
  return continueFrom(run, node.next)
}

/** Continues from the place where the bot waits, with the customer's message. */
export function playNext(
  script: BotDefinition,
  place: Place,
  input: CustomerInput,
  situation: Situation,
): Played {
  const run = startRun(script, situation, place.answers, input.text)
  const node = run.nodes.get(place.node)!
  if (node.type === 'buttons' || node.type === 'list') {
    const option = optionOf(node, input)
    return option ? continueFrom(run, option.next) : handleMiss(run, place)
  }
  if (node.type === 'ask') return takeAnswer(run, place, node, input)
  if (node.type === 'ai' && input.text !== undefined && situation.assistant)
    return finish(run, 'waiting', { node: node.id, asks: node })
  return handleMiss(run, place)
}

/** Returns the tapped option, or the option with the title or number in the text. */
function optionOf({ options }: Menu, { text, option }: CustomerInput): { next: string | null } | undefined {
  if (option !== undefined) return options.find(({ id }) => id === option)
  const plainText = normalizeWords(text ?? '')
  return options.find(
    ({ title }, index) => normalizeWords(title) === plainText || String(index + 1) === plainText,
  )
}

function takeAnswer(
  run: Run,
  place: Place,
  { saveTo, kind, next }: NodeOf<'ask'>,
  { text }: CustomerInput,
): Played {
  const answer = text === undefined ? undefined : parseAnswer(text, kind, run.subject.countryCode)
  if (answer === undefined) return handleMiss(run, place)
  keepValue(run, saveTo, answer)
  return continueFrom(run, next)
}

function keepValue({ subject, effects }: Run, saveTo: string, value: string | number | boolean): void {
  if (saveTo.startsWith(ANSWER)) subject.answers[saveTo.slice(ANSWER.length)] = String(value)
  else if (saveTo === 'contact.name') {
    subject.contact.name = String(value)
    effects.push({ type: 'set_name', name: String(value) })
  } else keepAttribute(subject, effects, saveTo.slice('contact.attributes.'.length), value)
}

/** Sends the fallback for an unknown answer, a few times; then hands over to a teammate. */
function handleMiss(run: Run, { node, misses }: Place): Played {
  const { text, maxMisses } = run.script.fallback
  if (misses >= maxMisses) return { ...handOver(run, NOT_UNDERSTOOD), understood: false }
  addMessage(run, text)
  return finish(run, 'waiting', { understood: false, node, misses: misses + 1 })
}
