/** Checks settings at the far side before they are stored. */
import type { OutsideContext } from '../../../../core/context.ts'
import { type Issue, invalid } from '../../../../core/errors.ts'
import { issuesOf } from '../../../../core/issues.ts'
import type { ShopAccount, ShopProfile } from '../../../../shop/port.ts'
import { findGateway, gatewaySecrets } from '../../../selling/payments/operations/gateway-connection.ts'
import { findIntegrationRow } from '../queries/integrations.ts'
import { type Name, SECRETS, SETTINGS } from '../schema.ts'
import type { Assistant } from './find-assistant.ts'
import { mergeSecrets, type Secrets, secretsFor } from './secrets.ts'

/** The assistant's response to a test. `field`: the invalid setting. */
export type AssistantCheck = { kind: 'done' } | { kind: 'refused'; field: keyof Assistant; message: string }

declare module '../../../../core/context.ts' {
  interface Outside {
    /** Requests one word from an assistant. */
    checkAssistant(assistant: Assistant): Promise<AssistantCheck>
  }
}

/** Valid settings, and the shop's data about itself. */
export type CheckedIntegration = {
  name: Name
  settings: Record<string, unknown>
  profile: ShopProfile | undefined
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
const wrongField = (field: string, message: string): never => wrong([{ path: `settings.${field}`, message }])

/** Returns the stored secrets that may be sent to the address in the settings. */
async function knownSecrets(
  ctx: OutsideContext,
  { name, settings }: { name: Name; settings: Record<string, unknown> },
): Promise<Secrets> {
  const { id } = ctx.workspace
  return ctx.transaction(async ({ tx, sealer }): Promise<Secrets> => {
    if (name !== 'razorpay') return secretsFor(await findIntegrationRow(tx.sql, id, name), settings, sealer)
    const row = await findGateway(tx.sql, ctx.workspace)
    return row?.provider === 'razorpay' ? gatewaySecrets(row, sealer) : {}
  })
}

/** The settings required for a check. We create the others, or they are optional. */
const NEEDED: Partial<Record<Name, readonly string[]>> = {
  shopify: SECRETS.shopify,
  woocommerce: SECRETS.woocommerce,
  razorpay: SECRETS.razorpay,
}

function requireSecrets(name: Name, secrets: Secrets): void {
  const missingNames = (NEEDED[name] ?? []).filter((secretName) => secrets[secretName] === undefined)
  if (missingNames.length > 0)
    wrong(missingNames.map((secretName) => ({ path: `settings.${secretName}`, message: 'Required.' })))
}

async function askShop(ctx: OutsideContext, account: ShopAccount): Promise<ShopProfile> {
  const answer = await ctx.outside.shop.describe(account)
  if (answer.kind === 'done') return answer.value
  const address = account.provider === 'shopify' ? 'shop' : 'url'
  return answer.kind === 'refused'
    ? wrongField(answer.field ?? address, answer.message)
    : wrongField(address, `The shop didn't answer: ${answer.reason}`)
}

async function askGateway(ctx: OutsideContext, keyId: string, keySecret: string): Promise<void> {
  const answer = await ctx.outside.checkGatewayKey(keyId, keySecret)
  if (answer.kind === 'refused') wrongField('keySecret', `The payment gateway rejected it: ${answer.message}`)
  if (answer.kind === 'unknown') wrongField('keyId', `The payment gateway didn't answer: ${answer.reason}`)
}

async function checkCredentials(
  ctx: OutsideContext,
  name: Name,
  { settings, secrets }: { settings: Record<string, unknown>; secrets: Secrets },
): Promise<ShopProfile | undefined> {
  if (name === 'shopify')
    return askShop(ctx, { provider: name, url: `https://${String(settings.shop)}`, secrets })
  if (name === 'woocommerce') return askShop(ctx, { provider: name, url: String(settings.url), secrets })
  if (name === 'razorpay') await askGateway(ctx, String(settings.keyId), secrets.keySecret!)
  if (name === 'ai') {
    const { url, model, dailyLimit } = settings as Omit<Assistant, 'apiKey'>
    const answer = await ctx.outside.checkAssistant({
      url,
      model,
      dailyLimit,
      apiKey: secrets.apiKey ?? null,
    })
    if (answer.kind === 'refused') wrongField(answer.field, answer.message)
  }
  return undefined
}

/** Checks settings with a live call. Refuses with `invalid` at the invalid setting. */
export async function checkIntegration(
  ctx: OutsideContext,
  { name, settings: input }: { name: Name; settings: Record<string, unknown> },
): Promise<CheckedIntegration> {
  const settings = parseSettings(name, input)
  const secrets = mergeSecrets(SECRETS[name], settings, await knownSecrets(ctx, { name, settings }))
  requireSecrets(name, secrets)
  return { name, settings, profile: await checkCredentials(ctx, name, { settings, secrets }) }
}
