import type { Context } from '../../../../core/context.ts'
import { listTeams } from '../../../platform/workspaces/operations/workspace-members.ts'
import { holdLeads, insertTimelineRows } from '../queries/timeline.ts'
import { timelineActor, timelineEntry } from './timeline.ts'

/** Another module's entry for a lead's timeline: ids and kinds, never a customer's text. */
export type TimelineAddition = {
  leadId: string
  kind: string
  /** The contact's id if a customer acted; otherwise the caller acted. */
  customerId: string | null
  data: Record<string, unknown>
}

/** Adds entries to the timelines of the leads that exist, in order. */
export async function addTimelineEntries(ctx: Context, additions: TimelineAddition[]): Promise<void> {
  if (additions.length === 0) return
  const [team, presentLeads] = await Promise.all([
    listTeams(ctx.tx, [ctx.workspace.id]),
    holdLeads(ctx, [...new Set(additions.map((addition) => addition.leadId))]),
  ])
  const caller = timelineActor(ctx, team)
  const applicable = additions.filter((addition) => presentLeads.has(addition.leadId))
  await insertTimelineRows(
    ctx.tx,
    applicable.map(({ leadId, kind, customerId, data }) =>
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
