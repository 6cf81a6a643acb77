/**
 * Converts a service between the form and the API: the form has numbers as typed, and amounts in units of the
 * currency.
 */
import type { BookingService } from '../../../sdk/api.ts'
import { parseCount } from '../../api/form.ts'
import type { ServiceBody } from '../../bookings/queries.ts'
import { minorOf, typedMinor } from '../../sales/parts/money.ts'

export const COUNTS = [
  'durationMinutes',
  'stepMinutes',
  'bufferBeforeMinutes',
  'bufferAfterMinutes',
  'capacity',
  'minNoticeMinutes',
  'maxDaysAhead',
  'cancelNoticeMinutes',
] as const
export const ADVANCES = ['none', 'amount', 'percent'] as const
export const PLACES = ['business', 'customer', 'phone', 'online', 'other'] as const
export const POLICIES = ['refund', 'keep'] as const

export type ServiceValues = Record<(typeof COUNTS)[number], string> & {
  name: string
  description: string
  priceMinor: string
  taxRate: string
  hsn: string
  advanceKind: (typeof ADVANCES)[number]
  advance: string
  refundPolicy: (typeof POLICIES)[number]
  locationKind: (typeof PLACES)[number]
  location: string
  staffIds: string[]
  questions: { label: string; required: boolean }[]
  active: boolean
}

const FIRST: Record<(typeof COUNTS)[number], string> = {
  durationMinutes: '30',
  stepMinutes: '15',
  bufferBeforeMinutes: '0',
  bufferAfterMinutes: '0',
  capacity: '1',
  minNoticeMinutes: '0',
  maxDaysAhead: '60',
  cancelNoticeMinutes: '0',
}

function formatAdvance(advance: BookingService['advance'], currency: string): string {
  if (advance?.percent !== undefined) return String(advance.percent)
  return advance?.amountMinor === undefined ? '' : typedMinor(advance.amountMinor, currency)
}

export function valuesOf(service: BookingService | undefined, currency: string): ServiceValues {
  const counts = Object.fromEntries(
    COUNTS.map((name) => [name, service ? String(service[name]) : FIRST[name]]),
  ) as Record<(typeof COUNTS)[number], string>
  const { advance = null } = service ?? {}
  return {
    ...counts,
    name: service?.name ?? '',
    description: service?.description ?? '',
    priceMinor: service ? typedMinor(service.priceMinor, currency) : '',
    taxRate: String(service?.taxRate ?? ''),
    hsn: service?.hsn ?? '',
    advanceKind: advance === null ? 'none' : advance.percent === undefined ? 'amount' : 'percent',
    advance: formatAdvance(advance, currency),
    refundPolicy: service?.refundPolicy ?? 'refund',
    locationKind: service?.locationKind ?? 'business',
    location: service?.location ?? '',
    staffIds: service?.staffIds ?? [],
    questions: service?.questions ?? [],
    active: service?.active ?? true,
  }
}

const orNull = (text: string): string | null => text.trim() || null

export function bodyOf(values: ServiceValues, currency: string): ServiceBody {
  const { advanceKind, advance, priceMinor, taxRate, ...rest } = values
  const counts = Object.fromEntries(COUNTS.map((name) => [name, parseCount(values[name])])) as Record<
    (typeof COUNTS)[number],
    number
  >
  return {
    ...rest,
    ...counts,
    name: values.name.trim(),
    description: orNull(values.description),
    priceMinor: minorOf(priceMinor.trim() || '0', currency) ?? Number.NaN,
    taxRate: taxRate.trim() === '' ? null : Number(taxRate),
    hsn: orNull(values.hsn),
    location: orNull(values.location),
    advance:
      advanceKind === 'none'
        ? null
        : advanceKind === 'percent'
          ? { percent: parseCount(advance) }
          : { amountMinor: minorOf(advance, currency) ?? Number.NaN },
  }
}
