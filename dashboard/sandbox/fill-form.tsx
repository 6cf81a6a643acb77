/** Fills in an in-chat form as the customer whose phone is shown. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Reply } from '../api/request.ts'
import { TextArea, TextField } from '../kit/field.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { Group } from '../kit/group.tsx'
import { Failed, SkeletonRows } from '../kit/states.tsx'
import { Checkbox } from '../kit/switch.tsx'
import { t } from './texts.ts'

type Screens = NonNullable<Reply<'GET /flows/{id}'>['flow']['screens']>
type FormField = Screens[number]['fields'][number]
type Answer = string | boolean | string[]

const INPUTS: Partial<Record<FormField['kind'], string>> = {
  number: 'number',
  email: 'email',
  phone: 'tel',
  date: 'date',
}

type FieldProps = { field: FormField; value: Answer | undefined; onChange: (value: Answer) => void }

function Question({ field, value, onChange }: FieldProps) {
  const { kind, label, help, options = [] } = field
  if (kind === 'consent')
    return <Checkbox label={label} checked={value === true} onChange={(checked) => onChange(checked)} />
  if (options.length > 0) {
    const chosen = Array.isArray(value) ? value : []
    return (
      <Group label={label}>
        {options.map((option) => (
          <Checkbox
            key={option}
            label={option}
            checked={kind === 'choices' ? chosen.includes(option) : value === option}
            onChange={(checked) => {
              if (kind !== 'choices') onChange(checked ? option : '')
              else onChange(checked ? [...chosen, option] : chosen.filter((other) => other !== option))
            }}
          />
        ))}
      </Group>
    )
  }
  const text = typeof value === 'string' ? value : ''
  return kind === 'paragraph' ? (
    <TextArea label={label} hint={help} value={text} onChange={(event) => onChange(event.target.value)} />
  ) : (
    <TextField
      label={label}
      hint={help}
      type={INPUTS[kind] ?? 'text'}
      value={text}
      onChange={(event) => onChange((event.target as HTMLInputElement).value)}
    />
  )
}

type Props = {
  open: boolean
  /** The operator's id of the form. */
  flowId: string
  onClose: () => void
  onSubmit: (answers: Record<string, Answer>) => void
}

/** Shows the fields of all screens together; only answers are sent. */
export function FillForm({ open, flowId, onClose, onSubmit }: Props) {
  const { data, isLoadingError, error, refetch } = useQuery({
    queryKey: ['flow', 'one', flowId],
    queryFn: async () => (await call('GET /flows/{id}', { params: { id: flowId } })).flow,
    enabled: open,
  })
  const [answers, setAnswers] = useState<Record<string, Answer>>({})
  const fields = (data?.screens ?? []).flatMap((screen) => screen.fields)
  const submit = () => {
    onSubmit(
      Object.fromEntries(
        Object.entries(answers).filter(
          ([, answer]) => answer === true || (answer !== false && answer.length > 0),
        ),
      ),
    )
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={data?.name ?? t('form')}
      description={data?.screens === null ? t('form.elsewhere') : undefined}
      action={t('form.send')}
      onSubmit={submit}
    >
      {isLoadingError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : data ? (
        fields.map((field) => (
          <Question
            key={field.name}
            field={field}
            value={answers[field.name]}
            onChange={(answer) => setAnswers((before) => ({ ...before, [field.name]: answer }))}
          />
        ))
      ) : (
        <SkeletonRows />
      )}
    </FormDialog>
  )
}
