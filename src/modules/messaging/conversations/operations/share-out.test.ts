import { describe, expect, test } from 'vitest'
import { freePlaces, overloaded, shareOut, type Taker } from './share-out.ts'

const chats = (count: number, teamId = 'team') =>
  Array.from({ length: count }, (_, index) => ({ id: `${teamId} ${index + 1}`, teamId }))
const taker = (memberId: string, turn = 0, teamId = 'team'): Taker => ({ teamId, memberId, turn })
const limit = (capacity: number | null, teamId = 'team') => new Map([[teamId, capacity]])
const assignmentsOf = (turns: { id: string; memberId: string }[]) =>
  turns.map(({ id, memberId }) => [id, memberId])

describe('shareOut', () => {
  test('gives each chat to the member whose last turn is the longest ago', () => {
    const takers = [taker('asha', 3), taker('meera', 1), taker('ravi')]
    expect(assignmentsOf(shareOut(chats(4), takers, limit(null), new Map()))).toEqual([
      ['team 1', 'ravi'],
      ['team 2', 'meera'],
      ['team 3', 'asha'],
      ['team 4', 'ravi'],
    ])
    expect(takers.map(({ turn }) => turn)).toEqual([3, 1, 0])
  })

  test('gives no member more open chats than the capacity; the others wait', () => {
    const loads = new Map([['asha', 1]])
    const turns = shareOut(chats(5), [taker('asha'), taker('ravi')], limit(2), loads)
    expect(assignmentsOf(turns)).toEqual([
      ['team 1', 'asha'],
      ['team 2', 'ravi'],
      ['team 3', 'ravi'],
    ])
    expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3])
  })

  test('counts the chats of all teams of a member', () => {
    const takers = [taker('asha', 0, 'sales'), taker('asha', 0, 'support')]
    const capacities = new Map([
      ['sales', 1],
      ['support', 1],
    ])
    const turns = shareOut([...chats(1, 'sales'), ...chats(1, 'support')], takers, capacities, new Map())
    expect(assignmentsOf(turns)).toEqual([['sales 1', 'asha']])
  })

  test('gives nothing of a team without members', () => {
    expect(shareOut(chats(1), [taker('asha', 0, 'sales')], limit(null), new Map())).toEqual([])
  })
})

test('overloaded names the reopened chats whose member is away, or above the capacity with them', () => {
  const loads = new Map([
    ['asha', 3],
    ['ravi', 1],
  ])
  const reopened = ['asha', 'asha', 'ravi', 'meera'].map((assignedAgentId, index) => ({
    id: `chat ${index + 1}`,
    teamId: 'team',
    assignedAgentId,
  }))
  expect(overloaded(reopened, [taker('asha'), taker('ravi')], limit(2), loads)).toEqual(['chat 1', 'chat 4'])
  expect(loads.get('asha')).toBe(2)
  expect(overloaded([reopened[0]!], [taker('asha')], limit(null), new Map())).toEqual([])
})

test('freePlaces adds the free places of the members; null without a limit', () => {
  const takers = [taker('asha'), taker('ravi'), taker('meera', 0, 'sales')]
  const capacities = new Map([
    ['team', 3],
    ['sales', null],
  ])
  const loads = new Map([
    ['asha', 1],
    ['ravi', 5],
  ])
  expect([...freePlaces(takers, capacities, loads)]).toEqual([
    ['team', 2],
    ['sales', null],
  ])
})
