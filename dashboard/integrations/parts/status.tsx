import { Bot, Code, CreditCard, FlaskConical, type LucideIcon, ShoppingBag, Store } from 'lucide-react'
import type { Integration } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import type { Name } from '../queries.ts'
import { t } from '../words.ts'

export const ICONS: Record<Name, LucideIcon> = {
  shopify: ShoppingBag,
  woocommerce: Store,
  orders: Code,
  razorpay: CreditCard,
  ai: Bot,
  simulator: FlaskConical,
}

const TONES: Record<Integration['status'], Tone> = { off: 'plain', active: 'good', error: 'bad' }

/** Shows whether the integration is connected; a sandbox can't connect to a real system. */
export const Status = ({ of, isSandbox }: { of: Integration; isSandbox: boolean }) =>
  isSandbox && of.name !== 'simulator' ? (
    <Badge>{t('status.sandbox')}</Badge>
  ) : (
    <Badge tone={TONES[of.status]}>{t(`status.${of.status}`)}</Badge>
  )
