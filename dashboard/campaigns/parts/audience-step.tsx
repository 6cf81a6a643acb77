/** Chooses the recipients, and the sending number. */
import { useQuery } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import { createBroadcastLimits } from '../../../sdk/limits.ts'
import { numbersQuery } from '../../inbox/queries.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { segmentsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { summaryOf } from './audience-summary.ts'
import { ConditionFields, LiveCount } from './conditions.tsx'
import { definitionOf } from './conditions-shape.ts'
import { AUDIENCES, type Draft } from './plan.ts'

type Props = {
  draft: Draft
  onChange: (patch: Partial<Draft>) => void
  isTried: boolean
  onSaveSegment: () => void
}

export function AudienceStep({ draft, onChange, isTried, onSaveSegment }: Props) {
  const { data: numbers = [] } = useQuery(numbersQuery)
  const { data: segments = [] } = useQuery(segmentsQuery)
  const segment = segments.find(({ id }) => id === draft.segmentId)?.segment
  const definition = { filter: definitionOf(draft), segment, list: { contactIds: draft.contactIds ?? [] } }[
    draft.audience
  ]
  const audiences = AUDIENCES.filter(
    (audience) => audience === 'filter' || (audience === 'segment' ? segments.length > 0 : draft.contactIds),
  )
  return (
    <div className="flex max-w-xl flex-col gap-5">
      <TextField
        label={t('name')}
        hint={t('name.hint')}
        autoFocus
        maxLength={createBroadcastLimits.name.maxLength}
        value={draft.name}
        error={isTried && !draft.name.trim() ? t('name.required') : undefined}
        onChange={(event) => onChange({ name: (event.target as HTMLInputElement).value })}
      />
      {numbers.length > 1 && (
        <SelectField
          label={t('number')}
          value={draft.phoneNumberId ?? null}
          onChange={(phoneNumberId) => onChange({ phoneNumberId })}
          error={isTried && !draft.phoneNumberId ? t('number.required') : undefined}
          choices={numbers.map((number) => ({
            value: number.id,
            label: `${number.displayName} · ${number.number}`,
          }))}
        />
      )}
      {audiences.length > 1 && (
        <SelectField
          label={t('audience')}
          value={draft.audience}
          onChange={(audience) => onChange({ audience })}
          choices={audiences.map((value) => ({ value, label: t(`audience.${value}`) }))}
        />
      )}
      {draft.audience === 'segment' ? (
        <SelectField
          label={t('segment')}
          hint={segment && summaryOf(segment)}
          value={draft.segmentId ?? null}
          onChange={(segmentId) => onChange({ segmentId })}
          error={isTried && !draft.segmentId ? t('segment.required') : undefined}
          choices={segments.map(({ id, name, segment }) => ({
            value: id,
            label: name,
            hint: summaryOf(segment),
          }))}
        />
      ) : (
        draft.audience === 'filter' && <ConditionFields conditions={draft} onChange={onChange} />
      )}
      {definition && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <LiveCount definition={definition} />
          {draft.audience === 'filter' && Object.keys(definition).length > 0 && (
            <Button icon={Save} onClick={onSaveSegment}>
              {t('segment.save')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
