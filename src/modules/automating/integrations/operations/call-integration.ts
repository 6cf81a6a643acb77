/** Makes one harmless call to the other system, which shows whether the settings are right. */
import type { Outside } from '../../../../core/context.ts'
import type { ShopAccount, ShopProfile } from '../../../../shop/port.ts'
import type { Answered, NetworkProfile } from '../../../../social-network/port.ts'
import type { Name } from '../schema.ts'
import type { Assistant } from './find-assistant.ts'
import type { Secrets } from './secrets.ts'

/** The assistant's response to a test. `field`: the invalid setting. */
export type AssistantCheck = { kind: 'done' } | { kind: 'refused'; field: keyof Assistant; message: string }

declare module '../../../../core/context.ts' {
  interface Outside {
    /** Requests one word from an assistant. */
    checkAssistant(assistant: Assistant): Promise<AssistantCheck>
  }
}

/** The outcome: data of the other system about itself, or the wrong setting. */
export type Called =
  | { kind: 'done'; profile?: ShopProfile; account?: NetworkProfile }
  | { kind: 'wrong'; field: string; message: string }

const wrong = (field: string, message: string): Called => ({ kind: 'wrong', field, message })

async function callShop(outside: Outside, account: ShopAccount): Promise<Called> {
  const answer = await outside.shop.describe(account)
  if (answer.kind === 'done') return { kind: 'done', profile: answer.value }
  const address = account.provider === 'shopify' ? 'shop' : 'url'
  return answer.kind === 'refused'
    ? wrong(answer.field ?? address, answer.message)
    : wrong(address, `The shop didn't answer: ${answer.reason}`)
}

async function callGateway(outside: Outside, keyId: string, keySecret: string): Promise<Called> {
  const answer = await outside.checkGatewayKey(keyId, keySecret)
  if (answer.kind === 'refused')
    return wrong('keySecret', `The payment gateway rejected it: ${answer.message}`)
  if (answer.kind === 'unknown') return wrong('keyId', `The payment gateway didn't answer: ${answer.reason}`)
  return { kind: 'done' }
}

/** Returns the account that the photo network reports for a token. */
export function readProfile(answer: Answered<NetworkProfile>, networkId: string): Called {
  if (answer.kind === 'refused') {
    const field = ['token', 'permission'].includes(answer.error.kind) ? 'token' : 'account'
    return wrong(field, `The photo network rejected it: ${answer.error.message}`)
  }
  if (answer.kind !== 'done') return wrong('account', `The photo network didn't answer: ${answer.reason}`)
  const account = answer.value
  return [account.networkId, account.scopedId].includes(networkId)
    ? { kind: 'done', account }
    : wrong('token', `The token belongs to the account ${account.networkId} (${account.username}).`)
}

async function callAssistant(
  outside: Outside,
  settings: Record<string, unknown>,
  apiKey: string | undefined,
): Promise<Called> {
  const answer = await outside.checkAssistant({ ...(settings as Assistant), apiKey: apiKey ?? null })
  return answer.kind === 'refused' ? wrong(answer.field, answer.message) : { kind: 'done' }
}

/** Calls the other system. `orders` and `simulator` have none: they call Parley. */
export async function callIntegration(
  outside: Outside,
  name: Name,
  { settings, secrets }: { settings: Record<string, unknown>; secrets: Secrets },
): Promise<Called> {
  switch (name) {
    case 'shopify':
      return callShop(outside, { provider: name, url: `https://${String(settings.shop)}`, secrets })
    case 'woocommerce':
      return callShop(outside, { provider: name, url: String(settings.url), secrets })
    case 'razorpay':
      return callGateway(outside, String(settings.keyId), secrets.keySecret!)
    case 'photo': {
      const networkId = String(settings.account)
      return readProfile(await outside.checkSocialToken(networkId, secrets.token!), networkId)
    }
    case 'ai':
      return callAssistant(outside, settings, secrets.apiKey)
    case 'orders':
    case 'simulator':
      return { kind: 'done' }
  }
}
