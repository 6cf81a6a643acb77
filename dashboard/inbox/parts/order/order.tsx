/** Shows baskets that customers send, and orders for which we request payment: their contents and costs. */
import { t as inboxText } from '../../texts.ts'
import { amountIn, type Content, listIn, moneyOf, numberIn, objectIn, textIn } from '../kinds/content.ts'
import { Formatted, Kind } from '../kinds/text.tsx'
import { t } from './texts.ts'

type Line = { name: string; quantity: number; amount: number | undefined }
type Sum = { label: string; amount: number }

function Lines({ lines, currency }: { lines: readonly Line[]; currency: string | undefined }) {
  return (
    <ul className="my-1 flex flex-col">
      {lines.map(({ name, quantity, amount }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one order
        <li key={index} className="flex items-baseline gap-2 border-b border-line py-1 last:border-0">
          <span className="shrink-0 text-sm text-ink-2 tabular-nums">
            {t('order.quantity', { quantity })}
          </span>
          <span className="min-w-0 flex-1 break-words">{name}</span>
          {amount !== undefined && (
            <span className="shrink-0 tabular-nums">{moneyOf(amount * quantity, currency)}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Sums({ sums, currency }: { sums: readonly Sum[]; currency: string | undefined }) {
  return (
    <dl className="border-t border-line pt-1">
      {sums.map(({ label, amount }, index) => (
        <div
          key={label}
          className={
            index === sums.length - 1
              ? 'flex justify-between font-semibold'
              : 'flex justify-between text-sm text-ink-2'
          }
        >
          <dt>{label}</dt>
          <dd className="tabular-nums">{moneyOf(amount, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows a basket of the catalog. Its products are named with the seller's own codes. */
export function Order({ content }: { content: Content }) {
  const items = listIn(content, 'product_items')
  const currency = textIn(items[0], 'currency')
  const lines = items.map(
    (item): Line => ({
      name: textIn(item, 'product_retailer_id') ?? '',
      quantity: numberIn(item, 'quantity') ?? 1,
      amount: numberIn(item, 'item_price'),
    }),
  )
  const total = lines.reduce((sum, { quantity, amount = 0 }) => sum + quantity * amount, 0)
  const text = textIn(content, 'text')
  return (
    <div className="min-w-56">
      <Kind>{inboxText('bubble.order', { count: lines.length })}</Kind>
      <Lines lines={lines} currency={currency} />
      <Sums sums={[{ label: t('order.total'), amount: total }]} currency={currency} />
      {text && <Formatted text={text} />}
    </div>
  )
}

const SUMS = ['subtotal', 'discount', 'tax', 'shipping'] as const
const STATUSES = ['pending', 'processing', 'partially_shipped', 'shipped', 'completed', 'canceled'] as const

/** Shows an order that the customer is asked to pay, or its progress. */
export function OrderDetails({ content }: { content: Content }) {
  const parameters = objectIn(objectIn(content, 'action'), 'parameters')
  const order = objectIn(parameters, 'order')
  const currency = textIn(parameters, 'currency')
  const lines = listIn(order, 'items').map(
    (item): Line => ({
      name: textIn(item, 'name') ?? textIn(item, 'retailer_id') ?? '',
      quantity: numberIn(item, 'quantity') ?? 1,
      amount: amountIn(item, 'sale_amount') ?? amountIn(item, 'amount'),
    }),
  )
  const sums = SUMS.flatMap((name) => {
    const amount = amountIn(order, name)
    return amount ? [{ label: t(`order.${name}`), amount: name === 'discount' ? -amount : amount }] : []
  })
  const total = amountIn(parameters, 'total_amount')
  const status = STATUSES.find((candidate) => candidate === textIn(order, 'status'))
  const description = textIn(order, 'description')
  return (
    <div className="min-w-56">
      <Kind>{t('order.reference', { reference: textIn(parameters, 'reference_id') ?? '' })}</Kind>
      {lines.length > 0 && <Lines lines={lines} currency={currency} />}
      {total !== undefined && (
        <Sums sums={[...sums, { label: t('order.total'), amount: total }]} currency={currency} />
      )}
      {textIn(content, 'type') === 'order_status' && (
        <p className="font-medium">
          {status ? t(`order.status.${status}`) : textIn(order, 'status')}
          {description && <span className="block text-sm font-normal text-ink-2">{description}</span>}
        </p>
      )}
    </div>
  )
}
