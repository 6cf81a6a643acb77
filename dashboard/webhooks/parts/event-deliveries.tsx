/** Shows the deliveries of one event to every endpoint. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { type Delivery, eventDeliveriesQuery, webhooksQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { DeliveryDialog } from './delivery.tsx'
import { deliveryColumns } from './delivery-columns.tsx'

type ListedDelivery = Delivery & { url: string; webhookId: string }

export function EventDeliveries({ eventId }: { eventId: string }) {
  const [openId, setOpenId] = useState<string>()
  const webhooks = useQuery(webhooksQuery)
  const queries = useQueries({
    queries: (webhooks.data ?? []).map(({ id }) => eventDeliveriesQuery(id, eventId)),
  })
  const failed = webhooks.isLoadingError ? webhooks : queries.find((query) => query.isLoadingError)
  const rows = queries.flatMap(({ data = [] }, index): ListedDelivery[] =>
    data.map((delivery) => ({
      ...delivery,
      url: webhooks.data?.[index]?.url ?? '',
      webhookId: webhooks.data?.[index]?.id ?? '',
    })),
  )
  const open = rows.find(({ id }) => id === openId)
  if (failed) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />
  if (!webhooks.data || queries.some((query) => query.isPending)) return <SkeletonRows rows={2} />
  if (rows.length === 0)
    return <p className="text-ink-2">{t(webhooks.data.length > 0 ? 'ofEvent.empty' : 'ofEvent.none')}</p>
  const [, ...columns] = deliveryColumns(() => {})
  return (
    <>
      <Table
        label={t('ofEvent')}
        rows={rows}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setOpenId(id)}
        columns={[
          {
            id: 'url',
            title: t('url'),
            cell: ({ id, url }) => (
              <button
                type="button"
                className="block max-w-full truncate text-start font-mono text-sm"
                onClick={() => setOpenId(id)}
              >
                {url}
              </button>
            ),
          },
          ...columns,
        ]}
      />
      {open && (
        <DeliveryDialog delivery={open} webhookId={open.webhookId} onClose={() => setOpenId(undefined)} />
      )}
    </>
  )
}
