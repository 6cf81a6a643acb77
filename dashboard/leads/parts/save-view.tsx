import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { queryClient } from '../../api/cache.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { Switch } from '../../kit/switch.tsx'
import { viewsQuery } from '../queries.ts'
import { conditionsOf, type LeadsView } from '../view.ts'
import { t } from '../words.ts'

const NAME_MAX = 80
type Values = { name: string; shared: boolean }
type Props = { open: boolean; view: LeadsView; onClose: () => void; onSaved: (id: string) => void }

/** Keeps what is shown under a name. */
export function SaveView({ open, view, onClose, onSaved }: Props) {
  const { register, handleSubmit, formState, setError, setValue, watch, reset } = useForm<Values>({
    defaultValues: { name: '', shared: true },
  })
  const { mutate, isPending } = useMutation({
    mutationFn: (values: Values) =>
      call('POST /views', {
        body: {
          ...values,
          ...(Object.keys(view.filters).length > 0 && {
            filter: { match: 'all', conditions: conditionsOf(view.filters) as never },
          }),
          ...(view.q.trim() && { q: view.q.trim() }),
          ...(view.sort && { sort: view.sort, dir: view.dir }),
        },
      }),
    onSuccess: async ({ view: saved }) => {
      await queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
      reset()
      onSaved(saved.id)
    },
    onError: (error) => showIssues(error, ['name', 'shared'], setError),
  })
  const submit = handleSubmit((values) => mutate(values))
  const { errors } = formState
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('view.save')}
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
