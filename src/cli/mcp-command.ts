// `parley mcp`: connects an assistant on this machine to a running Parley.
import { readOwnVersion } from '../core/own-version.ts'
import { command, UsageError } from './command.ts'
import { remoteFlags } from './remote/api.ts'

export const mcpCommand = command({
  name: 'mcp',
  summary:
    'Connect an AI assistant on this machine to Parley over standard input and output. PARLEY_URL and PARLEY_API_KEY name the server and the key.',
  silent: true,
  flags: remoteFlags,
  async run(flags, context) {
    const key = flags.key ?? process.env.PARLEY_API_KEY?.trim()
    if (!key) throw new UsageError('No API key. Set PARLEY_API_KEY, or give --key.')
    const server = flags.server ?? (process.env.PARLEY_URL?.trim() || context.config().siteUrl)
    const { remoteProtocol } = await import('./mcp/remote-protocol.ts')
    const { introduce, serveAssistant } = await import('./mcp/stdio-server.ts')
    const remote = remoteProtocol(server.replace(/\/+$/, ''), key)
    const introduction = await introduce(remote, readOwnVersion())
    const stop = new AbortController()
    const served = serveAssistant(remote, introduction, stop.signal)
    context.stayUntilStopped(async () => {
      stop.abort()
      await served
    })
    context.say(`Connected to ${server}.`)
    await served
    return {}
  },
})
