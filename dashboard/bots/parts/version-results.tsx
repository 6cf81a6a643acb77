/** Compares the versions of a bot: how many chats started with each, and how they ended. */
import type { BotResults } from '../../../sdk/api.ts'
import { formatNumber } from '../../kit/chart.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { formatLocale } from '../../texts.ts'
import { t } from '../texts.ts'

const percent = new Intl.NumberFormat(formatLocale, { style: 'percent', maximumFractionDigits: 0 })

type VersionResult = BotResults['versions'][number]

const ENDS = ['ended', 'handedOver', 'endedByTeammate', 'left', 'active'] as const

/** A number of starts with its share of all starts of the version. */
const Part = ({ count, starts }: { count: number; starts: number }) =>
  count === 0 ? (
    <span className="text-ink-3">0</span>
  ) : (
    <>
      {formatNumber(count)} <span className="text-ink-2">({percent.format(count / starts)})</span>
    </>
  )

const COLUMNS: Column<VersionResult>[] = [
  {
    id: 'version',
    title: t('versions.version'),
    className: 'whitespace-nowrap',
    cell: ({ version }) => t('versions.one', { version }),
  },
  {
    id: 'since',
    title: t('versions.since'),
    hideBelow: 'md',
    className: 'whitespace-nowrap',
    cell: ({ since }) => <Time at={since} />,
  },
  {
    id: 'starts',
    title: t('result.figure.starts'),
    end: true,
    cell: ({ starts }) => formatNumber(starts),
  },
  ...ENDS.map(
    (end): Column<VersionResult> => ({
      id: end,
      title: t(`result.figure.${end}`),
      end: true,
      cell: (row) => <Part count={row[end]} starts={row.starts} />,
    }),
  ),
]

export const VersionResults = ({ versions }: { versions: VersionResult[] }) => (
  <Table
    label={t('versions')}
    isPlain
    rows={versions}
    keyOf={({ version }) => String(version)}
    columns={COLUMNS}
  />
)
