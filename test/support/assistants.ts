/** Assistants that connect with the official client of the Model Context Protocol. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

/** The two generations of the protocol: with a handshake, and with everything in each request. */
export const GENERATIONS = ['legacy', 'auto'] as const
export type Generation = (typeof GENERATIONS)[number]

export const newClient = (mode: Generation = 'auto'): Client =>
  new Client({ name: 'parley-tests', version: '1.0.0' }, { versionNegotiation: { mode } })

/** Connects an assistant with a key to the server at `url`. */
export async function connectAssistant(
  url: string,
  key: string,
  { mode, headers = {} }: { mode?: Generation; headers?: Record<string, string> } = {},
): Promise<Client> {
  const client = newClient(mode)
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
    }),
  )
  onTestFinished(() => client.close())
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: replies of the API as a client sees them
type Json = Record<string, any>
/** The result of a tool: its text, and its JSON. */
export type Called = { text: string; json: Json; isError: boolean }

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Called> {
  const result = await client.callTool({ name, arguments: args })
  const [part] = result.content as { type: string; text: string }[]
  return {
    text: part!.text,
    json: (result.structuredContent ?? {}) as Called['json'],
    isError: result.isError === true,
  }
}

export const toolNames = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)
