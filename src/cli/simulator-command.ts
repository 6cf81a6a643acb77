import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { digitsOf } from '../core/values/phone.ts'
import { SettingsPatch } from '../operator/simulator/standalone/settings.ts'
import {
  DEFAULT_APP_ID,
  DEFAULT_CONFIG_ID,
  startStandaloneSimulator,
} from '../operator/simulator/standalone/start.ts'
import { openStandaloneGateway } from '../payment-gateway/simulator/standalone.ts'
import { startStandaloneSocialSimulator } from '../social-network/simulator/standalone/start.ts'
import { command, type Flag, UsageError } from './command.ts'
import { e164, secret, text, webAddress } from './flags.ts'

const DEFAULT_PORT = 4300
const DEFAULT_NUMBER = '+15550100100'

const port: Flag<number> = {
  placeholder: 'N',
  parse(input) {
    const value = Number(input)
    if (!/^\d+$/.test(input) || value > 65_535)
      throw new UsageError(`Must be a port from 1 to 65535, not "${input}".`)
    return value
  },
}

const digits: Flag<string> = {
  placeholder: 'ID',
  parse(input) {
    if (!/^\d{1,20}$/.test(input))
      throw new UsageError(`Must be an id from the operator, digits only, not "${input}".`)
    return input
  },
}

/** Settings in JSON, or `@file` with that JSON; docs/simulator.md lists them. */
const settingsJson: Flag<SettingsPatch> = {
  placeholder: 'JSON|@FILE',
  parse(input) {
    const result = SettingsPatch.safeParse(
      parseJson(input.startsWith('@') ? readFile(input.slice(1)) : input),
    )
    if (!result.success) throw new UsageError(z.prettifyError(result.error))
    return result.data
  },
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new UsageError('Must be JSON.')
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} can't be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

const newId = () => String(randomInt(1e14, 3e14))
// Hexadecimal, because the secret is part of a printed command line: a leading dash would be read as a flag.
const newSecret = () => randomBytes(24).toString('hex')

export const simulatorCommand = command({
  name: 'simulator',
  summary:
    'Simulate the operator, the photo network, and a payment gateway for tests, until you press Ctrl-C. See docs/simulator.md.',
  flags: {
    port,
    host: text('HOST'),
    callback: webAddress,
    appSecret: secret('S'),
    token: secret('T'),
    verifyToken: secret('V'),
    number: e164,
    numberId: digits,
    account: digits,
    keyId: text('K'),
    keySecret: secret('S'),
    webhookSecret: secret('W'),
    gatewayCallback: webAddress,
    settings: settingsJson,
    socialPort: port,
    socialCallback: webAddress,
    socialAccount: digits,
    socialToken: secret('T'),
  },
  async run({ settings, callback, ...flags }, { say, stayUntilStopped }) {
    const number = flags.number ?? DEFAULT_NUMBER
    const { numberId = newId(), account = newId(), token = newSecret() } = flags
    const { appSecret = newSecret(), verifyToken = newSecret() } = flags
    const gateway = openStandaloneGateway({
      account: {
        id: `acc_${newId()}`,
        keyId: flags.keyId ?? `rzp_test_${newId()}`,
        keySecret: flags.keySecret ?? newSecret(),
        webhookSecret: flags.webhookSecret ?? newSecret(),
      },
      settings: flags.gatewayCallback === undefined ? {} : { callbackUrl: flags.gatewayCallback },
      log: (message, error) => say(error instanceof Error ? `${message}: ${error.message}` : message),
    })
    const simulator = await startStandaloneSimulator({
      port: flags.port ?? DEFAULT_PORT,
      host: flags.host ?? '127.0.0.1',
      numbers: [{ operatorId: numberId, accountId: account, token, displayNumber: digitsOf(number) }],
      appSecret,
      settings: { ...settings, ...(callback === undefined ? {} : { callbackUrl: callback }) },
      log: (message, error) => say(error instanceof Error ? `${message}: ${error.message}` : message),
      beside: [gateway],
      payAtGateway: async (order, { paise, method, outcome }) => {
        const paid = await gateway.payInChat(order, { paise, method, fail: outcome === 'failed' })
        return { orderId: paid.order.id, paymentId: paid.payment.id }
      },
    })
    const closeFirst = async () => {
      gateway.close()
      await simulator.close()
    }
    stayUntilStopped(closeFirst)
    const social = await startSocial(flags, { appSecret, say }).catch(async (error: unknown) => {
      // Stops the first simulators when the command fails.
      await closeFirst()
      throw error
    })
    stayUntilStopped(async () => {
      await social.close()
      await closeFirst()
    })
    return {
      url: simulator.url,
      control: `${simulator.url}/_simulator`,
      number,
      numberId,
      account,
      token,
      appSecret,
      verifyToken,
      callbackUrl: simulator.settings.current.callbackUrl,
      gateway: {
        url: `${simulator.url}/gateway/v1`,
        control: `${simulator.url}/gateway/_simulator`,
        keyId: gateway.account.keyId,
        keySecret: gateway.account.keySecret,
        webhookSecret: gateway.account.webhookSecret,
        callbackUrl: flags.gatewayCallback ?? null,
      },
      serverEnvironment: `PARLEY_OPERATOR_URL=${simulator.url}`,
      signupEnvironment:
        `PARLEY_OPERATOR_URL=${simulator.url} PARLEY_OPERATOR_DIALOG_URL=${simulator.url} ` +
        `PARLEY_OPERATOR_APP_ID=${DEFAULT_APP_ID} PARLEY_OPERATOR_APP_SECRET=${appSecret} ` +
        `PARLEY_OPERATOR_CONFIG_ID=${DEFAULT_CONFIG_ID}`,
      gatewayEnvironment: `PARLEY_RAZORPAY_URL=${simulator.url}/gateway/v1`,
      connect:
        `parley number add --workspace ID --number ${number} --operator cloud --account ${account} ` +
        `--number-id ${numberId} --token ${token} --app-secret ${appSecret} --verify-token ${verifyToken}`,
      connectGateway:
        `parley gateway set --workspace ID --provider razorpay --key-id ${gateway.account.keyId} ` +
        `--key-secret ${gateway.account.keySecret} --webhook-secret ${gateway.account.webhookSecret}`,
      subscribe:
        `curl -X POST ${simulator.url}/${account}/subscribed_apps -H "Authorization: Bearer ${token}" ` +
        `-d override_callback_uri=CALLBACK -d verify_token=${verifyToken}`,
      social: {
        url: social.url,
        control: `${social.url}/_simulator`,
        account: social.account.networkId,
        username: social.account.username,
        token: social.account.token,
        callbackUrl: social.settings.current.callbackUrl,
        serverEnvironment: `PARLEY_SOCIAL_URL=${social.url}`,
        connect:
          `parley social connect --workspace ID --network graph --account ${social.account.networkId} ` +
          `--token ${social.account.token} --app-secret ${appSecret} --verify-token ${verifyToken}`,
        subscribe:
          `curl -X POST ${social.url}/_simulator/settings -H "Authorization: Bearer ${social.account.token}" ` +
          `-H "Content-Type: application/json" -d '{"callbackUrl": "CALLBACK"}'`,
      },
    }
  },
})

type SocialFlags = {
  port?: number | undefined
  host?: string | undefined
  socialPort?: number | undefined
  socialCallback?: string | undefined
  socialAccount?: string | undefined
  socialToken?: string | undefined
}

/** Starts the photo network, by default on the next port. */
async function startSocial(
  flags: SocialFlags,
  { appSecret, say }: { appSecret: string; say(line: string): void },
) {
  const defaultPort = flags.port === 0 ? 0 : (flags.port ?? DEFAULT_PORT) + 1
  const networkId = flags.socialAccount ?? `17841${newId().slice(0, 12)}`
  const account = {
    networkId,
    username: 'our_shop',
    token: flags.socialToken ?? `${networkId}.${newSecret()}`,
  }
  const simulator = await startStandaloneSocialSimulator({
    port: flags.socialPort ?? defaultPort,
    host: flags.host ?? '127.0.0.1',
    account,
    appSecret,
    settings: flags.socialCallback === undefined ? {} : { callbackUrl: flags.socialCallback },
    log: (message, error) => say(error instanceof Error ? `${message}: ${error.message}` : message),
  })
  return { ...simulator, account }
}
