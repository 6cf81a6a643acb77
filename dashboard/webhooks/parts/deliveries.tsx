/** Lists the deliveries of an endpoint, by state. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Empty } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Time } from '../../kit/time.tsx'
import { DELIVERY_STATES, type DeliveryState, deliveriesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { DeliveryDialog } from './delivery.tsx'
import { deliveryColumns } from './delivery-columns.tsx'

export function Deliveries({ id }: { id: string }) {
  const [state, setState] = useState<DeliveryState>('all')
  const [openId, setOpenId] = useState<string>()
  const query = useInfiniteQuery(deliveriesQuery(id, state))
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? []
  const open = deliveries.find((delivery) => delivery.id === openId)
  return (
    <>
      <Tabs
        label={t('deliveries.filter')}
        value={state}
        onChange={setState}
        tabs={DELIVERY_STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
        className="mb-3"
      >
        <LoadedRows
          query={query}
          rows={deliveries}
          empty={
            <Empty icon={WebhookIcon} title={t('deliveries.empty')}>
              {t(state === 'all' ? 'deliveries.empty.text' : 'deliveries.empty.state')}
            </Empty>
          }
        >
          <div className="mt-3">
            <Table
              label={t('deliveries')}
              rows={deliveries}
              keyOf={(delivery) => delivery.id}
              onOpen={(delivery) => setOpenId(delivery.id)}
              columns={[
                ...deliveryColumns((delivery) => setOpenId(delivery.id)),
                {
                  id: 'at',
                  title: t('column.at'),
                  end: true,
                  hideBelow: 'sm',
                  cell: (delivery) => <Time at={delivery.createdAt} className="text-sm text-ink-2" />,
                },
              ]}
            />
          </div>
        </LoadedRows>
      </Tabs>
      <LoadMore query={query} className="">
        {t('deliveries.more')}
      </LoadMore>
      {open && <DeliveryDialog delivery={open} webhookId={id} onClose={() => setOpenId(undefined)} />}
    </>
  )
}
