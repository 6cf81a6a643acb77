/**
 * The ranges of the index of pending rows between given endpoints: scanning them finds all other endpoints
 * without reading the rows of the given ones.
 */

type Endpoint = { workspaceId: string; endpointId: string }

/**
 * A range of endpoints after `endpointId`: of this workspace up to the endpoint `before`; or, with `within`
 * false, of the following workspaces up to the workspace `before`.
 */
export type Gap = { within: boolean; workspaceId: string; endpointId: string; before: string }

export const FIRST_UUID = '00000000-0000-0000-0000-000000000000'
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const placeOf = (endpoint: Endpoint): string => endpoint.workspaceId + endpoint.endpointId

/** Sorts in the order of the index: by workspace, then by endpoint. */
export const inOrder = <One extends Endpoint>(endpoints: readonly One[]): One[] =>
  endpoints.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))

/** Returns the ranges without `endpoints`, in as few ranges as two-column comparisons of the index allow. */
export function gapsBetween(endpoints: readonly Endpoint[]): Gap[] {
  const gaps: Gap[] = []
  let workspaceId = FIRST_UUID
  let endpointId = LAST_UUID
  for (const next of inOrder(endpoints)) {
    if (next.workspaceId !== workspaceId) {
      gaps.push(...gapsAfter(workspaceId, endpointId, next.workspaceId))
      endpointId = FIRST_UUID
    }
    workspaceId = next.workspaceId
    gaps.push({ within: true, workspaceId, endpointId, before: next.endpointId })
    endpointId = next.endpointId
  }
  return [...gaps, ...gapsAfter(workspaceId, endpointId, LAST_UUID)]
}

/** Returns the rest of a workspace after an endpoint, and the workspaces between it and another. */
const gapsAfter = (workspaceId: string, endpointId: string, beforeWorkspace: string): Gap[] => [
  ...(endpointId === LAST_UUID ? [] : [{ within: true, workspaceId, endpointId, before: LAST_UUID }]),
  { within: false, workspaceId, endpointId: LAST_UUID, before: beforeWorkspace },
]
