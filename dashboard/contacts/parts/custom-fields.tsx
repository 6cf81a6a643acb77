/** Edits the custom fields of a contact. */
import { useQuery } from '@tanstack/react-query'
import type { Contact, ContactField } from '../../../sdk/api.ts'
import { fieldsQuery } from '../../inbox/queries.ts'
import { Fact, Panel } from '../../kit/facts.tsx'
import { InlineField } from '../../kit/inline-field.tsx'
import { Select } from '../../kit/select.tsx'
import type { ContactPatch } from '../queries.ts'
import { t } from '../texts.ts'

/** Returns whether the change was saved. */
export type ChangeContact = (patch: ContactPatch) => Promise<boolean>

type Props = { contact: Contact; mayWrite: boolean; onChange: ChangeContact }
type ValueProps = {
  label: string
  type: ContactField['type']
  options: readonly string[]
  value: unknown
  mayWrite: boolean
  onSave: (value: unknown) => Promise<boolean>
}

const NOTHING = ''
const INPUTS = { text: 'text', number: 'number', date: 'date' } as const
const formatValue = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

function Value({ label, type, options, value, mayWrite, onSave }: ValueProps) {
  if (type === 'boolean' || type === 'select') {
    const choices =
      type === 'boolean'
        ? [
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ]
        : options.map((option) => ({ value: option, label: option }))
    return (
      <Select
        quiet
        name={label}
        disabled={!mayWrite}
        value={formatValue(value)}
        onChange={(text) => onSave(text === NOTHING ? null : type === 'boolean' ? text === 'true' : text)}
        choices={[{ value: NOTHING, label: t('noValue') }, ...choices]}
      />
    )
  }
  return (
    <InlineField
      label={label}
      type={INPUTS[type]}
      placeholder={t('noValue')}
      disabled={!mayWrite || (typeof value === 'object' && value !== null)}
      value={formatValue(value)}
      onSave={(text) => onSave(text.trim() === '' ? null : type === 'number' ? Number(text) : text)}
    />
  )
}

export function CustomFields({ contact, mayWrite, onChange }: Props) {
  const { data: definitions = [] } = useQuery(fieldsQuery)
  const others = Object.keys(contact.attributes).filter(
    (key) => !definitions.some((field) => field.key === key),
  )
  if (definitions.length + others.length === 0) return null
  const rows = [
    ...definitions.map(({ key, label, type, options }) => ({ key, label, type, options: options ?? [] })),
    ...others.map((key) => ({
      key,
      label: key,
      type: typeof contact.attributes[key] === 'number' ? ('number' as const) : ('text' as const),
      options: [],
    })),
  ]
  return (
    <Panel title={t('fields')}>
      <dl>
        {rows.map(({ key, ...row }) => (
          <Fact key={key} label={row.label}>
            <Value
              {...row}
              value={contact.attributes[key]}
              mayWrite={mayWrite}
              onSave={(value) => onChange({ attributes: { [key]: value } })}
            />
          </Fact>
        ))}
      </dl>
    </Panel>
  )
}
