/** What a workspace needs before anything of a request to the photo network is read (spec 4.6, 7.2). */
import type { Gate } from '../../core/endpoint.ts'
import { requireConnected } from './operations/accounts.ts'
import { requireSocial } from './operations/social-feature.ts'

/** The add-on is there and the feature is on. */
export const socialFeature: Gate = {
  refuses: ['social_addon_required', 'social_disabled'],
  check: async ({ workspace }) => requireSocial(workspace),
}

/** An account is connected, and its connection works. */
export const socialAccount: Gate = {
  refuses: ['not_connected', 'reconnect_required'],
  check: async ({ workspace, query }) => {
    await requireConnected(query, workspace.id)
  },
}
