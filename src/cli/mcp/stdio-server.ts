// Passes the messages of an assistant on standard input and output to a running Parley, which has the tools.
import { randomUUID } from 'node:crypto'
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Refused, type RemoteProtocol } from './remote-protocol.ts'

type Introduction = { serverInfo: { name: string; version: string }; instructions?: string }

/** Returns the parameters without those of the connection, which the connection to Parley has for itself. */
function ownParameters(params: object | undefined): object {
  const { _meta: _, ...own } = (params ?? {}) as Record<string, unknown>
  return own
}

/** Lets a refusal reach the assistant in words. */
async function inWords<Result>(result: Promise<Record<string, unknown>>): Promise<Result> {
  try {
    return (await result) as Result
  } catch (error) {
    if (error instanceof Refused) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message)
    throw error
  }
}

async function callInWords<Result>(result: Promise<Record<string, unknown>>): Promise<Result> {
  try {
    return (await result) as Result
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { isError: true, content: [{ type: 'text', text: error.message }] } as Result
  }
}

function passingServer(remote: RemoteProtocol, introduction: Introduction): Server {
  // Repeated calls have one effect: the assistant's number of a call is unique in its session.
  const session = randomUUID()
  const server = new Server(introduction.serverInfo, {
    capabilities: { tools: {}, resources: {} },
    ...(introduction.instructions === undefined ? {} : { instructions: introduction.instructions }),
  })
  server.setRequestHandler('tools/list', ({ params }) =>
    inWords(remote.send('tools/list', ownParameters(params))),
  )
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callInWords(remote.send('tools/call', ownParameters(params), `mcp-${session}-${mcpReq.id}`)),
  )
  server.setRequestHandler('resources/list', ({ params }) =>
    inWords(remote.send('resources/list', ownParameters(params))),
  )
  server.setRequestHandler('resources/read', ({ params }) =>
    inWords(remote.send('resources/read', ownParameters(params))),
  )
  return server
}

/** Serves until the assistant closes standard input, or `stopped` aborts. */
export async function serveAssistant(
  remote: RemoteProtocol,
  introduction: Introduction,
  stopped: AbortSignal,
): Promise<void> {
  const connection = serveStdio(() => passingServer(remote, introduction), { maxSubscriptions: 0 })
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
    stopped.addEventListener('abort', () => resolve(), { once: true })
  })
  await connection.close()
}

/** Returns the name and the instructions of the server. Fails if the key is wrong. */
export async function introduce(remote: RemoteProtocol, version: string): Promise<Introduction> {
  const answer = await remote.send('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'parley-mcp', version },
  })
  return answer as unknown as Introduction
}
