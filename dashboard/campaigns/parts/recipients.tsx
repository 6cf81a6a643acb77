/** Lists the recipients of a campaign, with the result for each. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useState } from 'react'
import type { Broadcast, BroadcastRecipient } from '../../../sdk/api.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Select } from '../../kit/select.tsx'
import { Empty } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { t as trace } from '../../trace/texts.ts'
import { isMoving, type RecipientStatus, recipientsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { RecipientWhy } from './recipient-why.tsx'
import { RECIPIENT_STATUSES, RecipientBadge, reasonOf } from './state.tsx'

export function Recipients({ campaign }: { campaign: Broadcast }) {
  const [status, setStatus] = useState<RecipientStatus | 'all'>('all')
  const query = useInfiniteQuery(recipientsQuery(campaign.id, status, isMoving(campaign)))
  const recipients = query.data?.pages.flatMap((page) => page.recipients) ?? []
  return (
    <section>
      <header className="mb-3 flex flex-wrap items-center gap-3">
        <h3 className="flex-1 text-md font-semibold">{t('recipients')}</h3>
        <div className="w-44">
          <Select
            name={t('recipients.filter')}
            value={status}
            onChange={setStatus}
            choices={[
              { value: 'all' as const, label: t('recipients.all') },
              ...RECIPIENT_STATUSES.map((value) => ({ value, label: t(`recipient.${value}`) })),
            ]}
          />
        </div>
      </header>
      <LoadedRows
        query={query}
        rows={recipients}
        empty={
          <Empty icon={Users} title={t('recipients.empty')}>
            {t(status === 'all' ? 'recipients.empty.text' : 'recipients.empty.status')}
          </Empty>
        }
      >
        <Table
          label={t('recipients')}
          rows={recipients}
          keyOf={({ contactId }) => contactId}
          columns={[
            {
              id: 'who',
              title: t('column.recipient'),
              cell: ({ name, phone }) => (
                <span className="flex flex-col">
                  <span>{name ?? phone}</span>
                  {name && <span className="text-xs text-ink-3">{phone}</span>}
                </span>
              ),
            },
            ...(campaign.test
              ? [
                  {
                    id: 'variant',
                    title: t('column.variant'),
                    cell: ({ variant }: BroadcastRecipient) => variant ?? t('results.none'),
                  },
                ]
              : []),
            {
              id: 'state',
              title: t('column.state'),
              cell: (recipient) => (
                <span className="flex flex-col items-start gap-0.5">
                  <RecipientBadge status={recipient.status} />
                  {recipient.reason && (
                    <span className="text-xs text-ink-2 sm:hidden">{reasonOf(recipient.reason)}</span>
                  )}
                </span>
              ),
            },
            {
              id: 'why',
              title: t('column.why'),
              hideBelow: 'sm',
              cell: ({ reason }) => reason && <span className="text-sm">{reasonOf(reason)}</span>,
            },
            {
              id: 'history',
              title: trace('history'),
              end: true,
              cell: (recipient) => <RecipientWhy campaign={campaign} recipient={recipient} />,
            },
          ]}
        />
        <LoadMore query={query}>{t('recipients.more')}</LoadMore>
      </LoadedRows>
    </section>
  )
}
