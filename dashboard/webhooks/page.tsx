/** Shows the webhook endpoints, and how their deliveries went. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { siteBase } from '../api/address.ts'
import { Button } from '../kit/button.tsx'
import { classes } from '../kit/classes.ts'
import { lazyComponent } from '../kit/lazy.tsx'
import { Panes } from '../kit/panes.tsx'
import { Empty, Failed, SkeletonRows } from '../kit/states.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { LIST_COMMANDS } from './commands.ts'
import { EndpointDetail } from './endpoint.tsx'
import { SecretDialog } from './parts/secret.tsx'
import { StateBadge } from './parts/state.tsx'
import { type Webhook, webhooksQuery } from './queries.ts'
import { t } from './texts.ts'

const EditWebhook = lazyComponent(() =>
  import('./parts/edit-webhook.tsx').then((module) => module.EditWebhook),
)

type RowProps = { webhook: Webhook; to: string; open: boolean }

const Row = ({ webhook, to, open }: RowProps) => (
  <li>
    <Link
      to={to}
      aria-current={open ? 'page' : undefined}
      className={classes(
        'flex flex-col gap-1 border-b px-4 py-2.5 focus-visible:-outline-offset-2',
        open ? 'bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <span dir="ltr" className="max-w-full self-start truncate font-mono text-sm">
        {webhook.url}
      </span>
      <span className="flex items-center gap-2 text-xs text-ink-3">
        <StateBadge state={webhook.state} />
        {webhook.events === null ? t('events.all') : t('events.count', { count: webhook.events.length })}
      </span>
    </Link>
  </li>
)

export default function WebhooksPage() {
  const { workspace, webhook: openId } = useParams({ strict: false }) as {
    workspace: string
    webhook?: string
  }
  const listPath = `/w/${workspace}/webhooks`
  const navigate = useNavigate()
  const { data: webhooks = [], isPending, isLoadingError, error, refetch } = useQuery(webhooksQuery)
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const open = webhooks.find(({ id }) => id === openId)
  useCommands(LIST_COMMANDS, { create: () => setCreating(true) }, { title: t })
  const create = (
    <Button variant="primary" icon={Plus} keys="c" onClick={() => setCreating(true)}>
      {t('create')}
    </Button>
  )
  return (
    <>
      <Panes
        title={t('title')}
        open={openId !== undefined}
        list={
          <>
            <header className="border-b p-4">
              <h1 className="text-lg font-semibold">{t('title')}</h1>
              <p className="mt-1 mb-3 text-sm text-ink-2">
                {t('description')}{' '}
                <a
                  href={`${siteBase()}docs`}
                  target="_blank"
                  rel="noopener"
                  className="text-accent underline"
                >
                  {t('reference')}
                </a>
              </p>
              {webhooks.length > 0 && create}
            </header>
            <div className="pane flex min-h-0 flex-1 flex-col">
              {isPending ? (
                <SkeletonRows />
              ) : isLoadingError ? (
                <Failed error={error} onRetry={() => void refetch()} />
              ) : webhooks.length === 0 ? (
                <Empty icon={WebhookIcon} title={t('empty')} action={create}>
                  {t('empty.text')}
                </Empty>
              ) : (
                <ul aria-label={t('list')}>
                  {webhooks.map((webhook) => (
                    <Row
                      key={webhook.id}
                      webhook={webhook}
                      to={`${listPath}/${webhook.id}`}
                      open={webhook.id === openId}
                    />
                  ))}
                </ul>
              )}
            </div>
          </>
        }
        detail={
          open ? (
            <EndpointDetail
              key={open.id}
              webhook={open}
              listPath={listPath}
              onGone={() => void navigate({ to: listPath })}
            />
          ) : openId && isPending ? (
            <SkeletonRows />
          ) : (
            <Empty icon={WebhookIcon} title={t(openId ? 'gone' : 'choose')} />
          )
        }
      />
      {isCreating && (
        <EditWebhook
          onClose={() => setCreating(false)}
          onCreated={(webhook, newSecret) => {
            setCreating(false)
            setSecret(newSecret)
            void navigate({ to: `${listPath}/${webhook.id}` })
          }}
        />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
