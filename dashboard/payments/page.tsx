/** Shows payment requests. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Ban, IndianRupee } from 'lucide-react'
import { useState } from 'react'
import type { PaymentRequest } from '../../sdk/api.ts'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { LoadMore } from '../kit/load-more.tsx'
import { LoadedRows } from '../kit/loaded-rows.tsx'
import { moveFocus } from '../kit/move-focus.ts'
import { Page } from '../kit/page.tsx'
import { Empty } from '../kit/states.tsx'
import { type Column, Table } from '../kit/table.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { Time } from '../kit/time.tsx'
import { useIsWide } from '../kit/width.ts'
import { useCommands } from '../shell/commands-store.ts'
import { PAYMENTS_COMMANDS } from './commands.ts'
import { formatPaise } from './parts/amount.ts'
import { CancelRequest } from './parts/cancel.tsx'
import { RequestDetail } from './parts/detail.tsx'
import { CopyLink, PAYMENT_STATUSES, StatusBadge } from './parts/status.tsx'
import { isOpen, type ListedRequest, requestsQuery, type StatusFilter } from './queries.ts'
import { t } from './texts.ts'

const FILTERS: readonly StatusFilter[] = ['all', ...PAYMENT_STATUSES]

type Actions = {
  pathOf: (request: ListedRequest) => string
  onCancel?: (request: ListedRequest) => void
  /** True if there is room for the state next to the actions. */
  isWide: boolean
}

const columnsOf = ({ pathOf, onCancel, isWide }: Actions): Column<ListedRequest>[] => [
  {
    id: 'order',
    title: t('column.order'),
    cell: (request) => (
      <>
        <Link to={pathOf(request)} data-payment className="flex flex-col hover:underline">
          <span className="font-medium">{request.referenceId}</span>
          <span className="text-sm text-ink-3">{request.customer ?? t('customer')}</span>
        </Link>
        {!isWide && <StatusBadge status={request.status} />}
      </>
    ),
  },
  {
    id: 'amount',
    title: t('column.amount'),
    end: true,
    cell: ({ totalPaise }) => formatPaise(totalPaise),
  },
  ...(isWide
    ? [
        {
          id: 'status',
          title: t('column.status'),
          cell: ({ status }: ListedRequest) => <StatusBadge status={status} />,
        },
      ]
    : []),
  {
    id: 'asked',
    title: t('column.asked'),
    hideBelow: 'sm',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'actions',
    title: <span className="sr-only">{t('column.actions')}</span>,
    end: true,
    cell: (request) => (
      <span className="inline-flex">
        <CopyLink request={request} />
        {onCancel && isOpen(request) && (
          <IconButton
            icon={Ban}
            size="sm"
            label={t('cancel.of', { order: request.referenceId })}
            onClick={() => onCancel(request)}
          />
        )}
      </span>
    ),
  },
]

export default function PaymentsPage() {
  const { workspace, payment: openId } = useParams({ strict: false }) as {
    workspace: string
    payment?: string
  }
  const { status: requestedStatus } = useSearch({ strict: false }) as { status?: string }
  const status = FILTERS.find((candidate) => candidate === requestedStatus) ?? 'all'
  const listPath = `/w/${workspace}/payments`
  const mayWrite = hasRole(useWorkspaceSession(workspace).member.role, 'agent')
  const navigate = useNavigate()
  const isWide = useIsWide()
  const query = useInfiniteQuery(requestsQuery(status))
  const requests = query.data?.pages.flatMap((page) => page.requests) ?? []
  const [canceling, setCanceling] = useState<PaymentRequest>()
  const setStatus = (next: StatusFilter) =>
    void navigate({ to: listPath, search: next === 'all' ? {} : { status: next } } as never)
  useCommands(PAYMENTS_COMMANDS, { move: (by) => moveFocus('[data-payment]', by), setStatus }, { title: t })
  return (
    <Page wide title={t('title')} description={t('description')}>
      <Tabs
        className="mb-4"
        label={t('filter')}
        value={status}
        onChange={setStatus}
        tabs={FILTERS.map((value) => ({
          value,
          label: t(value === 'all' ? 'filter.all' : `status.${value}`),
        }))}
      />
      <LoadedRows
        query={query}
        rows={requests}
        empty={
          <Empty
            icon={IndianRupee}
            title={t(status === 'all' ? 'empty' : 'empty.filtered')}
            action={
              <Button onClick={() => void navigate({ to: `/w/${workspace}/inbox` } as never)}>
                {t('empty.inbox')}
              </Button>
            }
          >
            {t('empty.text')}
          </Empty>
        }
      >
        <Table
          label={t('list')}
          rows={requests}
          keyOf={({ id }) => id}
          columns={columnsOf({
            pathOf: ({ id }) => `${listPath}/${id}`,
            isWide,
            ...(mayWrite && { onCancel: setCanceling }),
          })}
        />
        <LoadMore query={query}>{t('more')}</LoadMore>
      </LoadedRows>
      <Dialog
        open={openId !== undefined}
        onClose={() => setStatus(status)}
        title={requests.find(({ id }) => id === openId)?.referenceId ?? t('ask')}
      >
        {openId && <RequestDetail id={openId} workspace={workspace} />}
      </Dialog>
      <CancelRequest request={canceling} onClose={() => setCanceling(undefined)} />
    </Page>
  )
}
