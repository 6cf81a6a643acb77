import type { Gate } from '../../../core/endpoint.ts'
import { refuse } from '../../../core/errors.ts'
import { NAMES } from './schema.ts'

/** Refuses real integrations in a sandbox, with any settings. */
export const notOfSandbox: Gate = {
  refuses: ['sandbox'],
  check: async ({ workspace, params: { name } }) => {
    if (workspace.sandbox && name !== 'simulator' && NAMES.some((integration) => integration === name))
      refuse('sandbox', "A sandbox can't connect to real services. Use the integration simulator.")
  },
}
