/** Shows the fields of a lead, editable in place. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Lead } from '../../../sdk/api.ts'
import { useTagColors } from '../../api/tags.ts'
import { Button } from '../../kit/button.tsx'
import { Fact, Panel } from '../../kit/facts.tsx'
import { InlineField } from '../../kit/inline-field.tsx'
import { formatMoney } from '../../kit/money.ts'
import { TagEditor } from '../../kit/tag-editor.tsx'
import { Time, useNow } from '../../kit/time.tsx'
import { formatDueIn, fromZoneInput, toZoneInput } from '../../kit/zone-times.tsx'
import { teamQuery } from '../../tasks/queries.ts'
import type { LeadPatch } from '../queries.ts'
import { t } from '../texts.ts'
import { RatingField } from './rating.tsx'
import { isHidden, nameOf } from './stage.tsx'

type Props = {
  lead: Lead
  workspace: string
  mayWrite: boolean
  /** The workspace's time zone. */
  zone: string
  /** Returns whether the change was saved. */
  onChange: (patch: LeadPatch) => Promise<boolean>
  onOwner: () => void
}

const TEXTS = [
  ['name', 'text', 200],
  ['email', 'email', 320],
  ['source', 'text', 120],
] as const

export function Fields({ lead, workspace, mayWrite, zone, onChange, onOwner }: Props) {
  const colors = useTagColors()
  const now = useNow()
  const { data: team = [] } = useQuery(teamQuery)
  const owner = team.find(({ id }) => id === lead.owner?.id)?.name ?? lead.owner?.name ?? t('noOwner')
  return (
    <Panel title={t('fields')}>
      <dl>
        <Fact label={t('field.phone')}>
          {isHidden(lead.phone) ? (
            <span dir="ltr" className="px-2">
              +{lead.phone}
            </span>
          ) : (
            <a
              dir="ltr"
              href={`tel:+${lead.phone}`}
              className="inline-flex min-h-6 items-center px-2 text-accent hover:underline pointer-coarse:min-h-11"
            >
              +{lead.phone}
            </a>
          )}
        </Fact>
        <Fact label={t('field.contact')}>
          <Link
            dir="auto"
            to={`/w/${workspace}/contacts/${lead.contactId}` as never}
            className="inline-flex min-h-6 max-w-full items-center px-2 text-accent hover:underline pointer-coarse:min-h-11"
          >
            <span className="truncate">{nameOf(lead)}</span>
          </Link>
        </Fact>
        {TEXTS.map(([field, type, maxLength]) => (
          <Fact key={field} label={t(`field.${field}`)}>
            <InlineField
              label={t(`field.${field}`)}
              type={type}
              maxLength={maxLength}
              disabled={!mayWrite || isHidden(lead[field])}
              placeholder="—"
              value={lead[field] ?? ''}
              onSave={(value) => onChange({ [field]: value.trim() || null })}
            />
          </Fact>
        ))}
        <Fact label={t('field.owner')}>
          <Button variant="ghost" size="sm" keys="a" disabled={!mayWrite} onClick={onOwner} className="px-2">
            {owner}
          </Button>
        </Fact>
        <Fact label={t('field.dealValue')}>
          <InlineField
            label={t('field.dealValue')}
            inputMode="decimal"
            type="number"
            disabled={!mayWrite}
            value={String(lead.dealValue)}
            shown={formatMoney(lead.dealValue)}
            onSave={(value) => onChange({ dealValue: Number(value) })}
          />
        </Fact>
        {lead.paidTotal > 0 && (
          <Fact label={t('field.paid')}>
            <span className="px-2 tabular-nums">{formatMoney(lead.paidTotal)}</span>
          </Fact>
        )}
        <Fact label={t('field.rating')}>
          <RatingField
            rating={lead.rating}
            disabled={!mayWrite}
            onChange={(rating) => onChange({ rating })}
          />
        </Fact>
        <Fact label={t('field.followUp')}>
          <InlineField
            label={t('field.followUp')}
            type="datetime-local"
            disabled={!mayWrite}
            value={lead.nextFollowUpAt ? toZoneInput(zone, lead.nextFollowUpAt) : ''}
            shown={lead.nextFollowUpAt ? formatDueIn(zone, lead.nextFollowUpAt, now) : '—'}
            onSave={(value) => onChange({ nextFollowUpAt: fromZoneInput(zone, value) ?? null })}
          />
        </Fact>
        {lead.lostReason && (
          <Fact label={t('field.lostReason')}>
            <span className="px-2">{lead.lostReason.label}</span>
          </Fact>
        )}
        {Object.entries(lead.attributes).map(([key, value]) => (
          <Fact key={key} label={key}>
            <InlineField
              label={key}
              disabled={!mayWrite || typeof value === 'object'}
              value={typeof value === 'string' ? value : JSON.stringify(value)}
              onSave={(text) => onChange({ attributes: { [key]: parseLike(value, text) } })}
            />
          </Fact>
        ))}
        <Fact label={t('field.created')}>
          <Time at={lead.createdAt} className="px-2" />
        </Fact>
        <Fact label={t('field.tags')}>
          <div className="py-1.5">
            <TagEditor
              colors={colors}
              tags={lead.tags}
              disabled={!mayWrite}
              onChange={(tags) => onChange({ tags })}
            />
          </div>
        </Fact>
      </dl>
    </Panel>
  )
}

/** Returns typed text as a number if the value was a number; an empty text removes the field. */
function parseLike(before: unknown, text: string): unknown {
  if (text.trim() === '') return null
  if (typeof before === 'number' && Number.isFinite(Number(text))) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
