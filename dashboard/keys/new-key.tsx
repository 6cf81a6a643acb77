import { useForm } from 'react-hook-form'
import { siteBase } from '../api/address.ts'
import { queryClient } from '../api/cache.ts'
import { showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { CopyField } from '../kit/copy.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { SelectField } from '../kit/select.tsx'
import { withConfirmation } from '../shell/confirm.ts'
import { type CreatedKey, type Key, keysQuery } from './queries.ts'
import { t } from './texts.ts'

const ROLES = ['viewer', 'agent', 'admin'] as const
type Values = { label: string; role: Key['role'] }
type Props = { open: boolean; onClose: () => void; onMade: (created: CreatedKey) => void }

export function NewKeyDialog({ open, onClose, onMade }: Props) {
  const { register, handleSubmit, setError, setValue, watch, formState, reset } = useForm<Values>({
    defaultValues: { role: 'agent' },
  })
  const { errors, isSubmitting } = formState
  const close = () => {
    onClose()
    reset()
  }
  const submit = handleSubmit(async (body) => {
    try {
      const created = await withConfirmation(() => callDashboard('POST /keys', { body }))
      void queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
      close()
      onMade(created)
    } catch (error) {
      showIssues(error, ['label', 'role'], setError)
    }
  })
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={t('new.title')}
      action={t('new.submit')}
      busy={isSubmitting}
      fault={errors.root}
      onSubmit={submit}
    >
      <TextField
        label={t('label')}
        hint={t('label.hint')}
        autoFocus
        error={errors.label?.message}
        {...register('label')}
      />
      <SelectField
        label={t('role')}
        value={watch('role')}
        onChange={(role) => setValue('role', role)}
        choices={ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
      />
    </FormDialog>
  )
}

/** Shows the key, only once. */
export function CreatedKeyDialog({
  newKey,
  onClose,
}: {
  newKey: CreatedKey | undefined
  onClose: () => void
}) {
  const curl = `curl -s ${location.origin}${siteBase()}api/v1/me -H 'Authorization: Bearer ${newKey?.apiKey ?? ''}'`
  return (
    <Dialog
      open={newKey !== undefined}
      isShownOnce
      onClose={onClose}
      title={t('new.done', { name: newKey?.key.label ?? '' })}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Callout kind="warn">{t('new.once')}</Callout>
        <CopyField text={newKey?.apiKey ?? ''} label={t('new.copy')} />
        <p className="text-sm text-ink-2">{t('new.curl')}</p>
        <CopyField text={curl} label={t('new.curl.copy')} />
      </div>
    </Dialog>
  )
}
