/** Writes the pages of the endpoints from the OpenAPI document: one page for each tag, and their overview. */
import { type Field, fieldsOf, type Part, resolve, typeWords } from './schema-fields.ts'

/** A page that is generated: its address, its text in the navigation, and its Markdown. */
export type GeneratedPage = { address: string; text: string; markdown: string }

type Operation = { method: string; path: string; value: Part }

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Returns a name as a part of an address: `Sales documents` becomes `sales-documents`. */
const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** Returns the anchor of an operation: `sendMessage` becomes `send-message`. */
export const anchorOf = (operationId: string): string =>
  operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
const row = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`
const table = (heads: string[], rows: string[][]): string =>
  [row(...heads), row(...heads.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n')
const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const SUMMARY = /^(.+?)\.(?:\s+([\s\S]*))?$/

/** Splits a summary into its first sentence, which is the title, and the rest. */
const splitSummary = (summary: string): [string, string] => {
  const [, title = summary, rest = ''] = SUMMARY.exec(summary) ?? []
  return [title, rest]
}

const fieldTable = (fields: Field[]): string =>
  table(
    ['field', 'type', 'required', 'description'],
    fields.map(({ name, type, required, description }) => [
      `\`${name}\``,
      type,
      required ? 'yes' : '',
      description,
    ]),
  )

function parameterTable(document: Part, parameters: Part[]): string | undefined {
  const shown = parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in !== 'header')
  if (shown.length === 0) return undefined
  return table(
    ['parameter', 'in', 'type', 'required', 'description'],
    shown.map((parameter) => [
      `\`${parameter.name}\``,
      parameter.in,
      typeWords(document, parameter.schema),
      parameter.required ? 'yes' : '',
      parameter.description ?? parameter.schema?.description ?? '',
    ]),
  )
}

/** Returns an example of a media type: its own, or the first of its named examples. */
const exampleOf = (document: Part, media: Part): unknown =>
  media?.example ?? (resolve(document, Object.values(media?.examples ?? {})[0]) as Part)?.value

/** Returns a shell command for the operation, with the address of an installation on this machine. */
function curlOf(document: Part, { method, path, value }: Operation): string {
  const body = exampleOf(document, resolve(document, value.requestBody)?.content?.['application/json'])
  const isOpen = value.security?.length === 0
  return [
    `curl -s -X ${method.toUpperCase()} "http://localhost:4000/api/v1${path}"`,
    ...(isOpen ? [] : ['  -H "Authorization: Bearer $PARLEY_KEY"']),
    ...(body === undefined
      ? []
      : [
          "  -H 'Content-Type: application/json'",
          `  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n')
}

const codesOf = (document: Part, response: Part): string[] => {
  const media = response.content?.['application/json']
  const schema = resolve(document, media?.schema)
  const parts: Part[] = [schema, ...(schema?.allOf ?? [])].map((part) => resolve(document, part))
  const narrowed = parts.find((part) => part?.properties?.error?.enum && part.properties.docUrl === undefined)
  return narrowed?.properties.error.enum ?? []
}

function responseParts(document: Part, value: Part): (string | undefined)[] {
  const responses = Object.entries<Part>(value.responses ?? {}).map(
    ([status, response]) => [status, resolve(document, response)] as const,
  )
  const good = responses.find(([status]) => status.startsWith('2'))
  const media = good?.[1].content?.['application/json']
  const example = exampleOf(document, media)
  const fields = media ? fieldsOf(document, media.schema) : []
  const errors = responses
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => [
      status,
      codesOf(document, response)
        .map((code) => `[\`${code}\`](/errors#${code})`)
        .join(', ') || cell(response.description ?? ''),
    ])
  return [
    good && `**Response ${good[0]}**`,
    example === undefined ? undefined : fenced('json', JSON.stringify(example, null, 2)),
    fields.length > 0 ? fieldTable(fields) : undefined,
    errors.length > 0 ? `**Errors**\n\n${table(['status', 'codes'], errors)}` : undefined,
  ]
}

function operationEntry(document: Part, tag: string, operation: Operation): string {
  const { method, path, value } = operation
  const [title, rest] = splitSummary(value.summary ?? value.operationId)
  const body = resolve(document, value.requestBody)?.content?.['application/json']
  const fields = body ? fieldsOf(document, body.schema) : []
  const parameters = parameterTable(document, value.parameters ?? [])
  return [
    `## ${title} {#${anchorOf(value.operationId)}}`,
    `\`${method.toUpperCase()} ${path}\` · [Try it](/api#/${encodeURIComponent(tag)}/${value.operationId}){target="_self"}`,
    rest || undefined,
    value.description,
    parameters && `**Parameters**\n\n${parameters}`,
    fields.length > 0 ? `**Body**\n\n${fieldTable(fields)}` : undefined,
    '**Request**',
    fenced('sh', curlOf(document, operation)),
    ...responseParts(document, value),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

const operationsOf = (document: Part): Operation[] =>
  Object.entries<Part>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ method, path, value: item[method] })),
  )

const effectTable = (tag: string, operations: Operation[]): string =>
  table(
    ['endpoint', 'effect'],
    operations.map(({ method, path, value }) => [
      `[\`${method.toUpperCase()} ${path}\`](/reference/${slugOf(tag)}#${anchorOf(value.operationId)})`,
      splitSummary(value.summary ?? '')[0],
    ]),
  )

const INTRODUCTION = `# API reference

The API has one address for each installation: \`{site}/api/v1\`. Every page of this reference lists the endpoints of one subject.

- **Try it.** The [interactive reference](/api){target="_self"} sends requests from your browser to your own installation. Use the key of a sandbox.
- **Description for programs.** The OpenAPI document is at \`{site}/api/v1/openapi.json\`.
- **Postman.** Import the [Postman collection](/postman.json){target="_self"}, and set its variables \`site\` and \`key\`.
- **Answers.** See the [errors](/errors) with their repairs, the [rate limits](/rate-limits), and the [events](/events) of webhooks.

## Authentication

Send an API key with each request:

\`\`\`sh
curl -s "http://localhost:4000/api/v1/me" -H "Authorization: Bearer $PARLEY_KEY"
\`\`\`

A key belongs to one workspace. It has a role (viewer, agent, or admin), and can be limited to scopes. [Create an API key](/guides/developers#create-an-api-key)
explains the steps.

## Safe retries

Every write accepts an \`Idempotency-Key\` header with 1 to 255 characters. The same request with the same key has one effect within 24 hours.
A retry gets the first answer, with the header \`Idempotent-Replayed: true\`.

## Pages of a list

Lists return \`nextCursor\`. Send it as \`cursor\` to get the next page. It is null on the last page. \`limit\` sets the number of rows, from 1 to 100.
`

/** Returns the overview of the reference and a page for each tag. */
export function endpointPages(document: Part): GeneratedPage[] {
  const operations = operationsOf(document)
  const tags: string[] = [...new Set(operations.map(({ value }) => value.tags[0]))]
  const ofTag = (tag: string) => operations.filter(({ value }) => value.tags[0] === tag)
  const description = (tag: string): string | undefined =>
    document.tags?.find((found: Part) => found.name === tag)?.description
  const overview = [
    INTRODUCTION,
    '## All endpoints\n',
    ...tags.map((tag) => `### ${tag} {#tag-${slugOf(tag)}}\n\n${effectTable(tag, ofTag(tag))}\n`),
  ].join('\n')
  return [
    { address: 'reference/index', text: 'Overview', markdown: overview },
    ...tags.map((tag) => ({
      address: `reference/${slugOf(tag)}`,
      text: tag,
      markdown: `${[
        `# ${tag}`,
        description(tag) ?? `These ${ofTag(tag).length} endpoints are about ${tag.toLowerCase()}.`,
        effectTable(tag, ofTag(tag)),
        ...ofTag(tag).map((operation) => operationEntry(document, tag, operation)),
      ].join('\n\n')}\n`,
    })),
  ]
}
