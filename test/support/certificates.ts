import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'

/** A certificate authority for this test only, and a function that issues server certificates from it. */
export async function makeAuthority() {
  // A program that trusts two authorities tells them apart by their names.
  const name = `Test authority ${randomUUID()}`
  const authority = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return {
    /** PEM text, in the form that `PARLEY_EGRESS_CA` takes. */
    ca: authority.cert,
    /** Issues a key and a certificate for a server with these names and 127.0.0.1. */
    issue: async (...names: string[]) => {
      const issued = await generate([{ name: 'commonName', value: names[0] ?? 'server' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        ca: { key: authority.private, cert: authority.cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          {
            name: 'subjectAltName',
            altNames: [
              ...names.map((value) => ({ type: 2 as const, value })),
              { type: 7 as const, ip: '127.0.0.1' },
            ],
          },
        ],
      })
      return { key: issued.private, cert: issued.cert }
    },
  }
}

/** Stores the authorities of both https hosts in one file. */
export function joinAuthorities(...environments: Record<string, string>[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'parley-authorities-')), 'ca.pem')
  const texts = environments.map((env) => readFileSync(env.PARLEY_EGRESS_CA as string, 'utf8'))
  writeFileSync(path, texts.join('\n'))
  return path
}
