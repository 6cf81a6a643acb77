/** Creates passkeys in this browser and requests them. The library is loaded when it is needed. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { ApiError } from './errors.ts'
import { callDashboard } from './request.ts'
import { t } from './texts.ts'

const loadLibrary = () => import('@simplewebauthn/browser')

/** Returns whether this browser supports passkeys on this page; it requires https. */
export const supportsPasskeys = (): boolean => window.PublicKeyCredential !== undefined

type PasskeyOptions = { ticket: string; options: Record<string, unknown> }
/** A passkey's response to the server's challenge. */
export type PasskeyResponse = { ticket: string; response: { [field: string]: unknown; id: string } }

/** Replaces the error with our text if the user cancels the browser's prompt, or no passkey is available. */
async function answered<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    throw new ApiError(t(isKnown ? 'passkey.known' : 'passkey.refused'), { code: 'passkey', status: 0 })
  }
}

/** Creates a passkey through the browser. */
export async function createPasskey({ ticket, options }: PasskeyOptions): Promise<PasskeyResponse> {
  const { startRegistration } = await loadLibrary()
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ticket, response: { ...(await answered(startRegistration({ optionsJSON }))) } }
}

/** Requests a passkey of this site from the browser. */
export async function requestPasskey(): Promise<PasskeyResponse> {
  const { ticket, options } = await callDashboard('POST /sign-in/passkey/options')
  const { startAuthentication } = await loadLibrary()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ticket, response: { ...(await answered(startAuthentication({ optionsJSON }))) } }
}
