import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import type { Delivery } from '../queries.ts'
import { t } from '../texts.ts'
import { attemptOf, DeliveryBadge } from './delivery.tsx'

/** Returns the columns of a table of attempts; the first opens an attempt with the keyboard. */
export const deliveryColumns = (onOpen: (delivery: Delivery) => void): Column<Delivery>[] => [
  {
    id: 'event',
    title: t('column.event'),
    cell: (delivery) => (
      <>
        <button
          type="button"
          className="block max-w-full truncate text-start font-mono text-sm"
          onClick={() => onOpen(delivery)}
        >
          {delivery.event}
        </button>
        <Time at={delivery.createdAt} className="text-xs text-ink-3 sm:hidden" />
      </>
    ),
  },
  { id: 'state', title: t('column.state'), cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
  {
    id: 'attempt',
    title: t('column.attempt'),
    hideBelow: 'sm',
    cell: (delivery) => <span className="text-sm text-ink-2">{attemptOf(delivery)}</span>,
  },
  {
    id: 'latency',
    title: t('column.latency'),
    end: true,
    hideBelow: 'lg',
    cell: ({ latencyMs }) => latencyMs !== null && t('delivery.latency', { ms: latencyMs }),
  },
]
