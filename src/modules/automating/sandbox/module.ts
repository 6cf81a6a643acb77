import { routes } from '../../../core/endpoint.ts'
import { getSandboxClock, postSandboxClock, postSandboxInbound, postSandboxSimulate } from './endpoints.ts'
import { lostClocksSource } from './work/lost-clocks-source.ts'

export const sandbox = {
  endpoints: routes({
    'POST /sandbox/inbound': postSandboxInbound,
    'POST /sandbox/simulate': postSandboxSimulate,
    'GET /sandbox/clock': getSandboxClock,
    'POST /sandbox/clock': postSandboxClock,
  }),
  sources: {
    'lost-clocks': lostClocksSource,
  },
}
