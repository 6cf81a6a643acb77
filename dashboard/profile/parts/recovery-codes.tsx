/** Manages recovery codes, which replace an authenticator app or a passkey that isn't at hand. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callDashboard } from '../../api/request.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { Confirm, Dialog } from '../../kit/dialog.tsx'
import { Section } from '../../kit/page.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { refreshAccount } from '../queries.ts'
import { t } from '../texts.ts'

const FEW_CODES = 3

/** Shows the number of codes left, and creates new ones. Shown for accounts with a second factor. */
export function RecoveryCodes({ account }: Pick<WorkspaceSession, 'account'>) {
  const [isReplacing, setReplacing] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  const left = account.recoveryCodesLeft
  const replace = useMutation({
    mutationFn: () => withConfirmation(() => callDashboard('POST /account/recovery-codes')),
    onSuccess: ({ recoveryCodes }) => {
      setReplacing(false)
      setCodes(recoveryCodes)
      return refreshAccount()
    },
    onError: notifyError,
  })
  return (
    <Section title={t('recovery')} description={t('recovery.text')}>
      <div className="flex flex-col items-start gap-3">
        <span className="text-ink-2">{t('recovery.left', { count: left })}</span>
        {left < FEW_CODES && <Callout kind="warn">{t('recovery.few')}</Callout>}
        <Button
          onClick={() => (left > 0 ? setReplacing(true) : replace.mutate())}
          busy={replace.isPending && !isReplacing}
        >
          {t('recovery.create')}
        </Button>
      </div>
      <Confirm
        open={isReplacing}
        onClose={() => setReplacing(false)}
        title={t('recovery.replace.title')}
        description={t('recovery.replace.text')}
        action={t('recovery.create')}
        onConfirm={() => replace.mutate()}
        busy={replace.isPending}
      />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />
    </Section>
  )
}

type CodesProps = { codes: readonly string[] | undefined; onClose: () => void }

/** Shows the recovery codes, only once. */
export function RecoveryCodesDialog({ codes, onClose }: CodesProps) {
  return (
    <Dialog
      open={codes !== undefined}
      isShownOnce
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
