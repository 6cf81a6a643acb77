/** Previews the edited document with the server's totals, on white paper in both themes. */
import type { ReactNode } from 'react'
import { useNow } from '../../kit/time.tsx'
import type { Preview } from '../queries.ts'
import { t } from '../texts.ts'
import { dayIn, formatDate } from './dates.ts'
import type { Draft } from './draft.ts'
import { formatMinor } from './money.ts'
import { placeName, stateName } from './places.ts'
import { Totals } from './totals.tsx'

type Props = {
  preview: Preview
  draft: Draft
  /** The number after issue; undefined before. */
  number: string | undefined
  zone: string
  isCurrent: boolean
}

type Address = NonNullable<Preview['customer']['billingAddress']>
const addressOf = ({ line1, line2, city, state, postalCode }: Address): string[] =>
  [line1, line2, `${city} ${postalCode}`, stateName(state)].filter((line): line is string => Boolean(line))

type PartyProps = { title?: string; name: string | null; lines: (string | null | undefined)[] }

const Party = ({ title, name, lines }: PartyProps) => (
  <div className="min-w-0 flex-1 basis-40">
    {title && <p className="font-semibold text-ink-3">{title}</p>}
    <p dir="auto" className="text-base font-semibold break-words">
      {name ?? '–'}
    </p>
    {lines
      .filter((line) => line)
      .map((line) => (
        <p key={line} dir="auto" className="break-words text-ink-2">
          {line}
        </p>
      ))}
  </div>
)

function Facts({ preview, draft, zone }: Pick<Props, 'preview' | 'draft' | 'zone'>) {
  const today = dayIn(zone, useNow())
  const { documentType, placeOfSupply } = preview
  const facts: [string, string | null | undefined][] = [
    [t('field.issueDate'), formatDate(draft.issueDate || today)],
    [
      t(documentType === 'quotation' ? 'field.validUntil' : 'field.dueDate'),
      draft.until ? formatDate(draft.until) : null,
    ],
    [t('field.reference'), draft.reference.trim()],
    [t('field.placeOfSupply'), placeName(placeOfSupply)],
  ]
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1">
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label}>
            <dt className="text-ink-3">{label}</dt>
            <dd dir="auto" className="font-medium break-words">
              {value}
            </dd>
          </div>
        ))}
    </dl>
  )
}

const CELL = 'border-b px-1 py-1.5 align-top'
/** On a phone, the amounts need the width: the quantity and the price are below the description. */
const WIDE = 'max-sm:hidden'
const Head = ({ children, end, wide }: { children: ReactNode; end?: boolean; wide?: boolean }) => (
  <th
    scope="col"
    className={`border-b border-edge px-1 pb-1 font-semibold whitespace-nowrap text-ink-3 ${end ? 'text-end' : 'text-start'} ${wide ? WIDE : ''}`}
  >
    {children}
  </th>
)

function Lines({ preview: { lines, currency } }: Pick<Props, 'preview'>) {
  const isTaxed = lines.some(({ taxRate }) => taxRate > 0)
  return (
    <table className="w-full tabular-nums">
      <thead>
        <tr>
          <Head>{t('line.description.short')}</Head>
          <Head end wide>
            {t('line.quantity.short')}
          </Head>
          <Head end wide>
            {t('line.price.short')}
          </Head>
          {isTaxed && (
            <Head end wide>
              {t('line.taxRate.short')}
            </Head>
          )}
          <Head end>{t('total.taxable')}</Head>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have only their place as an identity
          <tr key={index}>
            <td dir="auto" className={`${CELL} break-words`}>
              {line.description}
              <span className="block text-ink-3 sm:hidden">
                {line.quantity} {line.unit} × {formatMinor(line.unitMinor, currency)}
                {isTaxed && ` · ${line.taxRate} %`}
              </span>
              {line.hsn && <span className="block text-ink-3">{t('line.hsn.of', { hsn: line.hsn })}</span>}
            </td>
            <td className={`${CELL} ${WIDE} text-end`}>
              {line.quantity} {line.unit}
            </td>
            <td className={`${CELL} ${WIDE} text-end whitespace-nowrap`}>
              {formatMinor(line.unitMinor, currency)}
            </td>
            {isTaxed && <td className={`${CELL} ${WIDE} text-end whitespace-nowrap`}>{line.taxRate} %</td>}
            <td className={`${CELL} text-end whitespace-nowrap`}>
              {formatMinor(line.taxableMinor, currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Words = ({ title, text }: { title: string; text: string }) =>
  text.trim() !== '' && (
    <div>
      <p className="font-semibold text-ink-3">{title}</p>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {text}
      </p>
    </div>
  )

export function Sheet({ preview, draft, number, zone, isCurrent }: Props) {
  const { seller, customer } = preview
  return (
    <section
      aria-label={t('sheet')}
      aria-busy={!isCurrent}
      className="flex flex-col gap-4 rounded-md border bg-surface-1 p-5 text-xs text-ink-1 shadow-md [color-scheme:light]"
    >
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-2 border-b-2 border-ink-1 pb-3">
        <Party
          name={seller?.legalName ?? null}
          lines={[
            ...(seller ? addressOf(seller.address) : []),
            seller?.gstin && t('sheet.gstin', { gstin: seller.gstin }),
          ]}
        />
        <div className="text-end">
          <h2 className="text-lg font-semibold">{t(`type.${preview.documentType}`)}</h2>
          <p className="font-medium">{number ?? t('sheet.numbered')}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <Party
          title={t('sheet.to')}
          name={customer.name}
          lines={[
            ...(customer.billingAddress ? addressOf(customer.billingAddress) : []),
            customer.gstin && t('sheet.gstin', { gstin: customer.gstin }),
            customer.phone,
            customer.email,
          ]}
        />
        <div className="min-w-0 flex-1 basis-40">
          <Facts preview={preview} draft={draft} zone={zone} />
        </div>
      </div>
      <Lines preview={preview} />
      <div className="flex justify-end">
        <Totals sums={preview} label={t('reckoning')} />
      </div>
      <Words title={t('field.notes')} text={draft.notes} />
      <Words title={t('field.terms')} text={draft.terms} />
    </section>
  )
}
