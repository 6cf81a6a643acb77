/** Shows leads in rows, sorted by any column. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Ellipsis, Filter } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Lead } from '../../../sdk/api.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Menu } from '../../kit/menu.tsx'
import { formatMoney } from '../../kit/money.ts'
import { Pages, useLastPage } from '../../kit/pages.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { ZoneDue } from '../../kit/zone-times.tsx'
import { PAGE_SIZE, tableQuery } from '../queries.ts'
import { t } from '../texts.ts'
import type { RemovedLead } from '../use-changes.ts'
import type { LeadsView, Sort } from '../view.ts'
import { entriesOfLead, type LeadActions } from './lead-actions.ts'
import { Rating } from './rating.tsx'
import { sortedColumn } from './sorted-column.tsx'
import { isHidden, nameOf, StageName } from './stage.tsx'
import { StageTime } from './stage-time.tsx'

const BulkBar = lazyComponent(() => import('./bulk-bar.tsx').then((module) => module.BulkBar))

type Props = LeadActions & {
  view: LeadsView
  onView: (patch: Partial<LeadsView>) => void
  workspace: string
  mayWrite: boolean
  currentId: string | undefined
  removedLeads: ReadonlyMap<string, RemovedLead>
  onColumns: (columns: readonly (readonly Lead[])[]) => void
}

/** Columns by the width of the table: the sandbox phone may be beside it. */
const FROM = {
  stage: '@max-[640px]:hidden',
  owner: '@max-[820px]:hidden',
  followUp: '@max-[940px]:hidden',
  phone: '@max-[1100px]:hidden',
  updated: '@max-[1220px]:hidden',
  source: '@max-[1340px]:hidden',
}

function NameCell({
  lead,
  workspace,
  removedLeads,
  currentId,
  zone,
}: Pick<Props, 'workspace' | 'removedLeads' | 'currentId'> & { lead: Lead; zone: string }) {
  const undo = removedLeads.get(lead.id)?.undo
  return (
    <div
      data-lead={lead.id}
      className={classes(
        '-mx-1 flex min-w-32 flex-wrap items-center gap-x-2 rounded-sm px-1',
        currentId === lead.id && 'outline-1 outline-accent',
      )}
    >
      <Link
        to={`/w/${workspace}/leads/${lead.id}` as never}
        dir="auto"
        title={nameOf(lead)}
        className={classes(
          'max-w-44 truncate font-medium hover:underline @[640px]:max-w-48 @[1340px]:max-w-72',
          undo && 'text-ink-2',
        )}
      >
        {nameOf(lead)}
      </Link>
      <Rating rating={lead.rating} />
      {/* On a phone, these facts have no columns. */}
      <span className="flex basis-full flex-wrap items-center gap-x-2 text-sm text-ink-2 @[640px]:hidden">
        <StageName stage={lead.stage} />
        <StageTime lead={lead} />
      </span>
      <span className="flex basis-full flex-wrap items-center gap-x-2 text-sm text-ink-2 empty:hidden @[640px]:hidden">
        {lead.dealValue > 0 && <span className="tabular-nums">{formatMoney(lead.dealValue)}</span>}
        {lead.nextFollowUpAt && (
          <span className="inline-flex items-center gap-1">
            <CalendarClock role="img" aria-label={t('field.followUp')} size={14} />
            <ZoneDue at={lead.nextFollowUpAt} zone={zone} />
          </span>
        )}
      </span>
      {undo && (
        <span className="flex items-center gap-2 text-sm text-ink-2">
          {t('card.gone')}
          <Button size="sm" onClick={undo}>
            {t('undo')}
          </Button>
        </span>
      )}
    </div>
  )
}

type Selection = { selected: ReadonlySet<string>; onSelect: (selected: ReadonlySet<string>) => void }

/** The column of checkboxes: its head selects all leads of the page. */
function selectColumn(leads: readonly Lead[], { selected, onSelect }: Selection): Column<Lead> {
  const isEvery = leads.length > 0 && leads.every(({ id }) => selected.has(id))
  return {
    id: 'select',
    title: (
      <Checkbox
        label={<span className="sr-only">{t('table.select.all')}</span>}
        checked={isEvery}
        onChange={() => onSelect(new Set(isEvery ? [] : leads.map(({ id }) => id)))}
      />
    ),
    className: 'w-10',
    cell: (lead) => (
      <Checkbox
        label={<span className="sr-only">{t('table.select.row', { name: nameOf(lead) })}</span>}
        checked={selected.has(lead.id)}
        onChange={() => {
          const next = new Set(selected)
          if (!next.delete(lead.id)) next.add(lead.id)
          onSelect(next)
        }}
      />
    ),
  }
}

function columnsOf(props: Props, leads: readonly Lead[], zone: string, selection: Selection): Column<Lead>[] {
  const { view, onView, workspace, mayWrite } = props
  const sorted = (sort: Sort, label: string) => sortedColumn({ view, onView }, sort, label)
  return [
    ...(mayWrite ? [selectColumn(leads, selection)] : []),
    {
      id: 'name',
      ...sorted('name', t('field.name')),
      cell: (lead) => <NameCell {...props} lead={lead} workspace={workspace} zone={zone} />,
    },
    {
      id: 'phone',
      // Hidden numbers have no order.
      ...(isHidden(leads[0]?.phone) ? { title: t('field.phone') } : sorted('phone', t('field.phone'))),
      cell: ({ phone }) => <span dir="ltr">+{phone}</span>,
      className: `whitespace-nowrap ${FROM.phone}`,
    },
    {
      id: 'stage',
      title: t('field.stage'),
      cell: ({ stage }) => (
        <span className="flex max-w-36">
          <StageName stage={stage} />
        </span>
      ),
      className: FROM.stage,
    },
    {
      id: 'stay',
      ...sorted('stageChangedAt', t('field.stay')),
      cell: (lead) => <StageTime lead={lead} className="text-ink-2" />,
      className: FROM.stage,
    },
    {
      id: 'deal',
      ...sorted('dealValue', t('field.dealValue')),
      cell: ({ dealValue }) => (dealValue > 0 ? formatMoney(dealValue) : null),
      end: true,
      className: FROM.stage,
    },
    {
      id: 'owner',
      title: t('field.owner'),
      cell: ({ owner }) => (
        <span
          dir="auto"
          title={owner?.name}
          className={classes('block max-w-32 truncate', !owner && 'text-ink-3')}
        >
          {owner?.name ?? t('noOwner')}
        </span>
      ),
      className: FROM.owner,
    },
    {
      id: 'followUp',
      ...sorted('nextFollowUpAt', t('field.followUp')),
      cell: ({ nextFollowUpAt }) =>
        nextFollowUpAt && <ZoneDue at={nextFollowUpAt} zone={zone} className="text-sm" />,
      className: `whitespace-nowrap ${FROM.followUp}`,
    },
    {
      id: 'source',
      title: t('field.source'),
      cell: ({ source }) => (
        <span dir="auto" title={source ?? undefined} className="block max-w-36 truncate">
          {source}
        </span>
      ),
      className: FROM.source,
    },
    {
      id: 'updated',
      ...sorted('updatedAt', t('field.updated')),
      cell: ({ updatedAt }) => <Time at={updatedAt} className="text-sm text-ink-2" />,
      className: `whitespace-nowrap ${FROM.updated}`,
    },
    ...(mayWrite
      ? [
          {
            id: 'more',
            title: <span className="sr-only">{t('table.actions')}</span>,
            end: true,
            cell: (lead: Lead) => (
              <Menu
                align="end"
                trigger={
                  <IconButton icon={Ellipsis} size="sm" label={t('card.more', { name: nameOf(lead) })} />
                }
                entries={entriesOfLead(lead, props)}
              />
            ),
          },
        ]
      : []),
  ]
}

export function LeadTable(props: Props) {
  const { view, onView, workspace, removedLeads, onColumns } = props
  const [selected, onSelect] = useState<ReadonlySet<string>>(new Set())
  const { timezone } = useWorkspaceSession(workspace).workspace
  const query = useQuery(tableQuery(view))
  const total = query.isPlaceholderData ? undefined : query.data?.total
  useLastPage({ page: view.page, pageSize: PAGE_SIZE, total })
  const fetched = query.data?.leads ?? []
  const leads = [
    ...[...removedLeads.values()]
      .map(({ lead }) => lead)
      .filter(({ id }) => !fetched.some((lead) => lead.id === id)),
    ...fetched,
  ]
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows change
  useEffect(() => onColumns([leads]), [query.data, removedLeads])
  const chosen = leads.filter(({ id }) => selected.has(id))
  if (query.isPending) return <SkeletonRows />
  if (query.isLoadingError) return <Failed error={query.error} onRetry={() => void query.refetch()} />
  return (
    <>
      <div className="pane @container min-h-0 flex-1 px-4 pb-4 sm:px-6">
        {leads.length === 0 ? (
          <Empty
            icon={Filter}
            title={t('empty.filtered')}
            action={
              <Button onClick={() => onView({ view: 'sys:all', q: '', filters: {}, page: 1 })}>
                {t('filter.clear')}
              </Button>
            }
          />
        ) : (
          <Table
            label={t('title')}
            columns={columnsOf(props, leads, timezone, { selected, onSelect })}
            rows={leads}
            keyOf={({ id }) => id}
          />
        )}
        <Pages
          page={view.page}
          pageSize={PAGE_SIZE}
          total={query.data.total}
          onPage={(page) => onView({ page })}
        />
      </div>
      {chosen.length > 0 && <BulkBar leads={chosen} onClear={() => onSelect(new Set())} />}
    </>
  )
}
