/** Chooses the start time, in the time zone of the workspace, and sums up the campaign. */
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { toZoneInput } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'

const BEGINNINGS = ['now', 'later', 'draft'] as const
/** `at`: the value of a `datetime-local` input, in the time zone of the workspace. */
export type Timing = { begins: (typeof BEGINNINGS)[number]; at: string }

type Props = {
  timing: Timing
  zone: string
  onChange: (timing: Timing) => void
  error?: string | undefined
  /** The template, the recipients, and the number, in one sentence; and the expected cost. */
  summary: string
}

export const TimeStep = ({ timing, zone, onChange, error, summary }: Props) => (
  <div className="flex max-w-md flex-col gap-4">
    <p role="status" className="text-ink-2">
      {summary}
    </p>
    <SelectField
      label={t('begins')}
      hint={t(`begins.${timing.begins}.hint`)}
      value={timing.begins}
      onChange={(begins) => onChange({ ...timing, begins })}
      choices={BEGINNINGS.map((value) => ({ value, label: t(`begins.${value}`) }))}
    />
    {timing.begins === 'later' && (
      <TextField
        label={t('at')}
        hint={t('calendar.move.zone', { zone })}
        type="datetime-local"
        min={toZoneInput(zone, workspaceNow())}
        value={timing.at}
        error={error}
        onChange={(event) => onChange({ ...timing, at: (event.target as HTMLInputElement).value })}
      />
    )}
  </div>
)
