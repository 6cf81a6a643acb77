import { useForm } from 'react-hook-form'
import type { PhoneNumber } from '../../../sdk/api.ts'
import { showIssues } from '../../api/form.ts'
import { callDashboard } from '../../api/request.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'

type Props = { number: PhoneNumber; onClose: () => void }

/** Replaces the token, and the app secret if it changed: connects a disconnected number again. */
export function ReplaceToken({ number, onClose }: Props) {
  const form = useForm({ defaultValues: { token: '', appSecret: '' } })
  const { errors } = form.formState
  return (
    <EntryDialog
      form={form}
      title={t('numbers.token')}
      save={({ token, appSecret }) =>
        withConfirmation(() =>
          callDashboard('PATCH /numbers/{id}', {
            params: { id: number.id },
            body: { token, ...(appSecret ? { appSecret } : {}) },
          }),
        )
      }
      onSaved={() => reportSaved(t('numbers.token.saved'), ['number'])}
      onError={(error) => showIssues(error, ['token', 'appSecret'], form.setError)}
      onClose={onClose}
    >
      <TextField
        label={t('connect.field.token')}
        type="password"
        autoComplete="off"
        autoFocus
        error={errors.token?.message}
        {...form.register('token')}
      />
      <TextField
        label={t('connect.field.appSecret')}
        hint={t('numbers.appSecret.hint')}
        type="password"
        autoComplete="off"
        error={errors.appSecret?.message}
        {...form.register('appSecret')}
      />
    </EntryDialog>
  )
}
