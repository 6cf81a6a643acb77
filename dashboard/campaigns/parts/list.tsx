/** Lists campaigns, newest first, with their progress. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Broadcast } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { type CampaignFilter, campaignsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { formatRate } from './rates.ts'
import { Progress, type ShownState, StateBadge, stateOf } from './state.tsx'

const IN_PROGRESS: readonly ShownState[] = ['preparing', 'sending', 'comparing', 'paused']

const Row = ({ campaign, to, open }: { campaign: Broadcast; to: string; open: boolean }) => (
  <li>
    <Link
      to={to}
      search
      aria-current={open ? 'page' : undefined}
      className={classes(
        'flex flex-col gap-1.5 border-b px-4 py-2.5 focus-visible:-outline-offset-2',
        open ? 'bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <span className="flex items-center gap-2">
        <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
          {campaign.name}
        </span>
        <StateBadge campaign={campaign} />
      </span>
      {IN_PROGRESS.includes(stateOf(campaign)) && <Progress campaign={campaign} />}
      <span className="flex gap-2 text-xs text-ink-3">
        <span className="flex-1">
          {campaign.startedAt
            ? t('row.results', {
                sent: campaign.counts.sent,
                rate: formatRate(
                  campaign.counts.sent > 0 ? campaign.counts.read / campaign.counts.sent : null,
                ),
              })
            : t('row.audience', { count: campaign.audience.willSend })}
        </span>
        <Time at={campaign.startedAt ?? campaign.scheduledAt ?? campaign.createdAt} />
      </span>
    </Link>
  </li>
)

type Props = { filter: CampaignFilter; openId: string | undefined; listPath: string; create: ReactNode }

export function CampaignList({ filter, openId, listPath, create }: Props) {
  const query = useInfiniteQuery(campaignsQuery(filter))
  const campaigns = query.data?.pages.flatMap((page) => page.broadcasts) ?? []
  if (query.isPending) return <SkeletonRows tall />
  if (query.isLoadingError) return <Failed error={query.error} onRetry={() => void query.refetch()} />
  if (campaigns.length === 0) {
    const isFiltered = filter.search !== '' || filter.status !== 'all'
    return (
      <Empty
        icon={Megaphone}
        title={t(isFiltered ? 'empty.filtered' : 'empty')}
        action={isFiltered ? undefined : create}
      >
        {t(isFiltered ? 'empty.filtered.text' : 'empty.text')}
      </Empty>
    )
  }
  return (
    <>
      <ul aria-label={t('title')}>
        {campaigns.map((campaign) => (
          <Row
            key={campaign.id}
            campaign={campaign}
            to={`${listPath}/${campaign.id}`}
            open={campaign.id === openId}
          />
        ))}
      </ul>
      <LoadMore query={query} className="m-3">
        {t('more')}
      </LoadMore>
    </>
  )
}
