import { useInfiniteQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { call } from '../../api/request.ts'
import { Badge } from '../../kit/badge.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { bookingStaffQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { ListSection } from './list-section.tsx'

const StaffDialog = lazyComponent(() => import('./staff-dialog.tsx').then((module) => module.StaffDialog))

export const BookingStaffList = ({ timeZone }: { timeZone: string }) => (
  <ListSection
    name="staff"
    icon={UsersRound}
    query={useInfiniteQuery(bookingStaffQuery)}
    nameOf={({ name }) => name}
    remove={({ id }) => call('DELETE /booking-staff/{id}', { params: { id } })}
    reads={['bookingSetup']}
    form={(staff, onClose) => <StaffDialog staff={staff} timeZone={timeZone} onClose={onClose} />}
    columns={[
      {
        id: 'name',
        title: t('staff.name'),
        cell: ({ name }) => (
          <span dir="auto" className="font-medium">
            {name}
          </span>
        ),
      },
      {
        id: 'kind',
        title: t('staff.kind'),
        hideBelow: 'sm',
        cell: ({ kind }) => t(`staff.${kind}`),
      },
      {
        id: 'zone',
        title: t('timezone'),
        hideBelow: 'md',
        cell: (person) => <span className="text-ink-2">{person.timeZone}</span>,
      },
      {
        id: 'state',
        title: t('services.state'),
        cell: ({ active }) => (
          <Badge tone={active ? 'good' : 'plain'}>{t(active ? 'staff.active' : 'services.paused')}</Badge>
        ),
      },
    ]}
  />
)
