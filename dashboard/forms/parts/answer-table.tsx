import { Link } from '@tanstack/react-router'
import { Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import type { FlowAnswer } from '../queries.ts'
import { t } from '../texts.ts'
import { formatAnswer, type ShownAnswers } from './answer-fields.ts'

/** Shows answers as rows; a long text is cut after two lines, and whole in the chat. */
export const AnswerTable = ({ answers, fields, names, chatPath }: ShownAnswers) => (
  <Table
    label={t('answers')}
    rows={answers}
    keyOf={({ messageId }) => messageId}
    columns={[
      {
        id: 'customer',
        title: t('answers.customer'),
        cell: ({ contactId, conversationId }) => (
          <Link
            to={`${chatPath}/${conversationId}` as never}
            title={t('answers.chat')}
            dir="auto"
            className="block max-w-56 min-w-24 truncate font-medium text-accent hover:underline"
          >
            {names.get(contactId) ?? t('answers.chat')}
          </Link>
        ),
      },
      {
        id: 'time',
        title: t('answers.time'),
        className: 'whitespace-nowrap text-ink-2',
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
      ...[...fields].map(([name, field]) => ({
        id: name,
        title: <span dir="auto">{field.label}</span>,
        cell: ({ fields: own }: FlowAnswer) => {
          const text = formatAnswer(own[name], field)
          return (
            <span dir="auto" title={text} className="line-clamp-2 w-max max-w-64 break-words">
              {text}
            </span>
          )
        },
      })),
    ]}
  />
)
