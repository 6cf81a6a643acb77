import { Link } from '@tanstack/react-router'
import { Time } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { formatAnswer, type ShownAnswers } from './answer-fields.ts'

/** Shows answers one below the other, where a table is too wide. Questions without an answer are left out. */
export const AnswerCards = ({ answers, fields, names, chatPath }: ShownAnswers) => (
  <ul aria-label={t('answers')} className="flex flex-col gap-3">
    {answers.map(({ messageId, contactId, conversationId, createdAt, fields: own }) => (
      <li key={messageId} className="rounded-lg border p-3">
        <header className="mb-2 flex items-baseline gap-3">
          <Link
            to={`${chatPath}/${conversationId}` as never}
            title={t('answers.chat')}
            dir="auto"
            className="flex min-w-0 flex-1 items-center truncate font-medium text-accent hover:underline pointer-coarse:min-h-11"
          >
            {names.get(contactId) ?? t('answers.chat')}
          </Link>
          <Time at={createdAt} className="shrink-0 text-sm text-ink-3" />
        </header>
        <dl className="flex flex-col gap-1.5">
          {[...fields].map(([name, field]) => {
            const text = formatAnswer(own[name], field)
            return (
              text !== '' && (
                <div key={name}>
                  <dt dir="auto" className="text-sm text-ink-3">
                    {field.label}
                  </dt>
                  <dd dir="auto" className="break-words">
                    {text}
                  </dd>
                </div>
              )
            )
          })}
        </dl>
      </li>
    ))}
  </ul>
)
