/** Manages passkeys: signing in with a device's lock, without a password. */
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { createPasskey, supportsPasskeys } from '../../api/passkeys.ts'
import { callDashboard } from '../../api/request.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { refreshAccount } from '../queries.ts'
import { t } from '../texts.ts'
import { deviceOf } from './device.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'

type Passkey = WorkspaceSession['account']['passkeys'][number]

/**
 * Creates a passkey with the server and the browser, and stores it under its name. Returns the recovery codes
 * that come with a first factor.
 */
async function addPasskey(name: string): Promise<string[] | undefined> {
  const challenge = await withConfirmation(() => callDashboard('POST /account/passkeys'))
  if (!('options' in challenge)) return undefined
  const credential = await createPasskey(challenge)
  const result = await withConfirmation(() =>
    callDashboard('POST /account/passkeys', { body: { ...credential, name } }),
  )
  notify({ title: t('passkeys.added', { name }), kind: 'good' })
  await refreshAccount()
  return 'recoveryCodes' in result ? result.recoveryCodes : undefined
}

type AddProps = { open: boolean; onClose: () => void; onCodes: (codes: string[] | undefined) => void }

function AddDialog({ open, onClose, onCodes }: AddProps) {
  const form = useForm({ defaultValues: { name: deviceOf(navigator.userAgent) } })
  const { register, setError, formState, reset } = form
  const { errors } = formState
  return (
    <EntryDialog
      form={form}
      open={open}
      onClose={() => {
        onClose()
        reset()
      }}
      title={t('passkeys.add')}
      description={t('passkeys.add.text')}
      action={t('passkeys.add.submit')}
      save={({ name }) => addPasskey(name)}
      onSaved={onCodes}
      onError={(error) => showIssues(error, ['name'], setError)}
    >
      <TextField
        label={t('passkeys.name')}
        hint={t('passkeys.name.hint')}
        autoFocus
        error={errors.name?.message}
        {...register('name', { required: t('passkeys.name.missing') })}
      />
    </EntryDialog>
  )
}

export function Passkeys({ account }: Pick<WorkspaceSession, 'account'>) {
  const [isAdding, setAdding] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  const [leaving, setLeaving] = useState<Passkey>()
  const remove = useMutation({
    mutationFn: (id: string) =>
      withConfirmation(() => callDashboard('DELETE /account/passkeys/{id}', { params: { id } })),
    onSuccess: () => {
      setLeaving(undefined)
      notify({ title: t('passkeys.removed'), kind: 'good' })
      return refreshAccount()
    },
    onError: notifyError,
  })
  return (
    <Section title={t('passkeys')} description={t('passkeys.text')}>
      {account.passkeys.length > 0 && (
        <ul aria-label={t('passkeys')} className="mb-3 divide-y rounded-lg border">
          {account.passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <KeyRound aria-hidden size={16} className="text-ink-3" />
              <span className="min-w-0 flex-1 font-medium break-words">{passkey.name}</span>
              <span className="text-sm text-ink-2">
                {passkey.lastUsedAt ? (
                  <>
                    {t('passkeys.used')} <Time at={passkey.lastUsedAt} />
                  </>
                ) : (
                  t('passkeys.unused')
                )}
              </span>
              <Button size="sm" onClick={() => setLeaving(passkey)}>
                {t('passkeys.remove')}
                <span className="sr-only">{passkey.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {supportsPasskeys() ? (
        <Button onClick={() => setAdding(true)}>{t('passkeys.add')}</Button>
      ) : (
        <Callout>{t('passkeys.unknown')}</Callout>
      )}
      <AddDialog open={isAdding} onClose={() => setAdding(false)} onCodes={setCodes} />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('passkeys.remove.title', { name: leaving?.name ?? '' })}
        description={t('passkeys.remove.text')}
        action={t('passkeys.remove')}
        onConfirm={() => leaving && remove.mutate(leaving.id)}
        busy={remove.isPending}
        danger
      />
    </Section>
  )
}
