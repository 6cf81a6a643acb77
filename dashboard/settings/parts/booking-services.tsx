import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CalendarCheck } from 'lucide-react'
import type { BookingService } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { formatDuration } from '../../kit/duration.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { salesSettingsQuery } from '../../sales/queries.ts'
import { bookingServicesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { ListSection } from './list-section.tsx'

const ServiceDialog = lazyComponent(() =>
  import('./service-dialog.tsx').then((module) => module.ServiceDialog),
)

/** The currency of prices if no document sets another. */
const DEFAULT_CURRENCY = 'INR'

/** Returns the currency of the sales settings; if that module is off, the currency of the services. */
function useCurrency(services: readonly BookingService[]): string {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const isOn = useWorkspaceSession(workspace).workspace.modules.includes('invoicing')
  const { data } = useQuery({ ...salesSettingsQuery, enabled: isOn })
  return data?.currency ?? services[0]?.currency ?? DEFAULT_CURRENCY
}

export function BookingServices() {
  const query = useInfiniteQuery(bookingServicesQuery)
  const currency = useCurrency(query.data?.pages.flatMap(({ rows }) => rows) ?? [])
  return (
    <ListSection
      name="services"
      icon={CalendarCheck}
      query={query}
      nameOf={({ name }) => name}
      remove={({ id }) => call('DELETE /booking-services/{id}', { params: { id } })}
      reads={['bookingSetup']}
      form={(service, onClose) => <ServiceDialog service={service} currency={currency} onClose={onClose} />}
      columns={[
        {
          id: 'name',
          title: t('services.name'),
          cell: ({ name }) => (
            <span dir="auto" className="font-medium">
              {name}
            </span>
          ),
        },
        {
          id: 'duration',
          title: t('services.duration'),
          end: true,
          hideBelow: 'sm',
          cell: ({ durationMinutes }) => formatDuration(durationMinutes),
        },
        {
          id: 'price',
          title: t('services.price'),
          end: true,
          hideBelow: 'sm',
          cell: ({ price, priceMinor }) => (priceMinor > 0 ? price : null),
        },
        {
          id: 'state',
          title: t('services.state'),
          cell: ({ active }) => (
            <Badge tone={active ? 'good' : 'plain'}>
              {t(active ? 'services.active' : 'services.paused')}
            </Badge>
          ),
        },
      ]}
    />
  )
}
