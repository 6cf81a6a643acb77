import { describe, expect, test } from 'vitest'
import { neighborOf } from './use-place.ts'

describe('the neighbor of the open chat', () => {
  const order = ['a', 'b', 'c', 'd']

  test('is next to the place in which the chat was opened, although the chat moved', () => {
    const place = { id: 'c', order }
    expect(neighborOf(place, ['c', 'a', 'b', 'd'], 1)).toBe('d')
    expect(neighborOf(place, ['c', 'a', 'b', 'd'], -1)).toBe('b')
  })

  test('is found after the chat left the list', () => {
    expect(neighborOf({ id: 'b', order }, ['a', 'c', 'd'], 1)).toBe('c')
  })

  test('is never a chat that left the list; new chats do not come between', () => {
    expect(neighborOf({ id: 'a', order }, ['new', 'a', 'c', 'd'], 1)).toBe('c')
  })

  test('does not exist beyond the ends', () => {
    expect(neighborOf({ id: 'd', order }, order, 1)).toBeUndefined()
    expect(neighborOf({ id: 'a', order }, order, -1)).toBeUndefined()
  })

  test('is the first chat if none is open in the list', () => {
    expect(neighborOf(undefined, order, 1)).toBe('a')
  })
})
