/** Checks of the workspace before the request to the photo network is read (spec 4.6, 7.2). */
import type { Gate } from '../../../core/endpoint.ts'
import { requireConnected } from './operations/accounts.ts'
import { requireSocial } from './operations/social-feature.ts'

/** Requires the add-on, and the feature to be turned on. */
export const socialFeature: Gate = {
  refuses: ['social_addon_required', 'social_disabled'],
  check: async ({ workspace }) => requireSocial(workspace),
}

/** Requires a connected account with a working connection. */
export const socialAccount: Gate = {
  refuses: ['not_connected', 'reconnect_required'],
  check: async ({ workspace, query }) => {
    await requireConnected(query, workspace.id)
  },
}
