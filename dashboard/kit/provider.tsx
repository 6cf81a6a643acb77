import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { Toasts } from './toasts.tsx'
import { Tips } from './tooltip.tsx'

/** Around everything: no style elements (the policy of the page forbids them), tooltips, toasts. */
export function KitProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <Tips />
      <Toasts />
    </CSPProvider>
  )
}
