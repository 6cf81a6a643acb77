/** Shows what a campaign sends: its templates, its audience, its number, and its times. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Broadcast } from '../../../sdk/api.ts'
import { numbersQuery } from '../../inbox/queries.ts'
import { useNow } from '../../kit/time.tsx'
import { formatDueIn } from '../../kit/zone-times.tsx'
import { campaignQuery, segmentsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { savedSegmentOf, summaryOf } from './audience-summary.ts'
import type { Definition } from './conditions-shape.ts'

const LINK = 'text-accent underline hover:no-underline'

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-w-0 flex-col">
    <dt className="text-sm text-ink-3">{label}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
)

/** Returns the templates of a campaign, with the names of the variants that it compares. */
const templatesOf = ({ templateId, templateName, test }: Broadcast) =>
  test
    ? test.variants.map((variant) => ({
        id: variant.templateId,
        name: t('variant.of', { name: variant.name, template: variant.templateName }),
      }))
    : [{ id: templateId, name: templateName }]

/** Returns the time of its last change, or of its next step. */
function momentOf({ status, scheduledAt, startedAt, cancelledAt }: Broadcast) {
  if (status === 'scheduled' && scheduledAt) return { label: t('about.starts'), at: scheduledAt }
  if (cancelledAt) return { label: t('about.canceled'), at: cancelledAt }
  return startedAt ? { label: t('about.started'), at: startedAt } : undefined
}

type Props = { campaign: Broadcast; listPath: string; zone: string }

export function About({ campaign, listPath, zone }: Props) {
  const now = useNow()
  const { data: numbers = [] } = useQuery(numbersQuery)
  const { data: segments = [] } = useQuery(segmentsQuery)
  const { data: original } = useQuery({
    ...campaignQuery(campaign.followUpOf ?? ''),
    enabled: campaign.followUpOf !== null,
  })
  const saved = savedSegmentOf(campaign, segments)
  const number = numbers.length > 1 && numbers.find(({ id }) => id === campaign.phoneNumberId)
  const moment = momentOf(campaign)
  const templatesPath = listPath.replace(/campaigns$/, 'templates')
  return (
    <dl aria-label={t('about')} className="grid gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
      {moment && (
        <Fact label={moment.label}>{t('about.time', { time: formatDueIn(zone, moment.at, now), zone })}</Fact>
      )}
      <Fact label={t('audience')}>
        <span dir="auto">
          {saved && `${saved.name}: `}
          {summaryOf(campaign.segment as Definition)}
          {campaign.knownOnly && ` · ${t('about.knownOnly')}`}
        </span>
      </Fact>
      <Fact label={t('template')}>
        <span className="flex flex-wrap gap-x-3">
          {templatesOf(campaign).map(({ id, name }) => (
            <Link key={id} to={`${templatesPath}/${id}` as string} className={LINK}>
              {name}
            </Link>
          ))}
        </span>
      </Fact>
      {number && (
        <Fact label={t('number')}>
          {number.displayName} · <bdi>{number.number}</bdi>
        </Fact>
      )}
      {original && (
        <Fact label={t('followUp.of')}>
          <Link to={`${listPath}/${original.id}` as string} dir="auto" className={LINK}>
            {original.name}
          </Link>
        </Fact>
      )}
    </dl>
  )
}
