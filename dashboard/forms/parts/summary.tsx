/** Summarizes the answers of customers to a form, question by question. */
import { useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { Callout } from '../../kit/callout.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { type AnswerFilter, type FlowDetails, summaryQuery } from '../queries.ts'
import { t } from '../texts.ts'
import type { View } from '../use-view.ts'
import { AnswerFilters } from './answer-filters.tsx'
import { QuestionCard } from './question-card.tsx'

type Props = {
  form: FlowDetails
  filter: AnswerFilter
  show: (view: View, filter: AnswerFilter) => void
}

export function Summary({ form, filter: { period }, show }: Props) {
  const { data: summary, isLoadingError, error, refetch } = useQuery(summaryQuery(form.id, period))
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (!summary) return <SkeletonRows />
  const { answers, limited, fields } = summary
  if (answers === 0 && period === undefined)
    return (
      <Empty icon={MessagesSquare} title={t('answers.empty')}>
        {t('answers.empty.text')}
      </Empty>
    )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-md font-semibold tabular-nums" aria-live="polite">
          {t('summary.count', { count: answers })}
        </p>
        <AnswerFilters form={form} filter={{ period }} onChange={(filter) => show('summary', filter)} />
      </div>
      {limited && <Callout kind="info">{t('summary.limited', { count: answers })}</Callout>}
      {answers === 0 ? (
        <Empty icon={MessagesSquare} title={t('answers.empty.period')}>
          {t('answers.empty.period.text')}
        </Empty>
      ) : (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(24rem,100%),1fr))] items-start gap-3">
          {fields.map((question) => (
            <QuestionCard
              key={question.name}
              question={question}
              total={answers}
              onChoose={(value) => show('answers', { period, field: question.name, value })}
              onOpen={() => show('answers', { period })}
            />
          ))}
        </div>
      )}
    </div>
  )
}
