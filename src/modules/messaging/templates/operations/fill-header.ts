import { checkFilled, filled } from '../../../../operator/template-components/filled-text.ts'
import { HEADER_MAX } from '../../../../operator/template-components/parameter-text.ts'
import type { MediaFormat, TemplateParts, TextPart } from '../../../../operator/template-components/parts.ts'
import type { Component } from '../queries/templates.ts'
import type { CardValues, TemplateSend } from '../send-schema.ts'
import type { Filling } from './fill-template.ts'
import { type CallerValues, textParameters, valuesFor } from './template-values.ts'

type HeaderValues = CardValues & Partial<Pick<TemplateSend, 'headerText' | 'headerLocation'>>
const headerFields = ['headerText', 'headerMedia', 'headerLocation', 'headerProduct'] as const
type HeaderField = (typeof headerFields)[number]

const header = (parameters: Component[]): Component[] => [{ type: 'header', parameters }]

/**
 * Returns the header component; none if the header is fixed or missing. A media header without media is a
 * separate fault.
 */
export function headerComponents(
  { header: part }: TemplateParts,
  values: HeaderValues,
  filling: Filling,
): Component[] {
  const fieldOf: Record<string, HeaderField> = {
    TEXT: 'headerText',
    LOCATION: 'headerLocation',
    PRODUCT: 'headerProduct',
  }
  const allowedField = part && (fieldOf[part.format] ?? 'headerMedia')
  for (const name of headerFields)
    if (name !== allowedField && values[name] !== undefined)
      filling.faults.issues.push({
        path: `${filling.at}.${name}`,
        message: part
          ? `Must match the template's header of kind ${part.format}.`
          : 'Must be left out: the template has no header.',
      })
  if (!part) return []
  switch (part.format) {
    case 'TEXT':
      return textHeader(part, values.headerText, filling)
    case 'LOCATION':
      return locationHeader(values.headerLocation, filling)
    case 'PRODUCT':
      return productHeader(values.headerProduct, filling)
    case 'IMAGE':
    case 'VIDEO':
    case 'DOCUMENT':
      return mediaHeader(part.format, values.headerMedia, filling)
  }
}

function textHeader(part: TextPart, value: HeaderValues['headerText'], { at, faults }: Filling): Component[] {
  const path = `${at}.headerText`
  const isSingle = typeof value !== 'object' || value === null
  const values: CallerValues = value === undefined ? [] : isSingle ? [value] : value
  const texts = valuesFor(part, values, path, faults)
  checkFilled(filled(part, texts), HEADER_MAX, { path, faults, part: 'header' })
  return texts.length === 0 ? [] : header(textParameters(part, texts))
}

function mediaHeader(
  format: MediaFormat,
  media: HeaderValues['headerMedia'],
  { at, faults }: Filling,
): Component[] {
  const kind = format.toLowerCase()
  const path = `${at}.headerMedia`
  if (media === undefined) {
    faults.mediaRequired.push({
      path,
      message: `Required: the template has a header of kind ${kind}. Send its id or link.`,
    })
    return []
  }
  if (media.filename !== undefined && format !== 'DOCUMENT')
    faults.issues.push({
      path: `${path}.filename`,
      message: 'Must be left out unless the header is a document.',
    })
  return header([{ type: kind, [kind]: media }])
}

function locationHeader(location: HeaderValues['headerLocation'], { at, faults }: Filling): Component[] {
  if (location !== undefined) return header([{ type: 'location', location }])
  faults.issues.push({ path: `${at}.headerLocation`, message: 'Required: the place that the header shows.' })
  return []
}

function productHeader(product: HeaderValues['headerProduct'], { at, faults }: Filling): Component[] {
  if (product !== undefined)
    return header([
      {
        type: 'product',
        product: { catalog_id: product.catalogId, product_retailer_id: product.productRetailerId },
      },
    ])
  faults.issues.push({ path: `${at}.headerProduct`, message: 'Required: the product that the header shows.' })
  return []
}
