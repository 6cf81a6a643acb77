import { objectsIn } from '../../../core/values/storable.ts'
import type { Faults } from '../../template-components/filled-text.ts'
import { MEDIA_FORMATS, partsOf, type TemplateParts } from '../../template-components/parts.ts'
import { checkComponents } from '../../template-components/sent-components.ts'
import type { TakenMessage } from '../behavior.ts'
import { type GraphAnswer, graphError } from '../graph-errors.ts'
import { textParameter } from '../graph-parameters.ts'
import { objectParameter } from '../request-body.ts'
import type { SimulatedObject } from '../store.ts'
import type { KeptTemplate } from '../stored-templates.ts'

type Part = Record<string, unknown>

/**
 * Returns why a template message cannot be sent: the template is missing or not sendable, or its values do
 * not fit.
 */
export function templateRefusal(
  template: SimulatedObject | undefined,
  { content }: TakenMessage,
  now: Date,
): GraphAnswer | undefined {
  if (template === undefined || template.value.status === 'REJECTED' || template.value.status === 'PENDING')
    return graphError(132001, '(#132001) Template name does not exist in the translation', {
      status: 404,
      details: 'template name does not exist in the language, or it is not approved',
    })
  if (template.value.status === 'PAUSED')
    return graphError(132015, '(#132015) Template is Paused', {
      details: 'Template is paused due to low quality',
    })
  if (template.value.status === 'DISABLED')
    return graphError(132016, '(#132016) Template is Disabled', { details: 'Template is disabled' })
  const stored = template.value as KeptTemplate
  const parts = partsOf(objectsIn(stored.components))
  const sentParts = objectsIn(objectParameter(content)?.components)
  return (
    headerRefusal(parts, stored, sentParts) ??
    bodyRefusal(parts, stored, sentParts) ??
    buttonsRefusal(parts, sentParts) ??
    otherRefusal(parts, stored, sentParts, now)
  )
}

/** Returns other faults, by the rules that Parley itself applies to sends. */
function otherRefusal(
  parts: TemplateParts,
  { category }: KeptTemplate,
  sentParts: Part[],
  now: Date,
): GraphAnswer | undefined {
  const verification = category === 'AUTHENTICATION'
  const code = { text: '{{1}}', variables: ['1'] }
  const faults: Faults = { issues: [], mediaRequired: [] }
  checkComponents(verification && !parts.body?.text ? { ...parts, body: code } : parts, sentParts, {
    path: 'components',
    faults,
    now,
    verification,
  })
  const [issue] = [...faults.mediaRequired, ...faults.issues]
  return (
    issue &&
    graphError(132018, "(#132018) There's an issue with the parameters in your template", {
      details: `${issue.path}: ${issue.message}`,
    })
  )
}

function headerRefusal(
  { header }: TemplateParts,
  stored: KeptTemplate,
  parts: Part[],
): GraphAnswer | undefined {
  const parameters = parametersOf(parts, 'header')
  if (header === undefined) return undefined
  if (header.format === 'TEXT') return textRefusal('header', header.variables, stored, parameters)
  // A product may come from the catalog that the template names.
  if (header.format !== 'LOCATION' && !MEDIA_FORMATS.some((format) => format === header.format))
    return undefined
  const received = textParameter(parameters[0]?.type ?? 'UNKNOWN').toUpperCase()
  return received === header.format
    ? undefined
    : graphError(132012, '(#132012) Parameter format does not match format in the created template', {
        details: `header: Format mismatch, expected ${header.format}, received ${received}`,
      })
}

function bodyRefusal({ body }: TemplateParts, stored: KeptTemplate, parts: Part[]): GraphAnswer | undefined {
  // The operator writes the body of a one-time password itself, with the code as its variable.
  const variables =
    stored.category === 'AUTHENTICATION' && body?.text === '' ? ['1'] : (body?.variables ?? [])
  return textRefusal('body', variables, stored, parametersOf(parts, 'body'))
}

/**
 * Checks the texts of a part: one for each variable, by name if the variables are named, each on one line.
 */
function textRefusal(
  part: 'header' | 'body',
  variables: string[],
  { parameter_format: format }: KeptTemplate,
  parameters: Part[],
): GraphAnswer | undefined {
  const matching =
    format === 'NAMED'
      ? parameters.filter(({ parameter_name: name }) => variables.includes(String(name)))
      : parameters
  if (matching.length !== variables.length)
    return graphError(132000, '(#132000) Number of parameters does not match the expected number of params', {
      details: `${part}: number of localizable_params (${matching.length}) does not match the expected number of params (${variables.length})`,
    })
  return parameters.some(({ text }) => typeof text === 'string' && /[\n\r\t]| {5}/.test(text))
    ? graphError(132018, "(#132018) There's an issue with the parameters in your template", {
        details: `${part}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
      })
    : undefined
}

// The value that a send provides for a button: the end of an address, or the code to copy.
const kindByButton: Record<string, string> = { URL: 'url', OTP: 'url', COPY_CODE: 'copy_code' }

function buttonsRefusal({ buttons }: TemplateParts, parts: Part[]): GraphAnswer | undefined {
  const incomplete = buttons.find(({ index, type, variables }) => {
    if (kindByButton[type] === undefined || (type === 'URL' && variables.length === 0)) return false
    const own = parts.find((part) => isButton(part, kindByButton[type]!) && Number(part.index) === index)
    return objectsIn(own?.parameters).length === 0
  })
  return incomplete === undefined
    ? undefined
    : graphError(131008, '(#131008) Required parameter is missing', {
        details: `buttons: Button at index ${incomplete.index} of type ${incomplete.type} requires a parameter`,
      })
}

const isButton = ({ type, sub_type: kind }: Part, expectedKind: string): boolean =>
  String(type).toLowerCase() === 'button' && String(kind).toLowerCase() === expectedKind

const parametersOf = (parts: Part[], type: string): Part[] =>
  objectsIn(parts.find((part) => String(part.type).toLowerCase() === type)?.parameters)
