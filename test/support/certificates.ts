import { generate } from 'selfsigned'

/** A certificate authority of this test alone, and a way to get server certificates from it. */
export async function makeAuthority() {
  const authority = await generate([{ name: 'commonName', value: 'Test authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return {
    /** PEM text, as `PARLEY_EGRESS_CA` holds it. */
    ca: authority.cert,
    /** A server's key and certificate for these names and for 127.0.0.1. */
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
