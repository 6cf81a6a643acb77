import { useForm } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { callDashboard } from '../../api/request.ts'
import { CopyField } from '../../kit/copy.tsx'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { t } from '../texts.ts'

type Props = { uri: string | undefined; onClose: () => void; onDone: (recoveryCodes: string[]) => void }

/** Shows the key for the authenticator app, and asks for a code to check the setup. */
export function SetUpTotpDialog({ uri, onClose, onDone }: Props) {
  const form = useForm({ defaultValues: { code: '' } })
  const { register, setError, formState, reset } = form
  const { errors } = formState
  const key = uri ? (new URL(uri).searchParams.get('secret') ?? '') : ''
  return (
    <EntryDialog
      form={form}
      open={uri !== undefined}
      onClose={() => {
        onClose()
        reset()
      }}
      title={t('totp.setUp.title')}
      action={t('totp.setUp.submit')}
      save={({ code }) =>
        withConfirmation(() => callDashboard('POST /account/totp', { body: { code: code.trim() } }))
      }
      onSaved={(result) => 'recoveryCodes' in result && onDone(result.recoveryCodes)}
      onError={(error) => showIssues(error, ['code'], setError)}
    >
      <div className="flex flex-col gap-2">
        <p className="text-ink-2">{t('totp.setUp.key')}</p>
        <CopyField text={key} label={t('totp.setUp.copy')} />
        <a href={uri} className="text-sm font-medium text-accent underline">
          {t('totp.setUp.open')}
        </a>
      </div>
      <TextField
        label={t('totp.setUp.code')}
        hint={t('totp.setUp.code.hint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={errors.code?.message}
        {...register('code')}
      />
    </EntryDialog>
  )
}
