import { Link, useNavigate } from '@tanstack/react-router'
import { CalendarClock, Ellipsis, MessageCircle, UserRound } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import type { Lead } from '../../../sdk/api.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { useTagColors } from '../../api/tags.ts'
import { Avatar } from '../../kit/avatar.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { TagBadge } from '../../kit/color-mark.tsx'
import { makeDraggable } from '../../kit/draggable.ts'
import { Menu } from '../../kit/menu.tsx'
import { formatMoney } from '../../kit/money.ts'
import { ZoneDue } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { entriesOfLead, type LeadActions } from './lead-actions.ts'
import { Rating } from './rating.tsx'
import { nameOf } from './stage.tsx'
import { StageTime } from './stage-time.tsx'

const MAX_TAGS = 3

type Props = LeadActions & {
  lead: Lead
  workspace: string
  mayWrite: boolean
  current: boolean
  /** Undoes the change that made the lead leave the list; undefined for a lead in the list. */
  undo: (() => void) | undefined
}

/** Makes the card draggable. */
function useDraggable(lead: Lead, isOn: boolean) {
  const card = useRef<HTMLElement>(null)
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    if (!isOn || !card.current) return
    return makeDraggable({
      element: card.current,
      getInitialData: () => ({ lead }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [lead, isOn])
  return { card, isDragged }
}

/** A lead on the board. */
export const LeadCard = memo(function LeadCard({
  lead,
  workspace,
  mayWrite,
  current,
  undo,
  onQuestion,
  onClose,
}: Props) {
  const colors = useTagColors()
  const { timezone } = useWorkspaceSession(workspace).workspace
  const { card, isDragged } = useDraggable(lead, mayWrite && !undo)
  const navigate = useNavigate()
  const name = nameOf(lead)
  const { conversationId } = lead
  return (
    <article
      ref={card}
      data-lead={lead.id}
      aria-label={name}
      className={classes(
        'relative flex flex-col gap-1.5 rounded-md border bg-surface-1 p-2.5 hover:border-edge',
        current && 'border-accent outline-1 outline-accent',
        undo && 'border-dashed bg-transparent text-ink-2',
        isDragged && 'opacity-40',
      )}
    >
      <div className="flex items-start gap-1">
        <Link
          to={`/w/${workspace}/leads/${lead.id}` as never}
          draggable={false}
          // The whole card is its link, except the buttons on top of it.
          className="min-w-0 flex-1 py-0.5 font-medium after:absolute after:inset-0 after:rounded-md focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          <span dir="auto" className="line-clamp-2 w-fit">
            {name}
          </span>
        </Link>
        {conversationId && (
          <IconButton
            icon={MessageCircle}
            size="sm"
            label={t('card.chat', { name })}
            onClick={() => void navigate({ to: `/w/${workspace}/inbox/${conversationId}` } as never)}
            className="relative pointer-coarse:-my-2.5"
          />
        )}
        {mayWrite && !undo && (
          <Menu
            align="end"
            trigger={
              <IconButton
                icon={Ellipsis}
                size="sm"
                label={t('card.more', { name })}
                className="relative pointer-coarse:-my-2.5 pointer-coarse:-me-2.5"
              />
            }
            entries={entriesOfLead(lead, { onQuestion, onClose })}
          />
        )}
      </div>
      {lead.name && (
        <span dir="ltr" className="self-start text-sm text-ink-3">
          +{lead.phone}
        </span>
      )}
      {(lead.dealValue > 0 || lead.rating > 0) && (
        <div className="flex items-center gap-2">
          {lead.dealValue > 0 && <span className="tabular-nums">{formatMoney(lead.dealValue)}</span>}
          <Rating rating={lead.rating} />
        </div>
      )}
      {lead.lostReason && <span className="text-sm text-ink-2">{lead.lostReason.label}</span>}
      {lead.tags.length > 0 && (
        <div className="flex flex-wrap gap-1">
          {lead.tags.slice(0, MAX_TAGS).map((tag) => (
            <TagBadge key={tag} name={tag} color={colors.get(tag)} />
          ))}
          {lead.tags.length > MAX_TAGS && (
            <Badge>
              <bdi dir="ltr">+{lead.tags.length - MAX_TAGS}</bdi>
            </Badge>
          )}
        </div>
      )}
      <div className="flex items-center gap-1.5 text-sm text-ink-2">
        {lead.owner ? (
          <>
            <Avatar name={lead.owner.name} size="sm" />
            <span className="min-w-0 flex-1 truncate">{lead.owner.name}</span>
          </>
        ) : (
          <>
            <UserRound aria-hidden size={14} className="text-ink-3" />
            <span className="min-w-0 flex-1 truncate text-ink-3">{t('noOwner')}</span>
          </>
        )}
        <StageTime lead={lead} className="relative" />
      </div>
      {lead.nextFollowUpAt && (
        <p className="flex items-center gap-1.5 text-sm text-ink-2">
          <CalendarClock aria-hidden size={14} className="shrink-0 text-ink-3" />
          <span className="sr-only">{t('field.followUp')}</span>
          <ZoneDue at={lead.nextFollowUpAt} zone={timezone} className="relative" />
        </p>
      )}
      {undo && (
        <div className="flex items-center gap-2 border-t pt-1.5 text-sm">
          <span className="flex-1">{t('card.gone')}</span>
          <Button size="sm" onClick={undo} className="relative">
            {t('undo')}
          </Button>
        </div>
      )}
    </article>
  )
})
