/** Lists existing and possible integrations by purpose. */
import { Link } from '@tanstack/react-router'
import type { Integration } from '../../../sdk/api.ts'
import { Section } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import type { Kind } from '../queries.ts'
import { t } from '../texts.ts'
import { ICONS, Status } from './status.tsx'

const KINDS: readonly Kind[] = ['store', 'gateway', 'network', 'assistant']

type Props = { integrations: readonly Integration[]; workspace: string; isSandbox: boolean }

function Card({
  integration,
  workspace,
  isSandbox,
}: { integration: Integration } & Omit<Props, 'integrations'>) {
  const Icon = ICONS[integration.name]
  const name = t(`name.${integration.name}`)
  return (
    <li>
      <Link
        to={`/w/${workspace}/integrations/${integration.name}` as string}
        data-card
        className="flex h-full gap-3 rounded-lg border bg-surface-1 p-4 hover:border-edge hover:bg-surface-2"
      >
        <span className="flex size-10 shrink-0 items-center justify-center rounded-md bg-surface-3 text-ink-2">
          <Icon aria-hidden size={20} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center justify-between gap-2">
            <span className="font-semibold">{name}</span>
            <Status integration={integration} isSandbox={isSandbox} />
          </span>
          <span className="mt-1 block text-sm text-ink-2">{t(`text.${integration.name}`)}</span>
          {integration.accountName && (
            <span className="mt-1 block text-sm">
              {t('photo.connected', { name: integration.accountName })}
            </span>
          )}
          {integration.lastError ? (
            <span className="mt-2 line-clamp-2 block text-sm text-bad">
              {t('error', { error: integration.lastError })}
            </span>
          ) : (
            integration.status !== 'off' &&
            integration.kind === 'store' && (
              <span className="mt-2 block text-sm text-ink-3">
                {integration.lastEventAt ? (
                  <>
                    {t('event.last')} <Time at={integration.lastEventAt} />
                  </>
                ) : (
                  t('event.none')
                )}
              </span>
            )
          )}
        </span>
      </Link>
    </li>
  )
}

/** Connected integrations first; in a sandbox, that is the simulated shop. */
export const Cards = ({ integrations, ...rest }: Props) =>
  KINDS.map((kind) => (
    <Section key={kind} title={t(`kind.${kind}`)} description={t(`kind.${kind}.text`)}>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {integrations
          .filter((integration) => integration.kind === kind)
          .toSorted((a, b) => Number(a.status === 'off') - Number(b.status === 'off'))
          .map((integration) => (
            <Card key={integration.name} integration={integration} {...rest} />
          ))}
      </ul>
    </Section>
  ))
