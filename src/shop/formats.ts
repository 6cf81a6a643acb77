import { ownFormat } from './own/format.ts'
import type { Ignored, OrderReport, Provider, ShopFormat } from './port.ts'
import { shopifyFormat } from './shopify/format.ts'
import { wooFormat } from './woocommerce/format.ts'

/** How each kind of shop reports. */
export const SHOP_FORMATS: Record<Provider, ShopFormat> = {
  shopify: shopifyFormat,
  woocommerce: wooFormat,
  orders: ownFormat,
}

/** Reads what a shop of this kind reported, or why nothing is done about it. Throws SyntaxError for what is no JSON. */
export const readShopOrder = (provider: Provider, topic: string, bytes: Buffer): OrderReport | Ignored =>
  SHOP_FORMATS[provider].readOrder(topic, bytes)
