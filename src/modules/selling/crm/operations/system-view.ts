import { lastMidnight, nextMidnight } from '../../../../core/values/calendar.ts'
import { ALL, type Condition } from '../lead-condition.ts'
import type { SystemView } from '../lead-list-schema.ts'
import type { StageKind } from '../schema.ts'
import { stageIdsOf } from './pipeline.ts'
import type { LeadWords } from './present-lead.ts'
import type { FilterContext } from './understand-filter.ts'

/** Returns the condition of a built-in view of leads, and its order if it has one (spec 4.5). */
export function systemView(
  ctx: FilterContext,
  { pipeline, team }: LeadWords,
  view: SystemView,
): { condition: Condition; sort?: 'nextFollowUpAt' } {
  const inStages = (...kinds: StageKind[]): Condition => ({
    is: 'in',
    of: 'stage',
    values: pipeline.stages
      .filter((stage) => kinds.includes(stage.kind))
      .flatMap((stage) => stageIdsOf(pipeline, stage.id)),
  })
  const { timezone } = ctx.workspace
  switch (view) {
    case 'sys:all':
      return { condition: ALL }
    case 'sys:open':
      return { condition: inStages('initial', 'active') }
    case 'sys:won':
      return { condition: inStages('won') }
    case 'sys:lost':
      return { condition: inStages('lost') }
    case 'sys:unassigned':
      // A former member no longer counts as owner.
      return { condition: { not: { is: 'in', of: 'owner', values: team.map((member) => member.id) } } }
    case 'sys:new_today':
      return { condition: { is: 'gte', of: 'createdAt', value: lastMidnight(ctx.now, timezone) } }
    case 'sys:followups':
      return {
        condition: {
          all: [
            inStages('initial', 'active'),
            { is: 'lt', of: 'nextFollowUpAt', value: nextMidnight(ctx.now, timezone) },
          ],
        },
        sort: 'nextFollowUpAt',
      }
  }
}
