/** Shows the sign-in: password and second step, a mailed or printed link, or the steps of an invitation. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOf, siteBase } from '../api/address.ts'
import { queryClient } from '../api/cache.ts'
import { ownPage } from '../api/own-page.ts'
import { supportsPasskeys } from '../api/passkeys.ts'
import { signInOptionsQuery } from './options-query.ts'
import type { Outcome } from './parts/card.tsx'
import { PasswordForm } from './password-form.tsx'
import { RedeemForm } from './redeem-form.tsx'
import { ResetForm } from './reset-form.tsx'
import { TotpForm } from './totp-form.tsx'

/** A sign-in that still requires its second step. */
type Half = Extract<Outcome, { ticket: string }>

/** Returns the page to open afterwards. The sign-in must not redirect to another site. */
const destination = (): string => ownPage(new URLSearchParams(location.search).get('next')) ?? siteBase()

/** Returns the address that leads to the identity provider, and from there to the requested page. */
function providerUrl(): string {
  const { pathname, search, hash } = new URL(destination(), location.origin)
  return addressOf('dashboard', '/sign-in/oidc', { next: pathname + search + hash })
}

/**
 * Opens the requested page, or the given one, with a full load, so that no data of the previous account
 * remains.
 */
function openPage(page = destination()): void {
  queryClient.clear()
  location.assign(page)
}

export default function SignInPage() {
  // After the #, which is not sent to servers or written to logs.
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  const [half, setHalf] = useState<Half>()
  const [isReset, setReset] = useState(false)
  // The link set a new password; the second step is next.
  const [isRedeemed, setRedeemed] = useState(false)
  const { data: options } = useQuery(signInOptionsQuery)
  const onOutcome = (outcome: Outcome) => ('ticket' in outcome ? setHalf(outcome) : openPage())
  const takesPasskeys = options?.passkey === true && supportsPasskeys()
  // Shown until the options are known, as almost every installation takes passwords.
  const takesPasswords = options?.password !== false
  const provider = options?.oidc ? { label: options.oidc, url: providerUrl() } : undefined
  /** After signing in to accept an invitation, continues with the invitation. */
  const onSignedIn = () => {
    setHalf(undefined)
    if (token && !isRedeemed) void queryClient.invalidateQueries({ queryKey: ['sign-in-token'] })
    else openPage()
  }
  const passwordForm = (text?: string) => (
    <PasswordForm
      text={text}
      onOutcome={(outcome) => ('ticket' in outcome ? setHalf(outcome) : onSignedIn())}
      onReset={options?.mail ? () => setReset(true) : undefined}
      takesPasskeys={takesPasskeys}
      takesPasswords={takesPasswords}
      provider={provider}
    />
  )

  if (half)
    return (
      <TotpForm
        ticket={half.ticket}
        byPasskey={half.next === 'passkey'}
        takesPasskeys={takesPasskeys}
        onDone={onSignedIn}
        onBack={() => setHalf(undefined)}
      />
    )
  if (isReset) return <ResetForm onBack={() => setReset(false)} />
  if (token)
    return (
      <RedeemForm
        token={token}
        signIn={passwordForm}
        takesPasswords={takesPasswords}
        onOutcome={(outcome, { workspaceId }) => {
          setRedeemed(true)
          if (workspaceId && !('ticket' in outcome)) openPage(`${siteBase()}w/${workspaceId}`)
          else onOutcome(outcome)
        }}
      />
    )
  return passwordForm()
}
