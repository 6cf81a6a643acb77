import { expect, test } from 'vitest'
import { BotNode } from '../node-schema.ts'
import { findScriptFaults, waits } from './check-script.ts'

const node = (id: string, more: object): BotNode => BotNode.parse({ id, ...more })
const message = (id: string, next: string | null = null) =>
  node(id, { type: 'message', text: 'Hello.', next })
const buttons = (id: string, ...targets: (string | null)[]) =>
  node(id, {
    type: 'buttons',
    text: 'Which?',
    options: targets.map((next, index) => ({ id: `o${index}`, title: `Option ${index}`, next })),
  })
const condition = (id: string, next: string | null, otherwise: string | null) =>
  node(id, { type: 'condition', field: 'now.open', is: 'equals', value: 'true', next, otherwise })
const ask = (id: string, next: string | null) =>
  node(id, { type: 'ask', text: 'Which size?', saveTo: 'answers.size', next })
const assistant = (id: string, otherwise: string | null) =>
  node(id, { type: 'ai', instructions: 'A shop.', otherwise })
const chain = (length: number) =>
  Array.from({ length }, (_, i) => message(i === 0 ? 'a' : `n${i}`, i === length - 1 ? null : `n${i + 1}`))

const faults = (nodes: BotNode[], start = 'a') =>
  Object.fromEntries(findScriptFaults({ start, nodes }).map(({ path, message }) => [path, message]))
const loop = 'Loops back to a without waiting for the customer. Add a question in the loop.'
const unreachable = "Can't be reached from a. Connect it or delete it."

test.each<[string, BotNode[]]>([
  ['one node', [message('a')]],
  [
    'every kind of edge',
    [
      condition('a', 'b', 'c'),
      buttons('b', 'd', null),
      message('c', 'd'),
      assistant('d', 'e'),
      node('e', { type: 'handover' }),
    ],
  ],
  ['a cycle that waits for a tap', [message('a', 'b'), buttons('b', 'a', 'c'), message('c', 'b')]],
  ['a cycle that waits for an answer', [ask('a', 'b'), message('b', 'a')]],
  ['a cycle that waits in an assistant', [assistant('a', 'b'), message('b', 'a')]],
  [
    'a cycle of 200 questions',
    Array.from({ length: 200 }, (_, i) => buttons(i === 0 ? 'a' : `n${i}`, i === 199 ? 'a' : `n${i + 1}`)),
  ],
  ['the maximum of messages in a row', chain(10)],
  [
    'more messages with a question among them',
    [...chain(9).slice(0, -1), ask('n8', 'x'), message('x', 'y'), message('y')],
  ],
])('a script is valid with %s', (_title, nodes) => {
  expect(faults(nodes)).toEqual({})
})

test.each<[string, BotNode[], Record<string, string>, string?]>([
  ['an unknown target', [message('a', 'b')], { 'nodes[0].next': 'Unknown node: b.' }],
  [
    'an unknown target of an option',
    [buttons('a', null, 'b')],
    { 'nodes[0].options[1].next': 'Unknown node: b.' },
  ],
  [
    'an unknown target of a condition',
    [condition('a', null, 'b')],
    { 'nodes[0].otherwise': 'Unknown node: b.' },
  ],
  ['an unknown start', [message('a')], { start: 'Unknown node: z.' }, 'z'],
  ['an unreachable node', [message('a'), message('b', 'a')], { 'nodes[1].id': unreachable }],
  ['two nodes with the same id', [message('a'), message('a')], { 'nodes[1].id': 'Must be unique.' }],
  ['a cycle', [message('a', 'b'), message('b', 'a')], { 'nodes[1].next': loop }],
  ['a node that leads to itself', [message('a', 'a')], { 'nodes[0].next': loop }],
  [
    'a cycle through a condition',
    [message('a', 'b'), condition('b', null, 'a')],
    { 'nodes[1].otherwise': loop },
  ],
])('a script is invalid with %s', (_title, nodes, expected, start) => {
  expect(faults(nodes, start)).toEqual(expected)
})

test('too many messages before a wait are found at every node that begins such a sequence', () => {
  expect(Object.keys(faults(chain(11)))).toEqual(['nodes[0].id'])
  expect(Object.keys(faults(chain(12)))).toEqual(['nodes[0].id', 'nodes[1].id'])
  expect(Object.keys(faults([condition('a', null, 'n1'), ...chain(12).slice(1)]))).toEqual([
    'nodes[0].id',
    'nodes[1].id',
  ])
})

test.each([
  [buttons('a', null), true],
  [ask('a', null), true],
  [assistant('a', null), true],
  [message('a'), false],
  [condition('a', null, null), false],
  [node('a', { type: 'end' }), false],
])('whether the bot waits for the customer at %j', (waiting, expected) => {
  expect(waits(waiting)).toBe(expected)
})
