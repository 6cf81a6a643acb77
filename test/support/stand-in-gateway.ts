import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import {
  type GatewaySettingsPatch,
  openStandaloneGateway,
  type StandaloneGateway,
} from '../../src/payment-gateway/simulator/standalone.ts'

export type StandInGateway = StandaloneGateway & {
  /** Base address of its API, for `PARLEY_RAZORPAY_URL`. */
  apiUrl: string
  /** Base address of its control calls. */
  controlUrl: string
  /** Refunds a part of a payment manually, as the business does. */
  giveBack(paymentId: string, paise: number): Promise<void>
  stop(): Promise<void>
}

/** Starts the simulated gateway on its own address, as `parley simulator` does. */
export async function startGateway({
  settings = {},
  clock = systemClock,
}: {
  settings?: GatewaySettingsPatch
  clock?: Clock
} = {}): Promise<StandInGateway> {
  const account = {
    id: 'acc_standin',
    keyId: 'rzp_test_shop',
    keySecret: 'key secret',
    webhookSecret: 'webhook secret',
  }
  const gateway = openStandaloneGateway({ account, settings, clock })
  const server = createServer(gateway.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gateway`
  return {
    ...gateway,
    apiUrl: `${url}/v1`,
    controlUrl: `${url}/_simulator`,
    giveBack: async (paymentId, paise) => {
      const answer = await fetch(`${url}/v1/payments/${paymentId}/refund`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${account.keyId}:${account.keySecret}`).toString('base64')}`,
        },
        body: JSON.stringify({ amount: paise }),
      })
      if (!answer.ok) throw new Error(`the refund answered ${answer.status}: ${await answer.text()}`)
    },
    stop: async () => {
      gateway.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
