/** Finds targets that are too small for a finger (WCAG 2.5.5). */
import type { Page } from 'playwright-core'

/** The least width and height of a target, in CSS pixels. */
const EDGE = 44

/**
 * Runs in the page. A target may be larger than its box: its label, or a pseudo element, also takes the touch. Links within
 * a text are left out, as WCAG does.
 */
const FIND = `(() => {
  const EDGE = ${EDGE}
  const TARGETS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, ' +
    ['button', 'link', 'tab', 'menuitem', 'checkbox', 'switch', 'radio', 'option', 'slider', 'combobox', 'separator[tabindex]']
      .map((role) => role.includes('[') ? '[role=separator][tabindex="0"]' : '[role=' + role + ']').join(', ')
  const isShown = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: false })) return false
    const { width, height } = element.getBoundingClientRect()
    return width > 2 && height > 2 && !element.closest('[inert], [aria-hidden=true]') && !element.disabled
      && getComputedStyle(element).pointerEvents !== 'none'
  }
  const isInText = (element) => {
    if (element.tagName !== 'A' || !getComputedStyle(element).display.startsWith('inline')) return false
    const block = element.closest('p, li, dd, td, h1, h2, h3, label') ?? element.parentElement
    return block.textContent.trim().length > element.textContent.trim().length
      && getComputedStyle(element).display === 'inline'
  }
  const ownerOf = (node) => {
    const target = node?.closest?.(TARGETS)
    if (target) return target
    const label = node?.closest?.('label')
    return label?.querySelector(TARGETS) ?? label?.control ?? null
  }
  const found = []
  for (const element of document.querySelectorAll(TARGETS)) {
    if (!isShown(element) || isInText(element)) continue
    const label = element.labels?.[0]
    let { width, height } = element.getBoundingClientRect()
    if (width >= EDGE && height >= EDGE) continue
    element.scrollIntoView({ block: 'center', inline: 'center' })
    const box = element.getBoundingClientRect()
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    const takes = (px, py) => {
      const owner = ownerOf(document.elementFromPoint(px, py))
      return owner === element || (owner !== null && (element.contains(owner) || owner.contains(element)))
    }
    // Walks from the center to each side while the target takes the touch.
    const reach = (dx, dy) => {
      let length = 0
      while (length < EDGE && takes(x + dx * (length + 0.5), y + dy * (length + 0.5))) length += 0.5
      return length
    }
    width = Math.max(width, reach(-1, 0) + reach(1, 0))
    height = Math.max(height, reach(0, -1) + reach(0, 1))
    if (width < EDGE - 1 || height < EDGE - 1)
      found.push(element.tagName.toLowerCase() + ' "' +
        (element.getAttribute('aria-label') ?? label?.textContent ?? element.textContent).trim().slice(0, 40) +
        '" ' + Math.round(width) + '×' + Math.round(height) + ' ' + element.className.slice?.(0, 60))
  }
  return found
})()`

/** Returns a description of each target that is too small. */
export const smallTargetsOf = (page: Page): Promise<string[]> => page.evaluate(FIND)
