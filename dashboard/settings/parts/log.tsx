import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { type Activity, activityQuery, signInsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { detailOf } from './log-details.ts'

const actorOf = ({ actor }: Activity): string => actor.name ?? t(`log.actor.${actor.kind}`)

type Props = { name: 'activity' | 'signIns' }

/** Shows the changes in the workspace, or the sign-ins; newest first. */
export function Log({ name }: Props) {
  const query = useInfiniteQuery(name === 'activity' ? activityQuery : signInsQuery)
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <Section title={t(`${name}.title`)} description={t(`${name}.text`)}>
      <LoadedRows query={query} rows={rows} empty={<Empty icon={ScrollText} title={t(`${name}.empty`)} />}>
        <Table
          label={t(`${name}.title`)}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'what',
              title: t('log.activity'),
              cell: (row) => (
                <div>
                  <p className="font-medium">{t(`log.${row.kind}`)}</p>
                  <p className="text-sm break-words text-ink-2">{detailOf(row)}</p>
                </div>
              ),
            },
            { id: 'who', title: t('log.actor'), className: 'min-w-20', cell: actorOf },
            {
              id: 'when',
              title: t('log.time'),
              end: true,
              cell: ({ createdAt }) => <Time at={createdAt} />,
            },
          ]}
        />
        <LoadMore query={query}>{t('more')}</LoadMore>
      </LoadedRows>
    </Section>
  )
}
