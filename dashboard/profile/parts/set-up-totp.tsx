import { useForm } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { callDashboard } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { CopyButton, CopyField } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { confirmed } from '../../shell/confirmed.ts'
import { t } from '../words.ts'

type Props = { uri: string | undefined; onClose: () => void; onDone: (recoveryCodes: string[]) => void }

/** The key that an app computes codes from, and the first code that shows that it does. */
export function SetUpTotpDialog({ uri, onClose, onDone }: Props) {
  const { register, handleSubmit, setError, formState, reset } = useForm<{ code: string }>()
  const { errors, isSubmitting } = formState
  const close = () => {
    onClose()
    reset()
  }
  const submit = handleSubmit(async ({ code }) => {
    try {
      const done = await confirmed(() =>
        callDashboard('POST /account/totp', { body: { code: (code ?? '').trim() } }),
      )
      reset()
      if ('recoveryCodes' in done) onDone(done.recoveryCodes)
    } catch (error) {
      showIssues(error, ['code'], setError)
    }
  })
  const key = uri ? (new URL(uri).searchParams.get('secret') ?? '') : ''
  return (
    <FormDialog
      open={uri !== undefined}
      onClose={close}
      title={t('totp.setUp.title')}
      action={t('totp.setUp.submit')}
      busy={isSubmitting}
      fault={errors.root}
      onSubmit={submit}
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
    </FormDialog>
  )
}

type CodesProps = { codes: readonly string[] | undefined; onClose: () => void }

/** The recovery codes, this once. */
export function RecoveryCodesDialog({ codes, onClose }: CodesProps) {
  return (
    <Dialog
      open={codes !== undefined}
      once
      onClose={onClose}
      title={t('recovery.title')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('recovery.done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Callout kind="warn">{t('recovery.once')}</Callout>
        <p className="text-ink-2">{t('recovery.text')}</p>
        <div className="flex items-start gap-1 rounded-md border border-edge bg-surface-2 py-2 ps-3 pe-1">
          <ul className="grid flex-1 gap-x-4 gap-y-1 font-mono text-sm sm:grid-cols-2">
            {codes?.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <CopyButton text={codes?.join('\n') ?? ''} label={t('recovery.copy')} />
        </div>
      </div>
    </Dialog>
  )
}
