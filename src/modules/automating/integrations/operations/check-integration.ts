/** Checks settings at the far side before they are stored. */
import type { OutsideContext } from '../../../../core/context.ts'
import { type Issue, invalid } from '../../../../core/errors.ts'
import { issuesOf } from '../../../../core/issues.ts'
import type { ShopProfile } from '../../../../shop/port.ts'
import type { NetworkProfile } from '../../../../social-network/port.ts'
import { findGateway } from '../../../selling/payments/operations/gateway-connection.ts'
import { findAccount } from '../../../selling/social/operations/accounts.ts'
import { findIntegrationRow } from '../queries/integrations.ts'
import { type Name, SECRETS, SETTINGS } from '../schema.ts'
import { callIntegration } from './call-integration.ts'
import { accountSecretsOf, gatewaySecretsOf, mergeSecrets, type Secrets, secretsFor } from './secrets.ts'

/** Valid settings, and the data of the shop or the photo network about itself. */
export type CheckedIntegration = {
  name: Name
  settings: Record<string, unknown>
  profile: ShopProfile | undefined
  account: NetworkProfile | undefined
}

/** Returns the settings for `name`. Refuses with `invalid` and names each field. */
function parseSettings(name: Name, input: Record<string, unknown>): Record<string, unknown> {
  const schema = SETTINGS[name]
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw invalid(
    issuesOf(parsed.error, schema).map(({ path, message }) => ({
      path: path === '' ? 'settings' : `settings.${path}`,
      message,
    })),
  )
}

const wrong = (issues: Issue[]): never => {
  throw invalid(issues)
}
/** Returns the stored secrets that may be sent to the address in the settings. */
async function knownSecrets(
  ctx: OutsideContext,
  { name, settings }: { name: Name; settings: Record<string, unknown> },
): Promise<Secrets> {
  const { id } = ctx.workspace
  return ctx.transaction(async ({ tx, sealer }): Promise<Secrets> => {
    if (name === 'razorpay') return gatewaySecretsOf(await findGateway(tx.sql, ctx.workspace), sealer)
    if (name === 'photo') return accountSecretsOf(await findAccount(tx.sql, id), sealer)
    return secretsFor(await findIntegrationRow(tx.sql, id, name), settings, sealer)
  })
}

/** The settings required for a check. We create the others, or they are optional. */
const NEEDED: Partial<Record<Name, readonly string[]>> = {
  shopify: SECRETS.shopify,
  woocommerce: SECRETS.woocommerce,
  razorpay: SECRETS.razorpay,
  photo: ['token', 'appSecret'],
}

function requireSecrets(name: Name, secrets: Secrets): void {
  const missingNames = (NEEDED[name] ?? []).filter((secretName) => secrets[secretName] === undefined)
  if (missingNames.length > 0)
    wrong(missingNames.map((secretName) => ({ path: `settings.${secretName}`, message: 'Required.' })))
}

/** Checks settings with a live call. Refuses with `invalid` at the invalid setting. */
export async function checkIntegration(
  ctx: OutsideContext,
  { name, settings: input }: { name: Name; settings: Record<string, unknown> },
): Promise<CheckedIntegration> {
  const settings = parseSettings(name, input)
  const secrets = mergeSecrets(SECRETS[name], settings, await knownSecrets(ctx, { name, settings }))
  requireSecrets(name, secrets)
  const called = await callIntegration(ctx.outside, name, { settings, secrets })
  if (called.kind === 'wrong') return wrong([{ path: `settings.${called.field}`, message: called.message }])
  return { name, settings, profile: called.profile, account: called.account }
}
