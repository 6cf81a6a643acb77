import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { DialogProps } from './dialog-popup.tsx'
import { FormDialog } from './form-dialog.tsx'
import { t } from './texts.ts'

type Props<Values extends FieldValues, Result> = Pick<
  DialogProps,
  'onClose' | 'title' | 'description' | 'wide'
> & {
  form: UseFormReturn<Values>
  /** Left out by a dialog that is mounted only while it is open. */
  open?: boolean
  /** The label of its button. */
  action?: string
  save: (values: Values) => Promise<Result>
  /** Runs after the dialog closed. */
  onSaved: (result: Result, values: Values) => unknown
  /** Shows the error in the form, which stays open. */
  onError: (error: unknown) => void
  children: ReactNode
}

/** A form in a dialog that creates or changes an entry, and closes when the entry is saved. */
export function EntryDialog<Values extends FieldValues, Result>(props: Props<Values, Result>) {
  const { form, open = true, action = t('save'), save, onSaved, onError, children, ...dialog } = props
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    try {
      const result = await save(values)
      dialog.onClose()
      await onSaved(result, values)
    } catch (error) {
      onError(error)
    }
  })
  return (
    <FormDialog
      {...dialog}
      open={open}
      action={action}
      busy={isSubmitting}
      fault={errors.root}
      onSubmit={submit}
    >
      {children}
    </FormDialog>
  )
}
