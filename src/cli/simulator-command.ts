import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { digitsOf } from '../core/phone.ts'
import { SettingsPatch } from '../operator/simulator/standalone/settings.ts'
import { startStandaloneSimulator } from '../operator/simulator/standalone/start.ts'
import { openStandaloneGateway } from '../payment-gateway/simulator/standalone.ts'
import { startStandaloneSocialSimulator } from '../social-network/simulator/standalone/start.ts'
import { command, type Flag, UsageError } from './command.ts'
import { e164, secret, text, webAddress } from './flags.ts'

const DEFAULT_PORT = 4300
const DEFAULT_NUMBER = '+15550100100'

const port: Flag<number> = {
  placeholder: 'N',
  parse(given) {
    const value = Number(given)
    if (!/^\d+$/.test(given) || value > 65_535)
      throw new UsageError(`Must be a port from 1 to 65535, not "${given}".`)
    return value
  },
}

const digits: Flag<string> = {
  placeholder: 'ID',
  parse(given) {
    if (!/^\d{1,20}$/.test(given))
      throw new UsageError(`Must be an id from the operator, digits only, not "${given}".`)
    return given
  },
}

/** Settings in JSON, or `@file` with that JSON; docs/simulator.md lists them. */
const settingsJson: Flag<SettingsPatch> = {
  placeholder: 'JSON|@FILE',
  parse(given) {
    const read = SettingsPatch.safeParse(parseJson(given.startsWith('@') ? readFile(given.slice(1)) : given))
    if (!read.success) throw new UsageError(z.prettifyError(read.error))
    return read.data
  },
}

function parseJson(given: string): unknown {
  try {
    return JSON.parse(given)
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
  async run({ settings, callback, ...given }, { say, stayUntilStopped }) {
    const number = given.number ?? DEFAULT_NUMBER
    const { numberId = newId(), account = newId(), token = newSecret() } = given
    const { appSecret = newSecret(), verifyToken = newSecret() } = given
    const gateway = openStandaloneGateway({
      account: {
        id: `acc_${newId()}`,
        keyId: given.keyId ?? `rzp_test_${newId()}`,
        keySecret: given.keySecret ?? newSecret(),
        webhookSecret: given.webhookSecret ?? newSecret(),
      },
      settings: given.gatewayCallback === undefined ? {} : { callbackUrl: given.gatewayCallback },
      log: (message, error) => say(error instanceof Error ? `${message}: ${error.message}` : message),
    })
    const simulator = await startStandaloneSimulator({
      port: given.port ?? DEFAULT_PORT,
      host: given.host ?? '127.0.0.1',
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
    const social = await startSocial(given, { appSecret, say }).catch(async (error: unknown) => {
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
        callbackUrl: given.gatewayCallback ?? null,
      },
      serverEnvironment: `PARLEY_OPERATOR_URL=${simulator.url}`,
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
  given: SocialFlags,
  { appSecret, say }: { appSecret: string; say(line: string): void },
) {
  const besides = given.port === 0 ? 0 : (given.port ?? DEFAULT_PORT) + 1
  const networkId = given.socialAccount ?? `17841${newId().slice(0, 12)}`
  const account = {
    networkId,
    username: 'our_shop',
    token: given.socialToken ?? `${networkId}.${newSecret()}`,
  }
  const simulator = await startStandaloneSocialSimulator({
    port: given.socialPort ?? besides,
    host: given.host ?? '127.0.0.1',
    account,
    appSecret,
    settings: given.socialCallback === undefined ? {} : { callbackUrl: given.socialCallback },
    log: (message, error) => say(error instanceof Error ? `${message}: ${error.message}` : message),
  })
  return { ...simulator, account }
}
