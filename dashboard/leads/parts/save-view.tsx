import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { queryClient } from '../../api/cache.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
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
    <Dialog
      open={open}
      onClose={onClose}
      title={t('view.save')}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" busy={isPending} onClick={() => void submit()}>
            {t('view.save.action')}
          </Button>
        </>
      }
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {errors.root && (
          <Callout kind="bad" role="alert">
            {errors.root.message}
          </Callout>
        )}
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
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
