import type { ReactNode } from 'react'
import type { DashboardApi } from '../../../sdk/api.ts'
import { siteBase } from '../../api/address.ts'

/** The result of a sign-in: done, or a code is required. */
export type Outcome = DashboardApi['POST /sign-in']['reply']

/** The frame of every step of the sign-in. */
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
