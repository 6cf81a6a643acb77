import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { Toasts } from './toasts.tsx'
import { Tips } from './tooltip.tsx'

/**
 * Wraps all pages: disables style elements, which the pages' security policy forbids, and provides tooltips
 * and toasts.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <Tips />
      <Toasts />
    </CSPProvider>
  )
}
