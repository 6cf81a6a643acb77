import { Controller, useForm } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/callout.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { createBot } from '../queries.ts'
import { t } from '../texts.ts'
import { newBot, STARTS, type Start } from './new-nodes.ts'

type Props = { open: boolean; onClose: () => void; onMade: (id: string) => void }

/** Creates a named bot that can be tested immediately; it stays off until it is turned on. */
export function NewBotDialog({ open, onClose, onMade }: Props) {
  const { register, control, handleSubmit, setError, formState } = useForm<{ name: string; start: Start }>({
    defaultValues: { name: '', start: 'menu' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ name, start }) => {
    try {
      const { id } = await createBot(newBot(name, start))
      onClose()
      onMade(id)
    } catch (error) {
      showIssues(error, ['name'], setError)
    }
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('create.title')}
      actions={
        <Button variant="primary" onClick={() => void submit()} busy={isSubmitting}>
          {t('create')}
        </Button>
      }
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFault fault={errors.root} />
        <TextField
          label={t('create.name')}
          hint={t('create.name.hint')}
          autoFocus
          error={errors.name?.message}
          {...register('name')}
        />
        <Controller
          control={control}
          name="start"
          render={({ field: { value, onChange } }) => (
            <SelectField
              label={t('create.start')}
              value={value}
              onChange={onChange}
              choices={STARTS.map((start) => ({
                value: start,
                label: t(`start.${start}`),
                hint: t(`start.${start}.hint`),
              }))}
            />
          )}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
