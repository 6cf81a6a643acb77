import type { Egress } from '../egress/egress.ts'
import { openLine } from './line.ts'
import type { Shop, ShopAccount } from './port.ts'
import { createShopify } from './shopify/shop.ts'
import { createWooCommerce } from './woocommerce/shop.ts'

export type ShopsOptions = {
  /** Reaches addresses that customers name. */
  egress: Pick<Egress, 'prepareTarget' | 'send'>
  /** Also reaches this machine. */
  deploymentEgress: Pick<Egress, 'prepareTarget' | 'send'>
  /** The address for all Shopify shops that replaces their own; undefined in production. */
  shopifyUrl: string | undefined
}

/** Creates one adapter for shops of every kind. */
export function createShops({ egress, deploymentEgress, shopifyUrl }: ShopsOptions): Shop {
  const shopifyLine =
    shopifyUrl === undefined ? openLine({ egress }) : openLine({ egress: deploymentEgress }, false)
  const shops = {
    shopify: createShopify(shopifyLine, shopifyUrl),
    woocommerce: createWooCommerce(openLine({ egress })),
  }
  const of = ({ provider }: ShopAccount): Shop => shops[provider]
  return {
    describe: (account) => of(account).describe(account),
    registerWebhooks: (account, hook) => of(account).registerWebhooks(account, hook),
    markOrder: (account, mark) => of(account).markOrder(account, mark),
  }
}
