import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Booking } from '../../../sdk/api.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Callout } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Fact } from '../../kit/facts.tsx'
import { formatLongDay, localOf } from '../../kit/zone.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { servicesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { DocumentLink } from './document-link.tsx'
import { customerOf } from './status.tsx'

const LINK = 'text-accent underline underline-offset-2'
type Props = { booking: Booking; session: WorkspaceSession }
type LabeledFact = [label: string, value: ReactNode]

function formatTimes({ startAt, endAt }: Booking, zone: string): string {
  const times = { from: formatClockIn(zone, startAt), to: formatClockIn(zone, endAt) }
  return `${formatLongDay(localOf(zone, startAt).day)}, ${t('time.range', times)}`
}

/** Shows the customer, the staff, the service, and the payment. */
export function BookingFacts({ booking, session }: Props) {
  const { id: workspace, timezone: zone } = session.workspace
  const { customer, advance, staff, holdExpiresAt, timeZone } = booking
  const { data: services = [] } = useQuery(servicesQuery)
  const isGroup =
    booking.partySize > 1 ||
    services.some((service) => service.id === booking.serviceId && service.capacity > 1)
  const visit: LabeledFact[] = [
    [t('fact.when'), formatTimes(booking, zone)],
    [t('fact.theirTime'), timeZone === zone ? null : `${formatTimes(booking, timeZone)} (${timeZone})`],
    [t('fact.staff'), staff?.name],
    [t('fact.party'), isGroup ? String(booking.partySize) : null],
    [t('fact.where'), [t(`location.${booking.locationKind}`), booking.location].filter(Boolean).join(': ')],
    [t('fact.source'), t(`source.${booking.source}`)],
    [t('fact.notes'), booking.notes],
    [t('fact.reason'), booking.cancelReason],
  ]
  const name = customer.contactId ? (
    <Link to={`/w/${workspace}/contacts/${customer.contactId}` as string} className={LINK}>
      {customerOf(booking)}
    </Link>
  ) : (
    customerOf(booking)
  )
  const customerFacts: LabeledFact[] = [
    [t('fact.name'), name],
    [t('fact.phone'), customer.phone && <span dir="ltr">{customer.phone}</span>],
    [t('fact.email'), customer.email],
    ...Object.entries(booking.answers).map(([question, answer]): LabeledFact => [question, answer]),
  ]
  const voucherId = advance?.invoiceId === booking.invoiceId ? null : advance?.invoiceId
  const money: LabeledFact[] = [
    [t('fact.price'), booking.priceMinor > 0 ? booking.price : t('fact.free')],
    [
      t('fact.advance'),
      advance && t('advance', { amount: advance.amount, status: t(`advance.${advance.status}`) }),
    ],
    [t('fact.voucher'), voucherId && <DocumentLink workspace={workspace} id={voucherId} />],
    [t('fact.invoice'), booking.invoiceId && <DocumentLink workspace={workspace} id={booking.invoiceId} />],
  ]
  return (
    <>
      {booking.status === 'held' && holdExpiresAt && (
        <div className="mb-3">
          <Callout kind="warn">{t('held', { time: formatClockIn(zone, holdExpiresAt) })}</Callout>
        </div>
      )}
      <FactList title={t('part.visit')} facts={visit} />
      <FactList title={t('part.customer')} facts={customerFacts} />
      <FactList title={t('part.money')} facts={money} />
      {booking.paymentUrl && booking.status === 'held' && (
        <Address title={t('payment.link')} url={booking.paymentUrl} />
      )}
      {booking.url && <Address title={t('link')} url={booking.url} />}
    </>
  )
}

const FactList = ({ title, facts }: { title: string; facts: LabeledFact[] }) => (
  <section className="mb-4">
    <h3 className="mb-1 text-sm font-semibold text-ink-2">{title}</h3>
    <dl>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([label, value]) => (
          <Fact key={label} label={<span dir="auto">{label}</span>}>
            <span dir="auto" className="break-words whitespace-pre-wrap">
              {value}
            </span>
          </Fact>
        ))}
    </dl>
  </section>
)

const Address = ({ title, url }: { title: string; url: string }) => (
  <div className="mt-4">
    <h3 className="mb-1 text-sm text-ink-3">{title}</h3>
    <CopyField text={url} label={t('copy.of', { title })} />
  </div>
)
