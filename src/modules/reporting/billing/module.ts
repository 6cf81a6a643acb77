import { routes } from '../../../core/endpoint.ts'
import { getBilling, getCosts, getRates, getWallet } from './endpoints.ts'
import { walletChargesSource } from './work/wallet-charges-source.ts'

export const billing = {
  endpoints: routes({
    'GET /billing': getBilling,
    'GET /wallet': getWallet,
    'GET /costs': getCosts,
    'GET /rates': getRates,
  }),
  sources: {
    'wallet-charges': walletChargesSource,
  },
}
