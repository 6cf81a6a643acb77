/** The rules of a workspace for the sessions that open it. */
import type { Context, MemberActor } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { recordActivity } from '../../workspaces/operations/activity.ts'
import { findSecurity, type Security, upsertSecurity } from '../queries/settings.ts'

export const readSecurity = (ctx: Context): Promise<Security> => findSecurity(ctx.tx, ctx.workspace.id)

export type SecurityPatch = { [Field in keyof Security]?: Security[Field] | undefined }

/**
 * Changes the rules. Only the owner can require a second factor from all members, and must have used one, so
 * that owners can't lock themselves out.
 */
export async function changeSecurity(ctx: Context, patch: SecurityPatch): Promise<Security> {
  // Locked so that two concurrent changes are both kept.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, 'security')
  const before = await readSecurity(ctx)
  const { requireSecondFactor = before.requireSecondFactor } = patch
  const { idleDays = before.idleDays, absoluteDays = before.absoluteDays } = patch
  const { owner, strong } = ctx.actor as MemberActor
  if (requireSecondFactor !== before.requireSecondFactor && !owner)
    refuse('forbidden', 'Only the owner of the workspace can require a second factor.', { required: 'owner' })
  if (requireSecondFactor && !before.requireSecondFactor && !strong)
    refuse('conflict', 'Sign in with a passkey or an authenticator code yourself first.')
  const security = { requireSecondFactor, idleDays, absoluteDays }
  await upsertSecurity(ctx.tx, ctx.workspace.id, security)
  await recordActivity(ctx, 'security.changed', security)
  touch(ctx, { workspace: ctx.workspace.id })
  return security
}
