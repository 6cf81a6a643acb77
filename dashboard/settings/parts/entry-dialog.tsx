import type { ReactNode } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { notify } from '../../kit/toasts.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { t } from '../texts.ts'
import { refresh } from '../use-write.ts'

type Props<Values extends FieldValues> = {
  title: string
  values: DefaultValues<Values>
  /** The fields that can show the server's errors. */
  names: readonly Path<Values>[]
  /** The form's fields whose names differ from the server's. */
  places?: Readonly<Record<string, Path<Values>>>
  save: (values: Values) => Promise<unknown>
  /** The notice after saving. */
  saved: string
  /** The kinds that are read again. */
  reads: readonly string[]
  onClose: () => void
  wide?: boolean
  children: (form: UseFormReturn<Values>) => ReactNode
}

/** Adds or edits an entry of a list; mounted only while it is open. */
export function EntryDialog<Values extends FieldValues>(props: Props<Values>) {
  const { title, values, names, places, save, saved, reads, onClose, wide, children } = props
  const form = useForm<Values>({ defaultValues: values })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (input) => {
    try {
      await withConfirmation(() => save(input))
      onClose()
      notify({ title: saved, kind: 'good' })
      await refresh(reads)
    } catch (error) {
      showIssues(error, names, form.setError, places)
    }
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title}
      wide={wide}
      action={t('save')}
      busy={isSubmitting}
      fault={errors.root}
      onSubmit={submit}
    >
      {children(form)}
    </FormDialog>
  )
}
