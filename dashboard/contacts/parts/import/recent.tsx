import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../kit/badge.tsx'
import { Section } from '../../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../../kit/states.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import { Time } from '../../../kit/time.tsx'
import { type ImportInList, importsQuery } from './queries.ts'
import { t } from './texts.ts'

const TONES = {
  ready: 'note',
  checking: 'note',
  checked: 'note',
  running: 'accent',
  done: 'good',
  failed: 'bad',
} as const

const columnsOf = (onOpen: (id: string) => void): Column<ImportInList>[] => [
  {
    id: 'file',
    title: t('field.file'),
    cell: ({ id, filename }) => (
      <button
        type="button"
        className="max-w-64 truncate text-start font-medium hover:underline max-sm:max-w-40"
        onClick={() => onOpen(id)}
      >
        {filename}
      </button>
    ),
  },
  {
    id: 'kind',
    title: t('field.kind'),
    cell: ({ kind }) => kind && t(`kind.${kind}`),
    hideBelow: 'md',
  },
  {
    id: 'state',
    title: t('field.state'),
    cell: ({ state }) => <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>,
  },
  { id: 'rows', title: t('field.rows'), cell: ({ rows }) => t('figure', { value: rows }), end: true },
  {
    id: 'refused',
    title: t('refused'),
    cell: ({ refused }) => t('figure', { value: refused }),
    end: true,
    hideBelow: 'sm',
  },
  {
    id: 'at',
    title: t('field.at'),
    cell: ({ createdAt }) => <Time at={createdAt} className="text-sm text-ink-2" />,
    hideBelow: 'sm',
    className: 'whitespace-nowrap',
  },
]

/** Lists the stored imports, to open again. */
export function RecentImports({ onOpen }: { onOpen: (id: string) => void }) {
  const { data: imports, isPending, isLoadingError, error, refetch } = useQuery(importsQuery)
  return (
    <Section title={t('recent')}>
      {isPending ? (
        <SkeletonRows rows={3} />
      ) : isLoadingError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : imports.length === 0 ? (
        <p className="text-ink-2">{t('recent.none')}</p>
      ) : (
        <Table label={t('recent')} columns={columnsOf(onOpen)} rows={imports} keyOf={({ id }) => id} />
      )}
    </Section>
  )
}
