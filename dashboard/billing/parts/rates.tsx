/** Shows the operator's rates, which only the administrator of the installation can change. */
import { useQuery } from '@tanstack/react-query'
import type { RateList } from '../../../sdk/api.ts'
import { DataPanel } from '../../kit/data-panel.tsx'
import { formatFull } from '../../kit/time.tsx'
import { formatDate as formatDayOfYear } from '../../sales/parts/dates.ts'
import { formatLocale } from '../../texts.ts'
import { ratesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CommandNote } from './command-note.tsx'

type Rate = RateList['rates'][number]

const countries = new Intl.DisplayNames(formatLocale, { type: 'region' })
const ANY_MARKET = '*'
const countryOf = ({ market }: Rate): string =>
  market === ANY_MARKET ? t('rates.otherCountries') : (countries.of(market) ?? market)

const CATEGORIES = ['marketing', 'utility', 'authentication', 'service'] as const
/** Returns the label of the category; the operator may have categories that are not known here. */
function categoryOf({ category }: Rate): string {
  const known = CATEGORIES.find((candidate) => candidate === category)
  return known ? t(`rates.category.${known}`) : category
}

const MILLION = 1_000_000
/** Rates are often fractions of the smallest unit. */
const MAX_DECIMALS = 6
const priceOf = ({ millionths }: Rate, currency: string | null): string =>
  new Intl.NumberFormat(formatLocale, {
    ...(currency === null ? {} : { style: 'currency', currency }),
    maximumFractionDigits: MAX_DECIMALS,
  }).format(millionths / MILLION)

export function RatesPart({ workspace }: { workspace: string }) {
  const query = useQuery(ratesQuery)
  const { data } = query
  const rates = data?.rates ?? []
  const currency = data?.currency ?? null
  const importedAt = data?.importedAt
  return (
    <>
      <DataPanel
        id="rates"
        title={t('rates')}
        description={t('rates.text')}
        query={query}
        rows={rates}
        keyOf={({ market, category, validFrom }) => `${market} ${category} ${validFrom}`}
        empty={t('rates.none')}
        columns={[
          {
            id: 'country',
            title: t('rates.country'),
            cell: (rate) => (
              <span className="flex flex-col">
                {countryOf(rate)}
                <span className="text-sm text-ink-2 sm:hidden">{categoryOf(rate)}</span>
              </span>
            ),
            value: countryOf,
          },
          {
            id: 'category',
            title: t('category'),
            hideBelow: 'sm',
            cell: categoryOf,
            value: ({ category }) => category,
          },
          {
            id: 'since',
            title: t('rates.since'),
            hideBelow: 'sm',
            cell: ({ validFrom, isUpcoming }) => (
              <span className={isUpcoming ? 'text-note' : undefined}>
                {isUpcoming
                  ? t('rates.upcoming', { day: formatDayOfYear(validFrom) })
                  : formatDayOfYear(validFrom)}
              </span>
            ),
            value: ({ validFrom }) => validFrom,
          },
          {
            id: 'price',
            title: currency === null ? t('rates.price') : t('rates.price.in', { currency }),
            end: true,
            cell: (rate) => (
              <span className="flex flex-col items-end">
                {priceOf(rate, currency)}
                {rate.isUpcoming && (
                  <span className="text-xs text-note sm:hidden">
                    {t('rates.upcoming', { day: formatDayOfYear(rate.validFrom) })}
                  </span>
                )}
              </span>
            ),
            value: ({ millionths }) => millionths / MILLION,
          },
        ]}
      >
        {importedAt && (
          <p className="text-sm text-ink-2">{t('rates.imported', { time: formatFull(importedAt) })}</p>
        )}
        {data?.isPartial && <p className="text-sm text-warn">{t('rates.partial')}</p>}
      </DataPanel>
      {data && (
        <div className="-mt-5 mb-8">
          <CommandNote command={t('costs.card.command', { workspace })}>{t('rates.change')}</CommandNote>
        </div>
      )}
    </>
  )
}
