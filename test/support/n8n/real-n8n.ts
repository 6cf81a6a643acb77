/** A real n8n with the packed nodes, headless, with a database of its own. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Agent, request } from 'undici'
import { makeAuthority } from '../certificates.ts'
import { runNpm } from '../npm.ts'
import { freePort } from '../redis-server.ts'
import { until } from '../until.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The folder of an npm project with n8n, from the variable; tests that need it are skipped without it. */
export const N8N_FOLDER = process.env.PARLEY_TEST_N8N

/** Builds and packs the nodes in a copy of their folder; returns the path of the tarball. */
export async function packNodes(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-n8n-'))
  cpSync(join(ROOT, 'n8n'), join(folder, 'n8n'), {
    recursive: true,
    filter: (path) => !['dist', 'node_modules'].includes(basename(path)),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { code, output } = await runNpm(['pack', '--pack-destination', folder], join(folder, 'n8n'))
  if (code !== 0) throw new Error(`The nodes can't be packed: ${output}`)
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
}

export type RealN8n = {
  url: string
  /** Imports credentials or workflows with n8n's command line. */
  import(kind: 'credentials' | 'workflow', entries: object[]): Promise<void>
  /** Activates a workflow for the next start. */
  publish(workflow: string): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  /** Calls n8n's own API as its owner. */
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: unknown }>
  /** Sends a request to the address of a trigger. */
  post(url: string, headers: Record<string, string>, raw: string): Promise<number>
  output(): string
  /** The settings with which Parley trusts and reaches this n8n. */
  env: Record<string, string>
}

/** Prepares n8n in a new folder, with the nodes of the tarball as an installed community package. */
export async function prepareN8n(tarball: string): Promise<RealN8n> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-n8n-home-'))
  const nodes = join(folder, '.n8n/nodes')
  mkdirSync(nodes, { recursive: true })
  writeFileSync(join(nodes, 'package.json'), '{ "private": true }\n')
  const installed = await runNpm(
    ['install', '--offline', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', tarball],
    nodes,
  )
  if (installed.code !== 0) throw new Error(installed.output)
  const authority = await makeAuthority()
  const { key, cert } = await authority.issue('localhost')
  for (const [name, text] of Object.entries({ key, cert, ca: authority.ca }))
    writeFileSync(join(folder, `${name}.pem`), text)
  const port = await freePort()
  const url = `https://localhost:${port}`
  const env = {
    ...process.env,
    NODE_OPTIONS: undefined,
    // n8n does nothing if it thinks that it is tested itself.
    NODE_ENV: 'production',
    N8N_USER_FOLDER: folder,
    N8N_PORT: String(port),
    N8N_PROTOCOL: 'https',
    N8N_HOST: 'localhost',
    N8N_SSL_KEY: join(folder, 'key.pem'),
    N8N_SSL_CERT: join(folder, 'cert.pem'),
    WEBHOOK_URL: `${url}/`,
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'false',
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    DB_TYPE: 'sqlite',
  }
  const program = [join(N8N_FOLDER!, 'node_modules/n8n/bin/n8n')]
  let output = ''
  const spawned = (args: string[]) => {
    const child = spawn(process.execPath, [...program, ...args], {
      env,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    return { child, ended }
  }
  const connect = () => new Agent({ connect: { ca: authority.ca } })
  let dispatcher = connect()
  let cookie: string | undefined
  const call: RealN8n['call'] = async (method, path, body) => {
    const answer = await request(`${url}/rest${path}`, {
      method,
      dispatcher,
      headers: {
        'content-type': 'application/json',
        'browser-id': 'test',
        ...(cookie ? { cookie } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const [set] = [answer.headers['set-cookie'] ?? []].flat()
    if (set) cookie = set.split(';')[0]
    const text = await answer.body.text()
    return { status: answer.statusCode, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  const command = async (...args: string[]): Promise<void> => {
    if ((await spawned(args).ended) !== 0)
      throw new Error(`n8n ${args.join(' ')} failed: ${output.slice(-2_000)}`)
  }
  let server: ReturnType<typeof spawned> | undefined
  return {
    url,
    call,
    output: () => output,
    env: { PARLEY_EGRESS_ALLOW: '127.0.0.0/8,::1/128', PARLEY_EGRESS_CA: join(folder, 'ca.pem') },
    import: (kind, entries) => {
      const file = join(folder, `${kind}.json`)
      writeFileSync(file, JSON.stringify(entries))
      return command(`import:${kind}`, `--input=${file}`)
    },
    publish: (workflow) => command('publish:workflow', `--id=${workflow}`),
    start: async () => {
      server = spawned(['start'])
      const isReady = async (): Promise<boolean> => {
        if (server!.child.exitCode !== null) throw new Error(`n8n ended:\n${output}`)
        return (
          (await request(`${url}/healthz/readiness`, { dispatcher }).catch(() => undefined))?.statusCode ===
          200
        )
      }
      await until(isReady, 'n8n is ready', 180_000)
    },
    stop: async () => {
      server?.child.kill('SIGTERM')
      await server?.ended
      // n8n can be started again.
      await dispatcher.close()
      dispatcher = connect()
    },
    post: async (address, headers, raw) => {
      const answer = await request(address, { method: 'POST', dispatcher, headers, body: raw })
      await answer.body.dump()
      return answer.statusCode
    },
  }
}
