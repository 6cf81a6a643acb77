/** Generates docs/reference/mcp.md: the tools that assistants may call. */
import type { Endpoint } from '../core/endpoint.ts'
import { fencedPlaces } from '../http/mcp/fence-plan.ts'
import { type EndpointTool, toolsOf } from '../http/mcp/tools.ts'
import { documentedPath, rightsWords } from '../http/openapi/operation.ts'

/** Returns the effect of a tool in a word. */
function effectOf({ description: { annotations } }: EndpointTool): string {
  if (annotations.readOnlyHint) return 'reads'
  return annotations.destructiveHint ? 'destructive' : 'changes'
}

const code = (text: string): string => `\`${text}\``

function argumentsOf({ description: { inputSchema } }: EndpointTool): string {
  const required = (inputSchema.required ?? []) as string[]
  const names = Object.keys((inputSchema.properties ?? {}) as object)
  if (names.length === 0) return 'none'
  return names.map((name) => code(required.includes(name) ? name : `${name}?`)).join(', ')
}

function entryOf(tool: EndpointTool): string {
  const { value, description } = tool
  const places = fencedPlaces(tool.plan)
  return [
    `### ${description.name}`,
    `${value.tool.title}. ${value.tool.when}`,
    [
      `- **Effect:** ${effectOf(tool)}`,
      `- **Calls:** \`${value.method} ${documentedPath(value.path)}\`. ${rightsWords(value)}`,
      `- **Arguments:** ${argumentsOf(tool)}`,
      `- **Fenced texts:** ${places.length === 0 ? 'none' : places.map(code).join(', ')}`,
    ].join('\n'),
  ].join('\n\n')
}

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`

/** Returns the page. `note` is the comment at the top of generated pages. */
export function assistantToolsPage(endpoints: readonly Endpoint[], note: string): string {
  const tools = toolsOf(endpoints)
  const tags = [...new Set(tools.map(({ value }) => value.tag))]
  const sections = tags.map((tag) =>
    [`## ${tag}`, ...tools.filter(({ value }) => value.tag === tag).map(entryOf)].join('\n\n'),
  )
  return `${[
    note,
    '# Tools of assistants',
    '',
    'AI assistants that connect by the Model Context Protocol can call these tools ([how to connect one](../guides/assistants.md)). A key',
    'lists only the tools that its role and scopes allow. Values of fenced texts arrive as `{"untrusted": …}`. Fields that a tool does not',
    'list there, and that are no ids, codes, numbers, or times, are fenced too.',
    '',
    row('tool', 'does', 'effect'),
    row('---', '---', '---'),
    ...tools.map((tool) =>
      row(
        `[${code(tool.description.name)}](#${tool.description.name})`,
        tool.value.tool.title,
        effectOf(tool),
      ),
    ),
  ].join('\n')}\n\n${sections.join('\n\n')}\n`
}
