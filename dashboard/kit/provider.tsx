import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import type { ReactNode } from 'react'
import { Toasts } from './toasts.tsx'
import { Tips } from './tooltip.tsx'

/**
 * Wraps all pages: disables style elements, which the pages' security policy forbids, and provides tooltips,
 * toasts, and the direction of the script.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
        {children}
        <Tips />
        <Toasts />
      </DirectionProvider>
    </CSPProvider>
  )
}
