/** The time in which an answer is valid: its fields, and its badge. */
import { useParams } from '@tanstack/react-router'
import { useWorkspaceSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { TextField } from '../../kit/field.tsx'
import { useNow } from '../../kit/time.tsx'
import { formatShortDay, localOf } from '../../kit/zone.ts'
import { fromZoneInput, toZoneInput } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'

export type Validity = { validFrom?: string | null | undefined; validUntil?: string | null | undefined }

const useZone = (): string => {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  return useWorkspaceSession(workspace).workspace.timezone
}

type FieldsProps = {
  value: Validity
  onChange: (value: Validity) => void
  errors: { validFrom?: string | undefined; validUntil?: string | undefined }
}

/** Edits both ends, in the time zone of the workspace. */
export function ValidityFields({ value, onChange, errors }: FieldsProps) {
  const zone = useZone()
  const field = (name: keyof Validity) => ({
    type: 'datetime-local',
    label: t(`form.${name}`),
    hint: t('form.validity.hint', { zone }),
    value: value[name] ? toZoneInput(zone, value[name]) : '',
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...value, [name]: fromZoneInput(zone, event.currentTarget.value) ?? null }),
  })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField {...field('validFrom')} />
      <TextField {...field('validUntil')} />
    </div>
  )
}

/** Shows when the answer starts, ends, or has ended; nothing without a time. */
export function ValidityBadge({ validFrom, validUntil }: Validity) {
  const zone = useZone()
  const now = useNow()
  const day = (time: string) => formatShortDay(localOf(zone, time).day)
  if (validUntil && Date.parse(validUntil) <= now) return <Badge>{t('badge.ended')}</Badge>
  if (validFrom && Date.parse(validFrom) > now)
    return <Badge tone="note">{t('badge.starts', { day: day(validFrom) })}</Badge>
  return validUntil ? <Badge tone="accent">{t('badge.ends', { day: day(validUntil) })}</Badge> : null
}
