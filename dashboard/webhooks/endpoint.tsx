/** Shows one endpoint: its state, its secret, its events, and its deliveries. */
import { KeyRound, MoreVertical, Pause, Pencil, Play, RotateCcw, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ServerText } from '../api/server-text.tsx'
import { BackToList } from '../kit/back-link.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { lazyComponent } from '../kit/lazy.tsx'
import { Menu } from '../kit/menu.tsx'
import { formatFull, useNow } from '../kit/time.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { ENDPOINT_COMMANDS } from './commands.ts'
import { Deliveries } from './parts/deliveries.tsx'
import { remainingUntil } from './parts/remaining.ts'
import { ReplayDialog } from './parts/replay.tsx'
import { SecretDialog } from './parts/secret.tsx'
import { Sparkline } from './parts/sparkline.tsx'
import { StateBadge } from './parts/state.tsx'
import type { Webhook } from './queries.ts'
import { t } from './texts.ts'
import { useWebhook } from './use-webhook.ts'

const EditWebhook = lazyComponent(() =>
  import('./parts/edit-webhook.tsx').then((module) => module.EditWebhook),
)

type DialogName = 'edit' | 'rotate' | 'replay' | 'delete'

function OldSecret({ until }: { until: string }) {
  const now = useNow(1_000)
  if (Date.parse(until) <= now) return null
  return (
    <Callout>
      {t('secret.old', { left: remainingUntil(until, now) })}{' '}
      <time dateTime={until} className="text-ink-3">
        {formatFull(until)}
      </time>
    </Callout>
  )
}

const Events = ({ events }: { events: Webhook['events'] }) => (
  <ul aria-label={t('events')} className="flex flex-wrap gap-1.5">
    {events === null ? (
      <li>
        <Badge tone="accent">{t('events.all')}</Badge>
      </li>
    ) : (
      events.map((event) => (
        <li key={event}>
          <Badge>
            <span className="font-mono">{event}</span>
          </Badge>
        </li>
      ))
    )}
  </ul>
)

type Props = { webhook: Webhook; listPath: string; onGone: () => void }

export function EndpointDetail({ webhook, listPath, onGone }: Props) {
  const { pause, test, rotate, remove } = useWebhook(webhook, onGone)
  const [dialog, setDialog] = useState<DialogName>()
  const [secret, setSecret] = useState<string>()
  const isStopped = webhook.state === 'stopped'
  const close = () => setDialog(undefined)
  useCommands(
    ENDPOINT_COMMANDS,
    {
      isActive: webhook.active,
      isStopped,
      sendTest: () => test.mutate(),
      togglePause: () => pause.mutate(!webhook.active),
      openEdit: () => setDialog('edit'),
      openReplay: () => setDialog('replay'),
    },
    { title: t },
  )
  return (
    <div className="pane min-h-0 flex-1 p-4 sm:p-6">
      <header className="mb-5 flex flex-wrap items-start gap-x-3 gap-y-3">
        <BackToList to={listPath} label={t('back')} />
        <div className="min-w-48 flex-1">
          <h2 className="font-mono text-md font-semibold break-all">{webhook.url}</h2>
          <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-ink-2">
            <StateBadge state={webhook.state} />
            {webhook.disabledReason && (
              <span>
                <ServerText>{webhook.disabledReason}</ServerText>
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {!isStopped && (
            <Button
              icon={webhook.active ? Pause : Play}
              variant={webhook.state === 'disabled' ? 'primary' : 'secondary'}
              busy={pause.isPending}
              onClick={() => pause.mutate(!webhook.active)}
            >
              {t(webhook.active ? 'pause' : 'resume')}
            </Button>
          )}
          {webhook.active && (
            <Button icon={Send} busy={test.isPending} onClick={() => test.mutate()}>
              {t('test')}
            </Button>
          )}
          <Menu
            align="end"
            trigger={<IconButton icon={MoreVertical} label={t('more')} />}
            entries={[
              { label: t('edit'), icon: Pencil, onSelect: () => setDialog('edit') },
              { label: t('rotate'), icon: KeyRound, onSelect: () => setDialog('rotate') },
              {
                label: t('replay.title'),
                icon: RotateCcw,
                disabled: !webhook.active,
                onSelect: () => setDialog('replay'),
              },
              'line',
              { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDialog('delete') },
            ]}
          />
        </div>
      </header>
      <div className="mb-6 flex flex-col gap-3">
        <Events events={webhook.events} />
        <Sparkline key={webhook.id} id={webhook.id} />
        {webhook.oldSecretExpiresAt && <OldSecret until={webhook.oldSecretExpiresAt} />}
      </div>
      <h3 className="mb-1 text-md font-semibold">{t('deliveries')}</h3>
      <Deliveries id={webhook.id} />
      {dialog === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
      {dialog === 'replay' && <ReplayDialog webhook={webhook} onClose={close} />}
      <Confirm
        open={dialog === 'rotate'}
        onClose={close}
        title={t('rotate.title')}
        description={t('rotate.text')}
        action={t('rotate')}
        busy={rotate.isPending}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: (result) => {
              close()
              setSecret(result)
            },
          })
        }
      />
      <Confirm
        open={dialog === 'delete'}
        onClose={close}
        title={t('delete.title')}
        description={t('delete.text')}
        action={t('delete')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
      {secret && <SecretDialog secret={secret} isRotated onClose={() => setSecret(undefined)} />}
    </div>
  )
}
