/** Chooses the start time. */
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { t } from '../texts.ts'

const BEGINNINGS = ['now', 'later', 'draft'] as const
export type Timing = { begins: (typeof BEGINNINGS)[number]; at: string }

/** Returns a time as the value of a `datetime-local` input, in the reader's time zone. */
export function localTime(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

type Props = { timing: Timing; onChange: (timing: Timing) => void; error?: string | undefined }

export const TimeStep = ({ timing, onChange, error }: Props) => (
  <div className="flex max-w-md flex-col gap-4">
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
        hint={t('at.hint')}
        type="datetime-local"
        min={localTime(workspaceNow())}
        value={timing.at}
        error={error}
        onChange={(event) => onChange({ ...timing, at: (event.target as HTMLInputElement).value })}
      />
    )}
  </div>
)
