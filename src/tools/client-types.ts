/**
 * Generates sdk/: the types and methods of `@parley/sdk` in `src/generated`, and for the dashboard the types of all its routes and
 * the choices for forms.
 */
import type { Endpoint } from '../core/endpoint.ts'
import type { EventKind } from '../core/event.ts'
import { errorsOf } from '../http/openapi/errors.ts'
import { documentedPath } from '../http/openapi/operation.ts'
import { createSchemas, type Part, type Schemas } from '../http/openapi/schemas.ts'
import { listPlacesOfSupply } from '../modules/selling/invoicing/reckoning/states.ts'
import { ProductMessage } from '../operator/message-payload/interactive-products.ts'
import { ButtonMessage, ListMessage } from '../operator/message-payload/interactive-replies.ts'
import { LocationPayload } from '../operator/message-payload/location.ts'
import { type SdkMethod, sdkMethods } from './sdk-names.ts'
import { sdkResources } from './sdk-resources.ts'
import {
  bodyText,
  importOf,
  inputName,
  modelText,
  NOTE,
  replyName,
  replyText,
  type SdkTypes,
  sdkTypes,
} from './sdk-types.ts'
import { typeText } from './type-text.ts'

type Described = {
  endpoints: Endpoint[]
  /** Endpoints of the dashboard only, at `/api/dashboard`. */
  dashboard: Endpoint[]
  events: EventKind[]
}

/** Returns the files of sdk/, by path. */
export function clientTypes({ endpoints, dashboard, events }: Described): Record<string, string> {
  const methods = sdkMethods(endpoints)
  const types = sdkTypes(methods, events)
  const generated = { ...types.files, 'resources.ts': sdkResources(methods, types.operations) }
  return {
    ...Object.fromEntries(Object.entries(generated).map(([name, text]) => [`src/generated/${name}`, text])),
    'api.ts': apiFile(methods, types, { endpoints, dashboard, events }),
    'limits.ts': limitsFile([...endpoints, ...dashboard]),
    'payload-limits.ts': payloadLimitsFile(),
    'places.ts': placesFile(),
  }
}

const placesFile = (): string =>
  `${NOTE}\n/** Places of supply: GST code and name. */\nexport const PLACES_OF_SUPPLY = ${JSON.stringify(listPlacesOfSupply(), null, 2)} as const\n`

/** The types of a route: its input as it is sent, which differs from the SDK's for files. */
type RouteTexts = { query: string; body: string; reply: string }

const ownTexts = (value: Endpoint, schemas: Schemas): RouteTexts => ({
  query: typeText(schemas.ofRequest(value.query), '    '),
  body: bodyText(value, schemas),
  reply: replyText(value, schemas),
})

/** Returns the types of a public route: those of its method, where the SDK sends the same. */
function publicTexts(method: SdkMethod, schemas: Schemas): RouteTexts {
  const { endpoint, input, fileField } = method
  const own = ownTexts(endpoint, schemas)
  return {
    query: input === 'query' && !endpoint.alsoAs ? inputName(method)! : own.query,
    body: input === 'body' && fileField === null ? inputName(method)! : own.body,
    reply: replyName(method),
  }
}

function routeText(value: Endpoint, texts: RouteTexts, schemas: Schemas): string {
  const codes = [...errorsOf(value).values()].flat()
  return [
    `  /** ${value.summary} */`,
    `  '${value.method} ${documentedPath(value.path)}': {`,
    `    params: ${typeText(schemas.ofRequest(value.params))}`,
    `    query: ${texts.query}`,
    `    body: ${value.bodyOptional ? `${texts.body} | undefined` : texts.body}`,
    `    reply: ${texts.reply}`,
    `    refuses: ${[...new Set(codes)].map((code) => `'${code}'`).join(' | ') || 'never'}`,
    '  }',
  ].join('\n')
}

function apiFile(methods: SdkMethod[], types: SdkTypes, { dashboard }: Described): string {
  const schemas = createSchemas()
  const routes = methods.map((method) => routeText(method.endpoint, publicTexts(method, schemas), schemas))
  const dashboardRoutes = dashboard.map((value) => routeText(value, ownTexts(value, schemas), schemas))
  // Last, because the texts above decide which shapes have names.
  const ownModels = Object.entries(schemas.components()).filter(([name]) => !types.models.includes(name))
  const body = [
    ...ownModels.map(([name, part]) => modelText(name, part)),
    `/** Every endpoint by its route. */\nexport type Api = {\n${routes.join('\n')}\n}\n`,
    `/** The additional routes of the dashboard, below /api/dashboard. */\nexport type DashboardApi = {\n${dashboardRoutes.join('\n')}\n}\n`,
  ].join('\n')
  return [
    NOTE,
    `${importOf(types.models, './src/generated/models.ts', body)}${importOf(types.operations, './src/generated/operations.ts', body)}`,
    `export type * from './src/generated/models.ts'\n`,
    body,
  ].join('\n')
}

/** The rules that a form checks before it sends: lengths, counts, and choices of the fields of a body. */
const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'enum', 'pattern'] as const

function limitsOf(part: Part): Record<string, unknown> {
  const options = (part.anyOf ?? part.oneOf) as Part[] | undefined
  const own = Object.fromEntries(LIMITS.filter((name) => name in part).map((name) => [name, part[name]]))
  return Object.assign({}, ...(options ?? []).map(limitsOf), own)
}

/** Returns the fields of an object, in any position of the schema. */
function propertiesOf(part: Part): Record<string, Part> {
  const options = ((part.anyOf ?? part.oneOf ?? part.allOf) as Part[] | undefined) ?? []
  return Object.assign({}, ...options.map(propertiesOf), part.properties)
}

function limitsFile(endpoints: Endpoint[]): string {
  const schemas = createSchemas()
  const tables = endpoints.flatMap((value) => {
    if (!value.body) return []
    const fields = Object.entries(propertiesOf(schemas.ofRequest(value.body)))
      .map(([name, part]) => [name, limitsOf(part)] as const)
      .filter(([, limits]) => Object.keys(limits).length > 0)
    if (fields.length === 0) return []
    const table = JSON.stringify(Object.fromEntries(fields), null, 2)
    return [
      `/** ${value.method} ${documentedPath(value.path)} */\nexport const ${value.name}Limits = ${table} as const\n`,
    ]
  })
  return [NOTE, ...tables].join('\n')
}

/** The messages that pages build from their parts. */
const BUILT = { button: ButtonMessage, list: ListMessage, product: ProductMessage, location: LocationPayload }

function payloadLimitsFile(): string {
  const schemas = createSchemas()
  const parts = Object.entries(BUILT).map(([kind, schema]) => [kind, schemas.ofRequest(schema)] as const)
  const components = schemas.components()
  /** Returns the rules of a part, and below them those of its fields and items, by name. */
  const nestedLimits = (described: Part): Record<string, unknown> => {
    const part = components[String(described.$ref).split('/').at(-1)!] ?? described
    const fields = Object.entries(propertiesOf(part))
      .map(([name, field]) => [name, nestedLimits(field)] as const)
      .filter(([, limits]) => Object.keys(limits).length > 0)
    const items = part.items ? { items: nestedLimits(part.items as Part) } : {}
    return { ...limitsOf(part), ...items, ...Object.fromEntries(fields) }
  }
  const limits = Object.fromEntries(parts.map(([kind, part]) => [kind, nestedLimits(part)]))
  return `${NOTE}\n/** Messages in the operator's format, by kind. */\nexport const payloadLimits = ${JSON.stringify(limits, null, 2)} as const\n`
}
