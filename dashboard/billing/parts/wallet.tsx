import { useInfiniteQuery } from '@tanstack/react-query'
import type { WalletEntry } from '../../../sdk/api.ts'
import { Figure } from '../../kit/figure.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { Section } from '../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { formatMinor } from '../../sales/parts/money.ts'
import { walletQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CommandNote } from './command-note.tsx'

const columnsOf = (currency: string): Column<WalletEntry>[] => [
  { id: 'kind', title: t('entry.kind'), cell: ({ kind }) => t(`entry.${kind}`) },
  {
    id: 'description',
    title: t('entry.description'),
    hideBelow: 'sm',
    cell: ({ description, reference }) => (
      <span className="flex flex-col">
        <span className="break-words">{description}</span>
        {reference && <span className="text-sm text-ink-3">{reference}</span>}
      </span>
    ),
  },
  { id: 'at', title: t('entry.at'), cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'amount',
    title: t('entry.amount'),
    end: true,
    cell: ({ amountMinor }) => formatMinor(amountMinor, currency),
  },
  {
    id: 'balance',
    title: t('entry.balance'),
    end: true,
    cell: ({ balanceAfterMinor }) => formatMinor(balanceAfterMinor, currency),
  },
]

/** Explains the state of the wallet, and who can change it. */
function Note({ enabled, isEmpty, workspace }: { enabled: boolean; isEmpty: boolean; workspace: string }) {
  if (!enabled)
    return <CommandNote command={t('wallet.off.command', { workspace })}>{t('wallet.off')}</CommandNote>
  return (
    <CommandNote kind={isEmpty ? 'warn' : 'info'} command={t('wallet.credit.command', { workspace })}>
      {t(isEmpty ? 'wallet.empty' : 'wallet.credit')}
    </CommandNote>
  )
}

/** Shows the prepaid balance and its transactions. */
export function WalletPart({ workspace }: { workspace: string }) {
  const query = useInfiniteQuery(walletQuery)
  const [wallet] = query.data?.pages ?? []
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Section title={t('wallet')} description={t('wallet.text')}>
      {query.isPending ? (
        <SkeletonRows rows={3} />
      ) : wallet === undefined ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className="flex flex-col gap-4">
          {(wallet.enabled || entries.length > 0) && (
            <dl className="flex flex-wrap gap-3">
              <Figure name={t('wallet.balance')} value={wallet.balance} />
            </dl>
          )}
          <Note enabled={wallet.enabled} isEmpty={wallet.balanceMinor <= 0} workspace={workspace} />
          {entries.length > 0 && (
            <Table
              label={t('wallet.entries')}
              rows={entries}
              keyOf={({ id }) => id}
              columns={columnsOf(wallet.currency)}
            />
          )}
          {entries.length === 0 && wallet.enabled && (
            <p className="rounded-lg border bg-surface-2 px-4 py-6 text-center text-ink-2">
              {t('wallet.entries.none')}
            </p>
          )}
          <LoadMore query={query} className="self-start">
            {t('more')}
          </LoadMore>
        </div>
      )}
    </Section>
  )
}
