/** A name for what the list shows, or another one for a view that is saved. */
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { SavedView } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { Switch } from '../../kit/switch.tsx'
import { viewsQuery } from '../queries.ts'
import { questionOf, type ViewSearch } from '../view.ts'
import { t } from '../words.ts'

const NAME_MAX = 100
type Values = { name: string; shared: boolean }
type Props = {
  open: boolean
  /** What is shown. */
  view: ViewSearch
  /** The view that gets another name; undefined: what is shown is saved as a new one. */
  saved: SavedView | undefined
  onClose: () => void
  onSaved: (view: SavedView) => void
}

export function SaveView({ open, view, saved, onClose, onSaved }: Props) {
  const { register, handleSubmit, formState, setError, setValue, watch, reset } = useForm<Values>({
    values: { name: saved?.name ?? '', shared: saved?.shared ?? false },
  })
  const { mutate, isPending } = useMutation({
    mutationFn: async (values: Values) =>
      saved
        ? (await call('PATCH /views/:id', { params: { id: saved.id }, body: values })).view
        : (await call('POST /views', { body: { page: 'inbox', ...values, ...questionOf(view) } })).view,
    onSuccess: async (one) => {
      await queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
      reset()
      onSaved(one)
    },
    onError: (error) => showIssues(error, ['name', 'shared'], setError),
  })
  const submit = handleSubmit((values) => mutate(values))
  const { errors } = formState
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t(saved ? 'view.change' : 'view.save')}
      description={saved ? undefined : t('view.save.text')}
      action={t('view.save.action')}
      busy={isPending}
      fault={errors.root}
      onSubmit={submit}
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
