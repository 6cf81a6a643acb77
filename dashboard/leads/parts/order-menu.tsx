import { ArrowDownWideNarrow } from 'lucide-react'
import { Button } from '../../kit/button.tsx'
import { Menu } from '../../kit/menu.tsx'
import { CARD_ORDERS, type CardOrder } from '../order.ts'
import { t } from '../texts.ts'

type Props = { order: CardOrder; onOrder: (order: CardOrder) => void }

/** Chooses the order of the cards in every column. */
export const OrderMenu = ({ order, onOrder }: Props) => (
  <Menu
    trigger={
      <Button icon={ArrowDownWideNarrow}>
        <span className="sr-only">{t('order')}</span>
        <span className="max-sm:sr-only">{t(`order.${order}`)}</span>
      </Button>
    }
    entries={[
      { heading: t('order') },
      ...CARD_ORDERS.map((value) => ({
        label: t(`order.${value}`),
        checked: value === order,
        closes: true as const,
        onSelect: () => onOrder(value),
      })),
    ]}
  />
)
