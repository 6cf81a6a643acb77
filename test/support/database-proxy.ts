/**
 * Stands between the service and PostgreSQL and is a bad way: besides what any way may do (tcp-proxy.ts), it loses the answer
 * to a COMMIT, which happens, and the service never hears of it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tcpProxy, type Watch } from './tcp-proxy.ts'

const SOCKET = '.s.PGSQL.5432'

/** A way to the database at `url` that can be spoilt. */
export async function databaseProxy(url: string) {
  const target = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'pg-proxy-'))
  const targetFolder = target.searchParams.get('host')
  let marker: string | undefined

  const watch: Watch = (hangUp) => {
    /** The transaction on this connection carries the marker. */
    let marked = false
    return {
      client: (bytes) => {
        marked ||= marker !== undefined && bytes.includes(marker)
        return true
      },
      server: (bytes) => {
        if (!marked || !bytes.includes('COMMIT\0')) return true
        // What went out in one round trip with the commit is answered with it: nobody will hear of any of it.
        marker = undefined
        marked = false
        hangUp()
        return false
      },
    }
  }
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
    /** Loses the answer to the commit of the next transaction whose statements hold `text`. */
    loseCommitOf: (text: string) => {
      marker = text
    },
    close: async () => {
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
