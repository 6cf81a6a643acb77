/** Asks for a file of past messages, and for what the file does not say. */
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../../api/errors.ts'
import { showIssues } from '../../../api/form.ts'
import { numbersQuery } from '../../../inbox/queries.ts'
import { EntryDialog } from '../../../kit/entry-dialog.tsx'
import { TextField } from '../../../kit/field.tsx'
import { SelectField } from '../../../kit/select.tsx'
import { reportSaved } from '../../use-write.ts'
import { FileField } from './file-field.tsx'
import { checkFile, type FileChoices, type FileSource } from './queries.ts'
import { t } from './texts.ts'

const AUTO = 'auto'
const ACCEPTED = {
  whatsapp_export: '.zip,.txt,application/zip,text/plain',
  history_file: '.csv,.tsv,.txt,.jsonl,.ndjson,text/csv,application/x-ndjson',
} as const satisfies Record<FileSource, string>
const ORDERS = ['dayFirst', 'monthFirst'] as const
const FIELDS = ['phone', 'ownName', 'dateOrder', 'before', 'phoneNumberId'] as const

type Values = {
  file: File | null
  phoneNumberId: string
  phone: string
  ownName: string
  dateOrder: string
  /** A day, as the browser's date field names it; empty for none. */
  before: string
}

const choicesOf = (source: FileSource, values: Values): FileChoices => ({
  source,
  ...(values.phoneNumberId !== AUTO && { phoneNumberId: values.phoneNumberId }),
  ...(values.phone.trim() && { phone: values.phone.trim() }),
  ...(values.ownName.trim() && { ownName: values.ownName.trim() }),
  ...(values.dateOrder !== AUTO && { dateOrder: values.dateOrder as NonNullable<FileChoices['dateOrder']> }),
  ...(values.before && { before: new Date(`${values.before}T00:00`).toISOString() }),
})

export function FileDialog({ source, onClose }: { source: FileSource; onClose: () => void }) {
  const { data: numbers = [] } = useQuery(numbersQuery)
  const form = useForm<Values>({
    defaultValues: { file: null, phoneNumberId: AUTO, phone: '', ownName: '', dateOrder: AUTO, before: '' },
  })
  const { errors } = form.formState
  const { file, phoneNumberId, dateOrder } = form.watch()
  const isExport = source === 'whatsapp_export'
  const showFault = (error: unknown) => {
    const issues = error instanceof ApiError ? error.issues : []
    const ofFile = issues.find(({ path }) => path === 'fileBase64')
    if (ofFile) form.setError('file', { message: ofFile.message })
    else showIssues(error, FIELDS, form.setError)
  }
  return (
    <EntryDialog
      form={form}
      title={t(`source.${source}`)}
      action={t('check')}
      save={async (values) => {
        if (!values.file) throw new MissingFile()
        return checkFile(values.file, choicesOf(source, values))
      }}
      onSaved={() => reportSaved(t('checked.toast'), [])}
      onError={(error) =>
        error instanceof MissingFile
          ? form.setError('file', { message: t('file.missing') })
          : showFault(error)
      }
      onClose={onClose}
    >
      <FileField
        hint={t(`file.hint.${source}`)}
        error={errors.file?.message}
        accept={ACCEPTED[source]}
        file={file}
        onChoose={(chosen) => {
          form.clearErrors('file')
          form.setValue('file', chosen, { shouldDirty: true })
        }}
      />
      {numbers.length > 1 && (
        <SelectField
          label={t('number')}
          hint={t('number.hint')}
          value={phoneNumberId === AUTO ? numbers[0]!.id : phoneNumberId}
          error={errors.phoneNumberId?.message}
          onChange={(id) => form.setValue('phoneNumberId', id, { shouldDirty: true })}
          choices={numbers.map(({ id, number, displayName }) => ({
            value: id,
            label: displayName || number,
          }))}
        />
      )}
      {isExport && (
        <>
          <TextField
            label={t('phone')}
            hint={t('phone.hint')}
            type="tel"
            placeholder="+919812345678"
            error={errors.phone?.message}
            {...form.register('phone')}
          />
          <TextField
            label={t('ownName')}
            hint={t('ownName.hint')}
            maxLength={200}
            error={errors.ownName?.message}
            {...form.register('ownName')}
          />
        </>
      )}
      <SelectField
        label={t('dateOrder')}
        value={dateOrder}
        error={errors.dateOrder?.message}
        onChange={(order) => form.setValue('dateOrder', order, { shouldDirty: true })}
        choices={[
          { value: AUTO, label: t('dateOrder.auto') },
          ...ORDERS.map((order) => ({ value: order as string, label: t(`dateOrder.${order}`) })),
        ]}
      />
      <TextField
        label={t('before')}
        hint={t('before.hint')}
        type="date"
        error={errors.before?.message}
        {...form.register('before')}
      />
    </EntryDialog>
  )
}

class MissingFile extends Error {}
