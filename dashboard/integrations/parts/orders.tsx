/** Shows the orders that shops reported, and their customers' answers. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShoppingBag } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Order } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { moneyLocale } from '../../texts.ts'
import { ordersQuery } from '../queries.ts'
import { t } from '../texts.ts'

const TONES: Record<NonNullable<Order['cod']>['status'], Tone> = {
  waiting: 'plain',
  asked: 'accent',
  confirmed: 'good',
  disowned: 'bad',
  expired: 'warn',
  dropped: 'plain',
  failed: 'bad',
}

/** Formats the total in the shop's own currency, which may be any currency. */
const sumOf = ({ total, currency }: Order): string =>
  total === null
    ? ''
    : currency === null
      ? String(total)
      : new Intl.NumberFormat(moneyLocale(currency), { style: 'currency', currency }).format(total)

const columnsOf = (workspace: string): Column<Order>[] => [
  {
    id: 'order',
    title: t('order'),
    cell: ({ reference, url }) =>
      url ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="font-medium text-accent underline hover:no-underline"
        >
          {reference}
        </a>
      ) : (
        <span className="font-medium">{reference}</span>
      ),
  },
  {
    id: 'customer',
    title: t('order.customer'),
    hideBelow: 'sm',
    cell: ({ contactId, customerName, phone }) => {
      const name = customerName ?? phone ?? t('order.noNumber')
      return contactId ? (
        <Link to={`/w/${workspace}/contacts/${contactId}` as string} dir="auto" className="hover:underline">
          {name}
        </Link>
      ) : (
        <span dir="auto" className="text-ink-2">
          {name}
        </span>
      )
    },
  },
  { id: 'total', title: t('order.total'), end: true, hideBelow: 'md', cell: sumOf },
  { id: 'status', title: t('order.status'), cell: ({ status }) => t(`order.${status}`) },
  {
    id: 'cod',
    title: t('order.cod'),
    cell: ({ cod }) =>
      cod === null ? (
        <span className="text-ink-3">{t('cod.none')}</span>
      ) : (
        <span className="flex flex-col items-start gap-0.5 py-1">
          <Badge tone={TONES[cod.status]}>{t(`cod.${cod.status}`)}</Badge>
          {cod.reason && <span className="text-sm text-ink-2">{cod.reason}</span>}
        </span>
      ),
  },
  {
    id: 'at',
    title: t('order.at'),
    hideBelow: 'lg',
    cell: ({ createdAt }) => <Time at={createdAt} className="text-ink-2" />,
  },
]

export function Orders({ workspace, action }: { workspace: string; action: ReactNode }) {
  const query = useInfiniteQuery(ordersQuery)
  const orders = query.data?.pages.flatMap((page) => page.orders) ?? []
  return (
    <Section title={t('orders')} description={t('orders.text')} actions={action}>
      <LoadedRows
        query={query}
        rows={orders}
        outline={<SkeletonRows rows={3} />}
        empty={
          <Empty icon={ShoppingBag} title={t('orders.empty')}>
            {t('orders.empty.text')}
          </Empty>
        }
      >
        <Table label={t('orders')} rows={orders} keyOf={({ id }) => id} columns={columnsOf(workspace)} />
      </LoadedRows>
      <LoadMore query={query}>{t('more')}</LoadMore>
    </Section>
  )
}
