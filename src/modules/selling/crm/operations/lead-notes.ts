import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { listTeams } from '../../../platform/workspaces/operations/workspace-members.ts'
import { insertTimelineRows, type TimelineRow } from '../queries/timeline.ts'
import { getLeadForUpdate } from './find-lead.ts'
import { timelineActor, timelineEntry } from './timeline.ts'

/** Adds a note to a lead's timeline. The customer never sees it (spec 2.3). */
export async function addLeadNote(ctx: Context, ref: string, body: string): Promise<TimelineRow> {
  const team = await listTeams(ctx.tx, [ctx.workspace.id])
  const lead = await getLeadForUpdate(ctx, ref)
  const note = timelineEntry(ctx, lead.id, timelineActor(ctx, team), 'note', { body })
  await insertTimelineRows(ctx.tx, [note])
  touch(ctx, { lead: lead.id })
  return note
}
