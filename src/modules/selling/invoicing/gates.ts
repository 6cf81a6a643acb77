import type { Workspace } from '../../../core/context.ts'
import type { Gate } from '../../../core/endpoint.ts'
import { refuse } from '../../../core/errors.ts'

export const isOn = ({ modules }: Workspace): boolean => modules.includes('invoicing')

/** Requires that the module is turned on. */
export const invoicingOn: Gate = {
  refuses: ['not_available'],
  check: async ({ workspace }) => {
    if (!isOn(workspace))
      refuse(
        'not_available',
        'Invoicing is turned off in this workspace. Ask the administrator of this installation to turn on the module `invoicing`.',
      )
  },
}
