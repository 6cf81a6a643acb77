/** A list of documents, filtered by state, kind, and text; the open document is in the address. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { FileText, Plus } from 'lucide-react'
import { useCallback, useRef } from 'react'
import { Button } from '../../kit/button.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { moveFocus } from '../../kit/move-focus.ts'
import { Page } from '../../kit/page.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { Select } from '../../kit/select.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { SALES_LIST_COMMANDS } from '../commands.ts'
import { documentsQuery, isInvoice, type Noun, type SalesDocument, type SalesFilter } from '../queries.ts'
import { t } from '../texts.ts'
import { formatDate } from './dates.ts'
import { formatMinor } from './money.ts'
import { NEW_IDS } from './new-ids.ts'
import { customerOf, kindOf, nameOf, StatusBadge } from './status.tsx'

const STATES = {
  invoices: ['all', 'draft', 'issued', 'overdue', 'partially_paid', 'paid', 'cancelled'],
  quotations: ['all', 'draft', 'issued', 'accepted', 'declined', 'expired', 'cancelled'],
} as const
const KINDS = ['all', 'invoice', 'proforma'] as const
type State = (typeof STATES)[Noun][number]

/** The filters in the address, and the filters for the API. */
type Filters = { status?: string; kind?: string; q?: string }
const filterOf = ({ status, kind, q }: Filters): SalesFilter => ({
  ...(status === 'overdue' ? { overdue: 'true' } : status ? { status } : {}),
  ...(kind && { kind }),
  ...(q && { q }),
})

const columnsOf = (noun: Noun, listPath: string): Column<SalesDocument>[] => [
  {
    id: 'number',
    title: t('column.document'),
    cell: (document) => (
      <Link to={`${listPath}/${document.id}` as string} data-sales className="flex flex-col hover:underline">
        <span className="font-medium">{nameOf(document)}</span>
        <span dir="auto" className="max-w-36 truncate sm:max-w-60 text-sm text-ink-3">
          {customerOf(document)}
        </span>
        {/* On a phone, the amounts need the width. */}
        <span className="sm:hidden">
          <StatusBadge document={document} />
        </span>
      </Link>
    ),
  },
  {
    id: 'kind',
    title: t('column.kind'),
    hideBelow: 'md',
    cell: (document) => <span className="text-sm text-ink-2">{kindOf(document)}</span>,
  },
  {
    id: 'status',
    title: t('column.status'),
    hideBelow: 'sm',
    cell: (document) => <StatusBadge document={document} />,
  },
  {
    id: 'day',
    title: t('column.day'),
    hideBelow: 'sm',
    cell: ({ issueDate }) => issueDate && <span className="text-sm text-ink-2">{formatDate(issueDate)}</span>,
  },
  {
    id: 'total',
    title: t('column.total'),
    end: true,
    cell: ({ totalMinor, currency }) => formatMinor(totalMinor, currency),
  },
  ...(noun === 'invoices'
    ? [
        {
          id: 'balance',
          title: t('column.balance'),
          end: true,
          hideBelow: 'sm',
          cell: (document: SalesDocument) =>
            isInvoice(document) && document.balanceMinor > 0 && document.status !== 'draft'
              ? formatMinor(document.balanceMinor, document.currency)
              : null,
        } as const,
      ]
    : []),
]

type Props = { noun: Noun; listPath: string; mayWrite: boolean }

export function SalesList({ noun, listPath, mayWrite }: Props) {
  const filters = useSearch({ strict: false }) as Filters
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const narrow = useCallback(
    (patch: Filters) => {
      const next = Object.entries({ ...filters, ...patch }).filter(([, value]) => value)
      void navigate({ to: listPath, search: Object.fromEntries(next), replace: true } as never)
    },
    [filters, listPath, navigate],
  )
  const search = useCallback((q: string) => narrow({ q }), [narrow])
  const create = (kind: 'invoice' | 'proforma' = 'invoice') =>
    void navigate({ to: `${listPath}/${NEW_IDS[kind]}` } as never)
  const query = useInfiniteQuery(documentsQuery(noun, filterOf(filters)))
  const documents = query.data?.pages.flatMap((page) => page.documents) ?? []
  useCommands(
    SALES_LIST_COMMANDS,
    {
      mayWrite,
      create,
      search: () => field.current?.focus(),
      move: (by) => moveFocus('[data-sales]', by),
    },
    { title: t },
  )
  const isNarrowed = Object.values(filters).some(Boolean)
  const makeButton = mayWrite && (
    <Button variant="primary" icon={Plus} keys="c" onClick={() => create()}>
      {t(`${noun}.create`)}
    </Button>
  )
  return (
    <Page
      wide
      title={t(`${noun}.title`)}
      description={t(`${noun}.description`)}
      actions={
        <>
          {mayWrite && noun === 'invoices' && (
            <Button onClick={() => create('proforma')}>{t('proforma.create')}</Button>
          )}
          {makeButton}
        </>
      }
    >
      <Tabs
        label={t('filter.status')}
        value={(filters.status as State | undefined) ?? 'all'}
        onChange={(status) => narrow({ status: status === 'all' ? '' : status })}
        tabs={STATES[noun].map((value) => ({
          value,
          label: t(value === 'all' ? 'filter.all' : `status.${value}`),
        }))}
      />
      <div className="my-4 flex flex-wrap gap-2">
        <SearchField
          label={t('filter.search')}
          value={filters.q ?? ''}
          onChange={search}
          field={field}
          className="min-w-48 flex-1"
        />
        {noun === 'invoices' && (
          <div className="w-44">
            <Select
              name={t('filter.kind')}
              value={KINDS.find((kind) => kind === filters.kind) ?? 'all'}
              onChange={(kind) => narrow({ kind: kind === 'all' ? '' : kind })}
              choices={KINDS.map((value) => ({ value, label: t(`filter.kind.${value}`) }))}
            />
          </div>
        )}
      </div>
      <LoadedRows
        query={query}
        rows={documents}
        empty={
          <Empty
            icon={FileText}
            title={t(isNarrowed ? 'empty.narrowed' : `${noun}.empty`)}
            action={isNarrowed ? undefined : makeButton}
          >
            {t(isNarrowed ? 'empty.narrowed.text' : `${noun}.empty.text`)}
          </Empty>
        }
      >
        <Table
          label={t(`${noun}.title`)}
          rows={documents}
          keyOf={({ id }) => id}
          columns={columnsOf(noun, listPath)}
        />
        <LoadMore query={query}>{t('more')}</LoadMore>
      </LoadedRows>
    </Page>
  )
}
