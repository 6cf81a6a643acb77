/** Shows the API keys. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Ban, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '../api/cache.ts'
import { callDashboard } from '../api/request.ts'
import { Badge } from '../kit/badge.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { Page } from '../kit/page.tsx'
import { Empty, Failed, SkeletonRows } from '../kit/states.tsx'
import { Table } from '../kit/table.tsx'
import { Time, useNow } from '../kit/time.tsx'
import { notify } from '../kit/toasts.tsx'
import { withConfirmation } from '../shell/confirm.ts'
import { notifyError } from '../shell/notify-error.ts'
import { formatLocale } from '../texts.ts'
import { CreatedKeyDialog, NewKeyDialog } from './new-key.tsx'
import { type CreatedKey, type Key, keysQuery } from './queries.ts'
import { t } from './texts.ts'

const date = new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium' })

function State({ apiKey }: { apiKey: Key }) {
  const now = useNow()
  if (apiKey.revokedAt) return <Badge tone="bad">{t('revoked')}</Badge>
  // An app renews its key when it needs it.
  const end = apiKey.renewsUntil ?? apiKey.expiresAt
  if (end && Date.parse(end) <= now) return <Badge tone="warn">{t('expired')}</Badge>
  return <Badge tone="good">{t('works')}</Badge>
}

/** More addresses are counted. */
const MAX_SHOWN = 2

/** Shows until when a key works, and from which addresses. */
const Limits = ({ apiKey: { expiresAt, renewsUntil, allowIps } }: { apiKey: Key }) => (
  <div className="flex flex-wrap items-center gap-1.5 text-ink-2">
    <span>
      {renewsUntil
        ? t('renews', { time: date.format(Date.parse(renewsUntil)) })
        : expiresAt
          ? t('expires', { time: date.format(Date.parse(expiresAt)) })
          : t('expires.never')}
    </span>
    {allowIps && (
      <Badge>
        {allowIps.length <= MAX_SHOWN
          ? allowIps.join(', ')
          : t('addresses.count', { count: allowIps.length })}
      </Badge>
    )}
  </div>
)

export default function KeysPage() {
  const { data: keys, error, isLoadingError, isPending, refetch } = useQuery(keysQuery)
  const [isMaking, setMaking] = useState(false)
  const [newKey, setNewKey] = useState<CreatedKey>()
  const [leaving, setLeaving] = useState<Key>()
  const revoke = useMutation({
    mutationFn: (key: Key) =>
      withConfirmation(() => callDashboard('DELETE /keys/{id}', { params: { id: key.id } })),
    onSuccess: ({ key }) => {
      notify({ title: t('revoke.done', { name: key.label }), kind: 'good' })
      setLeaving(undefined)
      return queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
    },
    onError: notifyError,
  })
  const makeButton = (
    <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t('make')}
    </Button>
  )
  return (
    <Page title={t('title')} description={t('description')} actions={keys && keys.length > 0 && makeButton}>
      {isPending ? (
        <SkeletonRows />
      ) : isLoadingError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : keys.length === 0 ? (
        <Empty icon={KeyRound} title={t('empty')} action={makeButton}>
          {t('empty.text')}
        </Empty>
      ) : (
        <Table
          label={t('list')}
          rows={keys}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'label',
              title: t('label'),
              cell: (key) => (
                <div className="flex flex-wrap items-center gap-x-2">
                  <span className="font-medium">{key.label}</span>
                  {key.renewsUntil && <Badge>{t('app')}</Badge>}
                  <code className="font-mono text-xs text-ink-3">{key.prefix}…</code>
                </div>
              ),
            },
            {
              id: 'role',
              title: t('role'),
              cell: (key) => (
                <div className="flex flex-wrap items-center gap-1.5">
                  <span className="whitespace-nowrap">{t(`role.short.${key.role}`)}</span>
                  {key.scopes && <Badge>{t('narrow.hint', { count: key.scopes.length })}</Badge>}
                </div>
              ),
            },
            { id: 'limits', title: t('limits'), hideBelow: 'sm', cell: (key) => <Limits apiKey={key} /> },
            { id: 'made', title: t('made'), hideBelow: 'sm', cell: (key) => <Time at={key.createdAt} /> },
            { id: 'state', title: t('state'), cell: (key) => <State apiKey={key} /> },
            {
              id: 'revoke',
              title: <span className="sr-only">{t('revoke')}</span>,
              end: true,
              cell: (key) =>
                key.revokedAt ? null : (
                  <IconButton
                    icon={Ban}
                    size="sm"
                    label={t('revoke.of', { name: key.label })}
                    onClick={() => setLeaving(key)}
                  />
                ),
            },
          ]}
        />
      )}
      <NewKeyDialog open={isMaking} onClose={() => setMaking(false)} onMade={setNewKey} />
      <CreatedKeyDialog newKey={newKey} onClose={() => setNewKey(undefined)} />
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('revoke.title', { name: leaving?.label ?? '' })}
        description={t('revoke.text')}
        action={t('revoke')}
        onConfirm={() => leaving && revoke.mutate(leaving)}
        busy={revoke.isPending}
        danger
      />
    </Page>
  )
}
