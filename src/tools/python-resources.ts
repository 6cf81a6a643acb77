/** Generates the methods of the Python SDK: one class for each resource, with a method for each operation. */
import { isWrite } from '../core/endpoint.ts'
import { documentedPath, rightsWords } from '../http/openapi/operation.ts'
import { type PythonMethod, type PythonParameter, resourceClass } from './python-methods.ts'
import { snakeCase } from './python-names.ts'
import { codeOf, docstring, importText, PYTHON_NOTE, sortNames, textLiteral, wrap } from './python-text.ts'

/** The sync client, or the client for asyncio. */
export type Flavor = 'sync' | 'async'

/** Classes that add the methods that are written by hand (HANDWRITTEN in sdk-names.ts), with those that return a reply. */
const BASES: Record<string, { name: string; methods: string[] }> = {
  messages: { name: 'MessageFiles', methods: ['download_media'] },
  webhooks: { name: 'WebhookVerification', methods: [] },
}

const prefixOf = (flavor: Flavor): string => (flavor === 'async' ? 'Async' : '')
const line = (indent: number, text: string): string => `${'    '.repeat(indent)}${text}\n`

const described = ({ name, part }: PythonParameter): string[] =>
  typeof part.description === 'string' ? wrap(`${name}: ${part.description}`, '            ', '    ') : []

const idWords = (name: string): string => {
  const words = snakeCase(name).replaceAll('_', ' ')
  return words.endsWith(' id') ? `Id of the ${words.slice(0, -3)}.` : `Name of the ${words}.`
}

function docOf({ method, returnsFile, parameters }: PythonMethod): string {
  const { endpoint, pathParams, download } = method
  const codes = endpoint.refuses.map((code) => `\`${code}\``).join(', ')
  const paragraph = (text: string): string[] => wrap(text, '        ')
  const args = [
    ...pathParams.flatMap((name) => {
      const text = name === 'id' ? `Id of the ${endpoint.subject ?? 'object'}.` : idWords(name)
      return wrap(`${snakeCase(name)}: ${text}`, '            ', '    ')
    }),
    ...parameters.flatMap(described),
  ]
  const file = returnsFile ? ` Returns a file: ${download!.formats.join(' or ')}.` : ''
  return docstring(
    [
      paragraph(`${endpoint.summary}${file}`),
      ...(endpoint.description ? [paragraph(endpoint.description)] : []),
      paragraph(`\`${endpoint.method} ${documentedPath(endpoint.path)}\`. ${rightsWords(endpoint)}`),
      ...(args.length > 0 ? [['        Args:', ...args]] : []),
      ...(codes
        ? [
            [
              '        Raises:',
              ...wrap(
                `APIError: With one of the codes ${codes}, or a code of every endpoint.`,
                '            ',
                '    ',
              ),
            ],
          ]
        : []),
    ],
    '        ',
  )
}

const signatureOf = ({ method, parameters }: PythonMethod): string[] => [
  'self',
  ...method.pathParams.map((name) => `${snakeCase(name)}: str`),
  ...(parameters.length > 0 ? ['*'] : []),
  ...parameters.map(({ name, type, required }) =>
    required ? `${name}: ${type}` : `${name}: ${type} | Omit = OMIT`,
  ),
  `**request_options: Unpack[${isWrite(method.endpoint) ? 'WriteOptions' : 'ReadOptions'}]`,
]

const pathOf = ({ method: { endpoint, pathParams } }: PythonMethod): string =>
  pathParams.length === 0
    ? textLiteral(endpoint.path)
    : `f"${endpoint.path.replace(/:(\w+)/g, (_, name: string) => `{path_part(${snakeCase(name)})}`)}"`

function inputLines({ part, parameters, fixed }: PythonMethod): string[] {
  const fields = [
    ...parameters.map(({ name, wireName }) => `${textLiteral(wireName)}: ${name},`),
    ...Object.entries(fixed).map(([name, value]) => `${textLiteral(name)}: ${textLiteral(value)},`),
  ]
  if (part === null || (fields.length === 0 && part === 'query')) return []
  if (fields.length === 0) return [`${part}={},`]
  return [`${part}={`, ...fields.map((text) => `    ${text}`), '},']
}

function callOf(own: PythonMethod): { call: string; first: string[] } {
  const { method, returnsFile } = own
  const path = `${pathOf(own)},`
  if (returnsFile) return { call: 'file', first: [path] }
  const { paging, endpoint } = method
  if (!paging) return { call: 'json', first: [`${textLiteral(endpoint.method)},`, path] }
  const next = paging.by === 'cursor' ? 'next_cursor' : 'next_number'
  return { call: 'list', first: [path, `${textLiteral(paging.items)},`, `${next},`] }
}

function returnsOf({ method, returnsFile, reply, entry }: PythonMethod, flavor: Flavor): string {
  if (returnsFile) return 'bytes'
  return method.paging ? `${prefixOf(flavor)}Entries[${reply}, ${entry}]` : reply
}

function methodText(own: PythonMethod, flavor: Flavor): string {
  const isList = own.method.paging !== null && !own.returnsFile
  const isAsync = flavor === 'async' && !isList
  const returns = returnsOf(own, flavor)
  const { call, first } = callOf(own)
  return [
    line(1, `${isAsync ? 'async ' : ''}def ${own.name}(`),
    ...signatureOf(own).map((text) => line(2, `${text},`)),
    line(1, `) -> ${returns}:`),
    docOf(own),
    line(2, `result: ${returns} = ${isAsync ? 'await ' : ''}self._transport.${call}(`),
    ...[...first, 'request_options,', ...inputLines(own)].map((text) => line(3, text)),
    line(2, ')'),
    line(2, 'return result'),
  ].join('')
}

const responsesClass = (resource: string | null, flavor: Flavor): string =>
  `${resourceClass(resource, flavor).replace(/Resources?$/, '')}${resource === null ? 'Client' : ''}WithResponses`

function rawProperty(resource: string | null, flavor: Flavor): string {
  const name = responsesClass(resource, flavor)
  return [
    line(1, '@property'),
    line(1, `def with_raw_response(self) -> ${name}:`),
    line(2, '"""The same methods, which return replies with their responses."""'),
    line(2, `return ${name}(${resourceClass(resource, flavor)}(self._transport.of_responses()))`),
  ].join('')
}

function responsesText(resource: string | null, methods: PythonMethod[], flavor: Flavor): string {
  const prefix = flavor === 'async' ? 'async_' : ''
  const own = methods.map(({ name, method, returnsFile }) => {
    const wrapper = method.paging && !returnsFile ? 'page_with_response' : 'with_response'
    return line(2, `self.${name} = ${prefix}${wrapper}(resource.${name})`)
  })
  const added = BASES[resource ?? '']?.methods ?? []
  return [
    line(0, `class ${responsesClass(resource, flavor)}:`),
    line(1, `"""Methods of \`${nameInPython(resource)}\` that return replies with their responses."""\n`),
    line(1, `def __init__(self, resource: ${resourceClass(resource, flavor)}) -> None:`),
    line(2, '"""Create the methods of a resource whose transport returns responses."""'),
    ...own,
    ...added.map((name) => line(2, `self.${name} = ${prefix}with_response(resource.${name})`)),
  ].join('')
}

const nameInPython = (resource: string | null): string =>
  resource === null ? 'parley' : `parley.${snakeCase(resource)}`

function resourceText(resource: string, methods: PythonMethod[], flavor: Flavor): string {
  const base = `${prefixOf(flavor)}${BASES[resource]?.name ?? 'Resource'}`
  return [
    line(0, `class ${resourceClass(resource, flavor)}(${base}):`),
    line(1, `"""Methods of \`${nameInPython(resource)}\`."""\n`),
    [...methods.map((method) => methodText(method, flavor)), rawProperty(resource, flavor)].join('\n'),
  ].join('')
}

function clientText(methods: PythonMethod[], resources: Map<string, PythonMethod[]>, flavor: Flavor): string {
  const fields = [...resources].flatMap(([resource, own]) => {
    const tags = [...new Set(own.map(({ method }) => method.endpoint.tag))]
    return [
      line(2, `self.${snakeCase(resource)} = ${resourceClass(resource, flavor)}(transport)`),
      line(2, `"""${tags.join('; ')}."""`),
    ]
  })
  const head = [
    line(0, `class ${resourceClass(null, flavor)}(${prefixOf(flavor)}Resource):`),
    line(1, '"""The resources and the methods of the client."""\n'),
    line(1, `def __init__(self, transport: ${prefixOf(flavor)}Transport) -> None:`),
    line(2, '"""Create the resources of a transport."""'),
    line(2, 'super().__init__(transport)'),
    ...fields,
  ].join('')
  return [head, ...methods.map((method) => methodText(method, flavor)), rawProperty(null, flavor)].join('\n')
}

/** Returns the imports of names that `text` contains outside any docstring. */
function importsOf(text: string, types: string[], flavor: Flavor): string {
  const words = new Set(codeOf(text).match(/\w+/g))
  const used = (names: string[]): string[] => sortNames(names.filter((name) => words.has(name)))
  const prefix = prefixOf(flavor)
  const start = flavor === 'async' ? 'async_' : ''
  const transport = flavor === 'async' ? '._async_transport' : '._transport'
  const bases = [`${prefix}Resource`, ...Object.values(BASES).map(({ name }) => `${prefix}${name}`)]
  const responses = [`${start}page_with_response`, `${start}with_response`]
  const imports: [string, string[]][] = [
    ['._lists', used([`${prefix}Entries`, 'next_cursor', 'next_number'])],
    ['._options', ['OMIT', 'Omit', 'ReadOptions', 'WriteOptions']],
    ['._request', ['path_part']],
    ['._resource', used(bases)],
    ['._response', responses],
  ]
  const typeOnly = [
    line(1, 'from ._files import FileContent'),
    line(1, `from ${transport} import ${prefix}Transport`),
    line(1, 'from ._typing import Unpack'),
  ]
  return [
    `"""${PYTHON_NOTE}"""\n`,
    'from __future__ import annotations\n',
    `from typing import TYPE_CHECKING${used(['Any', 'Dict', 'List', 'Literal', 'Mapping', 'Sequence'])
      .map((name) => `, ${name}`)
      .join('')}\n`,
    `${imports.map(([from, names]) => `from ${from} import ${names.join(', ')}\n`).join('')}`,
    `if TYPE_CHECKING:\n${typeOnly.toSorted().join('')}${importText('.types', used(types), '    ')}`,
  ].join('\n')
}

/** Returns the module with the classes of all resources, and the class that has them as attributes. */
export function pythonResources(methods: PythonMethod[], types: string[], flavor: Flavor): string {
  const byResource = Map.groupBy(methods, ({ method }) => method.resource ?? '')
  const ofClient = byResource.get('') ?? []
  byResource.delete('')
  const resources = new Map([...byResource].sort(([a], [b]) => (snakeCase(a) < snakeCase(b) ? -1 : 1)))
  const classes = [
    ...[...resources].flatMap(([resource, own]) => [
      resourceText(resource, own, flavor),
      responsesText(resource, own, flavor),
    ]),
    clientText(ofClient, resources, flavor),
    responsesText(null, ofClient, flavor),
  ]
  const text = classes.join('\n\n')
  return `${importsOf(text, types, flavor)}\n\n${text}`
}
