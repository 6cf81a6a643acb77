/** Shows the answers to one question: bars of its options, its range, or its newest texts. */
import { ArrowRight, FileQuestion } from 'lucide-react'
import { Button } from '../../kit/button.tsx'
import { Bar } from '../../kit/chart.tsx'
import { Time } from '../../kit/time.tsx'
import type { QuestionSummary } from '../queries.ts'
import { t } from '../texts.ts'
import { formatCount, formatLimit, formatOption, formatShare } from './format-value.ts'
import { KIND_ICONS } from './kind-icons.ts'

type OptionsProps = { question: QuestionSummary; onChoose: (value: string) => void }

function Options({ question, onChoose }: OptionsProps) {
  const { kind, answered, options } = question
  return (
    <ul className="flex flex-col gap-0.5">
      {options.map(({ value, count }) => {
        const option = formatOption(value, kind)
        const share = formatShare(count, answered)
        return (
          <li key={value}>
            <button
              type="button"
              disabled={count === 0}
              title={count > 0 ? t('summary.option.open') : undefined}
              onClick={() => onChoose(value)}
              className="grid w-full grid-cols-[1fr_auto_3rem] items-baseline gap-x-2 gap-y-1 rounded-md px-2 py-1.5 text-start enabled:hover:bg-surface-3 pointer-coarse:min-h-11"
            >
              <span dir="auto" className="min-w-0 text-start break-words">
                {option}
              </span>
              <span className="text-sm text-ink-2 tabular-nums">{t('summary.count', { count })}</span>
              <span className="text-end font-medium tabular-nums">{share}</span>
              <span className="col-span-3">
                <Bar value={count} max={answered} />
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function Range({
  kind,
  range,
}: {
  kind: QuestionSummary['kind']
  range: NonNullable<QuestionSummary['range']>
}) {
  const isDate = kind === 'date'
  const limits = [
    [t(isDate ? 'summary.earliest' : 'summary.smallest'), range.smallest],
    [t('summary.median'), range.median],
    [t(isDate ? 'summary.latest' : 'summary.largest'), range.largest],
  ] as const
  return (
    <dl className="grid grid-cols-3 gap-2 px-2">
      {limits.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-sm text-ink-2">{label}</dt>
          <dd className="font-semibold break-words tabular-nums sm:text-md">{formatLimit(value, kind)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Texts({ texts, onOpen }: { texts: QuestionSummary['texts']; onOpen: () => void }) {
  return (
    <>
      <ul className="flex flex-col px-2">
        {texts.map(({ messageId, text, createdAt }) => (
          <li key={messageId} className="flex items-baseline gap-3 border-b py-1.5 last:border-0">
            <span dir="auto" className="line-clamp-3 min-w-0 flex-1 break-words">
              {text}
            </span>
            <Time at={createdAt} className="shrink-0 text-xs text-ink-3" />
          </li>
        ))}
      </ul>
      <Button variant="ghost" size="sm" className="mt-1 self-start" onClick={onOpen}>
        {t('summary.all')}
        <ArrowRight aria-hidden size={14} className="rtl:-scale-x-100" />
      </Button>
    </>
  )
}

type Props = {
  question: QuestionSummary
  /** The number of summarized answers. */
  total: number
  onChoose: (value: string) => void
  /** Shows the answers as a list. */
  onOpen: () => void
}

export function QuestionCard({ question, total, onChoose, onOpen }: Props) {
  const { label, kind, answered, options, range, texts } = question
  const Icon = kind === null ? FileQuestion : KIND_ICONS[kind]
  return (
    <section aria-label={label} className="flex min-w-0 flex-col rounded-lg border p-3">
      <header className="mb-2 flex items-start gap-2 px-2">
        <Icon aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-3" />
        <div className="min-w-0 flex-1">
          <h3 dir="auto" className="font-semibold break-words">
            {label}
          </h3>
          <p className="text-sm text-ink-3">
            {t('summary.answered', { answered: formatCount(answered), total: formatCount(total) })}
            {kind === 'choices' && ` · ${t('summary.several')}`}
          </p>
        </div>
      </header>
      {options.length > 0 ? (
        <Options question={question} onChoose={onChoose} />
      ) : range ? (
        <Range kind={kind} range={range} />
      ) : texts.length > 0 ? (
        <Texts texts={texts} onOpen={onOpen} />
      ) : (
        <p className="px-2 text-ink-3">{t('summary.none')}</p>
      )}
    </section>
  )
}
