import {
  Bot,
  Camera,
  Code,
  CreditCard,
  FlaskConical,
  type LucideIcon,
  ShoppingBag,
  Store,
} from 'lucide-react'
import type { Integration } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import type { Name } from '../queries.ts'
import { t } from '../texts.ts'

export const ICONS: Record<Name, LucideIcon> = {
  shopify: ShoppingBag,
  woocommerce: Store,
  orders: Code,
  razorpay: CreditCard,
  photo: Camera,
  ai: Bot,
  simulator: FlaskConical,
}

const TONES: Record<Integration['status'], Tone> = { off: 'plain', active: 'good', error: 'bad' }

/** Shows whether the integration is connected; a sandbox can't connect to a real system. */
export const Status = ({ integration, isSandbox }: { integration: Integration; isSandbox: boolean }) =>
  isSandbox && integration.name !== 'simulator' ? (
    <Badge tone={integration.name === 'razorpay' ? 'good' : 'plain'}>
      {t(integration.name === 'razorpay' ? 'status.simulated' : 'status.sandbox')}
    </Badge>
  ) : (
    <Badge tone={TONES[integration.status]}>{t(`status.${integration.status}`)}</Badge>
  )
