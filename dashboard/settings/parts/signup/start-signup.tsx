import { useMutation } from '@tanstack/react-query'
import { callDashboard } from '../../../api/request.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { withConfirmation } from '../../../shell/confirm.ts'
import { notifyError } from '../../../shell/notify-error.ts'
import { t } from '../../texts.ts'
import { OptionList } from './option-list.tsx'

const USES = ['parley', 'phone'] as const

/** Asks where the number is used, then opens the operator's page in this tab. */
export function StartSignup({ onClose }: { onClose: () => void }) {
  const start = useMutation({
    mutationFn: (keepsPhoneApp: boolean) =>
      withConfirmation(() => callDashboard('POST /number-signups', { body: { keepsPhoneApp } })),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: notifyError,
  })
  return (
    <Dialog open onClose={onClose} title={t('signup.start')} description={t('signup.start.text')}>
      <OptionList
        label={t('signup.use')}
        isBusy={start.isPending || start.isSuccess}
        onChoose={(use) => start.mutate(use === 'phone')}
        options={USES.map((use) => ({
          id: use,
          title: t(`signup.use.${use}`),
          text: t(`signup.use.${use}.text`),
        }))}
      />
    </Dialog>
  )
}
