import type { Context } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import type { TimelineActor, TimelineRow } from '../queries/timeline.ts'

export {
  actingPerson as timelineActor,
  actingPlatform as platformActor,
} from '../../../platform/workspaces/operations/acting-person.ts'

/** Returns a new entry for a lead's timeline, with the current time. */
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
