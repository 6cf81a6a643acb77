/** Lists the templates that match a filter. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LayoutTemplate } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Template } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { type TemplateFilter, templatesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { languageName } from './languages.ts'
import { resultLine } from './result-line.ts'
import { categoryOf, StatusBadge } from './status.tsx'

type RowProps = { template: Template; to: string; open: boolean }

function Row({ template, to, open }: RowProps) {
  const results = resultLine(template)
  return (
    <li>
      <Link
        to={to}
        search
        aria-current={open ? 'page' : undefined}
        className={classes(
          'flex flex-col gap-1 border-b px-4 py-2.5 focus-visible:-outline-offset-2',
          open ? 'bg-accent-soft' : 'hover:bg-surface-2',
        )}
      >
        <span className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{template.name}</span>
          <StatusBadge status={template.status} />
        </span>
        <span className="text-xs text-ink-3">
          {languageName(template.language)} · {categoryOf(template)}
        </span>
        {results && <span className="text-xs text-ink-2 tabular-nums">{results}</span>}
      </Link>
    </li>
  )
}

type Props = { filter: TemplateFilter; openId: string | undefined; listPath: string; create: ReactNode }

export function TemplateList({ filter, openId, listPath, create }: Props) {
  const query = useInfiniteQuery(templatesQuery(filter))
  const templates = query.data?.pages.flatMap((page) => page.templates) ?? []
  if (query.isPending) return <SkeletonRows />
  if (query.isLoadingError) return <Failed error={query.error} onRetry={() => void query.refetch()} />
  if (templates.length === 0) {
    const isFiltered = filter.search !== '' || filter.status !== 'all'
    return (
      <Empty
        icon={LayoutTemplate}
        title={t(isFiltered ? 'empty.filtered' : 'empty')}
        action={isFiltered ? undefined : create}
      >
        {t(isFiltered ? 'empty.filtered.text' : 'empty.text')}
      </Empty>
    )
  }
  return (
    <>
      <ul aria-label={t('title')}>
        {templates.map((template) => (
          <Row
            key={template.id}
            template={template}
            to={`${listPath}/${template.id}`}
            open={template.id === openId}
          />
        ))}
      </ul>
      <LoadMore query={query} className="m-3">
        {t('more')}
      </LoadMore>
    </>
  )
}
