/** Runs Parse Server with its own database, as in its guide: one process, without cache or queue. */
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { answerParent } from '../ground/answers.ts'

/** `folder` is its installation folder. */
export type ParseServerStart = { folder: string; databaseUrl: string; appId: string; apiKey: string }

type Peer = {
  ParseServer: new (options: object) => { start(): Promise<unknown>; app: never }
}

let listening: Server | undefined

answerParent({
  start: async ({ folder, databaseUrl, appId, apiKey }: ParseServerStart) => {
    // Otherwise it writes its log into the current folder.
    process.env.PARSE_SERVER_LOGS_FOLDER = join(folder, 'logs')
    const load = createRequire(join(folder, 'package.json'))
    const { ParseServer } = load('parse-server') as Peer
    const { parse: optionsOf } = load('pg-connection-string') as { parse(url: string): object }
    const parse = new ParseServer({
      databaseURI: databaseUrl,
      // It does not read a socket folder from the address.
      databaseOptions: { ...optionsOf(databaseUrl) },
      appId,
      restAPIKey: apiKey,
      masterKey: `${apiKey}-master`,
      serverURL: 'http://127.0.0.1/',
      allowClientClassCreation: true,
      logLevel: 'error',
      silent: true,
      verbose: false,
    })
    await parse.start()
    const server = createServer(parse.app)
    listening = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { port: (server.address() as AddressInfo).port }
  },
  stop: () => listening?.closeAllConnections(),
})
