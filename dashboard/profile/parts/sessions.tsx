import { useMutation, useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '../../api/cache.ts'
import { callDashboard } from '../../api/request.ts'
import { Badge } from '../../kit/badge.tsx'
import { IconButton } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Section } from '../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { type OwnSession, sessionsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { deviceOf } from './device.ts'

const Device = ({ session }: { session: OwnSession }) => (
  <div>
    <p className="flex flex-wrap items-center gap-1.5 font-medium">
      {deviceOf(session.device)}
      {session.current && <Badge tone="accent">{t('sessions.current')}</Badge>}
    </p>
    <p className="text-sm text-ink-2">{session.address}</p>
  </div>
)

/** Lists the sessions of the account; each except the current one can be signed out. */
export function Sessions() {
  const { data: sessions, error, isLoadingError, isPending, refetch } = useQuery(sessionsQuery)
  const [leaving, setLeaving] = useState<OwnSession>()
  const revoke = useMutation({
    mutationFn: ({ id }: OwnSession) => callDashboard('DELETE /sessions/{id}', { params: { id } }),
    onSuccess: () => {
      setLeaving(undefined)
      notify({ title: t('sessions.revoked'), kind: 'good' })
      return queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
    onError: notifyError,
  })
  return (
    <Section title={t('sessions')} description={t('sessions.text')}>
      {isPending ? (
        <SkeletonRows rows={2} />
      ) : isLoadingError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Table
          label={t('sessions')}
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            { id: 'device', title: t('sessions.device'), cell: (session) => <Device session={session} /> },
            {
              id: 'since',
              title: t('sessions.since'),
              hideBelow: 'md',
              cell: ({ createdAt }) => <Time at={createdAt} />,
            },
            { id: 'seen', title: t('sessions.seen'), cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
            {
              id: 'revoke',
              title: <span className="sr-only">{t('sessions.revoke')}</span>,
              end: true,
              cell: (session) =>
                session.current ? null : (
                  <IconButton
                    icon={LogOut}
                    size="sm"
                    label={t('sessions.revoke.of', { device: deviceOf(session.device) })}
                    onClick={() => setLeaving(session)}
                  />
                ),
            },
          ]}
        />
      )}
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('sessions.revoke.title')}
        description={t('sessions.revoke.text', { device: deviceOf(leaving?.device ?? '') })}
        action={t('sessions.revoke')}
        onConfirm={() => leaving && revoke.mutate(leaving)}
        busy={revoke.isPending}
        danger
      />
    </Section>
  )
}
