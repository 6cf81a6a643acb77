import type { Context } from '../../../core/context.ts'
import { listTeams } from '../../workspaces/operations/workspace-members.ts'
import { holdLeads, insertTimelineRows } from '../queries/timeline.ts'
import { timelineActor, timelineEntry } from './timeline.ts'

/** Something that another module has to say on a lead's timeline: ids and kinds, never what a customer wrote. */
export type TimelineAddition = {
  leadId: string
  kind: string
  /** A customer by our id of the contact; else it was the caller. */
  customerId: string | null
  data: Record<string, unknown>
}

/** Writes entries onto the timelines of those leads that are there, in the order given. */
export async function addTimelineEntries(ctx: Context, additions: TimelineAddition[]): Promise<void> {
  if (additions.length === 0) return
  const [team, there] = await Promise.all([
    listTeams(ctx.tx, [ctx.workspace.id]),
    holdLeads(ctx, [...new Set(additions.map((one) => one.leadId))]),
  ])
  const caller = timelineActor(ctx, team)
  const kept = additions.filter((one) => there.has(one.leadId))
  await insertTimelineRows(
    ctx.tx,
    kept.map(({ leadId, kind, customerId, data }) =>
      timelineEntry(
        ctx,
        leadId,
        customerId === null ? caller : { kind: 'customer', id: customerId, name: 'Customer' },
        kind,
        data,
      ),
    ),
  )
}
