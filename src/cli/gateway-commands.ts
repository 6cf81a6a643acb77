import { GATEWAY_CALLBACK_PATH } from '../http/callbacks/gateway-callback.ts'
import {
  deleteGateway,
  type Importer,
  setGateway,
} from '../modules/selling/payments/operations/gateway-connection.ts'
import { command, UsageError } from './command.ts'
import { id, oneOf, required, secret, text } from './flags.ts'
import { inInstallation } from './installation.ts'

const PROVIDERS = ['simulator', 'razorpay'] as const

/** Returns a flag's name as it is typed. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function requireAll<Name extends string>(
  flags: { [Flag in Name]?: string | undefined },
  subject: string,
): Record<Name, string> {
  const missing = Object.entries(flags).filter(([, value]) => value === undefined)
  if (missing.length > 0)
    throw new UsageError(
      `${subject} also requires ${missing.map(([name]) => `--${kebab(name)}`).join(', ')}.`,
    )
  return flags as Record<Name, string>
}

const IMPORTER_FLAGS = [
  'importerName',
  'importerLine',
  'importerCity',
  'importerZone',
  'importerPostalCode',
] as const
type ImporterFlag = (typeof IMPORTER_FLAGS)[number]

/** Requires all of the importer's flags or none. */
function importerOf(flags: { [Name in ImporterFlag]?: string | undefined }): Importer | undefined {
  const named = Object.fromEntries(IMPORTER_FLAGS.map((name) => [name, flags[name]]))
  if (Object.values(named).every((value) => value === undefined)) return undefined
  const { importerName, importerLine, importerCity, importerZone, importerPostalCode } =
    requireAll<ImporterFlag>(named, 'An importer')
  return {
    name: importerName,
    address: { line: importerLine, city: importerCity, zone: importerZone, postalCode: importerPostalCode },
  }
}

export const gatewayCommands = [
  command({
    name: 'gateway set',
    summary:
      'Connect a payment gateway and replace the current one. A sandbox always has the simulated gateway (docs/guides/payments.md).',
    flags: {
      workspace: required(id()),
      provider: required(oneOf(PROVIDERS)),
      keyId: text('K'),
      keySecret: secret('S'),
      webhookSecret: secret('W'),
      configuration: text('NAME'),
      importerName: text('N'),
      importerLine: text('ADDRESS'),
      importerCity: text('CITY'),
      importerZone: text('STATE'),
      importerPostalCode: text('CODE'),
    },
    run: ({ workspace, provider, keyId, keySecret, webhookSecret, configuration, ...importer }, context) => {
      const connection = { workspaceId: workspace, configuration, importer: importerOf(importer) }
      const gateway =
        provider === 'simulator'
          ? { ...connection, provider }
          : {
              ...connection,
              provider,
              ...requireAll({ keyId, keySecret, webhookSecret }, '--provider razorpay'),
            }
      return inInstallation(context, async ({ tx, now, sealer, config }) => {
        await setGateway(tx, gateway, now, sealer)
        return { provider, callbackUrl: `${config.siteUrl}${GATEWAY_CALLBACK_PATH}/${workspace}` }
      })
    },
  }),
  command({
    name: 'gateway remove',
    summary:
      'Disconnect the payment gateway. Payment requests stop until you connect another one. A sandbox keeps the simulated gateway.',
    flags: { workspace: required(id()) },
    run: ({ workspace }, context) =>
      inInstallation(context, async ({ tx, config }) => ({
        provider: await deleteGateway(tx, workspace),
        callbackUrl: `${config.siteUrl}${GATEWAY_CALLBACK_PATH}/${workspace}`,
        removed: true,
      })),
  }),
]
