import type { Context } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import type { MemberRow } from '../../workspaces/operations/workspace-members.ts'
import type { TimelineActor, TimelineRow } from '../queries/timeline.ts'

/** The platform, acting by a rule of the workspace. */
export const platformActor = ({ workspace, cause }: Context): TimelineActor => ({
  kind: 'platform',
  id: cause?.automationId ?? null,
  name: cause?.name ?? workspace.name,
})

/** Who acts, by the name that the team knows: the member behind a key, else the key's own label. */
export function timelineActor(ctx: Context, team: MemberRow[]): TimelineActor {
  const { actor } = ctx
  if (actor.kind === 'platform') return platformActor(ctx)
  const member = team.find((one) => one.id === actor.memberId)
  if (member) return { kind: 'member', id: member.id, name: member.name }
  return actor.kind === 'key'
    ? { kind: 'key', id: actor.keyId, name: actor.label }
    : { kind: 'member', id: actor.memberId, name: 'A former teammate' }
}

/** One entry of a lead's timeline, of this moment. */
export const timelineEntry = (
  ctx: Context,
  leadId: string,
  actor: TimelineActor,
  kind: string,
  data: Record<string, unknown>,
): TimelineRow => ({
  workspaceId: ctx.workspace.id,
  id: newId(),
  leadId,
  kind,
  actor,
  via: ctx.via,
  data,
  createdAt: ctx.now,
})
