import type { Gate } from '../../core/endpoint.ts'
import { refuse } from '../../core/errors.ts'

/** The module is switched on. */
export const invoicingOn: Gate = {
  refuses: ['not_available'],
  check: async ({ workspace }) => {
    if (!workspace.modules.includes('invoicing'))
      refuse(
        'not_available',
        'Invoicing is switched off. Switch it on with "parley workspace set --modules invoicing".',
      )
  },
}
