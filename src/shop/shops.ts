import type { Egress } from '../egress/egress.ts'
import { openLine } from './line.ts'
import type { Shop, ShopAccount } from './port.ts'
import { createShopify } from './shopify/shop.ts'
import { createWooCommerce } from './woocommerce/shop.ts'

export type ShopsOptions = {
  /** Leads to addresses that customers name. */
  egress: Pick<Egress, 'prepareTarget' | 'send'>
  /** Leads also to this machine. */
  deploymentEgress: Pick<Egress, 'prepareTarget' | 'send'>
  /** Where all Shopify shops are asked instead of at their own addresses; undefined in earnest. */
  shopifyUrl: string | undefined
}

/** Shops of every kind behind one face. */
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
