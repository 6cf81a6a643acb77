import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import { listTeams } from '../../../platform/workspaces/operations/workspace-members.ts'
import type { AssignmentPatch } from '../pipeline-schema.ts'
import { listAssignments, upsertAssignment } from '../queries/pipeline.ts'
import { resolveMember } from './references.ts'

/** Returns the rule that assigns new leads without an owner (DECISIONS.md "Leads"). */
export async function readAssignment(ctx: Context) {
  const [rules, team] = await Promise.all([
    listAssignments(ctx.tx, [ctx.workspace.id]),
    listTeams(ctx.tx, [ctx.workspace.id]),
  ])
  const rule = rules[0] ?? { mode: 'none' as const, memberIds: [] }
  const members = rule.memberIds.flatMap((id) => {
    const member = team.find((teammate) => teammate.id === id)
    return member ? [{ id, name: member.name, email: member.email }] : []
  })
  return { mode: rule.mode, members }
}

export async function changeAssignment(ctx: Context, patch: AssignmentPatch) {
  const team = await listTeams(ctx.tx, [ctx.workspace.id])
  const memberIds = patch.members.map((ref, i) => {
    const member = resolveMember(ref, team, `members[${i}]`)
    if (member instanceof Refusal) throw member
    return member.id
  })
  if (patch.mode !== 'none' && memberIds.length === 0)
    throw invalid([{ path: 'members', message: `Must have at least one member for mode ${patch.mode}.` }])
  const rule = { mode: patch.mode, memberIds: [...new Set(memberIds)] }
  await upsertAssignment(ctx.tx, { workspaceId: ctx.workspace.id, ...rule })
  await recordActivity(ctx, 'assignment.changed', rule)
  touch(ctx, { pipeline: ctx.workspace.id })
  return readAssignment(ctx)
}
