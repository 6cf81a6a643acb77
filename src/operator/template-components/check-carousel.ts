import type { Issue } from '../../core/errors.ts'
import { buttonIssues } from './check-buttons.ts'
import { bodyIssues, headerIssues } from './check-parts.ts'
import type { Of } from './component-shapes.ts'

const CARDS_MIN = 2
const CARDS_MAX = 10
const CARD_BODY_MAX = 160
const CARD_BUTTONS_MAX = 2
const cardHeaders = ['IMAGE', 'VIDEO', 'PRODUCT']

type Card = Of<'CAROUSEL'>['cards'][number]

/**
 * Returns the faults that the operator would refuse in a carousel: it needs 2 to 10 cards of the same
 * structure.
 */
export function carouselIssues({ cards }: Of<'CAROUSEL'>, path: string): Issue[] {
  const own = `${path}.cards`
  const issues =
    cards.length < CARDS_MIN || cards.length > CARDS_MAX
      ? [{ path: own, message: `Must have ${CARDS_MIN} to ${CARDS_MAX} cards.` }]
      : []
  const first = cards[0] && shapeOf(cards[0])
  return [
    ...issues,
    ...cards.flatMap((card, i) => [
      ...cardIssues(card, `${own}[${i}].components`),
      ...(shapeOf(card) === first
        ? []
        : [{ path: `${own}[${i}]`, message: 'Must have the same header and buttons as the first card.' }]),
    ]),
  ]
}

function cardIssues({ components }: Card, path: string): Issue[] {
  const issues: Issue[] = []
  const header = components.find((component) => component.type === 'HEADER')
  if (!header || !cardHeaders.includes(header.format))
    issues.push({ path, message: `Must have a header of format ${cardHeaders.join(', ')}.` })
  if (!components.some((component) => component.type === 'BUTTONS'))
    issues.push({ path, message: 'Must have buttons.' })
  for (const [i, component] of components.entries()) {
    const own = `${path}[${i}]`
    if (component.type === 'HEADER') issues.push(...headerIssues(component, own))
    if (component.type === 'BODY') issues.push(...bodyIssues(component, own, { max: CARD_BODY_MAX }))
    if (component.type !== 'BUTTONS') continue
    issues.push(...buttonIssues(component.buttons, `${own}.buttons`))
    if (component.buttons.length > CARD_BUTTONS_MAX)
      issues.push({ path: `${own}.buttons`, message: `Must have at most ${CARD_BUTTONS_MAX} buttons.` })
  }
  return issues
}

/** Returns the structure that must be the same on every card. */
const shapeOf = ({ components }: Card): string =>
  components
    .flatMap((component) => {
      if (component.type === 'HEADER') return [`HEADER ${component.format}`]
      if (component.type === 'BODY') return ['BODY']
      return component.buttons.map((button) => button.type)
    })
    .sort()
    .join()
