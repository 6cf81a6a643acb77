import type { Issue } from '../../core/errors.ts'
import { issuesOf } from '../../core/issues.ts'
import { buttonIssues } from './check-buttons.ts'
import { carouselIssues } from './check-carousel.ts'
import { bodyIssues, footerIssues, headerIssues } from './check-parts.ts'
import { Components, type Of, type TypedComponent } from './component-shapes.ts'
import { BODY_MAX } from './parameter-text.ts'
import { plainComponents } from './plain-components.ts'
import { isPosition, variablesIn } from './variables.ts'

export const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
export type Category = (typeof CATEGORIES)[number]

/** Maximum characters of the body with a limited-time offer. */
const OFFER_BODY_MAX = 600

export type ParameterFormat = 'POSITIONAL' | 'NAMED'
export type CheckedTemplate = {
  components: TypedComponent[]
  parameterFormat: ParameterFormat
  issues: Issue[]
}

/**
 * Checks the components of a new template by the operator's rules (docs/formats.md section 6.2) and returns
 * them normalized. Paths of issues start with `components`; the template is valid without issues.
 */
export function checkTemplate(category: Category, input: unknown): CheckedTemplate {
  const shaped = Components.safeParse(plainComponents(input))
  if (!shaped.success) {
    const issues = issuesOf(shaped.error, Components).map(({ path, message }) => ({
      path: `components${path === '' || path.startsWith('[') ? path : `.${path}`}`,
      message,
    }))
    return { components: [], parameterFormat: 'POSITIONAL', issues }
  }
  const components = shaped.data
  const issues = [
    ...compositionIssues(category, components),
    ...components.flatMap((component, i) =>
      componentIssues(category, component, `components[${i}]`, components),
    ),
  ]
  const names = components.flatMap((component) =>
    component.type === 'HEADER' || component.type === 'BODY' ? variablesIn(component.text ?? '') : [],
  )
  const named = names.some((name) => !isPosition(name))
  if (issues.length === 0 && named && names.some(isPosition))
    issues.push({ path: 'components', message: 'Must not mix numbered and named placeholders.' })
  return { components, parameterFormat: named ? 'NAMED' : 'POSITIONAL', issues }
}

const find = <Type extends TypedComponent['type']>(components: TypedComponent[], type: Type) =>
  components.find((component): component is Of<Type> => component.type === type)

/** Checks which components may be combined, with each other and with the category. */
function compositionIssues(category: Category, components: TypedComponent[]): Issue[] {
  const path = 'components'
  const issues: Issue[] = []
  for (const [type, sameType] of Map.groupBy(components, (component) => component.type))
    if (sameType.length > 1) issues.push({ path, message: `Must have at most one ${type}.` })
  if (!find(components, 'BODY')) issues.push({ path, message: 'Must have a BODY.' })
  const buttons = find(components, 'BUTTONS')?.buttons ?? []
  const hasCode = buttons.some((button) => button.type === 'OTP')
  if (hasCode && category !== 'AUTHENTICATION')
    issues.push({ path, message: 'Must be of category AUTHENTICATION to have a button of type OTP.' })
  const unsupported = components.find(({ type }) => !['BODY', 'FOOTER', 'BUTTONS'].includes(type))
  if (unsupported && category === 'AUTHENTICATION')
    issues.push({ path, message: `Must not have a ${unsupported.type} in category AUTHENTICATION.` })
  if (find(components, 'LIMITED_TIME_OFFER')) issues.push(...offerIssues(category, components))
  const carousel = find(components, 'CAROUSEL')
  const conflicting = components.find(({ type }) => type !== 'CAROUSEL' && type !== 'BODY')
  if (carousel && conflicting)
    issues.push({ path, message: `Must not have a ${conflicting.type} with a CAROUSEL.` })
  return issues
}

function offerIssues(category: Category, components: TypedComponent[]): Issue[] {
  const path = 'components'
  const issues: Issue[] = []
  if (category !== 'MARKETING')
    issues.push({ path, message: 'Must be of category MARKETING to have a LIMITED_TIME_OFFER.' })
  if (find(components, 'FOOTER'))
    issues.push({ path, message: 'Must not have a FOOTER with a LIMITED_TIME_OFFER.' })
  const types = find(components, 'BUTTONS')?.buttons.map((button) => button.type) ?? []
  const [code, url] = [types.indexOf('COPY_CODE'), types.indexOf('URL')]
  if (code >= 0 && url >= 0 && url < code)
    issues.push({
      path,
      message: 'Must have the COPY_CODE button before the URL button with a LIMITED_TIME_OFFER.',
    })
  return issues
}

function componentIssues(
  category: Category,
  component: TypedComponent,
  path: string,
  components: TypedComponent[],
): Issue[] {
  switch (component.type) {
    case 'HEADER':
      return headerIssues(component, path)
    case 'BODY':
      // The operator writes the body and footer of these itself, and decides whether to accept others.
      if (category === 'AUTHENTICATION' && component.text === undefined) return []
      return bodyIssues(component, path, {
        max: find(components, 'LIMITED_TIME_OFFER') ? OFFER_BODY_MAX : BODY_MAX,
        anyPlace: category === 'AUTHENTICATION',
      })
    case 'FOOTER':
      if (category === 'AUTHENTICATION' && component.text === undefined) return []
      return footerIssues(component, path)
    case 'BUTTONS':
      return buttonIssues(component.buttons, `${path}.buttons`)
    case 'CAROUSEL':
      return carouselIssues(component, path)
    case 'LIMITED_TIME_OFFER':
      return []
  }
}
