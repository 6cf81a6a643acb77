/** The door for people: password and code, a mailed or printed link, or what an invitation asks for. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { DashboardApi } from '../../sdk/api.ts'
import { siteBase } from '../api/address.ts'
import { queryClient } from '../api/cache.ts'
import { callDashboard } from '../api/request.ts'
import { PasswordForm } from './password-form.tsx'
import { RedeemForm } from './redeem-form.tsx'
import { ResetForm } from './reset-form.tsx'
import { TotpForm } from './totp-form.tsx'

export type Outcome = DashboardApi['POST /sign-in']['reply']

/** Only addresses of our own: a link must not lead elsewhere by way of the sign-in. */
function destination(): string {
  const next = new URLSearchParams(location.search).get('next')
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : siteBase()
}

/** Opens the page that was asked for, as somebody else: nothing of before stays. */
function enter(): void {
  queryClient.clear()
  location.assign(destination())
}

export function Card({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <main className="flex min-h-full items-center justify-center bg-surface-3 p-4">
      <div className="w-full max-w-sm rounded-lg border bg-surface-1 p-6 shadow-pop">
        <img src={`${siteBase()}favicon.svg`} alt="" className="mb-4 size-10" />
        <h1 className="text-lg font-semibold">{title}</h1>
        {text && <p className="mt-1 text-ink-2">{text}</p>}
        <div className="mt-5">{children}</div>
      </div>
    </main>
  )
}

export default function SignInPage() {
  // After the #, where no server and no log sees it.
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  const [ticket, setTicket] = useState<string>()
  const [isReset, setReset] = useState(false)
  const { data: options } = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: () => callDashboard('GET /sign-in/options'),
  })
  const onOutcome = (outcome: Outcome) => ('ticket' in outcome ? setTicket(outcome.ticket) : enter())

  if (ticket) return <TotpForm ticket={ticket} onDone={enter} onBack={() => setTicket(undefined)} />
  if (token) return <RedeemForm token={token} onOutcome={onOutcome} />
  if (isReset) return <ResetForm onBack={() => setReset(false)} />
  return <PasswordForm onOutcome={onOutcome} onReset={options?.mail ? () => setReset(true) : undefined} />
}
