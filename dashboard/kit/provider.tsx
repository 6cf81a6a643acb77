import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'
import { Toasts } from './toasts.tsx'

const TOOLTIP_DELAY_MS = 500

/** Around everything: no style elements (the policy of the page forbids them), tooltips that know each other, toasts. */
export const KitProvider = ({ children }: { children: ReactNode }) => (
  <CSPProvider disableStyleElements>
    <Tooltip.Provider delay={TOOLTIP_DELAY_MS}>
      {children}
      <Toasts />
    </Tooltip.Provider>
  </CSPProvider>
)
