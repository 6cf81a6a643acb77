/** Names a product of the operator's catalog. */

import { Counted } from './counted.tsx'
import type { ProductPart } from './part-shape.ts'
import { LIMITS } from './parts.ts'
import type { FieldsProps } from './replies-fields.tsx'
import { t } from './texts.ts'

export function ProductFields({ values, onChange, faults, isTried }: FieldsProps<ProductPart>) {
  const field = (name: keyof ProductPart) => ({
    value: values[name],
    max: LIMITS.product[name],
    fault: faults[name],
    isTried,
    onChange: (text: string) => onChange({ ...values, [name]: text }),
  })
  return (
    <>
      <Counted
        label={t('part.product.id')}
        hint={t('part.product.id.hint')}
        autoFocus
        {...field('productId')}
      />
      <Counted label={t('part.catalog.id')} hint={t('part.catalog.id.hint')} {...field('catalogId')} />
      <Counted label={t('part.text.optional')} isLong {...field('text')} />
      <Counted label={t('part.footer')} {...field('footer')} />
    </>
  )
}
