/** Starts the plan of a campaign: empty, from a template, or from another campaign. */
import { useQuery } from '@tanstack/react-query'
import { approvedTemplatesQuery } from '../inbox/queries.ts'
import { Callout } from '../kit/callout.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { draftFrom, type Origin } from './parts/draft-from.ts'
import { emptyDraft } from './parts/plan.ts'
import {
  campaignQuery,
  MAX_LISTED,
  type RecipientFilter,
  recipientIdsQuery,
  segmentsQuery,
} from './queries.ts'
import { t } from './texts.ts'
import { WizardForm } from './wizard-form.tsx'

type Start = {
  id: string
  kind: Origin['kind'] | 'template'
  /** Only the recipients of a followed up campaign that match. */
  filter?: RecipientFilter | undefined
}
type Props = {
  /** The campaign to copy or follow up, or the template to send. */
  from?: Start | undefined
  /** The time zone of the workspace. */
  zone: string
  onMade: (id: string) => void
}

/** Waits for what the draft is made of. */
export function Wizard({ from, ...rest }: Props) {
  const isCampaign = from !== undefined && from.kind !== 'template'
  const campaign = useQuery({ ...campaignQuery(from?.id ?? ''), enabled: isCampaign })
  const { data: templates, isError: noTemplates } = useQuery({
    ...approvedTemplatesQuery,
    enabled: from !== undefined,
  })
  const filter = from?.filter
  const recipients = useQuery({
    ...recipientIdsQuery(from?.id ?? '', filter ?? {}),
    enabled: filter !== undefined,
  })
  const { data: segments, isError: noSegments } = useQuery({ ...segmentsQuery, enabled: isCampaign })
  if (!from) return <WizardForm start={emptyDraft()} {...rest} />
  const isWaiting =
    (!templates && !noTemplates) ||
    (isCampaign && ((!segments && !noSegments) || (!campaign.data && !campaign.isError))) ||
    recipients.isLoading
  if (isWaiting) return <SkeletonRows />
  const known = { templates: templates ?? [], segments: segments ?? [] }
  if (from.kind === 'template') {
    const template = known.templates.find(({ id }) => id === from.id)
    return <WizardForm start={{ ...emptyDraft(), template }} {...rest} />
  }
  if (!campaign.data) return <WizardForm start={emptyDraft()} {...rest} />
  // Without a filter, nothing is read, but an earlier list may be in the cache.
  const ids = filter && recipients.data
  const isTooMany = ids !== undefined && ids.length > MAX_LISTED
  const origin = { campaign: campaign.data, kind: from.kind, contactIds: isTooMany ? undefined : ids }
  return (
    <>
      {isTooMany && (
        <div className="mb-4 max-w-xl">
          <Callout kind="warn">{t('followUp.tooMany', { count: MAX_LISTED })}</Callout>
        </div>
      )}
      <WizardForm start={draftFrom(origin, known)} origin={origin} {...rest} />
    </>
  )
}
