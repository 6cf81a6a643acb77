import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { digitsOf } from '../core/phone.ts'
import { SettingsPatch } from '../operator/simulator/standalone/settings.ts'
import { startStandaloneSimulator } from '../operator/simulator/standalone/start.ts'
import { command, type Flag, UsageError } from './command.ts'
import { e164, text, webAddress } from './flags.ts'

const DEFAULT_PORT = 4300
const DEFAULT_NUMBER = '+15550100100'

const port: Flag<number> = {
  placeholder: 'N',
  parse(given) {
    const value = Number(given)
    if (!/^\d+$/.test(given) || value > 65_535) throw new UsageError(`"${given}" is not a port`)
    return value
  },
}

const digits: Flag<string> = {
  placeholder: 'ID',
  parse(given) {
    if (!/^\d{1,20}$/.test(given))
      throw new UsageError(`"${given}" is not an id of the operator: those are digits`)
    return given
  },
}

/** JSON of settings, or `@file` that holds it; docs/simulator.md names them. */
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
    throw new UsageError('is not JSON')
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

const newId = () => String(randomInt(1e14, 3e14))
const newSecret = () => randomBytes(24).toString('base64url')

export const simulatorCommand = command({
  name: 'simulator',
  summary: 'Play the operator for anyone’s tests, until Ctrl-C. docs/simulator.md says what it can do.',
  flags: {
    port,
    host: text('HOST'),
    callback: webAddress,
    appSecret: text('S'),
    token: text('T'),
    verifyToken: text('V'),
    number: e164,
    numberId: digits,
    account: digits,
    settings: settingsJson,
  },
  async run({ settings, callback, ...given }, { say, stayUntilStopped }) {
    const number = given.number ?? DEFAULT_NUMBER
    const { numberId = newId(), account = newId(), token = newSecret() } = given
    const { appSecret = newSecret(), verifyToken = newSecret() } = given
    const simulator = await startStandaloneSimulator({
      port: given.port ?? DEFAULT_PORT,
      host: given.host ?? '127.0.0.1',
      numbers: [{ operatorId: numberId, accountId: account, token, displayNumber: digitsOf(number) }],
      appSecret,
      settings: { ...settings, ...(callback === undefined ? {} : { callbackUrl: callback }) },
      log: (message, error) => say(error instanceof Error ? `${message}: ${error.message}` : message),
    })
    stayUntilStopped(simulator.close)
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
      serverEnvironment: `PARLEY_OPERATOR_URL=${simulator.url}`,
      connect:
        `parley number add --workspace ID --number ${number} --operator cloud --account ${account} ` +
        `--number-id ${numberId} --token ${token} --app-secret ${appSecret} --verify-token ${verifyToken}`,
      subscribe:
        `curl -X POST ${simulator.url}/${account}/subscribed_apps -H "Authorization: Bearer ${token}" ` +
        `-d override_callback_uri=CALLBACK -d verify_token=${verifyToken}`,
    }
  },
})
