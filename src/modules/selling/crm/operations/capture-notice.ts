import { type Context, type Role, roleReaches } from '../../../../core/context.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import { listTeams } from '../../../platform/workspaces/operations/workspace-members.ts'
import { findSubmissionRow } from '../queries/capture-submissions.ts'

/**
 * Notifies the members who work on leads that a submission needs attention. A member with an unread notice
 * gets no second one.
 */
export async function notifyOfSubmission(ctx: Context, submissionId: string): Promise<void> {
  // Several submissions may arrive at the same moment, each with a job. The later job finds the first job's
  // notice.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, 'notice of submissions')
  const row = await findSubmissionRow(ctx, submissionId)
  if (row?.state !== 'needs_attention') return
  const team = await listTeams(ctx.tx, [ctx.workspace.id])
  await notifyMembers(
    ctx,
    team
      .filter(({ owner, role }) => owner || roleReaches(role as Role, 'agent'))
      .map(({ id }) => ({
        kind: 'submission_needs_attention' as const,
        memberId: id,
        title: row.form ?? 'Capture link',
        body: row.message,
        subjectId: ctx.workspace.id,
      })),
  )
}
