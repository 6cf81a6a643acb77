/**
 * Resolves references to stages, lost reasons, and people (spec 2.1): a name in any case, an email, or an id.
 */
import { invalid, type Refusal } from '../../../../core/errors.ts'
import { resolveNamed } from '../../../../core/resolve.ts'
import type { MemberRow } from '../../../platform/workspaces/operations/workspace-members.ts'
import type { LostReasonRow, StageRow } from '../queries/pipeline.ts'
import type { Pipeline } from './pipeline.ts'

const PIPELINE = 'GET /pipeline'

export function resolveStage(ref: string, { stages }: Pipeline): StageRow | Refusal {
  const found = resolveNamed(
    ref,
    stages.map((stage) => ({ id: stage.id, names: [stage.name], stage })),
    { field: 'stage', what: 'stage', listedAt: PIPELINE },
  )
  return found instanceof Error ? found : found.stage
}

export function resolveLostReason(ref: string, { lostReasons }: Pipeline): LostReasonRow | Refusal {
  const found = resolveNamed(
    ref,
    lostReasons.map((reason) => ({ id: reason.id, names: [reason.label], reason })),
    { field: 'lostReason', what: 'lost reason', listedAt: PIPELINE },
  )
  return found instanceof Error ? found : found.reason
}

/**
 * Returns the refusal of a lost stage without a reason; undefined if the pipeline has no reasons (spec 3).
 */
export function missingLostReason({ lostReasons }: Pipeline): Refusal | undefined {
  if (lostReasons.length === 0) return undefined
  const labels = lostReasons.map((reason) => `"${reason.label}"`).join(', ')
  return invalid([
    { path: 'lostReason', message: `Required with a lost stage: one of ${labels}. See GET /pipeline.` },
  ])
}

/** Finds a teammate by name, email, or id. `field` is owner or assignee. */
export function resolveMember(ref: string, team: MemberRow[], field: string): MemberRow | Refusal {
  const found = resolveNamed(
    ref,
    team.map((member) => ({ id: member.id, names: [member.name, member.email], member })),
    { field, what: 'teammate', listedAt: `${PIPELINE} for stages and GET /team for people` },
  )
  return found instanceof Error ? found : found.member
}

/** Finds an optional teammate. Null and undefined stay. */
export function resolveOptionalMember(
  ref: string | null | undefined,
  team: MemberRow[],
  field: string,
): MemberRow | Refusal | null | undefined {
  return ref === null || ref === undefined ? ref : resolveMember(ref, team, field)
}
