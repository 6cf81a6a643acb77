/** Edits the services, the staff, and the rules of bookings. */
import { useParams } from '@tanstack/react-router'
import { useHere, withModule } from '../../api/session.ts'
import { Callout } from '../../kit/callout.tsx'
import { t } from '../words.ts'
import { BookingRules } from './booking-rules.tsx'
import { BookingServices } from './booking-services.tsx'
import { BookingStaffList } from './booking-staff.tsx'

export function BookingsSettings() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const here = useHere(workspace)
  if (!here.workspace.modules.includes('bookings'))
    return (
      <Callout>
        <span className="break-words">
          {t('bookings.off', { workspace, modules: withModule(here.workspace, 'bookings') })}
        </span>
      </Callout>
    )
  return (
    <>
      <BookingServices />
      <BookingStaffList timeZone={here.workspace.timezone} />
      <BookingRules />
    </>
  )
}
