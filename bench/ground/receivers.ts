import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeAuthority } from '../../test/support/certificates.ts'
import type { SinkOpening } from '../processes/sink.ts'
import type { Arena } from './arena.ts'
import type { Child } from './children.ts'

/**
 * A receiver of webhooks. `env` makes the service reach it and trust its certificate; `ca` is that authority
 * in PEM.
 */
export type OpenSink = { sink: Child; urls: string[]; ca: string | undefined; env: Record<string, string> }

/** Opens a receiver at one address, or at `ports` of them, the last `hanging` of which never answer. */
export async function openSink(arena: Arena, secure: boolean, ports = 1, hanging = 0): Promise<OpenSink> {
  const sink = arena.child('sink')
  const authority = secure ? await makeAuthority() : undefined
  const opening: SinkOpening = { tls: await authority?.issue('localhost'), ports, hanging }
  const opened = await sink.ask<number[]>('open', opening)
  const caFile = join(arena.folder, 'bench-ca.pem')
  if (authority) writeFileSync(caFile, authority.ca)
  return {
    sink,
    urls: opened.map((port) => `${secure ? 'https' : 'http'}://127.0.0.1:${port}/hook`),
    ca: authority?.ca,
    env: { PARLEY_EGRESS_ALLOW: '127.0.0.0/8', ...(authority ? { PARLEY_EGRESS_CA: caFile } : {}) },
  }
}
