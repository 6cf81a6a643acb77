/** Chooses the recipients, and the sending number. */
import { useQuery } from '@tanstack/react-query'
import { createBroadcastLimits } from '../../../sdk/limits.ts'
import { numbersQuery } from '../../inbox/queries.ts'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { segmentsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { AUDIENCES, type Draft, OPT_INS } from './plan.ts'
import { TagField } from './tag-field.tsx'

type Props = { draft: Draft; onChange: (patch: Partial<Draft>) => void; isTried: boolean }

export function AudienceStep({ draft, onChange, isTried }: Props) {
  const { data: numbers = [] } = useQuery(numbersQuery)
  const { data: segments = [] } = useQuery(segmentsQuery)
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
      {segments.length > 0 && (
        <SelectField
          label={t('audience')}
          value={draft.audience}
          onChange={(audience) => onChange({ audience })}
          choices={AUDIENCES.map((value) => ({ value, label: t(`audience.${value}`) }))}
        />
      )}
      {draft.audience === 'segment' ? (
        <SelectField
          label={t('segment')}
          value={draft.segmentId ?? null}
          onChange={(segmentId) => onChange({ segmentId })}
          error={isTried && !draft.segmentId ? t('segment.required') : undefined}
          choices={segments.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : (
        <>
          <TagField label={t('tags.any')} tags={draft.tags} onChange={(tags) => onChange({ tags })} />
          <TagField
            label={t('tags.none')}
            tags={draft.excludeTags}
            onChange={(excludeTags) => onChange({ excludeTags })}
          />
          <SelectField
            label={t('optIn')}
            value={draft.optIn}
            onChange={(optIn) => onChange({ optIn })}
            choices={OPT_INS.map((value) => ({ value, label: t(`optIn.${value}`) }))}
          />
          <TextField
            label={t('seen')}
            hint={t('seen.hint')}
            type="number"
            min={1}
            max={3650}
            value={draft.seenDays}
            onChange={(event) => onChange({ seenDays: (event.target as HTMLInputElement).value })}
          />
        </>
      )}
    </div>
  )
}
