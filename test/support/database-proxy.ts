/**
 * A bad connection between the service and PostgreSQL. In addition to the faults of tcp-proxy.ts, it loses
 * the answer to a COMMIT: the commit succeeds, and the service never learns of it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tcpProxy, type Watch } from './tcp-proxy.ts'

const SOCKET = '.s.PGSQL.5432'

/** Starts a proxy to the database at `url` that examines the data of each connection. */
export async function watchDatabase(url: string, watch: Watch) {
  const target = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'pg-proxy-'))
  const targetFolder = target.searchParams.get('host')
  const proxy = await tcpProxy({
    path: join(folder, SOCKET),
    reach: () =>
      targetFolder
        ? connect(join(targetFolder, SOCKET))
        : connect(Number(target.port || 5432), target.hostname),
    watch,
  })
  target.searchParams.set('host', folder)
  target.searchParams.set('port', '5432')
  return {
    ...proxy,
    url: target.href,
    close: async () => {
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a proxy to the database at `url` whose connections can be disturbed. */
export async function databaseProxy(url: string) {
  let marker: string | undefined

  const watchConnection: Watch = (hangUp) => {
    /** The transaction on this connection contains the marker. */
    let marked = false
    return {
      client: (bytes) => {
        marked ||= marker !== undefined && bytes.includes(marker)
        return true
      },
      server: (bytes) => {
        if (!marked || !bytes.includes('COMMIT\0')) return true
        // Statements of the commit's round trip are answered together with it, so the service gets none of
        // their answers.
        marker = undefined
        marked = false
        hangUp()
        return false
      },
    }
  }
  const proxy = await watchDatabase(url, watchConnection)

  return {
    ...proxy,
    /** Loses the answer to the commit of the next transaction whose statements contain `text`. */
    loseCommitOf: (text: string) => {
      marker = text
    },
  }
}
