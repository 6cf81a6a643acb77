/** Shows the expected charges of a campaign, by the country of its recipients. */
import { Link, useParams } from '@tanstack/react-router'
import { Table } from '../../kit/table.tsx'
import { formatLocale } from '../../texts.ts'
import type { Preview } from '../queries.ts'
import { t } from '../texts.ts'

const countries = new Intl.DisplayNames(formatLocale, { type: 'region' })
/** `ZZ`: the country of the number is unknown. */
const countryName = (market: string): string =>
  market === 'ZZ' ? t('expected.otherCountry') : (countries.of(market) ?? market)

type Cost = NonNullable<Preview['cost']>

/** Says how many messages the sum contains, and which it can't contain. */
function explain({ cost, free, charged, unpriced }: Cost): string {
  const sentences =
    cost === null
      ? [unpriced > 0 && t('cost.unknown', { count: unpriced })]
      : [
          charged > 0 && t('expected.charged', { count: charged }),
          unpriced > 0 && t('cost.partial', { count: unpriced }),
        ]
  return [...sentences, free > 0 && t('expected.free', { count: free })].filter(Boolean).join(' ')
}

const Countries = ({ rows }: { rows: Preview['costByMarket'] }) => (
  <Table
    label={t('expected.byCountry')}
    isPlain
    rows={rows}
    keyOf={({ market }) => market}
    columns={[
      { id: 'country', title: t('column.country'), cell: ({ market }) => countryName(market) },
      {
        id: 'messages',
        title: t('column.messages'),
        end: true,
        cell: ({ messages }) => t('figure', { value: messages }),
      },
      {
        id: 'cost',
        title: t('column.cost'),
        end: true,
        cell: ({ cost }) => cost ?? <span className="text-ink-3">{t('expected.noRate')}</span>,
      },
    ]}
  />
)

/** Nothing for members who may not see costs. */
export function ExpectedCost({ cost, costByMarket }: Pick<Preview, 'cost' | 'costByMarket'>) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  if (!cost || cost.messages === 0) return null
  return (
    <section className="flex max-w-xl flex-col gap-2">
      <h2 className="font-semibold">{t('expected')}</h2>
      <p className="text-ink-2">
        {cost.cost !== null && (
          <strong className="text-xl font-semibold text-ink-1 tabular-nums">{cost.cost}</strong>
        )}{' '}
        {explain(cost)}
      </p>
      <p className="text-sm">
        <Link
          to={`/w/${workspace}/settings/usage` as string}
          search={{ find: 'usage.rates' } as never}
          className="text-accent hover:underline pointer-coarse:inline-block pointer-coarse:py-3"
        >
          {t('expected.rates')}
        </Link>
      </p>
      {costByMarket.length > 1 && cost.cost !== null && <Countries rows={costByMarket} />}
    </section>
  )
}
