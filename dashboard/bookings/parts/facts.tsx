import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Booking } from '../../../sdk/api.ts'
import type { Here } from '../../api/session.ts'
import { Callout } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Fact } from '../../kit/facts.tsx'
import { servicesQuery } from '../queries.ts'
import { t } from '../words.ts'
import { customerOf } from './status.tsx'
import { formatClockIn, formatLongDay, localOf } from './zone.ts'

const LINK = 'text-accent underline underline-offset-2'
type Props = { booking: Booking; here: Here }

function whenOf({ startAt, endAt }: Booking, zone: string): string {
  const times = { from: formatClockIn(zone, startAt), to: formatClockIn(zone, endAt) }
  return `${formatLongDay(localOf(zone, startAt).day)}, ${t('time.range', times)}`
}

/** Who comes, to whom, for what, and what is paid. */
export function BookingFacts({ booking, here }: Props) {
  const { id: workspace, timezone: zone } = here.workspace
  const { customer, advance, staff, holdExpiresAt, timeZone } = booking
  const { data: services = [] } = useQuery(servicesQuery)
  const linkTo = (path: string, text: string) => (
    <Link to={`/w/${workspace}/${path}` as string} className={LINK}>
      {text}
    </Link>
  )
  const isGroup =
    booking.partySize > 1 || services.some((one) => one.id === booking.serviceId && one.capacity > 1)
  const facts: [label: string, value: ReactNode][] = [
    [t('fact.when'), whenOf(booking, zone)],
    [t('fact.theirTime'), timeZone === zone ? null : `${whenOf(booking, timeZone)} (${timeZone})`],
    [t('fact.staff'), staff?.name],
    [t('fact.party'), isGroup ? String(booking.partySize) : null],
    [t('fact.where'), [t(`location.${booking.locationKind}`), booking.location].filter(Boolean).join(': ')],
    [
      t('fact.customer'),
      customer.contactId
        ? linkTo(`contacts/${customer.contactId}`, customerOf(booking))
        : customerOf(booking),
    ],
    [t('fact.phone'), customer.phone],
    [t('fact.email'), customer.email],
    [t('fact.price'), booking.priceMinor > 0 ? booking.price : t('fact.free')],
    [
      t('fact.advance'),
      advance && t('advance', { amount: advance.amount, status: t(`advance.${advance.status}`) }),
    ],
    [
      t('fact.invoice'),
      advance?.invoiceId && linkTo(`invoices/${advance.invoiceId}`, t('fact.invoice.open')),
    ],
    [t('fact.notes'), booking.notes],
    [t('fact.reason'), booking.cancelReason],
    [t('fact.source'), t(`source.${booking.source}`)],
  ]
  return (
    <>
      {booking.status === 'held' && holdExpiresAt && (
        <div className="mb-3">
          <Callout kind="warn">{t('held', { time: formatClockIn(zone, holdExpiresAt) })}</Callout>
        </div>
      )}
      <dl>
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <Fact key={label} label={label}>
              <span dir="auto" className="break-words whitespace-pre-wrap">
                {value}
              </span>
            </Fact>
          ))}
        {Object.entries(booking.answers).map(([question, answer]) => (
          <Fact key={`answer ${question}`} label={question}>
            <span dir="auto" className="break-words whitespace-pre-wrap">
              {answer}
            </span>
          </Fact>
        ))}
      </dl>
      {booking.paymentUrl && booking.status === 'held' && (
        <Address title={t('payment.link')} url={booking.paymentUrl} />
      )}
      {booking.url && <Address title={t('link')} url={booking.url} />}
    </>
  )
}

const Address = ({ title, url }: { title: string; url: string }) => (
  <div className="mt-4">
    <h3 className="mb-1 text-sm text-ink-3">{title}</h3>
    <CopyField text={url} label={t('copy.of', { title })} />
  </div>
)
