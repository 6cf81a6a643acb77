/** Asks for the name of a saved view, and who can see it. */
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { SavedView } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { showIssues } from '../../api/form.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
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
  const form = useForm<ViewValues>({ values })
  const { register, formState, setError, setValue, watch, reset } = form
  const { mutateAsync } = useMutation({
    mutationFn: async (input: ViewValues) => {
      const { view } = await save(input)
      await queryClient.invalidateQueries({ queryKey: ['view', 'list'] })
      return view
    },
  })
  const { errors } = formState
  return (
    <EntryDialog
      {...rest}
      form={form}
      action={t('view.save.action')}
      save={mutateAsync}
      onSaved={(view) => {
        reset()
        onSaved(view)
      }}
      onError={(error) => showIssues(error, ['name', 'shared'], setError)}
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
    </EntryDialog>
  )
}
