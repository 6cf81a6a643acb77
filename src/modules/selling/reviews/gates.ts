import type { Workspace } from '../../../core/context.ts'
import type { Gate } from '../../../core/endpoint.ts'
import { refuse } from '../../../core/errors.ts'

export const isOn = ({ modules }: Workspace): boolean => modules.includes('reviews')

/** Refuses with `not_available` while the module is turned off. */
export function requireOn(workspace: Workspace): void {
  if (!isOn(workspace))
    refuse(
      'not_available',
      'Reviews are turned off in this workspace. Ask the administrator of this installation to turn on the module `reviews`.',
    )
}

/** Requires the module to be turned on. */
export const reviewsOn: Gate = {
  refuses: ['not_available'],
  check: async ({ workspace }) => requireOn(workspace),
}
