/** Teams as SCIM groups: their JSON, and the changes that a body asks for. */
import { type Attributes, textOf, valuesOf } from './attributes.ts'
import type { PatchStep } from './patch.ts'
import type { ScimGroup, ScimGroupChange } from './port.ts'
import { refuseScim } from './scim-fault.ts'

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

export const presentGroup = (group: ScimGroup, baseUrl: string) => ({
  schemas: [GROUP_SCHEMA],
  id: group.id,
  displayName: group.name,
  members: group.memberIds.map((id) => ({
    value: id,
    type: 'User',
    $ref: `${baseUrl}/Users/${id}`,
  })),
  meta: {
    resourceType: 'Group',
    created: group.createdAt,
    lastModified: group.updatedAt,
    location: `${baseUrl}/Groups/${group.id}`,
  },
})

const memberIdsOf = (value: unknown): string[] =>
  valuesOf(value, 'members').map(
    (member) =>
      textOf(member.get('value'), 'members.value')?.toLowerCase() ??
      refuseScim('invalidValue', 'Each of the members needs a value: the id of a user.'),
  )

const nameOf = (value: unknown): string =>
  textOf(value, 'displayName') ?? refuseScim('invalidValue', 'displayName is required.')

/** Returns the group of a POST or a PUT. */
export const readGroup = (body: Attributes): { name: string; memberIds: string[] | undefined } => ({
  name: nameOf(body.get('displayname')),
  memberIds: body.has('members') ? memberIdsOf(body.get('members')) : undefined,
})

/** Returns the ids that a step names: in its value, or in its path. */
function idsOfStep({ where, value }: PatchStep): string[] | undefined {
  if (where === undefined) return value === undefined || value === null ? undefined : memberIdsOf(value)
  if (where.path !== 'value' || typeof where.value !== 'string')
    return refuseScim('invalidPath', 'Choose members by their value: members[value eq "ID"].')
  return [where.value.toLowerCase()]
}

function applyMembers(ids: Set<string>, step: PatchStep): void {
  const named = idsOfStep(step)
  if (step.op === 'replace' && step.where === undefined) ids.clear()
  if (step.op !== 'remove') for (const id of named ?? []) ids.add(id)
  else if (named === undefined) ids.clear()
  else for (const id of named) ids.delete(id)
}

/** Returns the change of a PATCH. Other attributes than the name and the members are ignored. */
export const readGroupPatch =
  (steps: PatchStep[]) =>
  (group: ScimGroup): ScimGroupChange => {
    const change: ScimGroupChange = {}
    const ids = new Set(group.memberIds)
    for (const step of steps) {
      if (step.attribute === 'id' && step.value !== group.id)
        refuseScim('mutability', "The id of a group can't be changed.")
      if (step.attribute === 'displayname') change.name = nameOf(step.op === 'remove' ? null : step.value)
      if (step.attribute === 'members') {
        applyMembers(ids, step)
        change.memberIds = [...ids]
      }
    }
    return change
  }
