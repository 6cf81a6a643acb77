import { expect, test } from 'vitest'
import { newId } from '../../../../core/ids.ts'
import { FIRST_UUID, type Gap, gapsBetween } from './endpoint-gaps.ts'

const WORKSPACES = Array.from({ length: 5 }, newId)
const ENDPOINTS = WORKSPACES.flatMap((workspaceId) =>
  Array.from({ length: 5 }, () => ({ workspaceId, endpointId: newId() })),
)
type Endpoint = (typeof ENDPOINTS)[number]

const isInGap = (gap: Gap, { workspaceId, endpointId }: Endpoint): boolean =>
  gap.within
    ? workspaceId === gap.workspaceId && endpointId > gap.endpointId && endpointId < gap.before
    : workspaceId + endpointId > gap.workspaceId + gap.endpointId && workspaceId < gap.before

test.each([
  ['none', () => false],
  ['all', () => true],
  ['the first', (_endpoint: Endpoint, place: number) => place === 0],
  ['the last', (_endpoint: Endpoint, place: number) => place === ENDPOINTS.length - 1],
  ['every second', (_endpoint: Endpoint, place: number) => place % 2 === 0],
  ['all of every second workspace', (_endpoint: Endpoint, place: number) => Math.floor(place / 5) % 2 === 0],
  ['one of each workspace', (_endpoint: Endpoint, place: number) => place % 5 === 2],
])(
  'with %s of the endpoints given, each other endpoint is in exactly one gap, and no given one is in any',
  (_title, isGiven) => {
    const listedEndpoints = ENDPOINTS.filter(isGiven)
    const gaps = gapsBetween(listedEndpoints.toReversed())
    for (const endpoint of ENDPOINTS)
      expect(gaps.filter((gap) => isInGap(gap, endpoint)).length).toBe(
        listedEndpoints.includes(endpoint) ? 0 : 1,
      )
    expect(gaps.length).toBeLessThanOrEqual(3 * listedEndpoints.length + 1)
  },
)

test('without a given endpoint the gap covers everything', () => {
  expect(gapsBetween([])).toEqual([expect.objectContaining({ within: false, workspaceId: FIRST_UUID })])
})
