/** The tools of the catalog: each endpoint that declares one (`tool` in `core/endpoint.ts`). */
import type { Endpoint } from '../../core/endpoint.ts'
import type { Tool } from '../../core/tool.ts'
import { type FencePlan, fencePlanOf } from './fence-plan.ts'
import type { Part } from './json-schemas.ts'
import { inputOf, type ToolInput } from './tool-input.ts'

type WithTool = Endpoint & { tool: Tool }

/** Hints for programs that ask people before a call (the protocol's `ToolAnnotations`). */
type Annotations = {
  title: string
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** A tool as assistants see it. */
type ToolDescription = {
  name: string
  title: string
  description: string
  inputSchema: Part & { type: 'object' }
  annotations: Annotations
}

export type EndpointTool = {
  value: WithTool
  description: ToolDescription
  input: ToolInput
  plan: FencePlan
}

const hasTool = (value: Endpoint): value is WithTool => value.tool !== undefined

/** `sendMessage` → `send_message`. */
export const toolNameOf = ({ name }: Pick<Endpoint, 'name'>): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns the hints of a tool, from the method of its endpoint and its declared effect. */
export function annotationsOf({ method, critical, tool }: WithTool): Annotations {
  const reads = method === 'GET' || tool.effect === 'reads'
  const acts = !reads && (tool.effect === 'acts' || method === 'DELETE' || critical === true)
  return {
    title: tool.title,
    readOnlyHint: reads,
    destructiveHint: acts,
    idempotentHint: reads || method !== 'POST',
    openWorldHint: acts,
  }
}

function toolOf(value: WithTool): EndpointTool {
  const input = inputOf(value)
  return {
    value,
    input,
    plan: fencePlanOf(value),
    description: {
      name: toolNameOf(value),
      title: value.tool.title,
      description: `${value.tool.when} (${value.summary})`,
      inputSchema: { ...input.schema, type: 'object' },
      annotations: annotationsOf(value),
    },
  }
}

/** Returns the tools in the order of the catalog. */
export const toolsOf = (endpoints: readonly Endpoint[]): EndpointTool[] =>
  endpoints.filter(hasTool).map(toolOf)
