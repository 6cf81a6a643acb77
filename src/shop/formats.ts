import { ownFormat } from './own/format.ts'
import type { Ignored, OrderReport, Provider, ShopFormat } from './port.ts'
import { shopifyFormat } from './shopify/format.ts'
import { wooFormat } from './woocommerce/format.ts'

/** The report format of each kind of shop. */
export const SHOP_FORMATS: Record<Provider, ShopFormat> = {
  shopify: shopifyFormat,
  woocommerce: wooFormat,
  orders: ownFormat,
}

/** Reads a shop's report, or returns why it is ignored. Throws SyntaxError if it is not JSON. */
export const readShopOrder = (provider: Provider, topic: string, bytes: Buffer): OrderReport | Ignored =>
  SHOP_FORMATS[provider].readOrder(topic, bytes)
