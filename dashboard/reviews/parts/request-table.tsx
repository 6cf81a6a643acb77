import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import type { ReviewRequest } from '../../../sdk/api.ts'
import { hasRole, useWorkspaceSession } from '../../api/session.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { IconButton } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { DueIn } from '../../kit/zone-times.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { type RequestStatus, renewLink } from '../queries.ts'
import { t } from '../texts.ts'
import { About, ChatButton, Customer, nameOf } from './subject.tsx'

const TONES: Record<RequestStatus, Tone> = {
  queued: 'plain',
  sent: 'accent',
  answered: 'good',
  expired: 'warn',
  failed: 'bad',
}
export const REQUEST_STATUSES = Object.keys(TONES) as RequestStatus[]

/** Shows when the request reached its state, or will be sent. */
function RequestTime({ request }: { request: ReviewRequest }) {
  const { status, dueAt, answeredAt, expiresAt, sentAt, createdAt } = request
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const zone = useWorkspaceSession(workspace).workspace.timezone
  if (status === 'queued' && dueAt) return <DueIn at={dueAt} zone={zone} />
  const time = { answered: answeredAt, expired: expiresAt, sent: sentAt, failed: null, queued: null }[status]
  return <Time at={time ?? createdAt} />
}

type Renew = ((request: ReviewRequest) => void) | undefined

const columnsOf = (workspace: string, renew: Renew): Column<ReviewRequest>[] => [
  {
    id: 'customer',
    title: t('column.customer'),
    cell: (request) => (
      <span className="flex flex-col">
        <Customer entry={request} workspace={workspace} />
        <About entry={request} workspace={workspace} />
      </span>
    ),
  },
  {
    id: 'status',
    title: t('column.status'),
    cell: (request) => (
      <span className="flex flex-col items-start gap-1">
        <Badge tone={TONES[request.status]}>{t(`status.${request.status}`)}</Badge>
        {/* On a phone, the time has no column. */}
        <span className="text-sm text-ink-2 sm:hidden">
          <RequestTime request={request} />
        </span>
        {request.failure && <span className="max-w-72 text-sm text-ink-2">{request.failure}</span>}
      </span>
    ),
  },
  {
    id: 'when',
    title: t('column.when'),
    hideBelow: 'sm',
    cell: (request) => <RequestTime request={request} />,
  },
  {
    id: 'link',
    title: <span className="sr-only">{t('column.link')}</span>,
    end: true,
    cell: (request) => (
      <span className="inline-flex">
        {request.status === 'sent' && request.url && (
          <CopyButton text={request.url} label={t('link.copy', { label: request.subjectLabel })} />
        )}
        {request.status === 'sent' && request.url && renew && (
          <IconButton
            icon={Link2}
            size="sm"
            label={t('link.renew.of', { label: request.subjectLabel })}
            onClick={() => renew(request)}
          />
        )}
        <ChatButton entry={request} workspace={workspace} />
      </span>
    ),
  },
]

/** Asks for confirmation before the customer's current link stops working. */
function RenewLink({ request, onClose }: { request: ReviewRequest | undefined; onClose: () => void }) {
  const renew = useMutation({
    mutationFn: renewLink,
    onSuccess: () => notify({ title: t('link.renewed'), kind: 'good' }),
    onError: notifyError,
    onSettled: onClose,
  })
  return (
    <Confirm
      open={request !== undefined}
      onClose={onClose}
      title={t('link.renew.title')}
      description={
        request && t('link.renew.text', { customer: nameOf(request), label: request.subjectLabel })
      }
      action={t('link.renew')}
      onConfirm={() => request && renew.mutate(request.id)}
      busy={renew.isPending}
      danger
    />
  )
}

type Props = { requests: ReviewRequest[]; workspace: string }

/** Lists review requests, newest first. */
export function RequestTable({ requests, workspace }: Props) {
  const isAdmin = hasRole(useWorkspaceSession(workspace).member.role, 'admin')
  const [renewed, setRenewed] = useState<ReviewRequest>()
  return (
    <>
      <Table
        label={t('view.requests')}
        rows={requests}
        keyOf={({ id }) => id}
        columns={columnsOf(workspace, isAdmin ? setRenewed : undefined)}
      />
      <RenewLink request={renewed} onClose={() => setRenewed(undefined)} />
    </>
  )
}
