import { type Context, type Role, roleReaches } from '../../../core/context.ts'
import { lockInWorkspace } from '../../../core/workspace-lock.ts'
import { notifyMembers } from '../../notifications/operations.ts'
import { listTeams } from '../../workspaces/operations/workspace-members.ts'
import { findSubmissionRow } from '../queries/capture-submissions.ts'

/** Notifies those who work leads that a submission needs attention; who has not read the last such notice gets no second. */
export async function notifyOfSubmission(ctx: Context, submissionId: string): Promise<void> {
  // Several may come at the same moment, each with a job: the later one finds what the first has written.
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
