/** Fills the values of a template: with a text for all customers, or from a field of each. */
import { useQuery } from '@tanstack/react-query'
import type { Template } from '../../../sdk/api.ts'
import { fieldsOf, type TemplateField } from '../../inbox/parts/template-fields.ts'
import { fieldsQuery } from '../../inbox/queries.ts'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { FileOrLink } from '../../templates/parts/file-or-link.tsx'
import { t } from '../texts.ts'
import { type Content, canBePersonal, type Source } from './plan.ts'

const TEXT = 'text'
const FALLBACK_MAX = 200

/** Returns the fields of contacts that can fill a value: the name, the number, and custom fields. */
export function useFieldChoices(): { value: string; label: string }[] {
  const { data: fields = [] } = useQuery(fieldsQuery)
  return [
    { value: 'contact.name', label: t('source.name') },
    { value: 'contact.phone', label: t('source.phone') },
    ...fields.map(({ key, label }) => ({ value: `contact.attributes.${key}`, label })),
  ]
}

const isPlaceholder = ({ kind }: TemplateField): boolean => kind === 'headerText' || kind === 'body'
/** Returns the value as the template names it. */
const nameOf = (field: TemplateField): string => (isPlaceholder(field) ? `{{${field.name}}}` : field.name)

type Props = {
  content: Content
  template: Template
  /** The sending number, whose account keeps uploaded files. */
  phoneNumberId: string | undefined
  onChange: (patch: Partial<Content>) => void
  isTried: boolean
}

function ValueField({
  field,
  content,
  onChange,
  isTried,
  phoneNumberId,
}: Omit<Props, 'template'> & { field: TemplateField }) {
  const choices = useFieldChoices()
  const { id, kind } = field
  const name = nameOf(field)
  const source = content.sources[id]
  const setSource = (next: Source | undefined) => {
    const { [id]: _, ...others } = content.sources
    onChange({ sources: next ? { ...others, [id]: next } : others })
  }
  const error = isTried && !content.values[id]?.trim() ? t('field.required') : undefined
  const setValue = (value: string) => onChange({ values: { ...content.values, [id]: value } })
  const value = source ? (
    <TextField
      label={t('fallback', { name })}
      hint={t('fallback.hint')}
      maxLength={FALLBACK_MAX}
      value={source.fallback}
      onChange={(event) => setSource({ ...source, fallback: (event.target as HTMLInputElement).value })}
    />
  ) : kind === 'headerMedia' ? (
    <FileOrLink
      label={t(`field.${name as 'image' | 'video' | 'document'}`)}
      error={error}
      kind={name}
      phoneNumberId={phoneNumberId}
      value={content.values[id] ?? ''}
      onChange={setValue}
    />
  ) : (
    <TextField
      label={t(`field.${kind}`, { name })}
      value={content.values[id] ?? ''}
      error={error}
      onChange={(event) => setValue((event.target as HTMLInputElement).value)}
    />
  )
  if (!canBePersonal(field)) return value
  return (
    <div className="grid items-start gap-3 sm:grid-cols-[13rem_1fr]">
      <SelectField
        label={t('source', { name })}
        value={source?.field ?? TEXT}
        onChange={(next) =>
          setSource(next === TEXT ? undefined : { field: next, fallback: source?.fallback ?? '' })
        }
        choices={[{ value: TEXT, label: t('source.text') }, ...choices]}
      />
      {value}
    </div>
  )
}

export const ValueFields = ({ template, ...props }: Props) =>
  fieldsOf(template).map((field) => <ValueField key={field.id} field={field} {...props} />)
