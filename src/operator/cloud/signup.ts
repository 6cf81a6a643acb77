import { SECOND_MS } from '../../core/clock.ts'
import { idOrNull, isObject, objectsIn, shortTextOrNull, textOrNull } from '../../core/values/storable.ts'
import type { Answered } from '../port.ts'
import type { OperatorAppSettings, OperatorSignup, SharedNumber } from '../signup-port.ts'
import { type Line, type LineOptions, openLine, pageOf } from './line.ts'

const CONNECTIONS = 4
/** A person waits for the answer. */
const TIMEOUT_MS = 15 * SECOND_MS
const DIALOG_VERSION = 'v24.0'
const NUMBERS_IN_PAGE = 50
const MAX_PAGES = 2
const MAX_ACCOUNTS = 20
const MAX_NAME_LENGTH = 200
const MAX_TOKEN_LENGTH = 4_000
/** The scope whose targets are the shared accounts. */
const ACCOUNTS_SCOPE = 'whatsapp_business_management'

const fields = [
  'id',
  'display_phone_number',
  'verified_name',
  'status',
  'platform_type',
  'is_on_biz_app',
  'code_verification_status',
].join(',')

type SignupOptions = {
  app: OperatorAppSettings
  /** Base address of the operator's API, without the version. */
  baseUrl: string
  redirectUri: string
  line?: LineOptions
}

/** Creates the calls of the operator's hosted signup (docs/formats.md section 18). */
export function createCloudSignup({
  app,
  baseUrl,
  redirectUri,
  line: options,
}: SignupOptions): OperatorSignup {
  const { appId, appSecret } = app
  const line = openLine({ connections: CONNECTIONS, timeoutMs: TIMEOUT_MS, ...options })
  const by = (token: string) => ({ baseUrl, token })
  return {
    appSecret,
    redirectUri,
    dialogUrl: (input) => dialogUrl(app, redirectUri, input),
    async exchangeCode(code) {
      const query = new URLSearchParams({
        client_id: appId,
        client_secret: appSecret,
        redirect_uri: redirectUri,
        code,
      })
      const answered = await line.call(
        { baseUrl, token: null },
        { method: 'GET', path: `/oauth/access_token?${query}` },
      )
      if (answered.kind !== 'done') return answered
      const token = textOrNull(answered.value.access_token)
      return token === null || token.length > MAX_TOKEN_LENGTH
        ? { kind: 'unknown', reason: 'the answer has no token' }
        : { kind: 'done', value: token }
    },
    async listAccounts(token) {
      const query = new URLSearchParams({ input_token: token })
      const answered = await line.call(by(`${appId}|${appSecret}`), {
        method: 'GET',
        path: `/debug_token?${query}`,
      })
      if (answered.kind !== 'done') return answered
      const { data } = answered.value
      return isObject(data)
        ? { kind: 'done', value: accountsIn(data, appId) }
        : { kind: 'unknown', reason: "the answer isn't about a token" }
    },
    listNumbers: (token, accountId) => listNumbers(line, by(token), accountId),
    subscribe: async (token, accountId, { callbackUrl, verifyToken }) =>
      withoutValue(
        await line.call(by(token), {
          method: 'POST',
          path: `/${encodeURIComponent(accountId)}/subscribed_apps`,
          json: { override_callback_uri: callbackUrl, verify_token: verifyToken },
        }),
      ),
    register: async (token, operatorId, pin) =>
      withoutValue(
        await line.call(by(token), {
          method: 'POST',
          path: `/${encodeURIComponent(operatorId)}/register`,
          json: { messaging_product: 'whatsapp', pin },
        }),
      ),
    close: line.close,
  }
}

const withoutValue = (answered: Answered<unknown>): Answered<undefined> =>
  answered.kind === 'done' ? { kind: 'done', value: undefined } : answered

function dialogUrl(
  { appId, configId, dialogUrl: base }: OperatorAppSettings,
  redirectUri: string,
  { state, keepsPhoneApp }: { state: string; keepsPhoneApp: boolean },
): string {
  const extras = {
    setup: {},
    sessionInfoVersion: '3',
    ...(keepsPhoneApp ? { featureType: 'whatsapp_business_app_onboarding' } : {}),
  }
  const query = new URLSearchParams({
    client_id: appId,
    config_id: configId,
    redirect_uri: redirectUri,
    response_type: 'code',
    override_default_response_type: 'true',
    state,
    extras: JSON.stringify(extras),
  })
  return `${base}/${DIALOG_VERSION}/dialog/oauth?${query}`
}

/** Returns the accounts in the data of a token; none if it is not a valid token of the app. */
function accountsIn(data: Record<string, unknown>, appId: string): string[] {
  if (data.is_valid !== true || String(data.app_id) !== appId) return []
  const targets = objectsIn(data.granular_scopes)
    .filter(({ scope }) => scope === ACCOUNTS_SCOPE)
    .flatMap(({ target_ids: ids }) => (Array.isArray(ids) ? ids : []))
    .map((id) => idOrNull(String(id)))
    .filter((id) => id !== null && /^\d{1,30}$/.test(id)) as string[]
  return [...new Set(targets)].slice(0, MAX_ACCOUNTS)
}

async function listNumbers(
  line: Line,
  caller: { baseUrl: string; token: string },
  accountId: string,
): Promise<Answered<SharedNumber[]>> {
  const numbers: SharedNumber[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({
      fields,
      limit: String(NUMBERS_IN_PAGE),
      ...(after === null ? {} : { after }),
    })
    const answered = pageOf(
      await line.call(caller, {
        method: 'GET',
        path: `/${encodeURIComponent(accountId)}/phone_numbers?${query}`,
      }),
    )
    if (answered.kind !== 'done') return answered
    numbers.push(...answered.value.data.flatMap((node) => sharedNumber(accountId, node) ?? []))
    after = answered.value.after
    if (after === null) break
  }
  return { kind: 'done', value: numbers }
}

/** States of a number that was never registered, or is no longer. */
const UNREGISTERED = new Set(['PENDING', 'DISCONNECTED', 'UNVERIFIED', 'DELETED'])

/** Reads a number of an account; undefined without an id or digits. */
function sharedNumber(accountId: string, node: Record<string, unknown>): SharedNumber | undefined {
  const operatorId = idOrNull(node.id)
  const digits = (textOrNull(node.display_phone_number) ?? '').replace(/\D/g, '')
  if (operatorId === null || !/^\d{1,30}$/.test(operatorId) || !/^\d{5,15}$/.test(digits)) return undefined
  const isRegistered = node.platform_type === 'CLOUD_API' && !UNREGISTERED.has(String(node.status))
  return {
    accountId,
    operatorId,
    number: `+${digits}`,
    displayName: shortTextOrNull(node.verified_name, MAX_NAME_LENGTH),
    // A number that stays in the phone app is registered there.
    mustRegister: node.is_on_biz_app !== true && !isRegistered,
  }
}
