/** Asks for the name of a saved view, and who can see it. */
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { SavedView } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { showIssues } from '../../api/form.ts'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { Switch } from '../../kit/switch.tsx'
import { t } from '../texts.ts'

const NAME_MAX = 100

export type ViewValues = { name: string; shared: boolean }
type Props = {
  open: boolean
  title: string
  description?: string | undefined
  values: ViewValues
  save: (values: ViewValues) => Promise<{ view: SavedView }>
  onClose: () => void
  onSaved: (view: SavedView) => void
}

export function ViewDialog({ values, save, onSaved, ...rest }: Props) {
  const { register, handleSubmit, formState, setError, setValue, watch, reset } = useForm<ViewValues>({
    values,
  })
  const { mutate, isPending } = useMutation({
    mutationFn: save,
    onSuccess: async ({ view }) => {
      await queryClient.invalidateQueries({ queryKey: ['view', 'list'] })
      reset()
      onSaved(view)
    },
    onError: (error) => showIssues(error, ['name', 'shared'], setError),
  })
  const { errors } = formState
  return (
    <FormDialog
      {...rest}
      action={t('view.save.action')}
      busy={isPending}
      fault={errors.root}
      onSubmit={handleSubmit((input) => mutate(input))}
    >
      <TextField
        label={t('view.name')}
        autoFocus
        maxLength={NAME_MAX}
        error={errors.name?.message}
        {...register('name', { validate: (name) => name.trim() !== '' || t('view.name.missing') })}
      />
      <Switch
        label={t('view.shared')}
        checked={watch('shared')}
        onChange={(shared) => setValue('shared', shared)}
      />
    </FormDialog>
  )
}
