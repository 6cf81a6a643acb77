/** Shows the calendar of bookings by day and week, with the open booking next to it. */
import { useParams } from '@tanstack/react-router'
import { CalendarCheck } from 'lucide-react'
import { useWorkspaceSession, withModule } from '../api/session.ts'
import { Empty } from '../kit/states.tsx'
import { ModulesLink } from '../shell/modules-link.tsx'
import { Calendar } from './parts/calendar.tsx'
import { t } from './texts.ts'

export default function BookingsPage() {
  const { workspace, view, day } = useParams({ strict: false }) as {
    workspace: string
    view?: string
    day?: string
  }
  const session = useWorkspaceSession(workspace)
  if (!session.workspace.modules.includes('bookings'))
    return (
      <Empty
        icon={CalendarCheck}
        title={t('off')}
        isPage
        action={<ModulesLink session={session}>{t('off.action')}</ModulesLink>}
      >
        <span className="break-words">
          {t('off.text', { workspace, modules: withModule(session.workspace, 'bookings') })}
        </span>
      </Empty>
    )
  return <Calendar session={session} view={view === 'week' ? 'week' : 'day'} requestedDay={day} />
}
