/** Edits the services, the staff, and the rules of bookings. */
import { useParams } from '@tanstack/react-router'
import { useWorkspaceSession, withModule } from '../../api/session.ts'
import { Callout } from '../../kit/callout.tsx'
import { t } from '../texts.ts'
import { BookingRules } from './booking-rules.tsx'
import { BookingServices } from './booking-services.tsx'
import { BookingStaffList } from './booking-staff.tsx'

export function BookingsSettings() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  if (!session.workspace.modules.includes('bookings'))
    return (
      <Callout>
        <span className="break-words">
          {t('bookings.off', { workspace, modules: withModule(session.workspace, 'bookings') })}
        </span>
      </Callout>
    )
  return (
    <>
      <BookingServices />
      <BookingStaffList timeZone={session.workspace.timezone} />
      <BookingRules />
    </>
  )
}
