/** Lists the answers of customers to a form. */
import { useInfiniteQuery, useMutation, useQueries } from '@tanstack/react-query'
import { Download, MessagesSquare } from 'lucide-react'
import { queryClient } from '../../api/cache.ts'
import { readAllRows } from '../../api/read-all-rows.ts'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { downloadCsv } from '../../kit/csv.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Empty } from '../../kit/states.tsx'
import { useIsWide } from '../../kit/width.ts'
import { notifyError } from '../../shell/notify-error.ts'
import {
  type AnswerFilter,
  answersQuery,
  customersOf,
  type FlowAnswer,
  type FlowDetails,
  filterQueryOf,
  namesQuery,
} from '../queries.ts'
import { t } from '../texts.ts'
import { AnswerCards } from './answer-cards.tsx'
import { fieldsOf } from './answer-fields.ts'
import { AnswerFilters } from './answer-filters.tsx'
import { AnswerTable } from './answer-table.tsx'
import { formatValue } from './format-value.ts'

const NAMES = 100

/** Reads the names of all customers who answered. */
async function readNames(answers: readonly FlowAnswer[]): Promise<Map<string, string>> {
  const ids = customersOf(answers)
  const names = new Map<string, string>()
  for (let start = 0; start < ids.length; start += NAMES)
    for (const [id, name] of await queryClient.fetchQuery(namesQuery(ids.slice(start, start + NAMES))))
      names.set(id, name)
  return names
}

type Props = {
  form: FlowDetails
  workspace: string
  filter: AnswerFilter
  onFilter: (filter: AnswerFilter) => void
}

export function Answers({ form, workspace, filter, onFilter }: Props) {
  const query = useInfiniteQuery(answersQuery(form.id, filter))
  const answers = query.data?.pages.flatMap((page) => page.answers) ?? []
  const fields = fieldsOf(form, answers)
  const isFiltered = filter.period !== undefined || filter.field !== undefined
  const names = useQueries({
    queries: (query.data?.pages ?? []).map((page) => namesQuery(customersOf(page.answers))),
    combine: (results) => new Map(results.flatMap(({ data }) => [...(data ?? [])])),
  })
  const isWide = useIsWide()
  const shown = { answers, fields, names, chatPath: `/w/${workspace}/inbox` }
  const download = useMutation({
    mutationFn: async () => {
      const rows = await readAllRows('answers', (page) =>
        call('GET /flows/{id}/answers', {
          params: { id: form.id },
          query: { ...page, ...filterQueryOf(filter) },
        }),
      )
      const columns = fieldsOf(form, rows)
      const customers = await readNames(rows)
      downloadCsv(form.name, [
        ['createdAt', 'contactId', 'customer', ...columns.keys()],
        ...rows.map(({ createdAt, contactId, fields: own }) => [
          createdAt,
          contactId,
          customers.get(contactId) ?? '',
          ...[...columns.keys()].map((name) => formatValue(own[name])),
        ]),
      ])
    },
    onError: notifyError,
  })
  return (
    <section>
      <header className="mb-3 flex flex-wrap items-start gap-3">
        <AnswerFilters form={form} filter={filter} onChange={onFilter} />
        {answers.length > 0 && (
          <Button icon={Download} busy={download.isPending} onClick={() => download.mutate()}>
            {t('answers.csv')}
          </Button>
        )}
      </header>
      <LoadedRows
        query={query}
        rows={answers}
        empty={
          <Empty icon={MessagesSquare} title={t(isFiltered ? 'answers.empty.filtered' : 'answers.empty')}>
            {t(isFiltered ? 'answers.empty.period.text' : 'answers.empty.text')}
          </Empty>
        }
      >
        {isWide ? <AnswerTable {...shown} /> : <AnswerCards {...shown} />}
        <LoadMore query={query}>{t('answers.more')}</LoadMore>
      </LoadedRows>
    </section>
  )
}
