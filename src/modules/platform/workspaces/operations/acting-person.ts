import type { Context } from '../../../../core/context.ts'
import type { MemberRow } from './workspace-members.ts'

/** The author of an action, with the name that the team knows. */
export type ActingPerson = { kind: 'member' | 'key' | 'platform'; id: string | null; name: string }

/** The platform, acting by a rule of the workspace. */
export const actingPlatform = ({ workspace, cause }: Context): ActingPerson => ({
  kind: 'platform',
  id: cause?.automationId ?? null,
  name: cause?.name ?? workspace.name,
})

/** Returns the author: the member behind a key, otherwise the key with its own label. */
export function actingPerson(ctx: Context, team: MemberRow[]): ActingPerson {
  const { actor } = ctx
  if (actor.kind === 'platform') return actingPlatform(ctx)
  const member = team.find((teammate) => teammate.id === actor.memberId)
  if (member) return { kind: 'member', id: member.id, name: member.name }
  return actor.kind === 'key'
    ? { kind: 'key', id: actor.keyId, name: actor.label }
    : { kind: 'member', id: actor.memberId, name: 'A former teammate' }
}
