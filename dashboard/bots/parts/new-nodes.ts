/** Defines the initial values of new nodes and bots, which can be saved without filling in anything. */
import type { NewBot } from '../queries.ts'
import { freshId, type Node, type NodeType } from '../script.ts'
import { t } from '../texts.ts'

export const TYPES = [
  'message',
  'buttons',
  'list',
  'ask',
  'condition',
  'action',
  'request',
  'ai',
  'handover',
  'end',
] as const satisfies readonly NodeType[]

const choice = (number: number) => ({
  id: `choice-${number}`,
  title: t('option.new', { at: number }),
  next: null,
})

/** Returns a new node of a kind, with an ID that is not in `nodes`. */
export function newNode(type: NodeType, nodes: readonly Node[]): Node {
  const id = freshId(
    type,
    nodes.map((node) => node.id),
  )
  switch (type) {
    case 'message':
      return { id, type, text: t('say.new'), next: null }
    case 'buttons':
      return { id, type, text: t('say.new'), options: [choice(1), choice(2)] }
    case 'list':
      return { id, type, text: t('say.new'), button: t('list.button.value'), options: [choice(1), choice(2)] }
    case 'ask':
      return { id, type, text: t('ask.new'), saveTo: `answers.${id}`, kind: 'text', next: null }
    case 'condition':
      return { id, type, field: 'now.open', is: 'equals', value: 'true', next: null, otherwise: null }
    case 'action':
      return { id, type, action: { type: 'add_tags', tags: [t('tag.first')] }, next: null }
    case 'request':
      return {
        id,
        type,
        method: 'GET',
        url: t('request.url.value'),
        headers: [],
        body: null,
        timeoutSeconds: 5,
        retries: 0,
        save: [],
        next: null,
        onFailure: null,
      }
    case 'ai':
      return { id, type, instructions: t('ai.instructions.value'), domains: [], otherwise: null }
    case 'handover':
      return { id, type, assign: null, note: null }
    case 'end':
      return { id, type }
  }
}

export const STARTS = ['menu', 'questions', 'message'] as const
export type Start = (typeof STARTS)[number]

const SCRIPTS: Record<Start, () => Pick<NewBot, 'start' | 'nodes'>> = {
  menu: () => ({
    start: 'menu',
    nodes: [
      {
        id: 'menu',
        type: 'buttons',
        text: t('sample.menu'),
        options: [
          { id: 'hours', title: t('sample.hours'), next: 'hours' },
          { id: 'person', title: t('sample.person'), next: 'person' },
        ],
      },
      { id: 'hours', type: 'message', text: t('sample.hours.text') },
      { id: 'person', type: 'handover', note: t('sample.person.note') },
    ],
  }),
  questions: () => ({
    start: 'name',
    nodes: [
      { id: 'name', type: 'ask', text: t('sample.name'), saveTo: 'contact.name', next: 'email' },
      {
        id: 'email',
        type: 'ask',
        text: t('sample.email'),
        saveTo: 'answers.email',
        kind: 'email',
        next: 'thanks',
      },
      { id: 'thanks', type: 'message', text: t('sample.thanks'), next: 'person' },
      { id: 'person', type: 'handover' },
    ],
  }),
  message: () => ({ start: 'hello', nodes: [{ id: 'hello', type: 'message', text: t('sample.message') }] }),
}

export const newBot = (name: string, start: Start): NewBot => ({
  name,
  fallback: { text: t('sample.fallback') },
  ...SCRIPTS[start](),
})
