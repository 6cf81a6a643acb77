import type { Gate } from '../../../core/endpoint.ts'
import { refuse } from '../../../core/errors.ts'

const switchedOn = (module: string, feature: string): Gate => ({
  refuses: ['not_available'],
  check: async ({ workspace }) => {
    if (!workspace.modules.includes(module))
      refuse(
        'not_available',
        `${feature} turned off in this workspace. Ask the administrator of this installation to turn on the module.`,
      )
  },
})

/** Requires the module to be turned on. */
export const bookingsOn: Gate = switchedOn('bookings', 'Bookings are')
/** Requires the module that creates invoices, too. */
export const requiresInvoicing: Gate = switchedOn('invoicing', 'Invoicing is')
