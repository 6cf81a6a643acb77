/** Generates the methods of `@parley/sdk`: one class for each resource, with a method for each operation. */
import { documentedPath, rightsWords, subjectOf } from '../http/openapi/operation.ts'
import type { SdkMethod } from './sdk-names.ts'
import { downloadQueryName, importOf, inputName, NOTE, replyName } from './sdk-types.ts'
import { docComment } from './type-text.ts'

const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Returns the name of the class of a resource's methods. */
const className = (resource: string): string => `${capitalize(resource)}Resource`

/** Returns the code of a path: a text, or a template that encodes the ids. */
const pathCode = ({ endpoint, pathParams }: SdkMethod): string =>
  pathParams.length === 0
    ? `'${endpoint.path}'`
    : `path\`${endpoint.path.replace(/:(\w+)/g, (_, name: string) => `\${${name}}`)}\``

const parameterWords = ({ endpoint }: SdkMethod, name: string): string => {
  if (name === 'id') return `Id of the ${subjectOf(endpoint) ?? 'object'}.`
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase()
  return name.endsWith('Id')
    ? `Id of the ${words.slice(0, -3)}.`
    : `Name of the ${words === 'name' ? 'integration' : words}.`
}

function commentOf(method: SdkMethod, returnsFile: boolean): string {
  const { endpoint, pathParams, download } = method
  const refusals = endpoint.refuses.map((code) => `\`${code}\``)
  return docComment(
    [
      `${endpoint.summary}${returnsFile ? ` Returns a file: ${download!.formats.join(' or ')}.` : ''}`,
      ...(endpoint.description ? ['', endpoint.description] : []),
      '',
      `\`${endpoint.method} ${documentedPath(endpoint.path)}\`. ${rightsWords(endpoint)}`,
      ...(refusals.length > 0 ? ['', `Errors of its own: ${refusals.join(', ')}.`] : []),
      ...(pathParams.length > 0 ? [''] : []),
      ...pathParams.map((name) => `@param ${name} ${parameterWords(method, name)}`),
    ],
    '  ',
  )
}

/** Returns the type of the entries of a list. */
const entryName = (method: SdkMethod): string => `${replyName(method)}['${method.paging!.items}'][number]`

function returnsOf(method: SdkMethod): { type: string; call: string; first: string[] } {
  const { endpoint, paging } = method
  const reply = replyName(method)
  const field = paging ? [`'${paging.items}'`] : []
  if (paging?.by === 'cursor')
    return { type: `ListPromise<${reply}, ${entryName(method)}>`, call: 'cursorList', first: field }
  if (paging) return { type: `ListPromise<${reply}, ${entryName(method)}>`, call: 'pageList', first: field }
  return { type: `ReplyPromise<${reply}>`, call: 'json', first: [`'${endpoint.method}'`] }
}

function methodText(method: SdkMethod): string {
  const { verb, pathParams, input, inputOptional, fileField, paging } = method
  const { type, call, first } = returnsOf(method)
  const parameters = [
    ...pathParams.map((name) => `${name}: string`),
    ...(input ? [`${input}${inputOptional ? '?' : ''}: ${inputName(method)}`] : []),
    'options?: RequestOptions',
  ]
  const part = input === null ? [] : [fileField === null ? input : `form: ${input}`]
  const place = paging ? [pathCode(method), ...first] : [...first, pathCode(method)]
  const inputs = [...place, `{ ${[...part, 'options'].join(', ')} }`].join(', ')
  return [
    commentOf(method, false),
    `  ${verb}(${parameters.join(', ')}): ${type} {\n`,
    `    return this.transport.${call}(${inputs})\n  }\n`,
  ].join('')
}

function downloadText(method: SdkMethod): string {
  const { pathParams, download } = method
  const { verb, formats } = download!
  const isOptional = formats.length === 1
  const parameters = [
    ...pathParams.map((name) => `${name}: string`),
    `query${isOptional ? '?' : ''}: ${downloadQueryName(method)}`,
    'options?: RequestOptions',
  ]
  const query = isOptional ? `query: { format: '${formats[0]}', ...query }` : 'query'
  return [
    commentOf(method, true),
    `  ${verb}(${parameters.join(', ')}): ReplyPromise<Blob> {\n`,
    `    return this.transport.file(${pathCode(method)}, { ${query}, options })\n  }\n`,
  ].join('')
}

const methodTexts = (methods: SdkMethod[]): string =>
  methods
    .flatMap((method) => [methodText(method), ...(method.download ? [downloadText(method)] : [])])
    .join('\n')

/** Returns the file with the classes of all resources, and with the class that has them as fields. */
export function sdkResources(methods: SdkMethod[], operations: string[]): string {
  const ofClient = methods.filter(({ resource }) => resource === null)
  const byResource = Map.groupBy(
    methods.filter(({ resource }) => resource !== null),
    ({ resource }) => resource!,
  )
  const resources = [...byResource.keys()].sort()
  const classes = resources.map((name) => {
    const doc = docComment([`Methods of \`parley.${name}\`.`])
    return `${doc}export class ${className(name)} extends Resource {\n${methodTexts(byResource.get(name)!)}}\n`
  })
  const fields = resources.map((name) => {
    const tags = [...new Set(byResource.get(name)!.map(({ endpoint }) => endpoint.tag))]
    return `${docComment([`${tags.join('; ')}.`], '  ')}  readonly ${name}: ${className(name)}\n`
  })
  const client = [
    docComment(['The methods of the client.']),
    `export class Resources extends Resource {\n${fields.join('')}\n`,
    `  constructor(transport: Transport) {\n    super(transport)\n`,
    ...resources.map((name) => `    this.${name} = new ${className(name)}(transport)\n`),
    `  }\n\n${methodTexts(ofClient)}}\n`,
  ].join('')
  const body = [...classes, client].join('\n')
  const imports = [
    `import { path } from '../address.ts'\n`,
    `import type { ListPromise } from '../list-promise.ts'\n`,
    `import type { RequestOptions } from '../options.ts'\n`,
    `import type { ReplyPromise } from '../reply-promise.ts'\n`,
    `import { Resource } from '../resource.ts'\n`,
    `import type { Transport } from '../transport.ts'\n`,
    importOf(operations, './operations.ts', body),
  ].join('')
  return [NOTE, imports, body].join('\n')
}
