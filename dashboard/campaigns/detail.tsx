/** Shows one campaign: its progress, its recipients with their results, and its controls. */
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Copy, Forward, type LucideIcon, Pause, Play, X } from 'lucide-react'
import { useState } from 'react'
import type { Broadcast } from '../../sdk/api.ts'
import { ServerText } from '../api/server-text.tsx'
import { BackToList } from '../kit/back-link.tsx'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { lazyComponent } from '../kit/lazy.tsx'
import { Failed, SkeletonRows } from '../kit/states.tsx'
import { workspaceNow } from '../kit/time.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { CAMPAIGN_COMMANDS } from './commands.ts'
import { About } from './parts/about.tsx'
import { Recipients } from './parts/recipients.tsx'
import { Results } from './parts/results.tsx'
import { actionsOf, type CampaignAction, Progress, StateBadge, stateOf, toSendOf } from './parts/state.tsx'
import { campaignQuery, type RecipientFilter } from './queries.ts'
import { t } from './texts.ts'
import { useCampaign } from './use-campaign.ts'

const Variants = lazyComponent(() => import('./parts/variants.tsx').then((module) => module.Variants))
const Message = lazyComponent(() => import('./parts/message.tsx').then((module) => module.Message))
const MoveCampaign = lazyComponent(() =>
  import('./parts/move-campaign.tsx').then((module) => module.MoveCampaign),
)
const HOUR_MS = 3_600_000
const ICONS: Record<CampaignAction, LucideIcon> = { start: Play, pause: Pause, resume: Play, cancel: X }
/** The progress of the sending. The response shows what became of the messages sent. */
const figuresOf = (campaign: Broadcast) => {
  const { recipients, sent, skipped } = campaign.counts
  return { recipients, toSend: toSendOf(campaign), sent, skipped }
}

const Counts = ({ campaign }: { campaign: Broadcast }) => (
  <dl aria-label={t('counts')} className="grid grid-cols-2 gap-3 sm:grid-cols-4">
    {Object.entries(figuresOf(campaign)).map(([name, value]) => (
      <div key={name} className="rounded-lg border px-3 py-2">
        <dt className="text-sm text-ink-2">{t(`count.${name as keyof ReturnType<typeof figuresOf>}`)}</dt>
        <dd className="text-lg font-semibold tabular-nums">{t('figure', { value })}</dd>
      </div>
    ))}
  </dl>
)

type Props = {
  id: string
  listPath: string
  mayWrite: boolean
  /** The time zone of the workspace. */
  zone: string
  /** `filter`: only the recipients that match. */
  onFollowUp: (filter?: RecipientFilter) => void
  onCopy: () => void
}

export function CampaignDetail({ id, listPath, mayWrite, zone, onFollowUp, onCopy }: Props) {
  const { data: campaign, isLoadingError, error, refetch } = useQuery(campaignQuery(id))
  const [isCanceling, setCanceling] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const [isMessageShown, setMessageShown] = useState(false)
  const steer = useCampaign(id)
  const can = (steering: CampaignAction): boolean =>
    mayWrite && campaign !== undefined && actionsOf(campaign).includes(steering)
  const run = (steering: CampaignAction) =>
    steering === 'cancel' ? setCanceling(true) : steer.mutate(steering)
  useCommands(CAMPAIGN_COMMANDS, { can, run, copy: mayWrite && campaign ? onCopy : undefined }, { title: t })
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (!campaign) return <SkeletonRows />
  const state = stateOf(campaign)
  const isOver = state === 'sent' || state === 'notSent'
  const isPlanned = state === 'draft' || state === 'scheduled'
  const steeringButtons = (mayWrite ? actionsOf(campaign) : []).map((steering) => (
    <Button
      key={steering}
      icon={ICONS[steering]}
      variant={steering === 'start' || steering === 'resume' ? 'primary' : 'secondary'}
      busy={steer.isPending && steer.variables === steering}
      onClick={() => run(steering)}
    >
      {t(steering)}
    </Button>
  ))
  return (
    <div className="pane min-h-0 flex-1 p-4 sm:p-6">
      <header className="mb-5 flex flex-wrap items-start gap-3">
        <BackToList to={listPath} search label={t('back')} />
        <div className="min-w-48 flex-1">
          <h2 dir="auto" className="text-md font-semibold">
            {campaign.name}
          </h2>
          <p className="mt-1">
            <StateBadge campaign={campaign} />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {steeringButtons.filter(({ key }) => key !== 'cancel')}
          {mayWrite && isPlanned && (
            <Button icon={CalendarClock} onClick={() => setMoving(true)}>
              {t(state === 'draft' ? 'schedule' : 'calendar.moveTo')}
            </Button>
          )}
          {mayWrite && isOver && (
            <Button icon={Forward} onClick={() => onFollowUp()}>
              {t('followUp')}
            </Button>
          )}
          {mayWrite && (
            <Button icon={Copy} onClick={onCopy}>
              {t('copy')}
            </Button>
          )}
          {steeringButtons.filter(({ key }) => key === 'cancel')}
        </div>
      </header>
      <div className="mb-6 flex flex-col gap-3">
        <About campaign={campaign} listPath={listPath} zone={zone} />
        {!isPlanned && (
          <Button
            size="sm"
            variant="ghost"
            className="-ms-2 self-start"
            aria-expanded={isMessageShown}
            onClick={() => setMessageShown(!isMessageShown)}
          >
            {t(isMessageShown ? 'message.hide' : 'message.show')}
          </Button>
        )}
        {!isPlanned && isMessageShown && <Message campaign={campaign} />}
        {!isPlanned && !isOver && (
          <div className="flex items-center gap-3">
            <div className="flex-1">
              <Progress campaign={campaign} />
            </div>
            <span aria-hidden className="text-sm text-ink-2 tabular-nums">
              {t('progress.done', { percent: campaign.progress })}
            </span>
          </div>
        )}
        {campaign.pausedReason && (
          <Callout kind="warn">
            <ServerText>{campaign.pausedReason}</ServerText>
          </Callout>
        )}
        {campaign.counts.waiting > 0 && (
          <Callout>{t('waiting.text', { count: campaign.counts.waiting })}</Callout>
        )}
        {isPlanned ? (
          <p className="text-ink-2">{t('planned.text', { count: campaign.audience.willSend })}</p>
        ) : (
          <Counts campaign={campaign} />
        )}
        {isPlanned && <Message campaign={campaign} />}
      </div>
      {campaign.test && <Variants campaign={campaign} test={campaign.test} zone={zone} mayWrite={mayWrite} />}
      {campaign.counts.queued > 0 && <Results campaign={campaign} />}
      {!isPlanned && (
        <Recipients campaign={campaign} onFollowUp={mayWrite && isOver ? onFollowUp : undefined} />
      )}
      {isMoving && (
        <MoveCampaign
          campaign={campaign}
          zone={zone}
          to={campaign.scheduledAt ?? new Date(workspaceNow() + HOUR_MS).toISOString()}
          onClose={() => setMoving(false)}
        />
      )}
      <Confirm
        open={isCanceling}
        onClose={() => setCanceling(false)}
        title={t('cancel.title', { name: campaign.name })}
        description={t('cancel.text')}
        action={t('cancel')}
        danger
        busy={steer.isPending}
        onConfirm={() => steer.mutate('cancel', { onSettled: () => setCanceling(false) })}
      />
    </div>
  )
}
