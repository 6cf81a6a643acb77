import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../kit/select.tsx'
import { approvedTemplatesQuery } from '../../sales/queries.ts'
import { t } from '../texts.ts'

const NONE = 'none'

type Props = {
  value: string | null
  onChange: (id: string | null) => void
  error: string | undefined
  disabled?: boolean
}

/** Chooses the approved template for requests while the window is closed, or none. */
export function TemplateField({ value, onChange, error, disabled }: Props) {
  const { data: templates } = useQuery(approvedTemplatesQuery)
  const isOther = value !== null && templates?.every(({ id }) => id !== value)
  return (
    <SelectField
      label={t('template')}
      hint={t('template.hint')}
      error={error}
      disabled={disabled}
      value={value ?? NONE}
      onChange={(next) => onChange(next === NONE ? null : next)}
      choices={[
        { value: NONE, label: t('template.none') },
        ...(templates ?? []).map(({ id, name, language }) => ({ value: id, label: `${name} · ${language}` })),
        ...(isOther ? [{ value, label: t('template.other') }] : []),
      ]}
    />
  )
}
