/** What a workspace asks of the sessions that open it. */
import type { Context, MemberActor } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { touch } from '../../../core/event.ts'
import { lockInWorkspace } from '../../../core/workspace-lock.ts'
import { recordActivity } from '../../workspaces/operations/activity.ts'
import { findSecurity, type Security, upsertSecurity } from '../queries/settings.ts'

export const readSecurity = (ctx: Context): Promise<Security> => findSecurity(ctx.tx, ctx.workspace.id)

export type SecurityPatch = { [Field in keyof Security]?: Security[Field] | undefined }

/**
 * Changes what is asked. That everybody gives a second factor is for the owner to ask, who has to have one: nobody shuts
 * themselves out.
 */
export async function changeSecurity(ctx: Context, patch: SecurityPatch): Promise<Security> {
  // Two changes at once both count.
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
