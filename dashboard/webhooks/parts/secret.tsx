import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { t } from '../texts.ts'

type Props = { secret: string; isRotated?: boolean; onClose: () => void }

/** Shows the signing secret, which can't be read again. */
export const SecretDialog = ({ secret, isRotated, onClose }: Props) => (
  <Dialog
    open
    isShownOnce
    onClose={onClose}
    title={t('secret.title')}
    description={t(isRotated ? 'secret.rotated' : 'secret.text')}
    actions={
      <Button variant="primary" onClick={onClose}>
        {t('secret.done')}
      </Button>
    }
  >
    <div className="flex flex-col gap-3">
      <CopyField text={secret} label={t('secret.copy')} />
      <Callout kind="warn">{t('secret.once')}</Callout>
    </div>
  </Dialog>
)
