import type { Context } from '../../../../core/context.ts'
import type { Issue } from '../../../../core/errors.ts'
import { findMember } from '../../../platform/workspaces/operations/workspace-members.ts'
import { unknownTags } from '../../contacts/operations/known-names.ts'
import { findTeam } from '../../conversations/operations/find-teams.ts'
import { findQuickReply } from '../../quick-replies/operations.ts'
import type { MacroActions } from '../schema.ts'

type Parts = Pick<MacroActions, 'quickReplyId' | 'teamId' | 'assignee'> & {
  addTags?: string[] | undefined
  removeTags?: string[] | undefined
}

/** Returns the saved reply, the team, the member, and the tags of a macro that don't exist. */
export async function findMissingParts(ctx: Context, parts: Parts): Promise<Issue[]> {
  const { quickReplyId, teamId, assignee, addTags = [], removeTags = [] } = parts
  const issues: Issue[] = []
  if (quickReplyId !== undefined && !(await findQuickReply(ctx, quickReplyId)))
    issues.push({ path: 'actions.quickReplyId', message: 'The saved reply was deleted.' })
  if (teamId && !(await findTeam(ctx, teamId)))
    issues.push({ path: 'actions.teamId', message: 'The team was deleted.' })
  if (assignee && assignee !== 'me') {
    const member = await findMember(ctx, assignee)
    if (!member) issues.push({ path: 'actions.assignee', message: 'Member not found. See GET /team.' })
    else if (member.leftAt)
      issues.push({ path: 'actions.assignee', message: `${member.name} left the workspace.` })
  }
  const unknown = new Set(await unknownTags(ctx, [...addTags, ...removeTags]))
  for (const [field, tags] of [
    ['addTags', addTags],
    ['removeTags', removeTags],
  ] as const)
    for (const [index, tag] of tags.entries())
      if (unknown.has(tag))
        issues.push({ path: `actions.${field}[${index}]`, message: `The tag ${tag} doesn't exist.` })
  return issues
}
