import { useState } from 'react'
import { callDashboard } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import type { ConnectedNumber } from '../queries.ts'
import { t } from '../texts.ts'
import { useWrite } from '../use-write.ts'

type Checked = { ok: boolean; problem: string | null }

/** Shows the values to enter at the operator, only once, and whether the operator knows the number. */
export function ConnectedDialog({ connected, onClose }: { connected: ConnectedNumber; onClose: () => void }) {
  const { number, callbackUrl, verifyToken } = connected
  const [checked, setChecked] = useState<Checked>()
  const check = useWrite({
    work: () => callDashboard('POST /numbers/{id}/check', { params: { id: number.id } }),
    done: ({ ok }) => t(ok ? 'numbers.works' : 'numbers.fails', { number: number.number }),
    isGood: ({ ok }) => ok,
    reads: ['number'],
    after: setChecked,
  })
  return (
    <Dialog
      open
      isShownOnce
      onClose={onClose}
      title={t('connect.done', { number: number.number })}
      actions={
        <>
          <Button onClick={() => check.mutate(undefined)} busy={check.isPending}>
            {t('numbers.check')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('done')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {checked && (
          <Callout kind={checked.ok ? 'good' : 'bad'} role="status">
            {checked.problem ?? t(checked.ok ? 'numbers.works' : 'numbers.fails', { number: number.number })}
          </Callout>
        )}
        {number.simulated ? (
          <p className="text-ink-2">{t('connect.simulated')}</p>
        ) : (
          <>
            <Callout kind="warn">{t('connect.once')}</Callout>
            <p className="text-ink-2">{t('connect.webhook.click.1')}</p>
            <CopyField text={callbackUrl} label={t('connect.callback.copy')} />
            <p className="text-ink-2">{t('connect.webhook.click.2')}</p>
            <CopyField text={verifyToken} label={t('connect.verify.copy')} />
            <p className="text-ink-2">{t('connect.webhook.click.3')}</p>
          </>
        )}
      </div>
    </Dialog>
  )
}
