import { routes } from '../../../core/endpoint.ts'
import { getBilling, getCosts, getWallet } from './endpoints.ts'
import { walletChargesSource } from './work/wallet-charges-source.ts'

export const billing = {
  endpoints: routes({
    'GET /billing': getBilling,
    'GET /wallet': getWallet,
    'GET /costs': getCosts,
  }),
  sources: {
    'wallet-charges': walletChargesSource,
  },
}
