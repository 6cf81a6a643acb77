/**
 * The stretches of the index of pending rows that lie between given endpoints: a walk through them meets every other endpoint
 * and passes none of the given ones' rows.
 */

type Endpoint = { workspaceId: string; endpointId: string }

/**
 * Endpoints after `endpointId`: of this workspace alone, up to `before`, an endpoint; or, with `within` false, of the workspaces that
 * follow, up to `before`, a workspace.
 */
export type Gap = { within: boolean; workspaceId: string; endpointId: string; before: string }

export const FIRST_UUID = '00000000-0000-0000-0000-000000000000'
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const placeOf = (one: Endpoint): string => one.workspaceId + one.endpointId

/** In the order of the index: by workspace, then by endpoint. */
export const inOrder = <One extends Endpoint>(endpoints: readonly One[]): One[] =>
  endpoints.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))

/** Whatever is none of `endpoints`, in as few stretches as begin and end at what the index compares: two columns, one after the other. */
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

/** What is left of a workspace after one of its endpoints, and the workspaces between it and another. */
const gapsAfter = (workspaceId: string, endpointId: string, beforeWorkspace: string): Gap[] => [
  ...(endpointId === LAST_UUID ? [] : [{ within: true, workspaceId, endpointId, before: LAST_UUID }]),
  { within: false, workspaceId, endpointId: LAST_UUID, before: beforeWorkspace },
]
