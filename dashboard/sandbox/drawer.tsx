import { useParams } from '@tanstack/react-router'
import { Drawer } from '../kit/dialog.tsx'
import { Clock } from './clock.tsx'
import { Phone } from './phone.tsx'
import { t } from './texts.ts'

/** Shows the phone next to any page. */
export default function PhoneDrawer({ onClose }: { onClose: () => void }) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  return (
    <Drawer open onClose={onClose} title={t('phone')} beside>
      <Phone workspace={workspace} />
      <div className="border-t p-3">
        <Clock />
      </div>
    </Drawer>
  )
}
