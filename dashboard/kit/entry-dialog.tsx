import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { DialogProps } from './dialog-popup.tsx'
import { FormDialog } from './form-dialog.tsx'
import { t } from './texts.ts'
import { useUnsaved } from './unsaved.tsx'

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

/**
 * A form in a dialog that creates or changes an entry, and closes when the entry is saved. Escape and a click outside ask before
 * they discard changes.
 */
export function EntryDialog<Values extends FieldValues, Result>(props: Props<Values, Result>) {
  const { form, open = true, action = t('save'), save, onSaved, onError, children, ...dialog } = props
  const { errors, isSubmitting, isDirty } = form.formState
  const { leaveBy, question, release } = useUnsaved(open && isDirty)
  const submit = form.handleSubmit(async (values) => {
    try {
      const result = await save(values)
      release()
      dialog.onClose()
      await onSaved(result, values)
    } catch (error) {
      onError(error)
    }
  })
  return (
    <>
      <FormDialog
        {...dialog}
        onClose={() => leaveBy(dialog.onClose)}
        onCancel={dialog.onClose}
        open={open}
        action={action}
        busy={isSubmitting}
        fault={errors.root}
        onSubmit={submit}
      >
        {children}
      </FormDialog>
      {question}
    </>
  )
}
