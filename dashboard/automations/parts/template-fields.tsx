/** Chooses an approved template, and the values for its placeholders. */
import type { Template } from '../../../sdk/api.ts'
import { fieldsOf, isOnlyByApi } from '../../inbox/parts/template-fields.ts'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { t } from '../texts.ts'

const NONE = 'none'

/** Returns why an automation can't send a template: it fills in only the text. */
const unsendableReason = (template: Template): string | undefined =>
  isOnlyByApi(template) || fieldsOf(template).some(({ kind }) => kind !== 'body')
    ? t('template.more')
    : undefined

type Props = {
  label: string
  /** The label of the empty choice; without it, a template is required. */
  noneLabel?: string
  templates: readonly Template[]
  value: string | undefined
  variables: readonly string[] | undefined
  onChange: (id: string | undefined, variables: string[] | undefined) => void
  error: string | undefined
  valuesError: string | undefined
}

export function TemplateFields(props: Props) {
  const { label, noneLabel, templates, value, variables = [], onChange, error, valuesError } = props
  const chosen = templates.find(({ id }) => id === value)
  const bodyFields = chosen ? fieldsOf(chosen).filter(({ kind }) => kind === 'body') : []
  const isOther = value && !chosen
  const choose = (id: string) => onChange(id === NONE ? undefined : id, undefined)
  return (
    <>
      <SelectField
        label={label}
        hint={templates.length === 0 ? t('template.none') : undefined}
        error={error}
        value={value || (noneLabel ? NONE : null)}
        placeholder={t('template.choose')}
        onChange={choose}
        choices={[
          ...(noneLabel ? [{ value: NONE, label: noneLabel }] : []),
          ...templates.map((template) => ({
            value: template.id,
            label: `${template.name} · ${template.language}`,
            hint: unsendableReason(template),
            disabled: unsendableReason(template) !== undefined,
          })),
          ...(isOther ? [{ value, label: t('template.other') }] : []),
        ]}
      />
      {bodyFields.map(({ id, name }, index) => (
        <TextField
          key={id}
          label={t('template.value', { name })}
          error={index === 0 ? valuesError : undefined}
          value={variables[index] ?? ''}
          onChange={(event) => {
            const text = event.target.value
            onChange(
              value,
              bodyFields.map((_, i) => (i === index ? text : (variables[i] ?? ''))),
            )
          }}
        />
      ))}
    </>
  )
}
