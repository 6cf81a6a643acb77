/** The name, logo, and color of the business on its pages for bookings. */
import type { Context } from '../../../../core/context.ts'
import { type Html, html } from '../../../../core/values/html.ts'
import { logoOf } from '../../invoicing/operations/seller-logo.ts'
import { readSettings as readSalesSettings } from '../../invoicing/operations/settings.ts'
import { readSettings } from '../operations/settings.ts'

export type Brand = { name: string; logo: string | null; color: string | null }

export async function readBrand(ctx: Context): Promise<Brand> {
  const [{ seller }, { pageColor }] = await Promise.all([readSalesSettings(ctx), readSettings(ctx)])
  return { name: ctx.workspace.name, logo: await logoOf(ctx, seller), color: pageColor }
}

export const brandHeader = ({ name, logo }: Brand): Html =>
  html`<header class="brand">${logo !== null && html`<img src="${logo}" alt="">`}<h1>${name}</h1></header>`

/** Returns the relative luminance of a color such as #1d4ed8, from 0 to 1 (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns black or white, the one with more contrast on the color: at least 4.5 to 1 for every color. */
export const textOn = (color: string): '#000000' | '#ffffff' => {
  const luminance = luminanceOf(color)
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff'
}

const BRAND_STYLE = `
:root { --brand: var(--accent); --on-brand: var(--on-accent) }
.brand { display: flex; align-items: center; gap: .75rem; margin: 0 0 1rem }
.brand h1 { margin: 0 }
.brand img { display: block; max-width: 9rem; max-height: 3.5rem; background: #ffffff; border-radius: 6px; padding: 4px }
`

/** Returns the style of a page of the business. Its color marks the header, buttons, and the chosen day. */
export const brandStyle = ({ color }: Brand): string =>
  color === null
    ? BRAND_STYLE
    : `${BRAND_STYLE}:root { --brand: ${color}; --on-brand: ${textOn(color)} }
.brand { background: var(--brand); color: var(--on-brand); border-radius: 12px; padding: .9rem 1.25rem }
button:not(.plain), .button:not(.plain) { background: var(--brand); color: var(--on-brand); border-color: var(--brand) }
`
