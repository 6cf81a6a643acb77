import { describe, expect, test } from 'vitest'
import {
  changeNode,
  freshId,
  insertNode,
  mayMoveUp,
  mayRemove,
  moveUp,
  type Node,
  outlineOf,
  removeNode,
  type Script,
  stepBelow,
} from './script.ts'

const messageNode = (id: string, next: string | null = null): Node => ({
  id,
  type: 'message',
  text: id,
  next,
})
const menu = (id: string, ...targets: (string | null)[]): Node => ({
  id,
  type: 'buttons',
  text: id,
  options: targets.map((next, index) => ({ id: `o${index}`, title: `Option ${index}`, next })),
})
const script = (start: string, ...nodes: Node[]): Script => ({ start, nodes })
const nodeOf = ({ nodes }: Script, id: string) => nodes.find((node) => node.id === id)
/** Returns `a>b` for every exit. */
const edgesOf = ({ start, nodes }: Script): string[] => [
  start,
  ...nodes.flatMap((node) =>
    'options' in node
      ? node.options.map(({ next }) => `${node.id}>${next}`)
      : 'next' in node
        ? [`${node.id}>${node.next}`]
        : [],
  ),
]

describe('the outline', () => {
  test('shows a node once, at its first place, and refers to it by name elsewhere', () => {
    const { chain, lost } = outlineOf(
      script('hello', messageNode('hello', 'menu'), menu('menu', 'a', null), messageNode('a', 'menu')),
    )
    expect(chain.items.map(({ node }) => node.id)).toEqual(['hello', 'menu'])
    const [first, second] = chain.items[1]!.branches
    expect(first!.chain.items.map(({ node }) => node.id)).toEqual(['a'])
    expect(first!.chain.last).toEqual({ from: { id: 'a', key: 'next' }, to: 'menu' })
    expect(second!.chain).toEqual({ items: [], last: { from: { id: 'menu', key: 'option:o1' }, to: null } })
    expect(lost).toEqual([])
  })

  test('keeps unreachable nodes separate', () => {
    const { lost } = outlineOf(script('a', messageNode('a'), messageNode('b', 'c'), messageNode('c')))
    expect(lost.map(({ items }) => items.map(({ node }) => node.id))).toEqual([['b', 'c']])
  })
})

describe('editing', () => {
  test('a node is inserted between an exit and its target', () => {
    const before = script('menu', menu('menu', 'a', null), messageNode('a'))
    const after = insertNode(before, { id: 'menu', key: 'option:o0' }, messageNode('new'))
    expect(edgesOf(after)).toEqual(['menu', 'menu>new', 'menu>null', 'a>null', 'new>a'])
    expect(edgesOf(insertNode(before, null, messageNode('first')))[0]).toBe('first')
  })

  test('inserting a node that ends the chat removes the nodes reached only after it', () => {
    const before = script('a', messageNode('a', 'b'), messageNode('b', 'c'), messageNode('c'))
    const after = insertNode(before, { id: 'a', key: 'next' }, { id: 'end', type: 'end' })
    expect(after.nodes.map(({ id }) => id)).toEqual(['a', 'end'])
  })

  test('exits to a removed node lead to the next node', () => {
    const before = script('a', messageNode('a', 'b'), messageNode('b', 'c'), messageNode('c', 'b'))
    expect(edgesOf(removeNode(before, 'b'))).toEqual(['a', 'a>c', 'c>c'])
  })

  test('removing a menu also removes its options, except nodes reached in other ways', () => {
    const before = script('a', menu('a', 'm', 'x'), menu('m', 'x', 'y'), messageNode('x'), messageNode('y'))
    const after = removeNode(before, 'm')
    expect(edgesOf(after)).toEqual(['a', 'a>null', 'a>x', 'x>null'])
  })

  test("the last node can't be removed", () => {
    expect(mayRemove(script('a', menu('a', null)), 'a')).toBe(false)
    expect(mayRemove(script('a', messageNode('a', 'b'), messageNode('b')), 'a')).toBe(true)
  })

  test('a step trades places with the step above it, but not with a menu', () => {
    const before = script('a', messageNode('a', 'b'), messageNode('b', 'm'), menu('m', 'a'))
    expect(mayMoveUp(before, 'a')).toBe(false)
    expect(mayMoveUp(before, 'm')).toBe(false)
    expect(stepBelow(before, 'a')).toBe('b')
    expect(stepBelow(before, 'b')).toBeUndefined()
    expect(edgesOf(moveUp(before, 'b'))).toEqual(['b', 'a>m', 'b>a', 'm>b'])
    expect(edgesOf(moveUp(moveUp(before, 'b'), 'a'))).toEqual(edgesOf(before))
  })

  test('removing an option also removes the nodes that only it led to', () => {
    const before = script('m', menu('m', 'a', 'b'), messageNode('a'), messageNode('b'))
    const shortened = { ...(nodeOf(before, 'm') as Extract<Node, { type: 'buttons' }>) }
    const after = changeNode(before, { ...shortened, options: shortened.options.slice(1) })
    expect(after.nodes.map(({ id }) => id)).toEqual(['m', 'b'])
  })

  test('no ID is used twice', () => {
    expect(freshId('ask', ['ask-1', 'ask-2', 'menu'])).toBe('ask-3')
  })
})
