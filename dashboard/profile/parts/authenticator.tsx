import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callDashboard } from '../../api/request.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Section } from '../../kit/page.tsx'
import { notify } from '../../kit/toasts.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { refreshAccount } from '../queries.ts'
import { t } from '../texts.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { SetUpTotpDialog } from './set-up-totp.tsx'

/** Sets up an authenticator app as the second step of signing in. */
export function Authenticator({ account }: Pick<WorkspaceSession, 'account'>) {
  const [uri, setUri] = useState<string>()
  const [codes, setCodes] = useState<string[]>()
  const [isLeaving, setLeaving] = useState(false)
  const begin = useMutation({
    mutationFn: () => withConfirmation(() => callDashboard('POST /account/totp')),
    onSuccess: (result) => 'uri' in result && setUri(result.uri),
    onError: notifyError,
  })
  const remove = useMutation({
    mutationFn: () => withConfirmation(() => callDashboard('DELETE /account/totp')),
    onSuccess: () => {
      setLeaving(false)
      notify({ title: t('totp.removed'), kind: 'good' })
      return refreshAccount()
    },
    onError: notifyError,
  })
  return (
    <Section title={t('totp')} description={t('totp.text')}>
      {account.hasTotp ? (
        <div className="flex flex-col items-start gap-3">
          <Badge tone="good">{t('totp.on')}</Badge>
          <Button onClick={() => setLeaving(true)}>{t('totp.remove')}</Button>
        </div>
      ) : (
        <Button onClick={() => begin.mutate()} busy={begin.isPending}>
          {t('totp.setUp')}
        </Button>
      )}
      <SetUpTotpDialog
        uri={uri}
        onClose={() => setUri(undefined)}
        onDone={(recoveryCodes) => {
          setCodes(recoveryCodes)
          void refreshAccount()
        }}
      />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />
      <Confirm
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={t('totp.remove.title')}
        description={t('totp.remove.text')}
        action={t('totp.remove')}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        danger
      />
    </Section>
  )
}
