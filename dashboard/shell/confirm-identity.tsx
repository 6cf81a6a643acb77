/**
 * Asks for a confirmation of the user's identity before sensitive actions: the password, a code if there is
 * no password, or a passkey.
 */
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, Mail } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { addressOf } from '../api/address.ts'
import { queryClient } from '../api/cache.ts'
import { messageOf } from '../api/errors.ts'
import { showIssues } from '../api/form.ts'
import { requestPasskey, supportsPasskeys } from '../api/passkeys.ts'
import { callDashboard } from '../api/request.ts'
import type { WorkspaceSession } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { Callout, FormFault } from '../kit/callout.tsx'
import { CopyField } from '../kit/copy.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { signInOptionsQuery } from '../sign-in/options-query.ts'
import type { IdentityQuestion } from './confirm.ts'
import { t } from './texts.ts'

type Values = { secret: string }

type Props = { question: IdentityQuestion | undefined } & Pick<WorkspaceSession, 'account' | 'member'>

/** For accounts without a way to confirm: signing in again in this browser, in another tab. */
function SignInAgain({ account: { email }, member }: Pick<WorkspaceSession, 'account' | 'member'>) {
  const { data: options } = useQuery(signInOptionsQuery)
  const mail = useMutation({
    mutationFn: () => callDashboard('POST /sign-in/reset', { body: { email: email! } }),
  })
  return (
    <div className="flex flex-col gap-3">
      {email !== null &&
        options?.mail &&
        (mail.isSuccess ? (
          <Callout kind="good" role="status">
            {t('confirm.mailed', { email })}
          </Callout>
        ) : (
          <div className="flex flex-col items-start gap-2">
            <p>{t('confirm.mail.text', { email })}</p>
            <Button icon={Mail} busy={mail.isPending} onClick={() => mail.mutate()}>
              {t('confirm.mail')}
            </Button>
            {mail.error && <FormFault fault={{ message: messageOf(mail.error) }} />}
          </div>
        ))}
      {options?.oidc && (
        <a
          href={addressOf('dashboard', '/sign-in/oidc')}
          target="_blank"
          rel="noreferrer"
          className="font-medium text-accent underline"
        >
          {t('confirm.sso', { provider: options.oidc })}
        </a>
      )}
      <p>{t('confirm.command.text')}</p>
      <CopyField text={t('confirm.command', { member: member.id })} label={t('confirm.command.copy')} />
    </div>
  )
}

/** Sets the first password, which confirms the session too. */
function FirstPassword({ onDone }: { onDone: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm<{ password: string }>()
  const submit = handleSubmit(async (body) => {
    try {
      await callDashboard('PATCH /account', { body })
      await queryClient.invalidateQueries({ queryKey: ['session'] })
      onDone()
    } catch (error) {
      showIssues(error, ['password'], setError)
    }
  })
  return (
    <form onSubmit={submit} noValidate className="flex flex-col items-start gap-3">
      <FormFault fault={formState.errors.root} />
      <TextField
        className="w-full"
        label={t('confirm.first')}
        type="password"
        autoComplete="new-password"
        autoFocus
        error={formState.errors.password?.message}
        {...register('password', { required: t('confirm.first.required') })}
      />
      <Button type="submit" variant="primary" busy={formState.isSubmitting}>
        {t('confirm.first.action')}
      </Button>
    </form>
  )
}

/** Opens when `confirmed` needs it. */
export default function ConfirmIdentity({ question, account, member }: Props) {
  const needsFactor = question?.needsFactor === true
  const { data: options } = useQuery({ ...signInOptionsQuery, enabled: question !== undefined })
  // A code proves more than the password does. A recovery code is used only if the password isn't enough.
  const byRecovery = account.recoveryCodesLeft > 0 && (needsFactor || !account.hasPassword)
  const byCode = account.hasTotp || byRecovery
  const { register, handleSubmit, setError, formState, reset } = useForm<Values>()
  const close = () => {
    question?.cancel()
    reset()
  }
  const submit = handleSubmit(async ({ secret }) => {
    try {
      await callDashboard('POST /session/confirm', {
        body: byCode ? { code: secret } : { password: secret },
      })
      question?.confirm()
      reset()
    } catch (error) {
      showIssues(error, ['secret'], setError)
    }
  })
  const passkey = useMutation({
    mutationFn: async () => callDashboard('POST /session/confirm', { body: await requestPasskey() }),
    onSuccess: () => {
      question?.confirm()
      reset()
    },
    onError: (error) => showIssues(error, [], setError),
  })
  const canConfirm = byCode || (account.hasPassword && !needsFactor)
  const takesPasskey = account.passkeys.length > 0 && supportsPasskeys()
  const isStuck = !canConfirm && !takesPasskey && !needsFactor
  return (
    <Dialog
      open={question !== undefined}
      onClose={close}
      title={t('confirm.title')}
      description={t(isStuck ? 'confirm.link' : needsFactor ? 'confirm.factor' : 'confirm.text')}
      actions={
        <>
          {takesPasskey && (
            <Button icon={KeyRound} busy={passkey.isPending} onClick={() => passkey.mutate()}>
              {t('confirm.passkey')}
            </Button>
          )}
          {canConfirm && (
            <Button variant="primary" onClick={() => void submit()} busy={formState.isSubmitting}>
              {t('confirm.submit')}
            </Button>
          )}
          {isStuck && <Button onClick={() => question?.confirm()}>{t('confirm.again')}</Button>}
        </>
      }
    >
      <FormFault
        fault={question?.isRepeated && isStuck ? { message: t('confirm.notYet') } : formState.errors.root}
      />
      {needsFactor && !canConfirm && !takesPasskey && <Callout kind="warn">{t('confirm.elsewhere')}</Callout>}
      {isStuck && (
        <div className="flex flex-col gap-4">
          {options?.password !== false && <FirstPassword onDone={() => question?.confirm()} />}
          <SignInAgain account={account} member={member} />
        </div>
      )}
      {canConfirm && (
        <form onSubmit={submit} className="mt-3 flex flex-col gap-3 first:mt-0">
          <TextField
            label={t(account.hasTotp ? 'confirm.code' : byCode ? 'confirm.recovery' : 'confirm.password')}
            type={byCode ? 'text' : 'password'}
            autoComplete={byCode ? 'one-time-code' : 'current-password'}
            autoFocus
            error={formState.errors.secret?.message}
            {...register('secret')}
          />
          <button type="submit" hidden />
        </form>
      )}
    </Dialog>
  )
}
