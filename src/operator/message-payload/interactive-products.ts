/** Messages about the products of a catalog (docs/formats.md section 2). */
import { checked, exactly, listOf, object, operatorId, words } from './fields.ts'
import { Body, Footer, TextHeader } from './interactive-parts.ts'

const SECTIONS_MAX = 10
const ITEMS_MAX = 30
const productId = words(200)

export const ProductMessage = object({
  type: exactly('product'),
  body: Body.optional(),
  footer: Footer.optional(),
  action: object({ catalog_id: operatorId, product_retailer_id: productId }),
})

const Section = object({
  title: words(24).optional(),
  product_items: listOf(object({ product_retailer_id: productId }), 1, ITEMS_MAX),
})

/** A message of at most 30 products in total, under a text header. */
export const ProductListMessage = object({
  type: exactly('product_list'),
  header: TextHeader,
  body: Body,
  footer: Footer.optional(),
  action: object({
    catalog_id: operatorId,
    sections: listOf(Section, 1, SECTIONS_MAX).check(
      checked((sections, raise) => {
        const items = sections.reduce((sum, section) => sum + section.product_items.length, 0)
        if (items > ITEMS_MAX) raise([], `Must have at most ${ITEMS_MAX} products in all.`)
        for (const [s, { title }] of sections.entries())
          if (sections.length > 1 && title === undefined)
            raise([s, 'title'], 'Required when there are several sections.')
      }),
    ),
  }),
})

export const CatalogMessage = object({
  type: exactly('catalog_message'),
  body: Body,
  footer: Footer.optional(),
  action: object({
    name: exactly('catalog_message'),
    parameters: object({ thumbnail_product_retailer_id: productId.optional() }).optional(),
  }),
})
