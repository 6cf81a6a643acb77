import type { Workspace } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'

/**
 * Refuses a workspace without the add-on, with the way to get it, and a workspace with the feature turned off
 * (spec 4.6).
 */
export function requireSocial(workspace: Workspace): void {
  if (!workspace.socialAddon) {
    const isFree = workspace.plan === 'free'
    refuse(
      'social_addon_required',
      isFree
        ? "The photo network requires an add-on, which the Free plan doesn't offer. Upgrade the plan."
        : 'The photo network requires an add-on. Add it to the plan.',
      { offer: isFree ? 'upgrade_plan' : 'add_addon' },
    )
  }
  if (!workspace.socialEnabled)
    refuse(
      'social_disabled',
      'The photo network is turned off for this workspace. An admin can turn it on in Settings.',
    )
}
