/** Shows the webhook deliveries of a shop, with their results. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import type { ShopDelivery } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { type Name, shopDeliveriesQuery } from '../queries.ts'
import { t } from '../texts.ts'

const TONES: Record<ShopDelivery['status'], Tone> = {
  waiting: 'accent',
  applied: 'good',
  repeat: 'plain',
  ignored: 'plain',
  failed: 'bad',
}
const FACTS = {
  order_placed: 'order.placed',
  order_paid: 'order.paid',
  order_shipped: 'order.shipped',
  order_cancelled: 'order.cancelled',
} as const

const COLUMNS: Column<ShopDelivery>[] = [
  {
    id: 'delivery',
    title: t('delivery'),
    cell: ({ topic, deliveryId, receivedAt }) => (
      <>
        <span className="block max-w-64 truncate font-mono text-sm">{topic}</span>
        <span className="block max-w-40 truncate font-mono text-xs text-ink-3" title={deliveryId}>
          {deliveryId}
        </span>
        <Time at={receivedAt} className="text-xs text-ink-3 sm:hidden" />
      </>
    ),
  },
  {
    id: 'order',
    title: t('delivery.order'),
    cell: ({ reference, types }) => (
      <>
        <span className="block font-medium">{reference ?? t('delivery.order.none')}</span>
        {types.length > 0 && (
          <span className="block text-sm text-ink-2">{types.map((type) => t(FACTS[type])).join(', ')}</span>
        )}
      </>
    ),
  },
  {
    id: 'state',
    title: t('delivery.state'),
    cell: ({ status, reason, repeats, attempts, nextAttemptAt }) => (
      <span className="flex flex-col items-start gap-0.5">
        <Badge tone={TONES[status]}>{t(`delivery.${status}`)}</Badge>
        {reason && <span className="text-sm text-ink-2">{reason}</span>}
        {attempts > 0 && nextAttemptAt && (
          <span className="text-sm text-ink-2">
            {t('delivery.next')} <Time at={nextAttemptAt} />
          </span>
        )}
        {repeats > 0 && (
          <span className="text-sm text-ink-3">{t('delivery.repeats', { count: repeats })}</span>
        )}
      </span>
    ),
  },
  {
    id: 'at',
    title: t('delivery.at'),
    end: true,
    hideBelow: 'sm',
    cell: ({ receivedAt }) => <Time at={receivedAt} className="text-sm text-ink-2" />,
  },
]

export function ShopDeliveries({ name }: { name: Name }) {
  const query = useInfiniteQuery(shopDeliveriesQuery(name))
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <Section title={t('deliveries')} description={t('deliveries.text')}>
      <LoadedRows
        query={query}
        rows={deliveries}
        outline={<SkeletonRows rows={3} />}
        empty={
          <Empty icon={Inbox} title={t('deliveries.empty')}>
            {t('deliveries.empty.text')}
          </Empty>
        }
      >
        <Table label={t('deliveries')} rows={deliveries} keyOf={({ id }) => id} columns={COLUMNS} />
      </LoadedRows>
      <LoadMore query={query}>{t('more')}</LoadMore>
    </Section>
  )
}
