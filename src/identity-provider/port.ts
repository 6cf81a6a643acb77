/** Signs people in at the identity provider of the installation. */
import type { Role } from '../core/context.ts'

/** The secrets of one sign-in, which its answer must match. */
export type SignInChecks = { state: string; nonce: string; verifier: string }

/** A person as the provider describes them. `email` is null without one that the provider has verified. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  name: string | null
  groups: string[]
}

/** The people who become members of a workspace with their first sign-in. */
export type Joining = {
  workspaceId: string
  /** The domains of the email addresses, in lower case. */
  domains: string[]
  /** The role for each group of the provider; empty: everyone becomes an agent. */
  roles: { group: string; role: Role }[]
}

/** The answer of the provider can't be used, or there is none. */
export class ProviderFault extends Error {}

export type IdentityProvider = {
  /** The name on the sign-in button. */
  label: string
  /** True if there is no other way to sign in but links of the command line. */
  only: boolean
  joining: Joining | null
  /** Returns the address of the provider's sign-in page. Throws `ProviderFault`. */
  signInUrl(checks: SignInChecks): Promise<string>
  /** Reads who signed in. `callback` is the address to which the provider sent the browser. Throws `ProviderFault`. */
  identityOf(callback: URL, checks: SignInChecks): Promise<Identity>
}

declare module '../core/context.ts' {
  interface Outside {
    /** Null if none is configured. */
    identityProvider: IdentityProvider | null
  }
}
