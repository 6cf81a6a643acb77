/** Passkeys, as this browser makes and asks them. The library is loaded when it is needed. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { ApiError } from './errors.ts'
import { callDashboard } from './request.ts'
import { t } from './words.ts'

const library = () => import('@simplewebauthn/browser')

/** Whether this browser knows passkeys, on this page: not without https. */
export const knowsPasskeys = (): boolean => window.PublicKeyCredential !== undefined

type Asked = { ticket: string; options: Record<string, unknown> }
/** What a passkey answered to what the server asked. */
export type PasskeyAnswer = { ticket: string; response: { [field: string]: unknown; id: string } }

/** Says it in our words when somebody turns the browser's question down, or nothing here can answer it. */
async function answered<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    throw new ApiError(t(isKnown ? 'passkey.known' : 'passkey.refused'), { code: 'passkey', status: 0 })
  }
}

/** Has the browser make a passkey. */
export async function makePasskey({ ticket, options }: Asked): Promise<PasskeyAnswer> {
  const { startRegistration } = await library()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ticket, response: { ...(await answered(startRegistration({ optionsJSON }))) } }
}

/** Asks the passkeys that the browser has for this site. */
export async function askPasskey(): Promise<PasskeyAnswer> {
  const { ticket, options } = await callDashboard('POST /sign-in/passkey/options')
  const { startAuthentication } = await library()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ticket, response: { ...(await answered(startAuthentication({ optionsJSON }))) } }
}
