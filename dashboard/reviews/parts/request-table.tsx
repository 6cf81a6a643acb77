import type { ReviewRequest } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { Due } from '../../kit/due.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import type { RequestStatus } from '../queries.ts'
import { t } from '../words.ts'
import { About, ChatButton, Customer } from './subject.tsx'

const TONES: Record<RequestStatus, Tone> = {
  queued: 'plain',
  sent: 'accent',
  answered: 'good',
  expired: 'warn',
  failed: 'bad',
}
export const REQUEST_STATUSES = Object.keys(TONES) as RequestStatus[]

/** When it came to its state, or will be sent. */
function When({ request }: { request: ReviewRequest }) {
  const { status, dueAt, answeredAt, expiresAt, sentAt, createdAt } = request
  if (status === 'queued' && dueAt) return <Due at={dueAt} open={false} />
  const at = { answered: answeredAt, expired: expiresAt, sent: sentAt, failed: null, queued: null }[status]
  return <Time at={at ?? createdAt} />
}

const columnsOf = (workspace: string): Column<ReviewRequest>[] => [
  {
    id: 'customer',
    title: t('column.customer'),
    cell: (request) => (
      <span className="flex flex-col">
        <Customer of={request} workspace={workspace} />
        <About of={request} workspace={workspace} />
      </span>
    ),
  },
  {
    id: 'status',
    title: t('column.status'),
    cell: ({ status, failure }) => (
      <span className="flex flex-col items-start gap-1">
        <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>
        {failure && <span className="max-w-72 text-sm text-ink-2">{failure}</span>}
      </span>
    ),
  },
  { id: 'when', title: t('column.when'), hideBelow: 'sm', cell: (request) => <When request={request} /> },
  {
    id: 'link',
    title: <span className="sr-only">{t('column.link')}</span>,
    end: true,
    cell: (request) => (
      <span className="inline-flex">
        {request.status === 'sent' && request.url && (
          <CopyButton text={request.url} label={t('link.copy', { label: request.subjectLabel })} />
        )}
        <ChatButton of={request} workspace={workspace} />
      </span>
    ),
  },
]

type Props = { requests: ReviewRequest[]; workspace: string }

/** Who is, or was, asked, newest first. */
export const RequestTable = ({ requests, workspace }: Props) => (
  <Table label={t('view.requests')} rows={requests} keyOf={({ id }) => id} columns={columnsOf(workspace)} />
)
