import { refuse } from '../../../../core/errors.ts'
import type { SessionContext } from '../../../../core/session.ts'

/** Refuses `sign_in_refused` if people sign in only at the identity provider. */
export function refuseIfProviderOnly({ outside: { identityProvider } }: SessionContext): void {
  if (identityProvider?.only) refuse('sign_in_refused', `Sign in with ${identityProvider.label}.`)
}
