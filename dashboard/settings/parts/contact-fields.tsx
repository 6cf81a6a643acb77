import { useInfiniteQuery } from '@tanstack/react-query'
import { ListPlus } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type { Api, ContactField } from '../../../sdk/api.ts'
import { parseLines, showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { contactFieldsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'
import { ListSection } from './list-section.tsx'

const READS = ['contactField']
const TYPES = ['text', 'number', 'date', 'boolean', 'select'] as const
type Values = { key: string; label: string; type: ContactField['type']; options: string }

async function save(field: ContactField | undefined, { key, label, type, options }: Values) {
  const body: Omit<Api['POST /contact-fields']['body'], 'key' | 'type'> = {
    ...(label.trim() ? { label } : {}),
    ...(type === 'select' ? { options: parseLines(options) } : {}),
  }
  return field
    ? call('PATCH /contact-fields/{id}', { params: { id: field.id }, body })
    : call('POST /contact-fields', { body: { ...body, key, type } })
}

type DialogProps = { field: ContactField | undefined; onClose: () => void }

function FieldDialog({ field, onClose }: DialogProps) {
  const form = useForm<Values>({
    defaultValues: {
      key: field?.key ?? '',
      label: field?.label ?? '',
      type: field?.type ?? 'text',
      options: field?.options?.join('\n') ?? '',
    },
  })
  const { register, watch, setValue, setError, formState } = form
  const { errors } = formState
  return (
    <EntryDialog
      form={form}
      title={t(field ? 'fields.change' : 'fields.add')}
      save={(values) => withConfirmation(() => save(field, values))}
      onSaved={() => reportSaved(t('fields.saved'), READS)}
      onError={(error) => showIssues(error, ['key', 'label', 'type', 'options'], setError)}
      onClose={onClose}
    >
      <TextField label={t('fields.label')} autoFocus error={errors.label?.message} {...register('label')} />
      {!field && (
        <>
          <TextField
            label={t('fields.key')}
            hint={t('fields.key.hint')}
            error={errors.key?.message}
            {...register('key')}
          />
          <SelectField
            label={t('fields.type')}
            error={errors.type?.message}
            value={watch('type')}
            onChange={(type) => setValue('type', type)}
            choices={TYPES.map((value) => ({ value, label: t(`fields.type.${value}`) }))}
          />
        </>
      )}
      {watch('type') === 'select' && (
        <TextArea
          label={t('fields.options')}
          hint={t('fields.options.hint')}
          error={errors.options?.message}
          {...register('options')}
        />
      )}
    </EntryDialog>
  )
}

/** Edits the custom fields of contacts. */
export const ContactFields = () => (
  <ListSection
    name="fields"
    icon={ListPlus}
    query={useInfiniteQuery(contactFieldsQuery)}
    nameOf={({ label }) => label}
    remove={({ id }) => call('DELETE /contact-fields/{id}', { params: { id } })}
    reads={READS}
    form={(field, onClose) => <FieldDialog field={field} onClose={onClose} />}
    columns={[
      {
        id: 'label',
        title: t('fields.label'),
        cell: ({ label }) => <span className="font-medium">{label}</span>,
      },
      {
        id: 'key',
        title: t('fields.key'),
        hideBelow: 'sm',
        cell: ({ key }) => <code className="font-mono text-sm text-ink-2">{key}</code>,
      },
      { id: 'type', title: t('fields.type'), cell: ({ type }) => t(`fields.type.${type}`) },
    ]}
  />
)
